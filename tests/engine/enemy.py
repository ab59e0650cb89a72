"""A dealer who cheats, in every way we could think of, and what an honest browser kept meanwhile.

Three sit at the table: the browser that is cheated (seat 0), one that is the dealer's own (seat 1),
and a bot of the house. A *trick* is a function whose docstring tells what is done; it answers the
record that the dealer publishes, and the receipt that the honest browser has. What a page does not
even put up with is in `REFUSED`, with what it does.

`tricks.json` is written from here (`python -m tests.engine.enemy`), for the browser's tests; so is
the table in `docs/fairness.md`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from quarterdeck import Match, find_game
from quarterdeck.contract import NATURE
from quarterdeck.engine.fairness import Seeded
from quarterdeck.engine.receipt import Receipt
from quarterdeck.engine.record import Entry, GameRecord, write_record
from quarterdeck.engine.roster import (
    Chain,
    Fact,
    RosterProof,
    attached_hash,
    roster_hash,
    seat_hash,
    server_hash,
)
from quarterdeck.engine.verdicts import sentence
from quarterdeck.engine.verify import Part

from .fair_play import Browser, Dealer, begin, bytes_of, plain, play, show

FILE = Path(__file__).with_name("tricks.json")
PAGE = Path(__file__).parents[2] / "docs" / "fairness.md"
GAME = find_game("skull-king")
MARKS = "<!-- tricks -->", "<!-- end of tricks -->"

Published = tuple[GameRecord, Receipt]
Trick = Callable[[], Published]


@dataclass(frozen=True)
class Caught:
    """A trick, what the command finds, and what the page finds: the first part that is wrong. A
    record that breaks the rules is an error of the command; the page knows no rules."""

    trick: Trick
    command: str
    page: str | None


# An honest game, and the tools to make a dishonest record of it ------------------------------


class Evening:
    """A game of a few moves, in which all is honest so far."""

    def __init__(self, dealer: Dealer | None = None, *, moves: int = 5, players: int = 3) -> None:
        self.dealer = dealer or Dealer(GAME, {"players": players}, seed="enemy")
        self.victim = Browser(self.dealer.table, [0], "victim")
        self.puppet = Browser(self.dealer.table, [1], "puppet")
        begin(self.dealer, [self.victim, self.puppet])
        play(self.dealer, [self.victim, self.puppet], moves)

    @property
    def published(self) -> Published:
        return copy.deepcopy(self.dealer.record()), self.victim.receipt


def proof_of(record: GameRecord) -> RosterProof:
    assert isinstance(record.fairness, RosterProof)
    return record.fairness


def prove(record: GameRecord, **changes: Any) -> None:
    """Changes what is published as the proof."""
    record.fairness = msgspec.structs.replace(proof_of(record), **changes)


def change_roster(record: GameRecord, **changes: Any) -> None:
    """Publishes another roster, with draws and chain as they follow from it."""
    prove(record, roster=msgspec.structs.replace(proof_of(record).roster, **changes))


def bind(record: GameRecord, seat: int, data: bytes | None) -> None:
    """Binds other bytes of a seat in the roster, or none."""
    roster = proof_of(record).roster
    bound = None
    if data is not None:
        bound = seat_hash(roster.table, roster.attempt, seat, data)
    seats = list(roster.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], bound=bound)
    change_roster(record, seats=tuple(seats))


def chain_again(record: GameRecord) -> GameRecord:
    """Makes a chain that holds together of whatever the record tells now."""
    proof = proof_of(record)
    chain = Chain(bytes.fromhex(proof.secret), roster_hash(proof.roster))
    facts = list(proof.facts)
    for index in range(len(record.log) + 1):
        for fact in facts:
            if fact.after == index:
                chain.add_fact(fact)
        if index < len(record.log):
            entry = record.log[index]
            digest = None if entry.attached is None else attached_hash(entry.attached)
            chain.add(entry.by, entry.do, entry.at, entry.via, digest)
    prove(record, links=chain.n, end=chain.link.hex())
    return record


def deal_again(record: GameRecord) -> GameRecord:
    """Tells the game that would have come of the proof as it is now: its draws, and on both sides
    the first thing they may do."""
    proof = proof_of(record)
    secret = bytes.fromhex(proof.secret)
    dealer = Dealer(GAME, dict(record.options), seed="enemy", secret_told=secret)
    dealer.roster = proof.roster
    dealer.begin(proof.reveals)
    times = iter([entry.at for entry in record.log])
    entries: list[Entry] = []
    match = dealer.match
    while len(entries) < len(record.log):
        if match.to_act == "nature":
            match.draw()
        else:
            seat = match.seats_to_act[0]
            match.act(seat, match.legal(seat)[0], via="bot" if seat == 2 else None)
        entries.append(msgspec.structs.replace(match.log[-1], at=next(times)))
    record.log, record.outcome = entries, match.outcome
    return chain_again(record)


# The bytes -----------------------------------------------------------------------------------


def adds_a_contribution() -> Published:
    """Adds bytes of a seat that has bound none, chosen after the reveals."""
    record, receipt = Evening().published
    prove(record, reveals=(*proof_of(record).reveals, (2, bytes_of("added").hex())))
    return deal_again(record), receipt


def adds_a_contribution_and_its_hash() -> Published:
    """Adds bytes after the reveals, and puts their hash into the roster."""
    record, receipt = Evening().published
    data = bytes_of("added")
    bind(record, 2, data)
    prove(record, reveals=(*proof_of(record).reveals, (2, data.hex())))
    return deal_again(record), receipt


def drops_a_contribution() -> Published:
    """Leaves out the bytes of a friend, once everybody's are known."""
    record, receipt = Evening().published
    prove(record, reveals=proof_of(record).reveals[:1])
    return deal_again(record), receipt


