import { describe, expect, test } from "vitest";

import { readMotion, readTold, type Told } from "../src/games/riff_raff/frames";
import type { Kit } from "../src/games/riff_raff/kit";
import { Loading } from "../src/games/riff_raff/loading.svelte";
import { LATE_MS, Motion, type Resting } from "../src/games/riff_raff/motion";
import { OpenWorld } from "../src/live";
import { about, inShip, multiply, rotate, shipTurn, type Quat, type Vec } from "../src/table3d/poses";
import vectors from "./riff_raff-vectors.json"; // written by quarterdeck.physics.frames

const bytes = (hex: string) =>
  new DataView(Uint8Array.from(hex.match(/../g)!, (pair) => parseInt(pair, 16)).buffer);

describe("the bytes of a loading", () => {
  test("a whole frame: flags, the ship, and every pose", () => {
    const told = readTold(bytes(vectors.frames[0]!));
    expect(told).toMatchObject({
      isWhole: true,
      hasLetGo: false,
      isTouching: true,
      isIntruding: true,
      isFalling: false,
      isSteady: false,
      over: 7,
      knock: 0.2,
      tempo: 1,
    });
    expect(told.ship[0]).toBeCloseTo(0.0312, 6);
    expect(told.ship[1]).toBeCloseTo(-0.0021, 6);
    expect([...told.pieces.keys()]).toEqual(vectors.ids);
    vectors.ids.forEach((id, place) => {
      const pose = told.pieces.get(id)!;
      const { at, turn } = vectors.poses[place]!;
      at.forEach((part, axis) => expect(Math.abs(pose.at[axis]! - part)).toBeLessThan(0.51e-4));
      // the same turn, whatever its sign
      const alike = Math.abs(turn.reduce((sum, part, axis) => sum + part * pose.turn[axis]!, 0));
      expect(alike).toBeGreaterThan(1 - 1e-7);
      expect(Math.hypot(...pose.turn)).toBeCloseTo(1, 6);
    });
  });

  test("what is gone is told so", () => {
    const told = readTold(bytes(vectors.frames[1]!));
    expect(told).toMatchObject({ hasLetGo: true, isFalling: true, knock: 1, tempo: 0.2 });
    expect(told.pieces.get(12)).toBeNull();
    expect(told.pieces.get(31)).not.toBeNull();
  });

  test("the motion a record keeps", async () => {
    const frames = await readMotion(vectors.motion);
    expect(frames.map((frame) => frame.time)).toEqual([0, 33]);
    expect(frames[1]!.told).toEqual(readTold(bytes(vectors.frames[1]!)));
  });
});

describe("turns", () => {
  test("the ship is pitched first, then rolled about its own axis", () => {
    const turn = shipTurn([Math.PI / 2, Math.PI / 2]);
    const turned = rotate(turn, [0, 1, 0]); // the roll takes y to z, the pitch z to x
    expect(turned.map((part) => Math.round(part * 1e9) / 1e9)).toEqual([1, 0, 0]);
  });

  test("what the ship sees turns back", () => {
    const at: Vec = [0.1, -0.2, 0.3];
    const back = inShip([0.2, -0.1], rotate(shipTurn([0.2, -0.1]), at));
    back.forEach((part, axis) => expect(part).toBeCloseTo(at[axis]!, 9));
  });

  test("one after another", () => {
    const half = about([0, 0, 1], Math.PI / 4);
    expect(rotate(multiply(half, half), [1, 0, 0])[1]).toBeCloseTo(1, 9);
  });
});

const LEVEL: Quat = [1, 0, 0, 0];
const REST: Resting = {
  ship: [0, 0],
  pieces: [{ id: 12, piece: "crate", area: 1, at: [0, 0, 0.1], turn: LEVEL }],
};

function told(pieces: [number, Vec | null][], rest: Partial<Told> = {}): Told {
  return {
    isWhole: false,
    hasLetGo: true,
    isTouching: false,
    isIntruding: false,
    isFalling: false,
    isSteady: false,
    over: 0,
    knock: 0,
    tempo: 1,
    ship: [0, 0],
    pieces: new Map(pieces.map(([id, at]) => [id, at && { at, turn: LEVEL }])),
    ...rest,
  };
}

test("a gesture names the newest frame that was drawn, and nothing between frames", () => {
  const hello = { piece: "crate", id: 12, area: 7, home: [0, 0, 0], sides: 1, limit_ms: 300_000, poses: REST, swap: [] };
  const world = new OpenWorld({ decision: 5, seat: 0, world: hello });
  const gestures: unknown[] = [];
  const live = { world, gesture: (does: object, seen: number) => gestures.push([does, seen]) };
  const kit = { areas: Object.fromEntries([1, 2, 3, 4].map((area) => [area, { from: [-160, -55], to: [160, 55], top: 18 }])) } as unknown as Kit;
  const loading = new Loading(live, world, kit, 0, () => {});
  for (const time of [40, 73, 106]) {
    world.hear({ pace: 100, decision: 5, time, at: 1000 + time, body: bytes(vectors.frames[0]!) });
  }
  loading.saw(99.7); // a picture between two frames
  loading.graspFor(12);
  expect(gestures).toEqual([[{ catch: { id: 12 } }, 73]]);
  expect(loading.leftMs(1106)).toBe(299_894);
  loading.close();
});

