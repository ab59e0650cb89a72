// Made from src/quarterdeck/server/protocol.py by `make protocol`. Do not edit.

export const PROTOCOL = 3;

export const LONGEST_NAME = 24;

export const LONGEST_CHAT = 300;

/**
 * Begin to see a table, with the tokens of one's seats; without any, as a spectator.
 *
 * Attaching to another table, or again, replaces the attachment before. A seat that a bot had
 * taken over for somebody away is taken back. `protocol` is the version the client speaks: one
 * that is not the server's is refused as `reload`.
 */
export interface Attach {
  type: "attach";
  id: number;
  table: string;
  tokens?: string[];
  protocol?: number;
}

/**
 * Do something on a seat of yours. `decision` is the one of the view it answers: a choice for a
 * decision that is past is refused as `past-decision`; a sealed choice is never stale.
 */
export interface Act {
  type: "act";
  id: number;
  key: string;
  seat: number;
  decision: number;
  do: string;
}

/**
 * What the hand of a seat of yours does in the open live world (`decision` as in `act`).
 *
 * Write `type` first: gestures may come more often than other messages, and are known by that.
 * `do` is the game's own; `seen` is the time of the newest frame that was drawn when the hand did
 * it. Only a gesture that is refused is answered.
 */
export interface Gesture {
  type: "gesture";
  id: number;
  seat: number;
  decision: number;
  seen: number;
  do: Record<string, unknown>;
}

/**
 * What would an action of a seat of yours come to? Nothing changes. Answered by `preview`
 * instead of `ok`; only some actions of some games have one.
 */
export interface AskPreview {
  type: "preview";
  id: number;
  seat: number;
  decision: number;
  do: string;
}

/**
 * What would the quartermaster do? For a seat of yours that is to act, at a table with hints.
 * The answer comes as `hint` when it has been thought of.
 */
export interface AskHint {
  type: "hint";
  id: number;
  seat: number;
  decision: number;
}

/**
 * The plies from `first` to `last` of the table one is attached to, at most 32 of them, as they
 * were shown to `seat`, one of yours (null: to everybody). After the end all is open. Answered by
 * `history` instead of `ok`.
 */
export interface AskHistory {
  type: "history";
  id: number;
  seat: number | null;
  first: number;
  last: number;
}

/**
 * Say something at the table.
 */
export interface Say {
  type: "chat";
  id: number;
  key: string;
  text: string;
}

/**
 * Hear no more, or again, of what a seat (null: those who watch) says. Only for you.
 */
export interface Mute {
  type: "mute";
  id: number;
  seat: number | null;
  muted: boolean;
}

/**
 * Before the roster is fixed: the hash of this seat's 32 random bytes (`docs/fairness.md`), for
 * the present `attempt` to begin. Keep the bytes first.
 */
export interface Commit {
  type: "commit";
  id: number;
  key: string;
  seat: number;
  attempt: number;
  hash: string;
}

/**
 * The bytes this seat has bound, once the roster is known and kept: `roster` is its hash, which
 * the client computes itself.
 */
export interface Reveal {
  type: "reveal";
  id: number;
  key: string;
  seat: number;
  roster: string;
  bytes: string;
}

/**
 * Begin the game; the host's to say. Seats still open get bots.
 */
export interface Start {
  type: "start";
  id: number;
  key: string;
}

/**
 * Stop the clocks and the game, or go on; the host's to say.
 */
export interface Pause {
  type: "pause";
  id: number;
  key: string;
  paused: boolean;
}

/**
 * Before the start: send a guest away from a seat; the host's to say.
 */
export interface Remove {
  type: "remove";
  id: number;
  key: string;
  seat: number;
}

/**
 * Give up a seat of yours. Before the start it is open again; later a bot takes it.
 */
export interface Leave {
  type: "leave";
  id: number;
  key: string;
  seat: number;
}

/**
 * Give up the game: of two seats the other wins, of more a bot plays on for you.
 */
export interface Resign {
  type: "resign";
  id: number;
  key: string;
  seat: number;
}

/**
 * After the end: play the same game again. All seats keep their tokens at the new table.
 */
export interface Rematch {
  type: "rematch";
  id: number;
  key: string;
}

/**
 * Are you there?
 */
export interface Ping {
  type: "ping";
  id: number;
}

/**
 * A request was carried out and, where it changed anything, is safely stored.
 */
