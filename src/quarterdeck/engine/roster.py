"""Chance that the dealer cannot choose, and a log that cannot be changed unnoticed.

Before a game every player's browser binds random bytes of its own. The *roster* then names, in one
piece, the table, its rules, every seat with the hash of its bytes, and the hash of the server's
secret. Whoever takes part is shown it, keeps it, and only then reveals. All draws follow from the
secret, the roster and all bytes; all that happens is a chain of links that begins with the roster.
A link tells nothing of what it binds: each is blinded from the secret. `docs/fairness.md` says what
this proves, and to whom.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from quarterdeck.contract import AnyRecord, BadProof, Game, rng_from_bytes
from quarterdeck.games import kit_path

from .hashing import LABEL, LARGEST, canon, hashed, prefixed

Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", max_length=64)]
Salt = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$", max_length=32)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]

_DRAW = prefixed(LABEL + b"draw")
_BLIND = prefixed(LABEL + b"blind")
_ENTRY = prefixed(LABEL + b"entry") + prefixed(bytes(32))[:4]
_LINK = prefixed(LABEL + b"link") + prefixed(bytes(32))[:4]
_OF_32 = prefixed(bytes(32))[:4]
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class RosterSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat in a roster: who plays there, the hash of the name, and that of the bytes it bound;
    null for a seat that contributes nothing."""

    kind: Literal["person", "bot"]
    level: str | None
    program: bool
    name: Hash
    bound: Hash | None


class Void(Struct, frozen=True, forbid_unknown_fields=True):
    """An attempt to begin that came to nothing, because these seats did not reveal."""

    attempt: Count
    roster: Hash
    missing: tuple[SeatNumber, ...]


class Roster(Struct, frozen=True, forbid_unknown_fields=True):
    """All that is fixed before anybody reveals. `kit` is the SHA-256 of the game's components,
    `server` the hash of the server's secret, `voids` are the attempts before this one."""

    table: str
    attempt: Count
    game: str
    rules: str
    kit: Hash
    options: dict[str, Any]
    position: dict[str, Any] | None
    clock: dict[str, Any]
    seats: tuple[RosterSeat, ...]
    server: Hash
    voids: tuple[Void, ...] = ()

    @property
    def contributors(self) -> list[int]:
        """The seats that have bound bytes."""
        return [number for number, seat in enumerate(self.seats) if seat.bound is not None]


