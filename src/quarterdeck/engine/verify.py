"""What a record proves, and to whom: everything in it is computed once more, part by part.

The page does the same without the rules (`web/src/fairness/verify.ts`), with the same parts and the
same codes; what it cannot check, legality and what was shown, is checked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from quarterdeck.contract import CHANCE, NATURE, BadProof, Game, QuarterdeckError, record

from .fairness import Chance, CommitReveal, FairChance, Seeded, chance_of, commit
from .hashing import LARGEST, canon
from .match import Match
from .receipt import NOTHING, Attempt, Receipt, roll_link, roll_view, view_bytes
from .record import Entry, GameRecord
from .roster import (
    Chain,
    Roster,
    RosterChance,
    RosterProof,
    attached_hash,
    kit_digest,
    name_hash,
    roster_hash,
    seat_hash,
    server_hash,
)

PartName: TypeAlias = Literal[
    "bytes", "roster", "deals", "draws", "log", "acts", "views", "attested"
]
Finding: TypeAlias = Literal[
    "proven", "consistent", "partial", "server-only", "old-scheme", "seed", "unfair"
]


class Part(Struct, frozen=True):
    """One part of a verdict: whether it is right, and the code of what is to be said of it."""

    part: PartName
    state: Literal["ok", "not-checked", "wrong"]
    code: str
    values: dict[str, Any] = {}


class Verdict(Struct, frozen=True):
    """What a check found. `seats` are those whose bytes are in the deal; whoever revealed them has
    proof that nobody could choose among more than so many `deals`."""

    verdict: Finding
    scheme: Literal["roster", "commit-reveal", "seed"]
    draws: int
    attested: int
    deals: int = 0
    seats: tuple[int, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether something was proven: to whoever asks, to somebody else, or of a known seed."""
        return self.verdict in ("proven", "consistent", "old-scheme", "seed") and self.draws > 0

    @property
    def flaw(self) -> Part | None:
        """The first part that is wrong."""
        return next((part for part in self.parts if part.state == "wrong"), None)


def verify(
    told: GameRecord, receipt: Receipt | None = None, *, game: Game | None = None
) -> Verdict:
    """What a record proves to whoever kept this receipt, or to somebody who kept none.

    A record that does not replay raises as `Match.from_record` does; one without a proof raises
    `BadProof`. What contradicts proof or receipt makes the verdict `unfair`.
    """
    proof = told.fairness
    match = Match.from_record(msgspec.structs.replace(told, fairness=None), game=game)
    if proof is None:
        raise BadProof("the record carries no proof of its draws")
    if isinstance(proof, RosterProof):
        return _verify_roster(told, proof, receipt, match)
    parts: list[Part] = []
    if receipt is not None and receipt.attempts:
        parts.append(_wrong("roster", "another-scheme"))
    if isinstance(proof, Seeded):
        draws, attested, drawn = _repeat(match, chance_of(proof))
        return _sum("seed", "seed", [*parts, *drawn], draws, attested)
    return _verify_old(match, proof, parts)


def _sum(
    verdict: Finding,
    scheme: Literal["roster", "commit-reveal", "seed"],
    parts: Sequence[Part],
    draws: int,
    attested: int,
    deals: int = 0,
    seats: Sequence[int] = (),
) -> Verdict:
    if any(part.state == "wrong" for part in parts):
        verdict = "unfair"
    return Verdict(verdict, scheme, draws, attested, deals, tuple(seats), tuple(parts))


def _ok(part: PartName, code: str, **values: Any) -> Part:
    return Part(part, "ok", code, values)


def _open(part: PartName, code: str, **values: Any) -> Part:
    return Part(part, "not-checked", code, values)


def _wrong(part: PartName, code: str, **values: Any) -> Part:
    return Part(part, "wrong", code, values)


# The draws -----------------------------------------------------------------------------------


