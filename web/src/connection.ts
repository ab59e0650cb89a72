/**
 * One WebSocket to the server that comes back by itself. It knows one table at a time and attaches
 * to it again after every interruption; what is shown then is whole again. What was asked and not
 * answered is asked again, with the same key: it happens once.
 *
 * The socket, the clock and chance are handed in, so that tests can play all of them.
 */

import { PROTOCOL, type AskPreview, type ClientMessage, type PreviewTold, type ServerMessage } from "./protocol";

/** What is used of a `WebSocket`. */
export interface Socket {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string | ArrayBuffer }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(data: string): void;
  close(): void;
}

export interface World {
  open(): Socket;
  now(): number;
  /** Calls back after a while; answers how to call it off. */
  later(ms: number, then: () => void): () => void;
  /** From 0 to 1. */
  random(): number;
  /** 16 random bytes as hexadecimal digits, by which the server knows a request again. */
  key(): string;
  isOnline(): boolean;
}

/** `busy`: we said too much, the server wants a pause. */
export type Trouble = "lost" | "restart" | "busy" | "offline";

export type ConnectionState =
  | { kind: "idle" }
  | { kind: "connecting" }
  | { kind: "connected" }
  | { kind: "waiting"; until: number; why: Trouble };

/** A request that was not carried out. `code` is the server's, `lost` or `not-connected`. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly rule: string | null = null,
  ) {
    super(message);
  }
}

type WithoutId<M> = M extends ClientMessage ? Omit<M, "id" | "key"> : never;
export type Request = WithoutId<ClientMessage>;

/** What changes something, and therefore carries a key. */
const CHANGES: readonly Request["type"][] = [
  ...(["act", "chat", "commit", "reveal", "start"] as const),
  ...(["pause", "remove", "leave", "resign", "rematch"] as const),
];

interface Waiting {
  /** What is sent again after an interruption; null for what is not. */
  message: Request | null;
  resolve: (answer: unknown) => void;
  reject: (refusal: Refusal) => void;
}

export interface Listener {
  onMessage(message: ServerMessage): void;
  /** A frame of a live world, as it came. */
  onFrame(data: ArrayBuffer): void;
  onState(state: ConnectionState): void;
  /** The server does not let us attach; trying again would be of no use. */
  onTurnedAway(refusal: Refusal): void;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
const BUSY_DELAY_MS = 5_000;
const QUIET_MS = 20_000;
const ANSWER_MS = 6_000;
const WAKING_ANSWER_MS = 2_500;
const OPENING_MS = 10_000;

const TOO_MUCH = [1008, 1009];
const RESTART = [1001, 1012];

export class Connection {
  state: ConnectionState = { kind: "idle" };

  #wanted: { table: string; tokens: string[] } | null = null;
  #socket: Socket | null = null;
  #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #failures = 0;
  #isRestarting = false;
  #callOff: () => void = () => {};

  constructor(
    readonly world: World,
    readonly listener: Listener,
  ) {}

  /** Sees a table from now on, with the tokens of one's seats. */
  attach(table: string, tokens: string[]): void {
    this.#wanted = { table, tokens };
    this.#failures = 0;
    if (this.state.kind === "connected") this.#sendAttach();
    else this.#connect();
  }

  /** Sees nothing more. */
  detach(): void {
    this.#wanted = null;
    this.#drop();
    this.#become({ kind: "idle" });
  }