def replaces_a_contribution() -> Published:
    """Puts other bytes in the place of a friend's, until the deal is liked."""
    record, receipt = Evening().published
    prove(record, reveals=(proof_of(record).reveals[0], (1, bytes_of("ground").hex())))
    return deal_again(record), receipt


def replaces_a_contribution_and_its_hash() -> Published:
    """Puts other bytes in the place of a friend's, and their hash into the roster."""
    record, receipt = Evening().published
    data = bytes_of("ground")
    bind(record, 1, data)
    prove(record, reveals=(proof_of(record).reveals[0], (1, data.hex())))
    return deal_again(record), receipt


def reorders_contributions() -> Published:
    """Takes the bytes in another order."""
    record, receipt = Evening().published
    prove(record, reveals=proof_of(record).reveals[::-1])
    return deal_again(record), receipt


def swaps_contributions() -> Published:
    """Gives each of two seats the bytes of the other."""
    record, receipt = Evening().published
    (one, first), (two, second) = proof_of(record).reveals
    prove(record, reveals=((one, second), (two, first)))
    return deal_again(record), receipt


def leaves_an_honest_browser_s_bytes_out() -> Published:
    """Begins without the honest browser's bytes, and publishes a roster without them."""
    record, receipt = Evening().published
    bind(record, 0, None)
    prove(record, reveals=proof_of(record).reveals[1:])
    return deal_again(record), receipt


def begins_with_a_subset() -> Published:
    """Begins with the bytes of some, the roster as it was."""
    record, receipt = Evening().published
    prove(record, reveals=proof_of(record).reveals[1:])
    return deal_again(record), receipt


def grinds_its_secret() -> Published:
    """Tries secrets after the reveals, until the deal is liked."""
    record, receipt = Evening().published
    prove(record, secret=bytes_of("ground").hex())
    return deal_again(record), receipt


def grinds_its_secret_and_its_hash() -> Published:
    """Tries secrets after the reveals, and puts the hash of one into the roster."""
    record, receipt = Evening().published
    roster, secret = proof_of(record).roster, bytes_of("ground")
    change_roster(record, server=server_hash(roster.table, roster.attempt, secret))
    prove(record, secret=secret.hex())
    return deal_again(record), receipt


