"""What goes over the wire. Every message is one of these structs, as JSON, told apart by `type`.

`docs/protocol.md` and `web/src/protocol.ts` are made from this module (`make protocol`); a test
fails when they are stale.

A client makes or joins a table over HTTP, which gives it a private token for its seat. Over its one
WebSocket it then attaches to the table with the tokens of all the seats it plays (several: hot
seat; none: it watches). From then on it is sent the table and the view, each whole, whenever
something changes. A view has one part that is the same for everybody, and one for each of the
client's seats.

Requests over the WebSocket carry an `id` of the client's choosing; the answer, `ok` or `error`,
carries it back. What changes something also carries a `key`, 16 random bytes: sent again with the
same key, after a connection was lost, it is answered `ok` and does not happen twice. Making and
joining a table may carry a key too: sent again, they are answered with the same seats and the same
tokens, also by a server that has restarted. Such a key is as private as the tokens that follow from
it, and serves for one request only; without one, a request that is sent again happens again.

A *ply* is a state of the game: ply 0 is before the first entry of its log, ply n after n of them,
nature's included. Every ply can be asked for (`history`).

While a live world runs at a table, its frames come as binary messages, and the gestures of the seat
whose hand it takes go back as `gesture`; see `docs/live-worlds.md`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from quarterdeck.bots.strength import Strength
from quarterdeck.contract import Event, Option, Own, Shown, Template
from quarterdeck.engine.roster import Hash, Roster, Salt

from .errors import BadMessage

PROTOCOL = 3

LONGEST_NAME = 24
LONGEST_CHAT = 300
LARGEST_MESSAGE = 16_384
MOST_PLIES = 32  # in one answer to `history`
FRAME = 1  # the first byte of a binary message; that of a JSON one is a brace

Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_CHAT)]
ActionText = Annotated[str, Meta(min_length=1, max_length=4096)]
Token = Annotated[str, Meta(min_length=16, max_length=64)]
TableId = Annotated[str, Meta(pattern=r"^[a-z0-9]{6,16}$")]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Milliseconds = Annotated[int, Meta(ge=0, le=86_400_000)]
RequestId = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Key = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]
Ply = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Attempt = Annotated[int, Meta(ge=0, le=255)]

# ---------------------------------------------------------------------------------------------
# Parts
# ---------------------------------------------------------------------------------------------


class Level(Struct, frozen=True):
    """A bot one can play against, and what it has shown in matches, where it was measured."""

    id: str
    strength: Strength | None = None


class GameInfo(Struct, frozen=True):
    """A game of the harbour: `GET /api/games`. One that is not `ready` is being loaded, or once
    compiled: whoever asks for it waits."""

    id: str
    name: str
    options: tuple[Option, ...]
    levels: tuple[Level, ...]
    ready: bool = True


class Clock(Struct, frozen=True, omit_defaults=True):
    """How long a seat may think. `per-move`: `move_ms` for each decision. `bank`: `bank_ms` for the
    whole game, and `increment_ms` more after each decision. A seat out of time gets a bot's choice.
    """

    kind: Literal["none", "per-move", "bank"] = "none"
    move_ms: Annotated[int, Meta(ge=1_000, le=86_400_000)] = 60_000
    bank_ms: Annotated[int, Meta(ge=1_000, le=86_400_000)] = 600_000
    increment_ms: Milliseconds = 5_000


class SeatPlan(Struct, frozen=True):
    """Who shall sit on a seat of a new table: its maker, anybody with the link, a bot, or nobody.

    Closed seats are left out: the game has as many players as there are seats not closed.
    """

    kind: Literal["mine", "open", "bot", "closed"]
    level: str = "bosun"
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""


class SeatInfo(Struct, frozen=True):
    """A seat as everybody sees it. `stand_in`: a bot plays for somebody who is away. `committed`:
    it has bound bytes for the present attempt to begin. `program`: the guest on it is a program of
    somebody's, a bot from outside."""

    kind: Literal["open", "person", "bot"]
    name: str
    level: str | None
    online: bool
    stand_in: bool
    resigned: bool
    committed: bool
    program: bool


class ClockState(Struct, frozen=True):
    """The clocks when the message was sent: what each seat has left, and whose is running."""

    left_ms: tuple[int, ...]
    running: tuple[int, ...]


class DueTold(Struct, frozen=True):
    """What nature does next of itself in an open phase: the action, what is left until then when
    the message was sent, and how long that was in all."""

    do: str
    left_ms: int
    of_ms: int