export interface Ok {
  type: "ok";
  id: number;
  table?: string | null;
}

/**
 * A request was not carried out, and nothing has changed. `rule` names the game's rule; the
 * sentence to show is `refused.RULE` or `error.CODE` of the message catalogue.
 */
export interface Refused {
  type: "error";
  id: number | null;
  code: string;
  message: string;
  rule?: string | null;
}

/**
 * The table: who sits where, and how it stands. Sent whole whenever it changes.
 *
 * `you` are the seats this client plays, `host` the seat that may start and pause. `attempt`
 * counts the attempts to begin from 0; `contributors` are the seats whose bytes this one waits
 * for. While the table is `waiting` or `revealing`, and no `roster` of this attempt has come, each
 * of them binds some (`commit`).
 */
export interface TableTold {
  type: "table";
  table: string;
  game: string;
  options: Record<string, unknown>;
  status: "over" | "paused" | "playing" | "revealing" | "waiting";
  seats: SeatInfo[];
  you: number[];
  host: number;
  clock: Clock;
  bot_pace_ms: number;
  hints: boolean;
  watching: number;
  attempt: number;
  contributors: number[];
  rematch: string | null;
  winners: number[] | null;
  resigned: number | null;
}

/**
 * A seat as everybody sees it. `stand_in`: a bot plays for somebody who is away. `committed`:
 * it has bound bytes for the present attempt to begin. `program`: the guest on it is a program of
 * somebody's, a bot from outside.
 */
export interface SeatInfo {
  kind: "bot" | "open" | "person";
  name: string;
  level: string | null;
  online: boolean;
  stand_in: boolean;
  resigned: boolean;
  committed: boolean;
  program: boolean;
}

/**
 * How long a seat may think. `per-move`: `move_ms` for each decision. `bank`: `bank_ms` for the
 * whole game, and `increment_ms` more after each decision. A seat out of time gets a bot's choice.
 */
export interface Clock {
  kind?: "bank" | "none" | "per-move";
  move_ms?: number;
  bank_ms?: number;
  increment_ms?: number;
}

/**
 * What you see, whole: what everybody is shown, and the own part of each of your seats, whose
 * keys take the place of those shown. `ack` is the id of your request that brought it about, which
 * is thereby answered as by `ok`.
 */
export interface ViewTold {
  type: "view";
  table: string;
  shown: ShownTold;
  own?: OwnTold[];
  ack?: number | null;
}

/**
 * What everybody is told of the newest ply. `decision` is the one that is open. `happened`
 * tells what led here since the ply before the first of them; after attaching, since the beginning
 * of the game. `attached` is what nature attached last to one of its actions, such as resting
 * poses. In an open phase (`docs/architecture.md`) every action of anybody brings a view,
 * `decision` stays the same, and `due` tells nature's clock; else that is null. `link` is null in
 * a game that was begun without a roster, before there were any.
 */
export interface ShownTold {
  to_act: number[] | "nature";
  scores: number[];
  winners: number[];
  view: unknown;
  outlook?: unknown;
  ply: number;
  decision: number;
  happened: Happened[];
  link?: Link | null;
  clocks?: ClockState | null;
  due?: DueTold | null;
  attached?: Record<string, unknown> | null;
}

/**
 * What led to a ply: who acted (-1: nature), when, through whom, and what is told of it.
 */
export interface Happened {
  ply: number;
  by: number;
  at: number | null;
  events: Event[];
  via?: "bot" | "timeout" | null;
}

/**
 * Something that happened, to be told: a key of the message catalogue and its values.
 */
export interface Event {
  key: string;
  values?: Record<string, unknown>;
}

/**
 * The newest link of the chain that binds all that happened (`docs/fairness.md`): its number,
 * and the link itself, in hex.
 */
export interface Link {
  n: number;
  hash: string;
}

/**
 * The clocks when the message was sent: what each seat has left, and whose is running.
 */
export interface ClockState {
  left_ms: number[];
  running: number[];
}

/**
 * What nature does next of itself in an open phase: the action, what is left until then when
 * the message was sent, and how long that was in all.
 */
export interface DueTold {
  do: string;
  left_ms: number;
  of_ms: number;
}

/**
 * What one of your seats is told besides: `legal` are the actions to choose from, `templates`
 * those too rich to be listed; both are empty when it is not this seat's turn.
 */