# The roster ----------------------------------------------------------------------------------


def shows_different_rosters() -> Published:
    """Shows one roster to one player and another to the rest; the game is that of the rest."""
    record, receipt = Evening().published
    change_roster(record, clock=proof_of(record).roster.clock | {"kind": "per-move"})
    return deal_again(record), receipt


def swaps_two_names() -> Published:
    """Tells that the players sat the other way round."""
    record, receipt = Evening().published
    record.seats[0], record.seats[1] = record.seats[1], record.seats[0]
    return record, receipt


def swaps_two_names_and_their_salts() -> Published:
    """Tells that the players sat the other way round, salts and all."""
    record, receipt = Evening().published
    record.seats[0], record.seats[1] = record.seats[1], record.seats[0]
    one, two, *others = proof_of(record).salts
    prove(record, salts=(two, one, *others))
    return record, receipt


def invents_a_name() -> Published:
    """Says that a name was withdrawn, and tells another."""
    record, receipt = Evening().published
    record.seats[1] = "Somebody"
    prove(record, salts=(proof_of(record).salts[0], None, *proof_of(record).salts[2:]))
    return record, receipt


def says_a_bot_was_a_person() -> Published:
    """Tells of a bot of the house as if it had been somebody."""
    record, receipt = Evening().published
    seats = list(proof_of(record).roster.seats)
    seats[2] = msgspec.structs.replace(seats[2], kind="person", level=None)
    change_roster(record, seats=tuple(seats))
    return deal_again(record), receipt


def changes_the_kit() -> Published:
    """Names another kit than was played with."""
    record, receipt = Evening().published
    change_roster(record, kit=bytes_of("kit").hex())
    return deal_again(record), receipt


def changes_the_options() -> Published:
    """Tells of a game with other options than the roster has."""
    record, receipt = Evening().published
    change_roster(record, options={"players": 4})
    return deal_again(record), receipt


def tells_of_another_table() -> Published:
    """Publishes an honest game of another table in the place of this one."""
    _, receipt = Evening().published
    other = Dealer(GAME, {"players": 3}, table="monkey8", seed="enemy")
    return Evening(other).published[0], receipt


def answers_with_no_draws() -> Published:
    """Publishes a seed in the place of secret, roster and bytes."""
    record, receipt = Evening().published
    seeded = Match(GAME, record.options, seed=5)
    while len(seeded.log) < len(record.log):
        if seeded.to_act == "nature":
            seeded.draw()
        else:
            seat = seeded.seats_to_act[0]
            seeded.act(seat, seeded.legal(seat)[0])
    record.log, record.outcome, record.fairness = list(seeded.log), seeded.outcome, Seeded(5)
    return record, receipt


# Deals given up ------------------------------------------------------------------------------


def restart(*, missing: Sequence[int], acked: bool = True) -> tuple[Dealer, Browser]:
    """A first attempt to begin that the dealer gives up, naming these seats."""
    dealer = Dealer(GAME, {"players": 3}, seed="enemy")
    victim = Browser(dealer.table, [0], "victim")
    puppet = Browser(dealer.table, [1], "puppet")
    bound = {0: victim.bind(0, 0), 1: puppet.bind(0, 1)}
    roster = dealer.make_roster(bound)
    victim.reveal(roster, dealer.names, dealer.salts)
    if acked:
        victim.confirm(0)
    dealer.void(missing)
    return dealer, victim


def second_attempt(dealer: Dealer, victim: Browser, seats: Sequence[int]) -> None:
    """Begins with the bytes of these seats."""
    puppet = Browser(dealer.table, [1], "puppet")
    browsers = {0: victim, 1: puppet}
    bound = {seat: browsers[seat].bind(dealer.attempt, seat) for seat in seats}
    roster = dealer.make_roster(bound)
    victim.reveal(roster, dealer.names, dealer.salts)
    victim.confirm(dealer.attempt)
    data = {seat: browsers[seat].bytes[dealer.attempt, seat].hex() for seat in seats}
    dealer.begin(sorted(data.items()))
    victim.begin(dealer.attempt, sorted(data.items()))
    play(dealer, [victim], 5)