class ChatLine(Struct, frozen=True):
    """Something said at the table. `seat` is null for somebody who watches."""

    number: int
    seat: int | None
    name: str
    text: str
    at: int


# ---------------------------------------------------------------------------------------------
# HTTP
# ---------------------------------------------------------------------------------------------


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/tables`: make a table. One plan a seat; at least one seat is `mine`.

    `bot_pace_ms`: how long a bot takes for a move. `grace_ms`: how long a seat waits for somebody
    who has left before a bot plays for them. `listed`: whether the harbour shows the table.
    `hints`: whether players may ask what a good bot would do; unsaid, they may where one person
    plays against bots alone. `start`: begin at once, open seats get bots.
    """

    game: str
    seats: Annotated[tuple[SeatPlan, ...], Meta(min_length=1, max_length=16)]
    name: Name
    options: dict[str, Any] = {}
    clock: Clock = Clock()
    bot_pace_ms: Annotated[int, Meta(ge=0, le=10_000)] = 900
    grace_ms: Annotated[int, Meta(ge=0, le=3_600_000)] = 60_000
    listed: bool = True
    hints: bool | None = None
    start: bool = False
    key: Key | None = None


class JoinTable(Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/tables/{table}/join`: take an open seat, any or the one named. Whoever sends a
    program to play says so, and everybody sees it."""

    name: Name
    seat: SeatNumber | None = None
    kind: Literal["person", "program"] = "person"
    key: Key | None = None


class SeatKey(Struct, frozen=True):
    """A seat and the private token that makes it yours."""

    seat: int
    token: str


class Seated(Struct, frozen=True):
    """The seats you have taken at a table, with their keys. Keep the tokens to yourself."""

    table: str
    keys: tuple[SeatKey, ...]


class TableLine(Struct, frozen=True):
    """A table in the list: `GET /api/tables`."""

    table: str
    game: str
    options: dict[str, Any]
    status: Literal["waiting", "playing", "paused", "over"]
    seats: tuple[SeatInfo, ...]
    made_at: int


class TableList(Struct, frozen=True):
    """Tables one may join or watch, newest first."""

    tables: tuple[TableLine, ...]


# ---------------------------------------------------------------------------------------------
# WebSocket, from the client
# ---------------------------------------------------------------------------------------------


class _Request(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    id: RequestId


class _Change(_Request, frozen=True):
    key: Key


class Attach(_Request, frozen=True, tag="attach"):
    """Begin to see a table, with the tokens of one's seats; without any, as a spectator.

    Attaching to another table, or again, replaces the attachment before. A seat that a bot had
    taken over for somebody away is taken back. `protocol` is the version the client speaks: one
    that is not the server's is refused as `reload`.
    """

    table: TableId
    tokens: Annotated[tuple[Token, ...], Meta(max_length=16)] = ()
    protocol: int = 1


class Act(_Change, frozen=True, tag="act"):
    """Do something on a seat of yours. `decision` is the one of the view it answers: a choice for a
    decision that is past is refused as `past-decision`; a sealed choice is never stale."""

    seat: SeatNumber
    decision: int
    do: ActionText


class Gesture(_Request, frozen=True, tag="gesture"):
    """What the hand of a seat of yours does in the open live world (`decision` as in `act`).

    Write `type` first: gestures may come more often than other messages, and are known by that.
    `do` is the game's own; `seen` is the time of the newest frame that was drawn when the hand did
    it. Only a gesture that is refused is answered.
    """

    seat: SeatNumber
    decision: int
    seen: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    do: dict[str, Any]


class AskPreview(_Request, frozen=True, tag="preview"):
    """What would an action of a seat of yours come to? Nothing changes. Answered by `preview`
    instead of `ok`; only some actions of some games have one."""

    seat: SeatNumber
    decision: int
    do: ActionText


class AskHint(_Request, frozen=True, tag="hint"):
    """What would the quartermaster do? For a seat of yours that is to act, at a table with hints.
    The answer comes as `hint` when it has been thought of."""

    seat: SeatNumber
    decision: int


class Say(_Change, frozen=True, tag="chat"):
    """Say something at the table."""

    text: Text


class Mute(_Request, frozen=True, tag="mute"):
    """Hear no more, or again, of what a seat (null: those who watch) says. Only for you."""

    seat: SeatNumber | None
    muted: bool


class Commit(_Change, frozen=True, tag="commit"):
    """Before the roster is fixed: the hash of this seat's 32 random bytes (`docs/fairness.md`), for
    the present `attempt` to begin. Keep the bytes first."""

    seat: SeatNumber
    attempt: Attempt
    hash: Hash


class Reveal(_Change, frozen=True, tag="reveal"):
    """The bytes this seat has bound, once the roster is known and kept: `roster` is its hash, which
    the client computes itself."""

    seat: SeatNumber
    roster: Hash
    bytes: Hash


class Start(_Change, frozen=True, tag="start"):
    """Begin the game; the host's to say. Seats still open get bots."""