def _repeat(match: Match, chance: Chance) -> tuple[int, int, list[Part]]:
    """Repeats every draw of a game: how many, how many entries are attested, and what to say."""
    game, kit = match.game, match.game.kit
    draws = attested = 0
    for index, (again, entry) in enumerate(_plies(match)):
        if entry.by == "nature":
            if again.node == CHANCE:
                action = record(game.records.Action)
                game.rules.sample(kit, again.state, chance.rng(draws), action)
                if game.notation.text(kit, action) != entry.do:
                    return draws, attested, [_wrong("draws", "draw", at=index)]
                draws += 1
            else:
                attested += 1
    parts = [_ok("draws", "draws", draws=draws) if draws else _open("draws", "none")]
    if attested:
        parts.append(_open("attested", "attested", attested=attested))
    return draws, attested, parts


def _verify_old(match: Match, proof: CommitReveal, parts: list[Part]) -> Verdict:
    """A game that was begun before there were rosters: nobody's bytes belonged to a seat."""
    try:
        secret = bytes.fromhex(proof.secret)
        revealed = [bytes.fromhex(part.revealed) for part in proof.contributions]
        chance = FairChance(secret, revealed)
    except (ValueError, QuarterdeckError):
        return _sum("unfair", "commit-reveal", [*parts, _wrong("roster", "unreadable")], 0, 0)
    if commit(secret) != proof.commitment:
        parts.append(_wrong("roster", "secret"))
    elif any(
        commit(data) != part.commitment
        for data, part in zip(revealed, proof.contributions, strict=True)
    ):
        parts.append(_wrong("roster", "reveals"))
    else:
        parts.append(_open("roster", "old-scheme"))
    draws, attested, drawn = _repeat(match, chance)
    found: Finding = "old-scheme" if revealed else "server-only"
    return _sum(found, "commit-reveal", [*parts, *drawn], draws, attested)


# With a roster -------------------------------------------------------------------------------


def _verify_roster(
    told: GameRecord, proof: RosterProof, receipt: Receipt | None, match: Match
) -> Verdict:
    roster = proof.roster
    hash = roster_hash(roster)
    kept = _attempt_of(receipt, roster.attempt)
    reveals = [(seat, bytes.fromhex(data)) for seat, data in proof.reveals]
    chance = RosterChance(bytes.fromhex(proof.secret), hash, reveals)
    draws, attested, drawn = _repeat(match, chance)
    parts = [
        _bytes_part(receipt, kept, proof),
        _roster_part(told, proof, receipt, kept, match.game),
        _deals_part(roster, receipt),
        *drawn,
        _log_part(told, proof, hash, receipt),
        _acts_part(match, roster, receipt),
        _views_part(match, receipt),
    ]
    states = {part.part: part.state for part in parts}
    seats = [seat for seat, _ in proof.reveals]
    found: Finding = "server-only"
    if states["draws"] != "ok":
        found = "partial"
    elif states["bytes"] == states["roster"] == "ok":
        found = "proven"
    elif seats:
        found = "consistent"
    return _sum(found, "roster", parts, draws, attested, 1 + len(roster.voids), seats)


def _attempt_of(receipt: Receipt | None, attempt: int) -> Attempt | None:
    attempts = [] if receipt is None else receipt.attempts
    return next((kept for kept in attempts if kept.attempt == attempt), None)


def _bytes_part(receipt: Receipt | None, kept: Attempt | None, proof: RosterProof) -> Part:
    """Whether one's own bytes are in the deal."""
    if receipt is None:
        return _open("bytes", "no-receipt")
    if kept is None or not kept.own:
        return _open("bytes", "not-mine")
    shown = dict(proof.reveals)
    missing = [seat for seat, data in kept.own.items() if shown.get(seat) != data]
    if not missing:
        return _ok("bytes", "mine")
    for seat in missing:
        seats = kept.roster.seats
        is_bound = seat < len(seats) and seats[seat].bound is not None
        if is_bound or seat in shown or seat in kept.bound or seat in kept.acked:
            return _wrong("bytes", "left-out", seat=seat)
    return _open("bytes", "too-late")