def calls_an_honest_browser_missing() -> Published:
    """Gives a deal up, and says it was for want of bytes that it had confirmed."""
    dealer, victim = restart(missing=[0])
    second_attempt(dealer, victim, [1])
    return dealer.record(), victim.receipt


def hides_a_deal_given_up() -> Published:
    """Deals again until the deal is liked, and publishes the last as if it had been the first."""
    dealer, victim = restart(missing=[1])
    dealer.voids.clear()
    second_attempt(dealer, victim, [0])
    return dealer.record(), victim.receipt


def tells_of_another_deal_given_up() -> Published:
    """Names another roster as the one that was given up."""
    dealer, victim = restart(missing=[1])
    dealer.voids[0] = msgspec.structs.replace(dealer.voids[0], roster=bytes_of("void").hex())
    second_attempt(dealer, victim, [0])
    return dealer.record(), victim.receipt


def gives_up_for_nobody() -> Published:
    """Gives a deal up without anybody missing."""
    dealer, victim = restart(missing=[])
    second_attempt(dealer, victim, [0])
    return dealer.record(), victim.receipt


def lets_a_friend_be_missing_again_and_again() -> Published:
    """Gives a deal up for want of a friend's bytes, and lets the friend contribute once more, so
    that the same can be done again."""
    dealer, victim = restart(missing=[1])
    second_attempt(dealer, victim, [0, 1])
    return dealer.record(), victim.receipt


def publishes_an_earlier_deal() -> Published:
    """Plays one deal, and publishes an earlier one as the game."""
    dealer, victim = restart(missing=[1])
    first = Dealer(GAME, {"players": 3}, seed="enemy")
    first.roster = victim.receipt.attempts[0].roster
    second_attempt(dealer, victim, [0])
    puppet = Browser(first.table, [1], "puppet")
    puppet.bind(0, 1)
    data = {0: victim.bytes[0, 0].hex(), 1: puppet.bytes[0, 1].hex()}
    first.begin(sorted(data.items()))
    play(first, [], 5)
    return first.record(), victim.receipt


# The draws and the log -----------------------------------------------------------------------


class Loaded(Dealer):
    """Deals what it likes, and shows everybody just that."""

    def draw(self) -> None:
        while self.match.to_act == "nature":
            do = self.match.next_draw()
            if do.startswith("deal"):
                hands = do.removeprefix("deal ").split("/")
                do = f"deal {'/'.join([*hands[1:], hands[0]])}"
            self.act(NATURE, do)


def deals_from_another_pool() -> Published:
    """Deals other cards than chance drew, and shows them to everybody from the first moment."""
    return Evening(Loaded(GAME, {"players": 3}, seed="enemy")).published


def forks_the_log() -> Published:
    """Shows one log up to some ply, and publishes another from there on, with links that hold."""
    record, receipt = Evening(moves=9).published
    other = Match(GAME, record.options)
    for entry in record.log[:10]:
        other.act(NATURE if entry.by == "nature" else entry.by, entry.do)
    while len(other.log) < len(record.log):
        seat = other.seats_to_act[0]
        other.act(seat, other.legal(seat)[-1])
    times = [(entry.at, entry.via) for entry in record.log]
    record.log = [
        Entry(entry.by, entry.do, at, via)
        for entry, (at, via) in zip(other.log, times, strict=True)
    ]
    record.outcome = other.outcome
    return chain_again(record), receipt


def cuts_the_log() -> Published:
    """Publishes a log that ends before what was seen of it."""
    record, receipt = Evening().published
    match = Match(GAME, record.options)
    record.log = record.log[:-2]
    for entry in record.log:
        match.act(NATURE if entry.by == "nature" else entry.by, entry.do)
    record.outcome = match.outcome
    return chain_again(record), receipt


