import { beforeEach, describe, expect, test } from "vitest";

import {
  Connection,
  type ConnectionState,
  type Refusal,
  type Socket,
  type World,
} from "../src/connection";
import { PROTOCOL, type ClientMessage, type ServerMessage } from "../src/protocol";

class FakeSocket implements Socket {
  binaryType = "blob";
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  sent: ClientMessage[] = [];
  isClosed = false;

  send(data: string): void {
    this.sent.push(JSON.parse(data) as ClientMessage);
  }
  close(): void {
    this.isClosed = true;
  }
  hear(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  /** What was asked last, of this kind. */
  asked(type: ClientMessage["type"]): ClientMessage {
    return this.sent.findLast((message) => message.type === type)!;
  }
}

class FakeWorld implements World {
  sockets: FakeSocket[] = [];
  time = 0;
  chance = 1;
  online = true;
  keys = 0;
  #timers = new Map<object, { due: number; then: () => void }>();

  open(): FakeSocket {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  }
  now = () => this.time;
  random = () => this.chance;
  key = () => `${++this.keys}`.padStart(32, "0");
  isOnline = () => this.online;
  later(ms: number, then: () => void): () => void {
    const handle = {};
    this.#timers.set(handle, { due: this.time + ms, then });
    return () => this.#timers.delete(handle);
  }
  /** Lets time pass, and what is due in it happen in order. */
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = [...this.#timers].sort(([, a], [, b]) => a.due - b.due)[0];
      if (next === undefined || next[1].due > end) break;
      this.time = next[1].due;
      this.#timers.delete(next[0]);
      next[1].then();
    }
    this.time = end;
  }
  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }
}

let world: FakeWorld;
let connection: Connection;
let states: ConnectionState[];
let heard: ServerMessage[];
let turnedAway: Refusal[];
let frames: ArrayBuffer[];