def _roster_part(
    told: GameRecord,
    proof: RosterProof,
    receipt: Receipt | None,
    kept: Attempt | None,
    game: Game,
) -> Part:
    """Whether the roster fits the record and what was revealed, and is the one that was kept."""
    roster, names = proof.roster, told.seats
    if receipt is not None and receipt.table != roster.table:
        return _wrong("roster", "another-table")
    if server_hash(roster.table, roster.attempt, bytes.fromhex(proof.secret)) != roster.server:
        return _wrong("roster", "secret")
    is_bound = [seat for seat, _ in proof.reveals] == roster.contributors and all(
        seat_hash(roster.table, roster.attempt, seat, bytes.fromhex(data))
        == roster.seats[seat].bound
        for seat, data in proof.reveals
    )
    if not is_bound:
        return _wrong("roster", "reveals")
    is_same_game = (
        roster.game == told.game
        and len(roster.seats) == len(names) == len(proof.salts)
        and canon(roster.options) == canon(told.options)
        and canon(roster.position) == canon(told.position)
    )
    if not is_same_game:
        return _wrong("roster", "another-game")
    if roster.kit != kit_digest(game):
        return _wrong("roster", "kit")
    withdrawn = 0
    for seat, name, salt in zip(roster.seats, names, proof.salts, strict=True):
        if salt is None and not name:
            withdrawn += 1
        elif salt is None or name_hash(bytes.fromhex(salt), name) != seat.name:
            return _wrong("roster", "names")
    if kept is None:
        return _open("roster", "not-kept")
    if kept.roster != roster:
        return _wrong("roster", "another-roster")
    return _ok("roster", "name-withdrawn" if withdrawn else "as-kept")


def _deals_part(roster: Roster, receipt: Receipt | None) -> Part:
    """Whether every attempt that was given up names somebody who did not reveal, and who
    contributes no more; so the number of deals is known."""
    gone: set[int] = set()
    for place, void in enumerate(roster.voids):
        is_new = all(
            seat not in gone and seat < len(roster.seats) and roster.seats[seat].bound is None
            for seat in void.missing
        )
        if void.attempt != place or not void.missing or not is_new:
            return _wrong("deals", "voids")
        gone.update(void.missing)
    if roster.attempt != len(roster.voids):
        return _wrong("deals", "voids")
    for kept in [] if receipt is None else receipt.attempts:
        if kept.attempt == roster.attempt:
            continue
        if kept.attempt > roster.attempt:
            return _wrong("deals", "hidden")
        void = roster.voids[kept.attempt]
        if void.roster != roster_hash(kept.roster).hex():
            return _wrong("deals", "another-void")
        if set(void.missing) & set(kept.acked):
            return _wrong("deals", "called-missing")
    return _ok("deals", "deals", deals=1 + len(roster.voids))


def _links(told: GameRecord, proof: RosterProof, hash: bytes) -> list[bytes] | None:
    """Every link of a record's log, from the roster on; None where facts are not in order."""
    chain = Chain(bytes.fromhex(proof.secret), hash)
    links, facts = [hash], list(proof.facts)
    if any(one.after > other.after for one, other in pairwise(facts)):
        return None
    for index in range(len(told.log) + 1):
        while facts and facts[0].after == index:
            chain.add_fact(facts.pop(0))
            links.append(chain.link)
        if index < len(told.log):
            entry = told.log[index]
            if entry.at is not None and abs(entry.at) > LARGEST:
                return None
            digest = None if entry.attached is None else attached_hash(entry.attached)
            chain.add(entry.by, entry.do, entry.at, entry.via, digest)
            links.append(chain.link)
    return None if facts else links