export interface OwnTold {
  seat: number;
  view: unknown;
  outlook?: unknown;
  to_act?: number[] | "nature";
  scores?: number[];
  winners?: number[];
  legal?: string[];
  templates?: Template[];
}

/**
 * A composite action, too rich to be listed: its text with blanks, and what may fill them.
 */
export interface Template {
  text: string;
  blanks: Range[];
}

/**
 * One blank of a template: a whole number within bounds, or one or several of some words.
 */
export interface Range {
  name: string;
  low?: number;
  high?: number;
  words?: string[];
  many?: boolean;
}

/**
 * What was asked with `history`. `plies` is how many there are in all by now: the newest has
 * this number. In a game that is over all is open, and `do` says what was done.
 */
export interface HistoryTold {
  type: "history";
  id: number;
  table: string;
  plies: number;
  past: PastPly[];
  open?: boolean;
}

/**
 * A ply as it was: what led to it (null for ply 0), what was shown, and the seat's own part.
 */
export interface PastPly {
  ply: number;
  happened: Happened | null;
  shown: Shown;
  own?: Own | null;
  do?: string | null;
}

/**
 * What everybody is told of a state: who is to act (seats, or nature), the scores as far as
 * they are public, the winners once there are some, the keys of the position as a spectator sees
 * it, and what follows from these.
 */
export interface Shown {
  to_act: number[] | "nature";
  scores: number[];
  winners: number[];
  view: unknown;
  outlook?: unknown;
}

/**
 * What a seat is told besides: the keys in which its view differs from everybody's, what
 * follows for this seat, and, where they differ too, who is to act, the scores and the winners.
 */
export interface Own {
  seat: number;
  view: unknown;
  outlook?: unknown;
  to_act?: number[] | "nature";
  scores?: number[];
  winners?: number[];
}

/**
 * A live world has opened, or goes on after an interruption; a whole frame follows.
 *
 * It takes the hand of `seat`; `world` is what the game says of it before the first frame. It ends
 * with the view that opens the next decision.
 */
export interface WorldTold {
  type: "world";
  table: string;
  decision: number;
  seat: number;
  world: Record<string, unknown>;
}

/**
 * What was asked with `preview`: the keys are the game's own.
 */
export interface PreviewTold {
  type: "preview";
  id: number;
  told: Record<string, unknown>;
}

/**
 * What a bot of this level would do on your seat: every legal action, the one it would choose
 * first. It was told only what your seat knows. What it expects is your score, or your chance to
 * win, from 0 to 1.
 */
export interface HintTold {
  type: "hint";
  table: string;
  seat: number;
  decision: number;
  level: string;
  unit: "chance" | "score";
  moves: HintMove[];
}

/**
 * A legal action, what the bot expects of it (null: it has not tried it), and the share of its
 * thought that went into it.
 */
export interface HintMove {
  do: string;
  expected: number | null;
  share: number;
}

/**
 * What was said: the last lines after attaching, then each as it comes.
 */
export interface ChatTold {
  type: "chat";
  table: string;
  lines: ChatLine[];
}

/**
 * Something said at the table. `seat` is null for somebody who watches.
 */
export interface ChatLine {
  number: number;
  seat: number | null;
  name: string;
  text: string;
  at: number;
}

/**
 * The roster of an attempt to begin is fixed. Whoever has bound bytes checks it, keeps it, and
 * only then reveals them (`reveal`); one that differs from another of the same attempt is a
 * fraud. Sent again with all `reveals`, each a seat and its bytes, before the first view; and to
 * whoever attaches later. Names and salts are by seat, null where a name was withdrawn.
 *
 * If a reveal is missing after 20 seconds, the attempt is void: the table comes with the next one,
 * in which the seats that were missing contribute no more.
 */
export interface RosterTold {
  type: "roster";
  table: string;
  attempt: number;
  roster: Roster;
  names: (string | null)[];
  salts: (string | null)[];
  reveals: [number, string][] | null;
}

/**
 * All that is fixed before anybody reveals. `kit` is the SHA-256 of the game's components,
 * `server` the hash of the server's secret, `voids` are the attempts before this one.
 */
export interface Roster {
  table: string;
  attempt: number;
  game: string;
  rules: string;
  kit: string;
  options: Record<string, unknown>;
  position: Record<string, unknown> | null;
  clock: Record<string, unknown>;
  seats: RosterSeat[];
  server: string;
  voids?: Void[];
}