  /** Asks something of the server. Rejects with a `Refusal`. */
  async request(message: Request): Promise<string | null> {
    return (await this.#askIfConnected(message)) as string | null;
  }

  /** Asks what an action would come to. Rejects with a `Refusal`. */
  async preview(message: Omit<AskPreview, "id">): Promise<PreviewTold["told"]> {
    return (await this.#askIfConnected(message)) as PreviewTold["told"];
  }

  /** Says something that is answered only if it is refused; the refusal is heard as a message. */
  tell(message: Request): void {
    if (this.state.kind !== "connected") return;
    this.#socket?.send(JSON.stringify({ ...message, id: this.#nextId++ }));
  }

  /** The page is looked at again, or the network is back: catches up at once. */
  wake(): void {
    if (this.state.kind === "waiting") this.#connect();
    else if (this.state.kind === "connected") this.#ping(WAKING_ANSWER_MS);
  }

  // The socket ----------------------------------------------------------------------------------

  #connect(): void {
    this.#drop();
    this.#become({ kind: "connecting" });
    const socket = this.world.open();
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => {
      this.#isRestarting = false;
      this.#become({ kind: "connected" });
      this.#listen();
      this.#sendAttach();
    };
    socket.onmessage = (event) => {
      this.#listen();
      if (typeof event.data === "string") this.#receive(JSON.parse(event.data) as ServerMessage);
      else this.listener.onFrame(event.data);
    };
    socket.onclose = (event) => this.#lost(event.code);
    this.#after(OPENING_MS, () => this.#lost(1006));
  }

  /** Lets go of the socket; nothing it still says is heard. */
  #drop(): void {
    this.#callOff();
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    for (const [id, { message, reject }] of [...this.#waiting]) {
      if (message !== null && this.#wanted !== null) continue;
      this.#waiting.delete(id);
      reject(new Refusal("lost", "the connection was lost"));
    }
  }

  #lost(code: number): void {
    this.#drop();
    if (this.#wanted === null) return;
    if (RESTART.includes(code)) this.#isRestarting = true;
    let why: Trouble = "lost";
    if (this.#isRestarting) why = "restart";
    else if (TOO_MUCH.includes(code)) why = "busy";
    else if (!this.world.isOnline()) why = "offline";

    // Twice as long after every failure, up to a limit; each browser at a time of its own.
    const longest = Math.min(FIRST_DELAY_MS * 2 ** this.#failures, LONGEST_DELAY_MS);
    let delay = longest * (0.5 + 0.5 * this.world.random());
    if (why === "busy") delay += BUSY_DELAY_MS;
    this.#failures += 1;
    this.#become({ kind: "waiting", until: this.world.now() + delay, why });
    this.#after(delay, () => this.#connect());
  }

  /** After a while of silence, asks whether anybody is there. */
  #listen(): void {
    this.#after(QUIET_MS, () => this.#ping(ANSWER_MS));
  }

  #ping(patience: number): void {
    this.#ask({ type: "ping" }).catch(() => {});
    this.#after(patience, () => this.#lost(1006));
  }

  /** There is one timer: what is due next. */
  #after(ms: number, then: () => void): void {
    this.#callOff();
    this.#callOff = this.world.later(ms, then);
  }

  // Messages ------------------------------------------------------------------------------------

  async #askIfConnected(message: Request): Promise<unknown> {
    if (this.state.kind !== "connected") {
      throw new Refusal("not-connected", "there is no connection");
    }
    return this.#ask(message);
  }

  #ask(message: Request): Promise<unknown> {
    const id = this.#nextId++;
    const isChange = CHANGES.includes(message.type);
    const sent = { ...message, id, ...(isChange && { key: this.world.key() }) };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { message: isChange ? sent : null, resolve, reject });
      this.#socket?.send(JSON.stringify(sent));
    });
  }

  /** After an interruption: asks again what was not answered. */
  #sendAgain(): void {
    for (const { message } of this.#waiting.values()) {
      if (message !== null) this.#socket?.send(JSON.stringify(message));
    }
  }

  #sendAttach(): void {
    const wanted = this.#wanted;
    if (wanted === null) return;
    this.#ask({ type: "attach", protocol: PROTOCOL, ...wanted }).then(
      () => {
        this.#failures = 0;
        this.#sendAgain();
      },
      (refusal: Refusal) => {
        if (refusal.code === "lost" || this.#wanted !== wanted) return;
        this.detach();
        this.listener.onTurnedAway(refusal);
      },
    );
  }

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case "ok":
        this.#answer(message.id)?.resolve(message.table ?? null);
        return;
      case "preview":
        this.#answer(message.id)?.resolve(message.told);
        return;
      case "error": {
        const refusal = new Refusal(message.code, message.message, message.rule ?? null);
        const asked = message.id === null ? undefined : this.#answer(message.id);
        if (asked === undefined) this.listener.onMessage(message);
        else asked.reject(refusal);
        return;
      }
      case "view":
        this.listener.onMessage(message);
        if (message.ack != null) this.#answer(message.ack)?.resolve(null);
        return;
      case "goodbye":
        if (message.reason === "shutdown") this.#isRestarting = true;
        this.listener.onMessage(message);
        return;
      default:
        this.listener.onMessage(message);
    }
  }

  #answer(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #become(state: ConnectionState): void {
    this.state = state;
    this.listener.onState(state);
  }
}

/** A key for something that shall happen once, however often it is sent: 16 random bytes, in hex. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The world as it is in a browser. */
export function browserWorld(): World {
  return {
    open() {
      const scheme = location.protocol === "https:" ? "wss:" : "ws:";
      return new WebSocket(`${scheme}//${location.host}/ws`) as Socket;
    },
    now: () => performance.now(),
    later(ms, then) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    key: newKey,
    isOnline: () => navigator.onLine,
  };
}
