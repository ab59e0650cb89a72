"""A dealer who cheats is found out, and one who guesses does no better than chance."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
from collections.abc import Callable

import pytest

from quarterdeck import find_game
from quarterdeck.contract import QuarterdeckError
from quarterdeck.engine.hashing import LABEL, canon, hashed, prefixed
from quarterdeck.engine.receipt import Receipt
from quarterdeck.engine.record import GameRecord, read_record, write_record
from quarterdeck.engine.roster import deal_code, roster_hash
from quarterdeck.engine.verify import verify

from . import enemy
from .enemy import REFUSED, TRICKS, Caught, Evening, restart, second_attempt
from .fair_play import Browser, Dealer, Fraud, begin


def found(record: GameRecord, receipt: Receipt | None) -> str:
    """The first thing that is wrong, or the verdict."""
    try:
        verdict = verify(read_record(write_record(record)), receipt)
    except QuarterdeckError as error:
        return error.code
    if verdict.flaw is None:
        return verdict.verdict
    assert not verdict.verified
    return f"{verdict.flaw.part}.{verdict.flaw.code}"


def test_an_honest_evening_is_proven() -> None:
    evening = Evening()
    record, receipt = evening.published
    assert found(record, receipt) == found(record, evening.puppet.receipt) == "proven"
    assert found(record, None) == "consistent"


@pytest.mark.parametrize("caught", TRICKS, ids=lambda caught: caught.trick.__name__)
def test_a_trick_is_found_out(caught: Caught) -> None:
    record, receipt = caught.trick()
    assert found(record, receipt) == caught.command


@pytest.mark.parametrize("trick", REFUSED, ids=lambda trick: trick.__name__)
def test_an_honest_browser_does_not_put_up_with(trick: Callable[[], None]) -> None:
    with pytest.raises(Fraud):
        trick()


def test_deals_given_up_are_counted() -> None:
    """A friend who does not reveal buys the dealer one deal more, and that is told."""
    dealer, victim = restart(missing=[1])
    second_attempt(dealer, victim, [0])
    verdict = verify(dealer.record(), victim.receipt)
    assert (verdict.verdict, verdict.deals, verdict.seats) == ("proven", 2, (0,))


def test_a_browser_that_was_away_is_proven_nothing_and_accuses_nobody() -> None:
    dealer, victim = restart(missing=[0], acked=False)
    second_attempt(dealer, victim, [1])
    verdict = verify(dealer.record(), victim.receipt)
    assert (verdict.verdict, verdict.flaw) == ("consistent", None)


def test_two_players_notice_different_rosters_by_the_code_of_the_deal() -> None:
    evening = Evening()
    reveals = [(seat, bytes.fromhex(data)) for seat, data in evening.dealer.reveals]
    codes = set()
    for seed in range(300):
        other = Dealer(enemy.GAME, {"players": 3}, seed=seed)
        bound = {0: evening.victim.bind(0, 0), 1: evening.puppet.bind(0, 1)}
        codes.add(deal_code(roster_hash(other.make_roster(bound)), reveals))
    assert len(codes) == 300


def test_the_tricks_of_the_browser_s_tests_are_these() -> None:
    again = "python -m tests.engine.enemy"
    assert enemy.FILE.read_text("utf-8") == enemy.text(), f"tricks.json is stale: {again}"
    assert enemy.PAGE.read_text("utf-8") == enemy.page(), f"docs/fairness.md is stale: {again}"
    names = [one["trick"] for one in json.loads(enemy.FILE.read_text("utf-8"))]
    assert len(set(names)) == len(names) == len(TRICKS)


# Who guesses ---------------------------------------------------------------------------------


def links_of(bid: int, seed: object) -> tuple[Dealer, list[bytes]]:
    """A game in which somebody seals a bid; all links that everybody was shown."""
    dealer = Dealer(find_game("skull-king"), {"players": 2}, seed=seed)
    browsers = [Browser(dealer.table, [seat], seed) for seat in (0, 1)]
    begin(dealer, browsers)
    dealer.draw()
    links = [dealer.hash]
    dealer.act(0, f"bid {bid}")
    links.append(dealer.chain.link)
    return dealer, links


def guess(dealer: Dealer, before: bytes, after: bytes, items: list[bytes]) -> int | None:
    """What somebody finds who knows roster, reveals and every link, and tries whatever can be
    computed without the secret; the first of some items that explains a link."""
    public = [
        b"", bytes(32), dealer.hash, before, bytes.fromhex(dealer.roster.server),
        *(bytes.fromhex(data) for _, data in dealer.reveals),
        *(bytes.fromhex(salt) for salt in dealer.salts),
    ]  # fmt: skip
    blinds = [
        hmac.digest(key, prefixed(LABEL + b"blind") + root + n.to_bytes(8, "big"), "sha256")
        for key, root in itertools.product(public, (dealer.hash, before))
        for n in range(5)
    ]
    for place, item in enumerate(items):
        for blind in (*public, *blinds):
            for entry in (hashed("entry", blind, item), hashlib.sha256(blind + item).digest()):
                if hashed("link", before, entry) == after:
                    return place
    return None


def test_no_link_tells_a_sealed_bid() -> None:
    """The bid and the time, to a few milliseconds, are known but for a handful of choices."""
    for bid in (0, 1):
        dealer, links = links_of(bid, f"bid {bid}")
        before = dealer.chain
        log = dealer.match.log
        at = log[-1].at
        assert at is not None
        # the chain is public: its newest link before the bid, and after it
        first = Evening  # noqa: F841
        items = [
            canon([0, f"bid {choice}", at + late, None, None])
            for choice in (0, 1)
            for late in range(-2, 3)
        ]
        assert before.link == links[-1]
        assert guess(dealer, links[0], links[-1], items) is None