class Fact(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that happened at the table and is no action of the game: `resigned 2`, `left 2`,
    `stood-in 2`, `returned 2`. `after` is the number of entries of the log before it."""

    after: Count
    do: str
    at: Annotated[int, Meta(ge=0, le=LARGEST)]


class RosterProof(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="scheme", tag="roster"
):
    """What is published after a game that began with a roster. A name that was withdrawn is empty
    in the record, and its salt null. `end` is the last of the `links` of the log."""

    roster: Roster
    salts: tuple[Salt | None, ...]
    secret: Hash
    reveals: tuple[tuple[SeatNumber, Hash], ...]
    facts: tuple[Fact, ...]
    links: Count
    end: Hash

    def check(self) -> None:
        """Raises `BadProof` unless every hash of the roster is that of what was revealed."""
        roster = self.roster
        if server_hash(roster.table, roster.attempt, bytes.fromhex(self.secret)) != roster.server:
            raise BadProof("the server's secret does not have the hash it was bound to")
        if [seat for seat, _ in self.reveals] != roster.contributors:
            raise BadProof("the bytes revealed are not those of the seats that bound some")
        for seat, data in self.reveals:
            bound = seat_hash(roster.table, roster.attempt, seat, bytes.fromhex(data))
            if bound != roster.seats[seat].bound:
                raise BadProof(f"the bytes of seat {seat} do not have the hash they were bound to")


# Hashes --------------------------------------------------------------------------------------


def seat_hash(table: str, attempt: int, seat: int, data: bytes) -> str:
    """The hash that binds a seat's bytes, in hex."""
    return hashed("seat", table.encode(), _u32(attempt), bytes([seat]), data).hex()


def server_hash(table: str, attempt: int, secret: bytes) -> str:
    """The hash that binds the server's secret, in hex."""
    return hashed("server", table.encode(), _u32(attempt), secret).hex()


def name_hash(salt: bytes, name: str) -> str:
    """The hash of a name, in hex; without the salt nobody can guess the name from it."""
    return hashed("name", salt, name.encode()).hex()


def roster_hash(roster: Roster) -> bytes:
    """The hash of a roster: the first link of the chain."""
    return hashed("roster", canon(msgspec.to_builtins(roster)))


def attached_hash(attached: Mapping[str, Any]) -> str:
    """The hash of what is attached to an entry, in hex."""
    return hashed("with", canon(attached)).hex()


def kit_hash_of(data: Mapping[str, Any]) -> str:
    """The hash of a kit as it was read from its file, in hex."""
    return hashlib.sha256(canon(data)).hexdigest()


@cache
def kit_digest(game: Game) -> str:
    """The hash of the kit that a game is played with, in hex."""
    return kit_hash_of(tomllib.loads(kit_path(game).read_text("utf-8")))


def deal_code(roster: bytes, reveals: Sequence[tuple[int, bytes]]) -> str:
    """A short code of the deal, for two players to compare aloud: they were shown the same roster
    and the same bytes. 40 bits are enough: the roster was fixed before the bytes were known."""
    parts = [bytes([seat]) + data for seat, data in reveals]
    bits = int.from_bytes(hashed("code", roster, *parts)[:5], "big")
    letters = "".join(_CROCKFORD[bits >> shift & 31] for shift in range(35, -1, -5))
    return f"{letters[:4]}-{letters[4:]}"


def log_code(link: bytes) -> str:
    """A code of the whole log so far: 128 bits of its newest link."""
    text = link[:16].hex()
    return " ".join(text[place : place + 4] for place in range(0, 32, 4))


# Draws ---------------------------------------------------------------------------------------


class RosterChance:
    """Draws that follow from the secret, the roster, and the bytes of every seat that bound some.

    What is published of it belongs to the table, which knows the facts too; see `RosterProof`.
    """

    def __init__(self, secret: bytes, roster: bytes, reveals: Sequence[tuple[int, bytes]]) -> None:
        self._secret = secret
        parts = b"".join(bytes([seat]) + data for seat, data in reveals)
        self._message = _DRAW + roster + bytes([len(reveals)]) + parts

    def rng(self, draw: int) -> AnyRecord:
        """The generator of a draw."""
        return rng_from_bytes(hmac.digest(self._secret, self._message + _u64(draw), "sha256"))

    def proof(self) -> None:
        """Nothing yet: only the table can tell what happened besides."""


# The chain -----------------------------------------------------------------------------------

_packed = struct.Struct(">cd").pack
_BY: dict[int | str, bytes] = {-1: canon("nature")}
_BY.update({by: canon(by) for by in (*range(16), "nature", "table")})
_VIA = {via: canon(via) for via in (None, "bot", "timeout")}
_FIVE = canon([0] * 5)[:5]
_NULL = canon(None)


class Chain:
    """The log so far, and what happened at the table, as one hash. It grows item by item.

    An item is as cheap as can be: this is done for every move on a server.
    """

    def __init__(self, secret: bytes, roster: bytes) -> None:
        self._secret = secret
        self._blind = _BLIND + roster
        self.n = 0
        self.link = roster

    def add(
        self, by: int | str, do: str, at: int | None, via: str | None = None, w: str | None = None
    ) -> None:
        """Binds an entry of the log; `w` is the hash of what is attached to it."""
        self.n += 1
        text = do.encode()
        item = b"%b%bs%b%b%b%b%b" % (
            _FIVE,
            _BY[by],
            len(text).to_bytes(4, "big"),
            text,
            _NULL if at is None else _packed(b"d", at),
            _VIA[via],
            _NULL if w is None else canon(w),
        )
        blind = hmac.digest(self._secret, self._blind + self.n.to_bytes(8, "big"), "sha256")
        size = len(item).to_bytes(4, "big")
        entry = hashlib.sha256(b"%b%b%b%b" % (_ENTRY, blind, size, item)).digest()
        self.link = hashlib.sha256(b"%b%b%b%b" % (_LINK, self.link, _OF_32, entry)).digest()

    def add_fact(self, fact: Fact) -> None:
        """Binds something that happened at the table."""
        self.add("table", fact.do, fact.at)


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _u64(number: int) -> bytes:
    return number.to_bytes(8, "big")