def changes_an_entry_and_no_link() -> Published:
    """Changes a time in the log, and leaves the links as they were."""
    record, receipt = Evening().published
    record.log[4] = msgspec.structs.replace(record.log[4], at=(record.log[4].at or 0) + 5000)
    return record, receipt


def changes_a_time() -> Published:
    """Changes when something was done, with links that hold."""
    record, receipt = Evening().published
    record.log[4] = msgspec.structs.replace(record.log[4], at=(record.log[4].at or 0) + 5000)
    return chain_again(record), receipt


def changes_a_via() -> Published:
    """Says that a bot of the house did what a friend did, with links that hold."""
    record, receipt = Evening().published
    place = next(n for n, entry in enumerate(record.log) if entry.by == 1)
    record.log[place] = msgspec.structs.replace(record.log[place], via="timeout")
    return chain_again(record), receipt


def changes_an_attachment() -> Published:
    """Attaches something else to what nature did."""
    dealer = Dealer(GAME, {"players": 3}, seed="enemy")
    evening = Evening(dealer, moves=0)
    dealer.act(dealer.match.seats_to_act[0], "bid 0", attached={"poses": {"rat": [1, 2, 0.5]}})
    show(dealer, [evening.victim])
    record, receipt = evening.published
    attached = {"poses": {"rat": [1, 2, 0.25]}}
    record.log[-1] = msgspec.structs.replace(record.log[-1], attached=attached)
    return chain_again(record), receipt


def leaves_out_that_a_bot_stood_in() -> Published:
    """Does not tell that a bot played for somebody in between."""
    evening = Evening()
    evening.dealer.happen("stood-in 1")
    show(evening.dealer, [evening.victim])
    evening.dealer.happen("returned 1")
    show(evening.dealer, [evening.victim])
    record, receipt = evening.published
    prove(record, facts=())
    return chain_again(record), receipt


def says_that_the_other_resigned() -> Published:
    """Of two players one resigns; it publishes that the other did."""
    evening = Evening(Dealer(GAME, {"players": 2}, seed="enemy"))
    evening.dealer.happen("resigned 1")
    show(evening.dealer, [evening.victim])
    record = copy.deepcopy(evening.dealer.record(resigned=0))
    return record, evening.victim.receipt


def says_that_the_other_resigned_with_links_that_hold() -> Published:
    """Of two players one resigns; it publishes that the other did, in the log too."""
    evening = Evening(Dealer(GAME, {"players": 2}, seed="enemy"))
    evening.dealer.happen("resigned 1")
    show(evening.dealer, [evening.victim])
    record = copy.deepcopy(evening.dealer.record(resigned=0))
    (fact,) = proof_of(record).facts
    prove(record, facts=(Fact(fact.after, "resigned 0", fact.at),))
    return chain_again(record), evening.victim.receipt


def forgets_a_confirmed_act() -> Published:
    """Confirms what somebody did, and then acts for them as if they had run out of time; what is
    shown and linked is that."""
    dealer = Dealer(GAME, {"players": 3}, seed="enemy")
    evening = Evening(dealer, moves=0)
    dealer.act(0, "bid 0", via="timeout")
    show(dealer, [evening.victim])
    evening.victim.sent(0, "bid 1", dealer.chain.n)
    return evening.published


def shows_what_did_not_happen() -> Published:
    """Shows somebody another score than the log comes to."""
    dealer = Dealer(GAME, {"players": 3}, seed="enemy")
    evening = Evening(dealer)
    view = dealer.view([0])
    view["shown"]["scores"] = [0, 100, 0]
    evening.victim.see(view)
    return evening.published


def breaks_the_rules() -> Published:
    """Publishes a log with a bid in it that the rules forbid, with links that hold."""
    record, receipt = Evening().published
    place = next(n for n, entry in enumerate(record.log) if entry.do.startswith("bid"))
    record.log[place] = msgspec.structs.replace(record.log[place], do="bid 9")
    record.outcome = None
    return chain_again(record), receipt