/**
 * A seat in a roster: who plays there, the hash of the name, and that of the bytes it bound;
 * null for a seat that contributes nothing.
 */
export interface RosterSeat {
  kind: "bot" | "person";
  level: string | null;
  program: boolean;
  name: string;
  bound: string | null;
}

/**
 * An attempt to begin that came to nothing, because these seats did not reveal.
 */
export interface Void {
  attempt: number;
  roster: string;
  missing: number[];
}

/**
 * The server is about to close; come back with the same tokens.
 */
export interface Goodbye {
  type: "goodbye";
  reason: "removed" | "shutdown";
}

/**
 * A game of the harbour: `GET /api/games`. One that is not `ready` is being loaded, or once
 * compiled: whoever asks for it waits.
 */
export interface GameInfo {
  id: string;
  name: string;
  options: Option[];
  levels: Level[];
  ready?: boolean;
}

/**
 * A choice made before the game: its key, every value it takes, and the one it has unsaid.
 *
 * One that is not for tables (`at_tables`) is for simulations only; at a table it has its default.
 * One of timing (`is_timing`) is for the clock alone: the rules do not read it.
 */
export interface Option {
  key: string;
  values: (number | string | boolean)[];
  default: number | string | boolean;
  at_tables?: boolean;
  is_timing?: boolean;
}

/**
 * A bot one can play against, and what it has shown in matches, where it was measured.
 */
export interface Level {
  id: string;
  strength?: Strength | null;
}

/**
 * The share of games a bot won at a table of so many seats, all others of another level.
 */
export interface Strength {
  wins: number;
  against: string;
  seats: number;
}

/**
 * `POST /api/tables`: make a table. One plan a seat; at least one seat is `mine`.
 *
 * `bot_pace_ms`: how long a bot takes for a move. `grace_ms`: how long a seat waits for somebody
 * who has left before a bot plays for them. `listed`: whether the harbour shows the table.
 * `hints`: whether players may ask what a good bot would do; unsaid, they may where one person
 * plays against bots alone. `start`: begin at once, open seats get bots.
 */
export interface NewTable {
  game: string;
  seats: SeatPlan[];
  name: string;
  options?: Record<string, unknown>;
  clock?: Clock;
  bot_pace_ms?: number;
  grace_ms?: number;
  listed?: boolean;
  hints?: boolean | null;
  start?: boolean;
  key?: string | null;
}

/**
 * Who shall sit on a seat of a new table: its maker, anybody with the link, a bot, or nobody.
 *
 * Closed seats are left out: the game has as many players as there are seats not closed.
 */
export interface SeatPlan {
  kind: "bot" | "closed" | "mine" | "open";
  level?: string;
  name?: string;
}

/**
 * `POST /api/tables/{table}/join`: take an open seat, any or the one named. Whoever sends a
 * program to play says so, and everybody sees it.
 */
export interface JoinTable {
  name: string;
  seat?: number | null;
  kind?: "person" | "program";
  key?: string | null;
}

/**
 * The seats you have taken at a table, with their keys. Keep the tokens to yourself.
 */
export interface Seated {
  table: string;
  keys: SeatKey[];
}

/**
 * A seat and the private token that makes it yours.
 */
export interface SeatKey {
  seat: number;
  token: string;
}

/**
 * Tables one may join or watch, newest first.
 */
export interface TableList {
  tables: TableLine[];
}

/**
 * A table in the list: `GET /api/tables`.
 */
export interface TableLine {
  table: string;
  game: string;
  options: Record<string, unknown>;
  status: "over" | "paused" | "playing" | "waiting";
  seats: SeatInfo[];
  made_at: number;
}

/**
 * A game from its options, or from a position, through its log to its outcome.
 */
export interface GameRecord {
  quarterdeck: 1;
  game: string;
  options: Record<string, unknown>;
  log: Entry[];
  kit?: string | null;
  seats?: string[];
  position?: Record<string, unknown> | null;
  outcome?: Outcome | null;
  fairness?: RosterProof | CommitReveal | Seeded | null;
}

/**
 * One line of a log: who did what. The rules read neither `at` nor `via` nor `with`.
 */
export interface Entry {
  by: number | "nature";
  do: string;
  at?: number | null;
  via?: "bot" | "timeout" | null;
  with?: Record<string, unknown> | null;
}

