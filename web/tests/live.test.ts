import { expect, test } from "vitest";

import { OpenWorld, readFrame, type Frame } from "../src/live";

/** A frame as the server writes it. */
function written(decision: number, time: number, body: number[], kind = 1): ArrayBuffer {
  const bytes = new Uint8Array(12 + body.length);
  const head = new DataView(bytes.buffer);
  head.setUint8(0, kind);
  head.setUint8(1, 87);
  head.setUint32(4, decision, true);
  head.setUint32(8, time, true);
  bytes.set(body, 12);
  return bytes.buffer;
}

test("a frame's head", () => {
  const frame = readFrame(written(70_001, 123_456, [5, 6]), 9)!;
  expect(frame).toMatchObject({ pace: 87, decision: 70_001, time: 123_456, at: 9 });
  expect([frame.body.byteLength, frame.body.getUint8(1)]).toEqual([2, 6]);
});

test("what is no frame is none", () => {
  expect(readFrame(new ArrayBuffer(11), 0)).toBeNull();
  expect(readFrame(written(1, 2, [], 2), 0)).toBeNull();
});

test("who comes late hears all of a world, and nothing of another", () => {
  const world = new OpenWorld({ decision: 4, seat: 1, world: { piece: "rat" } });
  const times: number[] = [];
  const hear = (frame: Frame) => times.push(frame.time);
  const send = (decision: number, time: number) =>
    world.hear(readFrame(written(decision, time, []), 0)!);
  send(4, 10);
  send(3, 20);
  const stop = world.listen(hear);
  send(4, 30);
  stop();
  send(4, 40);
  expect(times).toEqual([10, 30]);
});