TRICKS = (
    Caught(adds_a_contribution, "roster.reveals", "roster.reveals"),
    Caught(adds_a_contribution_and_its_hash, "roster.another-roster", "roster.another-roster"),
    Caught(drops_a_contribution, "roster.reveals", "roster.reveals"),
    Caught(replaces_a_contribution, "roster.reveals", "roster.reveals"),
    Caught(replaces_a_contribution_and_its_hash, "roster.another-roster", "roster.another-roster"),
    Caught(reorders_contributions, "roster.reveals", "roster.reveals"),
    Caught(swaps_contributions, "bytes.left-out", "bytes.left-out"),
    Caught(leaves_an_honest_browser_s_bytes_out, "bytes.left-out", "bytes.left-out"),
    Caught(begins_with_a_subset, "bytes.left-out", "bytes.left-out"),
    Caught(grinds_its_secret, "roster.secret", "roster.secret"),
    Caught(grinds_its_secret_and_its_hash, "roster.another-roster", "roster.another-roster"),
    Caught(shows_different_rosters, "roster.another-roster", "roster.another-roster"),
    Caught(swaps_two_names, "roster.names", "roster.names"),
    Caught(swaps_two_names_and_their_salts, "roster.names", "roster.names"),
    Caught(invents_a_name, "roster.names", "roster.names"),
    Caught(says_a_bot_was_a_person, "roster.another-roster", "roster.another-roster"),
    Caught(changes_the_kit, "roster.kit", "roster.another-roster"),
    Caught(changes_the_options, "roster.another-game", "roster.another-game"),
    Caught(tells_of_another_table, "roster.another-table", "roster.another-table"),
    Caught(answers_with_no_draws, "roster.another-scheme", "roster.another-scheme"),
    Caught(calls_an_honest_browser_missing, "deals.called-missing", "deals.called-missing"),
    Caught(hides_a_deal_given_up, "deals.voids", "deals.voids"),
    Caught(tells_of_another_deal_given_up, "deals.another-void", "deals.another-void"),
    Caught(gives_up_for_nobody, "deals.voids", "deals.voids"),
    Caught(lets_a_friend_be_missing_again_and_again, "deals.voids", "deals.voids"),
    Caught(publishes_an_earlier_deal, "deals.hidden", "deals.hidden"),
    Caught(deals_from_another_pool, "draws.draw", "draws.draw"),
    Caught(forks_the_log, "log.another-log", "log.another-log"),
    Caught(cuts_the_log, "log.cut", "log.cut"),
    Caught(changes_an_entry_and_no_link, "log.broken", "log.broken"),
    Caught(changes_a_time, "log.another-log", "log.another-log"),
    Caught(changes_a_via, "log.another-log", "log.another-log"),
    Caught(changes_an_attachment, "log.another-log", "log.another-log"),
    Caught(leaves_out_that_a_bot_stood_in, "log.cut", "log.cut"),
    Caught(says_that_the_other_resigned, "log.outcome", "log.outcome"),
    Caught(says_that_the_other_resigned_with_links_that_hold, "log.another-log", "log.another-log"),
    Caught(forgets_a_confirmed_act, "acts.missing", "acts.missing"),
    Caught(shows_what_did_not_happen, "views.another-view", None),
    Caught(breaks_the_rules, "illegal-action", "log.another-log"),
)


# What the page does not put up with ----------------------------------------------------------


def shows_a_second_roster() -> None:
    """Shows a second roster for the same attempt, before or after the reveal."""
    dealer = Dealer(GAME, {"players": 3}, seed="enemy")
    victim = Browser(dealer.table, [0], "victim")
    bound = {0: victim.bind(0, 0)}
    victim.reveal(dealer.make_roster(bound), dealer.names, dealer.salts)
    dealer.seed = "another secret"
    victim.reveal(dealer.make_roster(bound), dealer.names, dealer.salts)