/**
 * How a game ended; before its end nobody has won. Of two seats one may have resigned.
 */
export interface Outcome {
  scores: number[];
  winners: number[];
  resigned?: number | null;
}

/**
 * What is published after a game that began with a roster. A name that was withdrawn is empty
 * in the record, and its salt null. `end` is the last of the `links` of the log.
 */
export interface RosterProof {
  scheme: "roster";
  roster: Roster;
  salts: (string | null)[];
  secret: string;
  reveals: [number, string][];
  facts: Fact[];
  links: number;
  end: string;
}

/**
 * Something that happened at the table and is no action of the game: `resigned 2`, `left 2`,
 * `stood-in 2`, `returned 2`. `after` is the number of entries of the log before it.
 */
export interface Fact {
  after: number;
  do: string;
  at: number;
}

/**
 * Chance that nobody could steer, as it is published after the game. All in hex.
 */
export interface CommitReveal {
  scheme: "commit-reveal";
  commitment: string;
  secret: string;
  contributions?: Contribution[];
}

/**
 * Random bytes of somebody other than the server, and the hash that bound them, in hex.
 */
export interface Contribution {
  commitment: string;
  revealed: string;
}

/**
 * Chance from a seed: the same every time, and known to whoever chose the seed.
 */
export interface Seeded {
  scheme: "seed";
  seed: number;
  game?: number;
}

/**
 * All that was kept of one table.
 */
export interface Receipt {
  "quarterdeck-receipt": 1;
  table: string;
  seats: number[];
  attempts?: Attempt[];
  seen?: Seen;
  shown?: SeenViews;
  acts?: SentAct[];
}

/**
 * A roster as it was shown, one's own bytes by seat, and all that were revealed, once they
 * were shown. The server has confirmed what the own seats in `bound` have bound, and what those in
 * `acked` have revealed.
 */
export interface Attempt {
  attempt: number;
  roster: Roster;
  names: (string | null)[];
  salts: (string | null)[];
  own: Record<string, string>;
  reveals?: [number, string][] | null;
  acked?: number[];
  bound?: number[];
}

/**
 * The links that were seen, as ranges of their numbers in the order they came, and their
 * rolling hash. The same link twice in a row counts once.
 */
export interface Seen {
  ranges?: [number, number][];
  hash?: string;
}

/**
 * The plies that were shown, each range with the own seats whose part came with it.
 */
export interface SeenViews {
  plies?: [number, number, number[]][];
  hash?: string;
}

/**
 * An act of one's own that the server has confirmed; `n` is the link that came with that.
 */
export interface SentAct {
  seat: number;
  do: string;
  n?: number | null;
}

/**
 * All draws of a game, as they are bundled with the page: for every choice of those options
 * that make a difference. `kit` is the hash of the kit they are true of.
 */
export interface BundledDraws {
  game: string;
  kit: string;
  cases: DrawsOf[];
}

/**
 * The draws of a game with some options.
 */
export interface DrawsOf {
  options: Record<string, unknown>;
  verbs: Record<string, Draw>;
}

/**
 * How chance draws what one of its verbs names, so that anybody can repeat it who has the
 * generator and knows no rules: from its pools, one after the other.
 *
 * In the text the items come in the order they are drawn, `between` them what divides them. Where
 * there are several `groups`, such as hands, that divides those; order within a group counts only
 * if the draw is `ordered`. After all items one of the `sides`, if there are any, is drawn for
 * each, and added to its name.
 */
export interface Draw {
  pools: Pool[];
  between?: string;
  groups?: string;
  ordered?: boolean;
  sides?: string[];
}

/**
 * What chance draws from: every item as often as it is there, in the order the generator
 * counts. It draws `count` items, or as many as the text names (0); of all items, or of those that
 * earlier draws of the verb have `left`. Items that are `replaced` may come up again at once, as
 * with dice.
 */
export interface Pool {
  items: string[];
  count?: number;
  left?: boolean;
  replaced?: boolean;
}

export type ClientMessage = Attach | Act | Gesture | AskPreview | AskHint | AskHistory | Say | Mute | Commit | Reveal | Start | Pause | Remove | Leave | Resign | Rematch | Ping;

export type ServerMessage = Ok | Refused | TableTold | ViewTold | HistoryTold | WorldTold | PreviewTold | HintTold | ChatTold | RosterTold | Goodbye;