def _log_part(told: GameRecord, proof: RosterProof, hash: bytes, receipt: Receipt | None) -> Part:
    """Whether the log is a chain from roster to end, and every link that was seen is in it."""
    links = _links(told, proof, hash)
    if links is None or len(links) - 1 != proof.links or links[-1].hex() != proof.end:
        return _wrong("log", "broken")
    resigned = [fact.do for fact in proof.facts if fact.do.startswith("resigned ")]
    said = None if told.outcome is None else told.outcome.resigned
    if len(told.seats) == 2 and resigned != ([] if said is None else [f"resigned {said}"]):
        return _wrong("log", "outcome")
    ranges = [] if receipt is None else receipt.seen.ranges
    if receipt is None or not ranges:
        return _open("log", "unseen")
    rolled = NOTHING
    for first, last in ranges:
        if last >= len(links):
            return _wrong("log", "cut")
        for n in range(first, last + 1):
            rolled = roll_link(rolled, n, links[n])
    if rolled.hex() != receipt.seen.hash:
        return _wrong("log", "another-log")
    newest = max(last for _, last in ranges)
    if newest == len(links) - 1:
        return _ok("log", "whole", n=newest)
    return _ok("log", "up-to", n=newest, of=len(links) - 1)


def _acts_part(match: Match, roster: Roster, receipt: Receipt | None) -> Part:
    """Whether every act of one's own that was confirmed is in the log, in its order. `others` are
    acts of one's seats that were sent from elsewhere."""
    if receipt is None or not receipt.acts:
        return _open("acts", "none")
    seats = {*receipt.seats, *(act.seat for act in receipt.acts)}
    due = {seat: [act for act in receipt.acts if act.seat == seat] for seat in seats}
    others = 0
    for again, entry in _plies(match):
        if entry.by == "nature" or entry.by not in due:
            continue
        seat = roster.seats[entry.by] if entry.by < len(roster.seats) else None
        if entry.via is not None and not (seat is not None and seat.program):
            continue
        acts = due[entry.by]
        if acts and _in_full(again, acts[0].seat, acts[0].do) == entry.do:
            acts.pop(0)
        else:
            others += 1
    for left in due.values():
        if left:
            return _wrong("acts", "missing", do=left[0].do)
    return _ok("acts", "acts", acts=len(receipt.acts), others=others)


def _plies(match: Match) -> Iterator[tuple[Match, Entry]]:
    """The game once more: the match before each entry, and the entry."""
    again = Match(match.game, match.options, position=match.start_position)
    for entry in match.log:
        yield again, entry
        again.act(NATURE if entry.by == "nature" else entry.by, entry.do, attached=entry.attached)


def _in_full(match: Match, seat: int, do: str) -> str | None:
    """An act as the log has it; None for what is no action at all."""
    try:
        return match.full_text(seat, do)
    except QuarterdeckError:
        return None


def _views_part(match: Match, receipt: Receipt | None) -> Part:
    """Whether everything that was shown is what the rules show at that ply."""
    plies = [] if receipt is None else receipt.shown.plies
    if receipt is None or not plies:
        return _open("views", "none")
    last = len(match.log)
    if any(to > last for _, to, _ in plies):
        return _wrong("views", "cut")
    if any(seat >= match.players for _, _, seats in plies for seat in seats):
        return _wrong("views", "another-view")
    wanted: dict[int, set[tuple[int, ...]]] = {}
    for first, to, seats in plies:
        for ply in range(first, to + 1):
            wanted.setdefault(ply, set()).add(tuple(seats))
    shown = {
        (ply, seats): view_bytes(again.shown(), [again.own(seat) for seat in seats])
        for ply, (again, _) in enumerate(match.retrace())
        for seats in wanted.get(ply, ())
    }
    rolled, count = NOTHING, 0
    for first, to, seats in plies:
        for ply in range(first, to + 1):
            rolled = roll_view(rolled, ply, shown[ply, tuple(seats)])
            count += 1
    if rolled.hex() != receipt.shown.hash:
        return _wrong("views", "another-view")
    return _ok("views", "as-shown", plies=count)