describe("motion", () => {
  test("is shown late, and runs evenly between frames", () => {
    const motion = new Motion(REST);
    motion.add(told([[12, [0, 0, 0.1]]]), 1000, 5000);
    motion.add(told([[12, [0, 0, 0.2]]], { ship: [0.1, 0] }), 1040, 5040);
    expect(motion.shownAt(5040)).toBe(1040 - LATE_MS);
    expect(motion.isBehind(5040)).toBe(true);
    const picture = motion.at(1010);
    expect(picture.pieces.get(12)!.at[2]).toBeCloseTo(0.125, 9);
    expect(picture.ship[0]).toBeCloseTo(0.025, 9);
    expect(motion.shownAt(9000)).toBe(1040);
    expect(motion.isBehind(9000)).toBe(false);
  });

  test("after a pause nothing moves until just before the next frame", () => {
    const motion = new Motion(REST);
    motion.add(told([[12, [0, 0, 0.1]]]), 1000, 5000);
    motion.add(told([[12, [0, 0, 0.2]]]), 8000, 12_000);
    expect(motion.at(7900).pieces.get(12)!.at[2]).toBeCloseTo(0.1, 9);
    expect(motion.at(7983).pieces.get(12)!.at[2]).toBeCloseTo(0.15, 3);
  });

  test("the newest frame in a picture is one that came, not one made up between two", () => {
    const motion = new Motion(REST);
    expect(motion.frameAt(500)).toBeNull();
    motion.add(told([]), 1000, 5000);
    motion.add(told([]), 8000, 12_000);
    expect(motion.frameAt(999)).toBeNull();
    expect(motion.frameAt(7990.5)).toBe(1000);
    expect(motion.frameAt(8000)).toBe(8000);
  });

  test("the quickest frames set the clock; when the server slows down it follows", () => {
    const motion = new Motion(REST);
    motion.add(told([]), 100, 5150);
    motion.add(told([]), 133, 5133);
    motion.add(told([]), 166, 5250); // came late
    const soon = motion.shownAt(5150);
    expect(soon).toBeGreaterThan(80);
    expect(soon).toBeLessThanOrEqual(90);
    for (let i = 0; i < 200; i++) motion.add(told([]), 200 + i * 20, 5250 + i * 33);
    const now = 5250 + 200 * 33;
    expect(motion.newest.time - motion.shownAt(now)).toBeLessThan(2 * 33 * 20);
  });

  test("what is told of a moment takes the place of what was known of it", () => {
    const motion = new Motion({ ship: [0, 0], pieces: [] });
    motion.add(told([[12, [0, 0, 0.1]]], { isWhole: true }), 0, 0);
    expect([...motion.at(0).pieces.keys()]).toEqual([12]);
  });

  test("what is gone leaves; a whole frame begins anew", () => {
    const motion = new Motion(REST);
    motion.add(told([[12, null]]), 40, 40);
    expect(motion.newest.pieces.has(12)).toBe(false);
    expect(motion.at(20).pieces.has(12)).toBe(true);
    motion.add(told([[3, [0, 0, 0]]], { isWhole: true }), 80, 80);
    expect([...motion.newest.pieces.keys()]).toEqual([3]);
  });

  test("falling is what goes down beside the ship, but not the piece in the hand", () => {
    const motion = new Motion(
      { ship: [0, 0], pieces: [12, 13, 14].map((id) => ({ ...REST.pieces[0]!, id })) },
      [0.16, 0.055],
    );
    const slow = { isFalling: true, tempo: 0.2 };
    const at = (z: number): [number, Vec][] => [
      [12, [0.2, 0, z]],
      [13, [0.2, 0, z]],
      [14, [0.1, 0, z]], // over the deck
    ];
    motion.add(told(at(0.2), { isWhole: true, ...slow }), 100, 100, 13);
    motion.add(told(at(0.195), slow), 133, 133, 13);
    expect([...motion.falling]).toEqual([12]);
    motion.add(told(at(0.195), slow), 166, 166, 13);
    expect([...motion.falling]).toEqual([12]);
    motion.add(told([], slow), 200, 200, 13); // something held it up
    expect(motion.falling.size).toBe(0);
    motion.add(told(at(0.19), slow), 233, 233, 13);
    expect([...motion.falling]).toEqual([12]);
    motion.add(told([]), 266, 266, 13);
    expect(motion.falling.size).toBe(0);
  });
});