/** Lets promises that are settled call back. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  world = new FakeWorld();
  states = [];
  heard = [];
  turnedAway = [];
  frames = [];
  connection = new Connection(world, {
    onMessage: (message) => heard.push(message),
    onFrame: (data) => frames.push(data),
    onState: (state) => states.push(state),
    onTurnedAway: (refusal) => turnedAway.push(refusal),
  });
});

async function connect(): Promise<void> {
  connection.attach("t1", ["secret"]);
  world.socket.onopen?.();
  world.socket.hear({ type: "ok", id: world.socket.asked("attach").id });
  await settle();
}

describe("attaching", () => {
  test("the first thing said is the table and one's tokens", () => {
    connection.attach("t1", ["secret"]);
    expect(states).toEqual([{ kind: "connecting" }]);
    expect(world.socket.sent).toEqual([]);
    world.socket.onopen?.();
    expect(world.socket.sent).toEqual([
      { type: "attach", id: 1, protocol: PROTOCOL, table: "t1", tokens: ["secret"] },
    ]);
    expect(connection.state.kind).toBe("connected");
  });

  test("another table goes over the same socket", async () => {
    await connect();
    connection.attach("t2", []);
    expect(world.sockets).toHaveLength(1);
    expect(world.socket.asked("attach")).toMatchObject({ table: "t2", tokens: [] });
  });

  test("who is turned away does not come back", async () => {
    connection.attach("nowhere", []);
    world.socket.onopen?.();
    world.socket.hear({ type: "error", id: 1, code: "unknown-table", message: "no such table" });
    await settle();
    expect(turnedAway.map((refusal) => refusal.code)).toEqual(["unknown-table"]);
    expect(connection.state.kind).toBe("idle");
    world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
  });

  test("who leaves is not called back", async () => {
    await connect();
    connection.detach();
    expect(world.socket.isClosed).toBe(true);
    world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
  });
});

describe("requests", () => {
  test("answers find their questions, in any order", async () => {
    await connect();
    const first = connection.request({ type: "chat", text: "one" });
    const second = connection.request({ type: "rematch" });
    const [chat, rematch] = [world.socket.asked("chat"), world.socket.asked("rematch")];
    world.socket.hear({ type: "ok", id: rematch.id, table: "t9" });
    world.socket.hear({ type: "ok", id: chat.id });
    expect(await second).toBe("t9");
    expect(await first).toBeNull();
  });

  test("a refusal names its rule", async () => {
    await connect();
    const asked = connection.request({ type: "act", seat: 0, decision: 3, do: "play k7" });
    const { id } = world.socket.asked("act");
    world.socket.hear({ type: "error", id, code: "illegal-action", rule: "SK-5", message: "no" });
    await expect(asked).rejects.toMatchObject({ code: "illegal-action", rule: "SK-5" });
  });

  test("a question that is on its way when the connection breaks is rejected", async () => {
    await connect();
    const asked = connection.preview({ type: "preview", seat: 0, decision: 3, do: "refit" });
    world.socket.onclose?.({ code: 1006 });
    await expect(asked).rejects.toMatchObject({ code: "lost" });
    await expect(connection.request({ type: "start" })).rejects.toMatchObject({
      code: "not-connected",
    });
  });

  test("what changes something is asked again, with the same key, until it is answered", async () => {
    await connect();
    const asked = connection.request({ type: "act", seat: 0, decision: 3, do: "play k7" });
    const first = world.socket.asked("act");
    expect(first).toMatchObject({ key: expect.stringMatching(/^[0-9a-f]{32}$/) });
    world.socket.onclose?.({ code: 1006 });
    world.pass(500);
    world.socket.onopen?.();
    expect(world.socket.sent.map(({ type }) => type)).toEqual(["attach"]); // not before it is there
    world.socket.hear({ type: "ok", id: world.socket.asked("attach").id });
    await settle();
    expect(world.socket.asked("act")).toEqual(first);
    world.socket.hear({ type: "ok", id: first.id });
    expect(await asked).toBeNull();
  });

  test("what waits for an answer is given up when one leaves the table", async () => {
    await connect();
    const asked = connection.request({ type: "chat", text: "hello" });
    connection.detach();
    await expect(asked).rejects.toMatchObject({ code: "lost" });
  });

  test("a view answers the request that brought it about", async () => {
    await connect();
    const asked = connection.request({ type: "act", seat: 0, decision: 3, do: "play k7" });
    const shown = { to_act: [1], scores: [0, 0], winners: [], view: {}, ply: 4, decision: 4, happened: [] };
    world.socket.hear({ type: "view", table: "t1", shown, ack: world.socket.asked("act").id });
    expect(await asked).toBeNull();
    expect(heard.at(-1)).toMatchObject({ type: "view" });
  });

  test("what nobody asked for is passed on", async () => {
    await connect();
    world.socket.hear({ type: "error", id: null, code: "too-fast", message: "slow down" });
    world.socket.hear({ type: "chat", table: "t1", lines: [] });
    expect(heard.map((message) => message.type)).toEqual(["error", "chat"]);
  });

  test("a preview is answered with what an action would come to", async () => {
    await connect();
    const answer = connection.preview({ type: "preview", seat: 0, decision: 3, do: "refit -" });
    const { id } = world.socket.asked("preview");
    world.socket.hear({ type: "preview", id, told: { refused: null } });
    expect(await answer).toEqual({ refused: null });
    const refused = connection.preview({ type: "preview", seat: 0, decision: 3, do: "refit" });
    world.socket.hear({ type: "error", id: world.socket.asked("preview").id, code: "bad-notation", message: "no" });
    await expect(refused).rejects.toMatchObject({ code: "bad-notation" });
  });
});

describe("coming back", () => {
  test("by itself, with the same tokens", async () => {
    await connect();
    world.socket.onclose?.({ code: 1006 });
    expect(connection.state).toEqual({ kind: "waiting", until: 500, why: "lost" });
    world.pass(500);
    expect(world.sockets).toHaveLength(2);
    world.socket.onopen?.();
    expect(world.socket.asked("attach")).toMatchObject({ table: "t1", tokens: ["secret"] });
  });

  test("later and later, up to a limit, and soon again once it worked", async () => {
    await connect();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      world.socket.onclose?.({ code: 1006 });
      const { state } = connection;
      if (state.kind !== "waiting") throw new Error(state.kind);
      waits.push(state.until - world.time);
      world.pass(waits[i]!);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15000, 15000, 15000]);
    world.socket.onopen?.();
    world.socket.hear({ type: "ok", id: world.socket.asked("attach").id });
    await settle();
    world.socket.onclose?.({ code: 1006 });
    expect(connection.state).toMatchObject({ until: world.time + 500 });
  });

  test("not all browsers at the same moment", async () => {
    await connect();
    world.chance = 0;
    world.socket.onclose?.({ code: 1006 });
    expect(connection.state).toMatchObject({ until: 250 });
  });

  test.each([
    [1012, "restart"],
    [1001, "restart"],
    [1008, "busy"],
    [1009, "busy"],
    [1006, "lost"],
  ])("a close with %d is told as %s", async (code, why) => {
    await connect();
    world.socket.onclose?.({ code });
    const until = why === "busy" ? 5500 : 500;
    expect(connection.state).toEqual({ kind: "waiting", until, why });
  });

  test("after a goodbye the server restarts, whatever the code", async () => {
    await connect();
    world.socket.hear({ type: "goodbye", reason: "shutdown" });
    world.socket.onclose?.({ code: 1006 });
    expect(connection.state).toMatchObject({ why: "restart" });
    world.pass(500);
    world.socket.onclose?.({ code: 1006 });
    expect(connection.state).toMatchObject({ why: "restart" }); // it still does
    world.pass(1000);
    world.socket.onopen?.();
    world.socket.onclose?.({ code: 1006 });
    expect(connection.state).toMatchObject({ why: "lost" });
  });

  test("without a network it says so, and still tries", async () => {
    await connect();
    world.online = false;
    world.socket.onclose?.({ code: 1006 });
    expect(connection.state).toMatchObject({ why: "offline" });
    world.pass(500);
    expect(world.sockets).toHaveLength(2);
  });

  test("a socket that never opens is given up", () => {
    connection.attach("t1", []);
    world.pass(10_000);
    expect(world.sockets[0]!.isClosed).toBe(true);
    expect(connection.state).toMatchObject({ kind: "waiting", why: "lost" });
  });

  test("an old socket is not heard any more", async () => {
    await connect();
    const old = world.socket;
    old.onclose?.({ code: 1006 });
    old.hear({ type: "chat", table: "t1", lines: [] });
    expect(heard).toEqual([]);
  });
});

describe("silence", () => {
  test("is broken with a ping; an answer is enough", async () => {
    await connect();
    world.pass(20_000);
    const ping = world.socket.asked("ping");
    world.pass(5_000);
    world.socket.hear({ type: "ok", id: ping.id });
    world.pass(10_000);
    expect(connection.state.kind).toBe("connected");
  });

  test("that lasts means the connection is gone", async () => {
    await connect();
    world.pass(26_000);
    expect(world.sockets[0]!.isClosed).toBe(true);
    expect(connection.state).toMatchObject({ kind: "waiting", why: "lost" });
  });
});

describe("a stale tab", () => {
  test("that waited comes back at once", async () => {
    await connect();
    for (let i = 0; i < 6; i++) {
      world.socket.onclose?.({ code: 1006 });
      if (i < 5) world.pass(20_000);
    }
    const before = world.sockets.length;
    connection.wake();
    expect(world.sockets).toHaveLength(before + 1);
  });

  test("finds out quickly that its socket is dead", async () => {
    await connect();
    connection.wake();
    expect(world.socket.asked("ping")).toBeDefined();
    world.pass(2_500);
    expect(connection.state.kind).toBe("waiting");
  });
});

describe("a live world", () => {
  const gesture = { type: "gesture", seat: 0, decision: 7, seen: 40, do: { let_go: true } } as const;

  test("sends frames as bytes, and they break the silence", async () => {
    await connect();
    expect(world.socket.binaryType).toBe("arraybuffer");
    const frame = new ArrayBuffer(12);
    world.pass(19_000);
    world.socket.onmessage?.({ data: frame });
    world.pass(19_000);
    expect(frames).toEqual([frame]);
    expect(world.socket.asked("ping")).toBeUndefined();
  });

  test("takes gestures without an answer; a refusal is heard", async () => {
    await connect();
    connection.tell(gesture);
    const { id } = world.socket.asked("gesture");
    expect(world.socket.asked("gesture")).toEqual({ ...gesture, id });
    const refused = { type: "error", id, code: "bad-gesture", message: "…" } as const;
    world.socket.hear(refused);
    expect(heard.at(-1)).toEqual(refused);
  });

  test("takes nothing while there is no connection", () => {
    connection.attach("t1", []);
    connection.tell(gesture);
    expect(world.socket.sent).toEqual([]);
  });
});
