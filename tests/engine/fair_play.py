"""A dealer and an honest browser, as small as can be, for games that can be proven.

The dealer does what a server does, without a net or a clock. The browser does what a player's page
does: it keeps each roster before it reveals, and rolls every link and view it is shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from quarterdeck import Match
from quarterdeck.contract import CHANCE, NATURE, Game
from quarterdeck.engine.hashing import canon
from quarterdeck.engine.receipt import (
    Attempt,
    Receipt,
    SentAct,
    roll_link,
    roll_view,
)
from quarterdeck.engine.record import GameRecord
from quarterdeck.engine.roster import (
    Chain,
    Fact,
    Roster,
    RosterChance,
    RosterProof,
    RosterSeat,
    Void,
    attached_hash,
    kit_digest,
    name_hash,
    roster_hash,
    seat_hash,
    server_hash,
)

OF_SHOWN = ("to_act", "scores", "winners", "view", "outlook")
OF_OWN = ("seat", *OF_SHOWN)
NAMES = ("Anne", "Bartholomew Ööö", "Calico", "Dampier")
START = 1_790_000_000_000
CLOCK = {"kind": "none", "move_ms": 60_000, "bank_ms": 600_000, "increment_ms": 5_000}


def bytes_of(*words: object, size: int = 32) -> bytes:
    """Bytes that are the same every time, and as good as random."""
    return hashlib.sha256("/".join(map(str, words)).encode()).digest()[:size]


class Fraud(Exception):
    """What makes an honest browser refuse to go on."""


class Browser:
    """An honest page: what it keeps, and in which order."""

    def __init__(self, table: str, seats: Sequence[int], seed: object = "") -> None:
        self.seed = seed
        self.receipt = Receipt(1, table, list(seats))
        self._last_link: tuple[int, bytes] | None = None
        self._last_view: tuple[int, bytes] | None = None
        self.bytes: dict[tuple[int, int], bytes] = {}

    def bind(self, attempt: int, seat: int) -> str:
        """Keeps fresh bytes for an attempt, and gives their hash away."""
        data = bytes_of("browser", self.seed, attempt, seat)
        self.bytes[attempt, seat] = data
        return seat_hash(self.receipt.table, attempt, seat, data)

    def reveal(self, roster: Roster, names: Sequence[str], salts: Sequence[str]) -> dict[int, str]:
        """Checks a roster and keeps it; only then the bytes are shown."""
        own = {seat: data for (n, seat), data in self.bytes.items() if n == roster.attempt}
        if roster.table != self.receipt.table:
            raise Fraud("another table")
        for kept in self.receipt.attempts:
            if kept.attempt == roster.attempt and kept.roster != roster:
                raise Fraud("a second roster for the same attempt")
        for seat, data in own.items():
            if roster.seats[seat].bound != seat_hash(roster.table, roster.attempt, seat, data):
                raise Fraud("my bytes were left out")
        for place, name, salt in zip(roster.seats, names, salts, strict=True):
            if place.name != name_hash(bytes.fromhex(salt), name):
                raise Fraud("a name is not the one that is shown")
        told = {seat: data.hex() for seat, data in own.items()}
        self.receipt.attempts.append(
            Attempt(roster.attempt, roster, list(names), list(salts), told)
        )
        return told

    def confirm(self, attempt: int) -> None:
        """The server has said that it has the bytes of an attempt."""
        kept = next(kept for kept in self.receipt.attempts if kept.attempt == attempt)
        kept.acked = kept.bound = sorted(kept.own)

    def begin(self, attempt: int, reveals: Sequence[tuple[int, str]]) -> None:
        """All bytes are shown; one's own are among them."""
        kept = next(kept for kept in self.receipt.attempts if kept.attempt == attempt)
        shown = dict(reveals)
        if any(shown.get(seat) != data for seat, data in kept.own.items()):
            raise Fraud("my bytes were left out")
        for seat, data in reveals:
            bound = seat_hash(self.receipt.table, attempt, seat, bytes.fromhex(data))
            if kept.roster.seats[seat].bound != bound:
                raise Fraud("bytes that were not bound")
        if [seat for seat, _ in reveals] != kept.roster.contributors:
            raise Fraud("bytes of a seat are missing")
        kept.reveals = list(reveals)

    def see(self, view: Mapping[str, Any]) -> None:
        """Rolls a view, as it is on the wire, into the receipt; the same twice in a row counts
        once."""
        ply, n = view["shown"]["ply"], view["shown"]["link"]["n"]
        link = n, bytes.fromhex(view["shown"]["link"]["hash"])
        if link != self._last_link:
            self._last_link = link
            seen = self.receipt.seen
            seen.hash = roll_link(bytes.fromhex(seen.hash), *link).hex()
            if seen.ranges and seen.ranges[-1][1] == n - 1:
                seen.ranges[-1] = seen.ranges[-1][0], n
            else:
                seen.ranges.append((n, n))
        owns = view.get("own", [])
        told = (
            ply,
            canon(
                {
                    "shown": {key: view["shown"][key] for key in OF_SHOWN},
                    "own": [{key: own[key] for key in OF_OWN if key in own} for own in owns],
                }
            ),
        )
        if told != self._last_view:
            self._last_view = told
            shown, seats = self.receipt.shown, [own["seat"] for own in owns]
            shown.hash = roll_view(bytes.fromhex(shown.hash), *told).hex()
            if shown.plies and shown.plies[-1][1:] == (ply - 1, seats):
                shown.plies[-1] = shown.plies[-1][0], ply, seats
            else:
                shown.plies.append((ply, ply, seats))

    def sent(self, seat: int, do: str, n: int) -> None:
        """An act of one's own was confirmed."""
        self.receipt.acts.append(SentAct(seat, do, n))