class Pause(_Change, frozen=True, tag="pause"):
    """Stop the clocks and the game, or go on; the host's to say."""

    paused: bool


class Remove(_Change, frozen=True, tag="remove"):
    """Before the start: send a guest away from a seat; the host's to say."""

    seat: SeatNumber


class Leave(_Change, frozen=True, tag="leave"):
    """Give up a seat of yours. Before the start it is open again; later a bot takes it."""

    seat: SeatNumber


class Resign(_Change, frozen=True, tag="resign"):
    """Give up the game: of two seats the other wins, of more a bot plays on for you."""

    seat: SeatNumber


class Rematch(_Change, frozen=True, tag="rematch"):
    """After the end: play the same game again. All seats keep their tokens at the new table."""


class AskHistory(_Request, frozen=True, tag="history"):
    """The plies from `first` to `last` of the table one is attached to, at most 32 of them, as they
    were shown to `seat`, one of yours (null: to everybody). After the end all is open. Answered by
    `history` instead of `ok`."""

    seat: SeatNumber | None
    first: Ply
    last: Ply


class Ping(_Request, frozen=True, tag="ping"):
    """Are you there?"""


ClientMessage = (
    Attach | Act | Gesture | AskPreview | AskHint | AskHistory | Say | Mute | Commit | Reveal
    | Start | Pause | Remove | Leave | Resign | Rematch | Ping
)  # fmt: skip

# ---------------------------------------------------------------------------------------------
# WebSocket, from the server
# ---------------------------------------------------------------------------------------------


class _Told(Struct, frozen=True, tag_field="type"):
    pass


class Ok(_Told, frozen=True, tag="ok"):
    """A request was carried out and, where it changed anything, is safely stored."""

    id: int
    table: str | None = None


class Refused(_Told, frozen=True, tag="error"):
    """A request was not carried out, and nothing has changed. `rule` names the game's rule; the
    sentence to show is `refused.RULE` or `error.CODE` of the message catalogue."""

    id: int | None
    code: str
    message: str
    rule: str | None = None


class TableTold(_Told, frozen=True, tag="table"):
    """The table: who sits where, and how it stands. Sent whole whenever it changes.

    `you` are the seats this client plays, `host` the seat that may start and pause. `attempt`
    counts the attempts to begin from 0; `contributors` are the seats whose bytes this one waits
    for. While the table is `waiting` or `revealing`, and no `roster` of this attempt has come, each
    of them binds some (`commit`).
    """

    table: str
    game: str
    options: dict[str, Any]
    status: Literal["waiting", "revealing", "playing", "paused", "over"]
    seats: tuple[SeatInfo, ...]
    you: tuple[int, ...]
    host: int
    clock: Clock
    bot_pace_ms: int
    hints: bool
    watching: int
    attempt: int
    contributors: tuple[int, ...]
    rematch: str | None
    winners: tuple[int, ...] | None
    resigned: int | None


class Happened(Struct, frozen=True, omit_defaults=True):
    """What led to a ply: who acted (-1: nature), when, through whom, and what is told of it."""

    ply: int
    by: int
    at: int | None
    events: tuple[Event, ...]
    via: Literal["bot", "timeout"] | None = None


class Link(Struct, frozen=True):
    """The newest link of the chain that binds all that happened (`docs/fairness.md`): its number,
    and the link itself, in hex."""

    n: int
    hash: Hash


class ShownTold(Shown, frozen=True, kw_only=True):
    """What everybody is told of the newest ply. `decision` is the one that is open. `happened`
    tells what led here since the ply before the first of them; after attaching, since the beginning
    of the game. `attached` is what nature attached last to one of its actions, such as resting
    poses. In an open phase (`docs/architecture.md`) every action of anybody brings a view,
    `decision` stays the same, and `due` tells nature's clock; else that is null. `link` is null in
    a game that was begun without a roster, before there were any.
    """

    ply: int
    decision: int
    happened: tuple[Happened, ...]
    link: Link | None = None
    clocks: ClockState | None = None
    due: DueTold | None = None
    attached: dict[str, Any] | None = None