def leaves_somebody_out_of_the_roster() -> None:
    """Makes a roster without the hash of a browser that has bound its bytes."""
    dealer = Dealer(GAME, {"players": 3}, seed="enemy")
    victim = Browser(dealer.table, [0], "victim")
    victim.bind(0, 0)
    victim.reveal(dealer.make_roster({}), dealer.names, dealer.salts)


def binds_other_names_than_it_shows() -> None:
    """Binds other names in the roster than the table shows."""
    dealer = Dealer(GAME, {"players": 3}, seed="enemy")
    victim = Browser(dealer.table, [0], "victim")
    roster = dealer.make_roster({0: victim.bind(0, 0)})
    victim.reveal(roster, dealer.names[::-1], dealer.salts)


def shows_other_bytes_than_were_bound() -> None:
    """Shows bytes of a friend's that are not those the roster has bound."""
    dealer = Dealer(GAME, {"players": 3}, seed="enemy")
    victim = Browser(dealer.table, [0], "victim")
    puppet = Browser(dealer.table, [1], "puppet")
    roster = dealer.make_roster({0: victim.bind(0, 0), 1: puppet.bind(0, 1)})
    told = victim.reveal(roster, dealer.names, dealer.salts)
    victim.begin(0, [(0, told[0]), (1, bytes_of("ground").hex())])


def begins_before_all_have_revealed() -> None:
    """Begins with the bytes of some."""
    dealer = Dealer(GAME, {"players": 3}, seed="enemy")
    victim = Browser(dealer.table, [0], "victim")
    puppet = Browser(dealer.table, [1], "puppet")
    roster = dealer.make_roster({0: victim.bind(0, 0), 1: puppet.bind(0, 1)})
    told = victim.reveal(roster, dealer.names, dealer.salts)
    victim.begin(0, [(0, told[0])])


_KEEPS_BACK, _SAYS_SO = "refuses, and shows none of its bytes", "says so at once"
REFUSED: dict[Callable[[], None], str] = {
    shows_a_second_roster: _KEEPS_BACK,
    leaves_somebody_out_of_the_roster: _KEEPS_BACK,
    binds_other_names_than_it_shows: _KEEPS_BACK,
    shows_other_bytes_than_were_bound: _SAYS_SO,
    begins_before_all_have_revealed: _SAYS_SO,
}


# The files -----------------------------------------------------------------------------------


def text() -> str:
    """The tricks for the browser's tests: what is published, what was kept, what is found."""
    told = []
    for caught in TRICKS:
        record, receipt = caught.trick()
        told.append(
            {
                "trick": caught.trick.__name__,
                "command": caught.command,
                "page": caught.page,
                "record": json.loads(write_record(record)),
                "receipt": plain(receipt),
            }
        )
    lines = ",\n".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in told)
    return f"[\n{lines}\n]\n"


def table() -> str:
    """The table in `docs/fairness.md`."""
    lines = ["| what a dealer may try | `verify` with a receipt | the page |", "|---|---|---|"]
    for refused, done in REFUSED.items():
        lines.append(f"| {_said(refused)} | | {done} |")
    for caught in TRICKS:
        found = _found(caught.command)
        page = "not checked there" if caught.page is None else _found(caught.page)
        page = "the same" if page == found else page
        lines.append(f"| {_said(caught.trick)} | {found} | {page} |")
    return "\n".join(lines)


def _said(trick: Callable[[], object]) -> str:
    return " ".join((trick.__doc__ or "").split())


def _found(code: str) -> str:
    if "." not in code:
        return f"`{code}`"
    part, name = code.split(".")
    values = {"at": "*n*", "do": "…"}
    told: Part = Part(part, "wrong", name, values)  # type: ignore[arg-type]
    return f"`{code}`: {sentence(told).rstrip('.')}"


def page() -> str:
    """`docs/fairness.md` with its table as it is now."""
    before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    return f"{before}{MARKS[0]}\n{table()}\n{MARKS[1]}{after}"


def main() -> None:
    """Writes both files."""
    FILE.write_text(text(), "utf-8")
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