@dataclass
class Dealer:
    """An honest server. Its enemies are made from it."""

    game: Game
    options: dict[str, Any]
    people: Sequence[int] = (0, 1)
    table: str = "parrot7"
    seed: object = ""
    attempt: int = 0
    voids: list[Void] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    at: int = START
    secret_told: bytes | None = None  # another one than it has bound

    @property
    def players(self) -> int:
        return int(self.options["players"])

    @property
    def names(self) -> list[str]:
        return list(NAMES[: self.players])

    @property
    def salts(self) -> list[str]:
        return [bytes_of("salt", self.seed, seat, size=16).hex() for seat in range(self.players)]

    @property
    def secret(self) -> bytes:
        return self.secret_told or bytes_of("secret", self.seed, self.attempt)

    def make_roster(self, bound: dict[int, str]) -> Roster:
        """The roster of the present attempt."""
        seats = [
            RosterSeat(
                "person" if seat in self.people else "bot",
                None if seat in self.people else "bosun",
                False,
                name_hash(bytes.fromhex(self.salts[seat]), self.names[seat]),
                bound.get(seat),
            )
            for seat in range(self.players)
        ]
        self.roster = Roster(
            self.table,
            self.attempt,
            self.game.id,
            "0.1.0",
            kit_digest(self.game),
            self.game.fill_options(self.options),
            None,
            CLOCK,
            tuple(seats),
            server_hash(self.table, self.attempt, self.secret),
            tuple(self.voids),
        )
        return self.roster

    def void(self, missing: Sequence[int]) -> None:
        """Gives an attempt up."""
        self.voids.append(Void(self.attempt, roster_hash(self.roster).hex(), tuple(missing)))
        self.attempt += 1

    def begin(self, reveals: Sequence[tuple[int, str]]) -> None:
        """Begins the game with all bytes."""
        self.reveals = tuple(reveals)
        self.hash = roster_hash(self.roster)
        parts = [(seat, bytes.fromhex(data)) for seat, data in reveals]
        chance = RosterChance(self.secret, self.hash, parts)
        self.match = Match(self.game, self.options, chance=chance)
        self.chain = Chain(self.secret, self.hash)

    def act(
        self,
        actor: int,
        do: str,
        *,
        via: Literal["bot", "timeout"] | None = None,
        attached: dict[str, Any] | None = None,
    ) -> None:
        """Somebody acts, and the log and its chain grow."""
        self.at += 700
        entry = self.match.act(actor, do, at=self.at, via=via, attached=attached).entry
        digest = None if attached is None else attached_hash(attached)
        self.chain.add(entry.by, entry.do, entry.at, entry.via, digest)

    def draw(self) -> None:
        """Lets chance draw all that is due."""
        while self.match.node == CHANCE:
            self.act(NATURE, self.match.next_draw())

    def happen(self, do: str) -> None:
        """Something happens at the table."""
        self.at += 700
        fact = Fact(len(self.match.log), do, self.at)
        self.facts.append(fact)
        self.chain.add_fact(fact)

    def view(self, seats: Sequence[int]) -> dict[str, Any]:
        """What a browser with these seats is shown, as it is on the wire."""
        shown: dict[str, Any] = plain(self.match.shown())
        link = {"n": self.chain.n, "hash": self.chain.link.hex()}
        owns = [plain(self.match.own(seat)) for seat in seats]
        return {"shown": shown | {"ply": len(self.match.log), "link": link}, "own": owns}

    def record(self, resigned: int | None = None) -> GameRecord:
        """What is published after the end."""
        record = self.match.record(self.names, with_proof=False)
        record.outcome = self.match.outcome_if(resigned)
        record.fairness = RosterProof(
            self.roster,
            tuple(self.salts),
            self.secret.hex(),
            self.reveals,
            tuple(self.facts),
            self.chain.n,
            self.chain.link.hex(),
        )
        return record


def begin(dealer: Dealer, browsers: Sequence[Browser]) -> None:
    """The whole way from binding to the first draw."""
    bound = {
        seat: browser.bind(dealer.attempt, seat)
        for browser in browsers
        for seat in browser.receipt.seats
    }
    roster = dealer.make_roster(bound)
    reveals: dict[int, str] = {}
    for browser in browsers:
        reveals |= browser.reveal(roster, dealer.names, dealer.salts)
        browser.confirm(roster.attempt)
    ordered = sorted(reveals.items())
    dealer.begin(ordered)
    for browser in browsers:
        browser.begin(roster.attempt, ordered)


def show(dealer: Dealer, browsers: Sequence[Browser]) -> None:
    """Shows everybody the newest ply."""
    for browser in browsers:
        browser.see(dealer.view(browser.receipt.seats))


def play(dealer: Dealer, browsers: Sequence[Browser], acts: int) -> None:
    """Plays so many acts of seats, each the first that is legal; nature acts in between."""
    dealer.draw()
    show(dealer, browsers)
    for _ in range(acts):
        match = dealer.match
        if match.is_over:
            return
        seat = match.seats_to_act[0]
        do = match.legal(seat)[0]
        owner = next((b for b in browsers if seat in b.receipt.seats), None)
        dealer.act(seat, do, via=None if owner else "bot")
        dealer.draw()
        show(dealer, browsers)
        if owner is not None:
            owner.sent(seat, do, dealer.chain.n)


def plain(value: Any) -> Any:
    """A struct as JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))