class OwnTold(Own, frozen=True, kw_only=True, omit_defaults=True):
    """What one of your seats is told besides: `legal` are the actions to choose from, `templates`
    those too rich to be listed; both are empty when it is not this seat's turn."""

    legal: tuple[str, ...] = ()
    templates: tuple[Template, ...] = ()


class ViewTold(_Told, frozen=True, tag="view", omit_defaults=True):
    """What you see, whole: what everybody is shown, and the own part of each of your seats, whose
    keys take the place of those shown. `ack` is the id of your request that brought it about, which
    is thereby answered as by `ok`."""

    table: str
    shown: ShownTold
    own: tuple[OwnTold, ...] = ()
    ack: int | None = None


class PastPly(Struct, frozen=True, omit_defaults=True):
    """A ply as it was: what led to it (null for ply 0), what was shown, and the seat's own part."""

    ply: int
    happened: Happened | None
    shown: Shown
    own: Own | None = None
    do: str | None = None


class HistoryTold(_Told, frozen=True, tag="history", omit_defaults=True):
    """What was asked with `history`. `plies` is how many there are in all by now: the newest has
    this number. In a game that is over all is open, and `do` says what was done."""

    id: int
    table: str
    plies: int
    past: tuple[PastPly, ...]
    open: bool = False


class WorldTold(_Told, frozen=True, tag="world"):
    """A live world has opened, or goes on after an interruption; a whole frame follows.

    It takes the hand of `seat`; `world` is what the game says of it before the first frame. It ends
    with the view that opens the next decision.
    """

    table: str
    decision: int
    seat: int
    world: dict[str, Any]


class PreviewTold(_Told, frozen=True, tag="preview"):
    """What was asked with `preview`: the keys are the game's own."""

    id: int
    told: dict[str, Any]


class HintMove(Struct, frozen=True):
    """A legal action, what the bot expects of it (null: it has not tried it), and the share of its
    thought that went into it."""

    do: str
    expected: float | None
    share: float


class HintTold(_Told, frozen=True, tag="hint"):
    """What a bot of this level would do on your seat: every legal action, the one it would choose
    first. It was told only what your seat knows. What it expects is your score, or your chance to
    win, from 0 to 1."""

    table: str
    seat: int
    decision: int
    level: str
    unit: Literal["score", "chance"]
    moves: tuple[HintMove, ...]


class ChatTold(_Told, frozen=True, tag="chat"):
    """What was said: the last lines after attaching, then each as it comes."""

    table: str
    lines: tuple[ChatLine, ...]


class RosterTold(_Told, frozen=True, tag="roster"):
    """The roster of an attempt to begin is fixed. Whoever has bound bytes checks it, keeps it, and
    only then reveals them (`reveal`); one that differs from another of the same attempt is a
    fraud. Sent again with all `reveals`, each a seat and its bytes, before the first view; and to
    whoever attaches later. Names and salts are by seat, null where a name was withdrawn.

    If a reveal is missing after 20 seconds, the attempt is void: the table comes with the next one,
    in which the seats that were missing contribute no more.
    """

    table: str
    attempt: int
    roster: Roster
    names: tuple[str | None, ...]
    salts: tuple[Salt | None, ...]
    reveals: tuple[tuple[int, Hash], ...] | None


class Goodbye(_Told, frozen=True, tag="goodbye"):
    """The server is about to close; come back with the same tokens."""

    reason: Literal["shutdown", "removed"]


ServerMessage = (
    Ok | Refused | TableTold | ViewTold | HistoryTold | WorldTold | PreviewTold | HintTold
    | ChatTold | RosterTold | Goodbye
)  # fmt: skip

_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


def read_request(data: bytes) -> ClientMessage:
    """The message a frame holds. Raises `BadMessage`."""
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"this is no message: {error}") from error


def is_gesture(data: bytes) -> bool:
    """Whether a message is a gesture, by the look of its beginning: these have a rate of their own.

    One that is something else than it looks is read as what it is, at no other cost.
    """
    return data[:40].replace(b" ", b"").startswith(b'{"type":"gesture"')


class _Numbered(Struct, frozen=True):
    id: RequestId


_id_decoder = msgspec.json.Decoder(_Numbered)


def id_of(data: bytes) -> int | None:
    """The id of a message that is otherwise not understood, so that its sender need not wait."""
    try:
        return _id_decoder.decode(data).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


encode = msgspec.json.Encoder().encode
