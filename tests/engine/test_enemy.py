"""A dealer who cheats is found out, and one who guesses does no better than chance."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from quarterdeck import find_game
from quarterdeck.contract import NATURE, QuarterdeckError
from quarterdeck.engine.hashing import LABEL, canon, hashed, prefixed
from quarterdeck.engine.receipt import Receipt
from quarterdeck.engine.record import GameRecord, read_record, write_record
from quarterdeck.engine.roster import deal_code, roster_hash
from quarterdeck.engine.verify import verify

from . import enemy
from .enemy import REFUSED, TRICKS, Caught, Evening, restart, second_attempt
from .fair_play import Browser, Dealer, Fraud, begin, plain


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


def sealed(seed: int) -> tuple[Dealer, bytes, bytes]:
    """A game in which somebody has just sealed a bid, the link before it and the link after it."""
    dealer = Dealer(find_game("skull-king"), {"players": 2}, seed=seed)
    begin(dealer, [Browser(dealer.table, [seat], seed) for seat in (0, 1)])
    dealer.draw()
    before = dealer.chain.link
    dealer.act(0, f"bid {random.Random(seed).randrange(2)}")
    return dealer, before, dealer.chain.link


def dealt(seed: int) -> tuple[Dealer, bytes, bytes]:
    """A game in which everybody was just dealt one card, and the links around that."""
    dealer = Dealer(find_game("skull-king"), {"players": 2}, seed=seed)
    begin(dealer, [Browser(dealer.table, [seat], seed) for seat in (0, 1)])
    dealer.act(NATURE, dealer.match.next_draw())
    before = dealer.chain.link
    dealer.act(NATURE, dealer.match.next_draw())
    return dealer, before, dealer.chain.link


def bids(dealer: Dealer) -> list[str]:
    """All that may have been sealed, as the log would have it."""
    return ["bid 0", "bid 1"]


def deals(dealer: Dealer) -> list[str]:
    """All that may have been dealt, by what seat 0 knows of its own card; each as likely."""
    mine, _ = dealer.match.log[-1].do.removeprefix("deal ").split("/")
    pack = dealer.game.notation.draws(dealer.game.kit, dealer.match.options)["deal"].pools[0].items
    left = list(pack)
    left.remove(mine)
    return [f"deal {mine}/{card}" for card in left]


def guess(
    dealer: Dealer, before: bytes, after: bytes, choices: Sequence[str], known: bytes | None
) -> tuple[str, bool]:
    """What somebody says who was shown roster, reveals and every link, and tries whatever can be
    computed from these; and whether that explained a link. `known` is what they know besides."""
    by, at = dealer.match.log[-1].by, dealer.match.log[-1].at
    assert at is not None
    keys = [
        b"", bytes(32), dealer.hash, before, bytes.fromhex(dealer.roster.server),
        *(bytes.fromhex(data) for _, data in dealer.reveals),
    ]  # fmt: skip
    keys += [] if known is None else [known]
    message = prefixed(LABEL + b"blind") + dealer.hash
    blinds = [
        hmac.digest(key, message + n.to_bytes(8, "big"), "sha256")
        for key in keys
        for n in range(dealer.chain.n + 1)
    ]
    for do in choices:
        for late in (-1, 0, 1):  # the view tells when, but for the way it took
            item = canon([by, do, at + late, None, None])
            for blind in (*keys, *blinds):
                if hashed("link", before, hashed("entry", blind, item)) == after:
                    return do, True
    public = b"".join([before, after, *keys])  # else as well as any: from all that is known
    return choices[int.from_bytes(hashlib.sha256(public).digest()[:4], "big") % len(choices)], False


@pytest.mark.parametrize(
    ("setting", "choices_of", "games"),
    [(sealed, bids, 400), (dealt, deals, 60)],
    ids=["a sealed bid", "a hand of one card"],
)
def test_who_guesses_does_no_better_than_chance(
    setting: Callable[[int], tuple[Dealer, bytes, bytes]],
    choices_of: Callable[[Dealer], list[str]],
    games: int,
) -> None:
    right, expected = 0, 0.0
    for seed in range(games):
        dealer, before, after = setting(seed)
        choices, truth = choices_of(dealer), dealer.match.log[-1].do
        said, is_explained = guess(dealer, before, after, choices, None)
        assert not is_explained
        right += said == truth
        expected += choices.count(truth) / len(choices)
    assert abs(right - expected) < 4 * max(1.0, expected) ** 0.5
    # whoever knew the secret would find it at once: so it is the blind that keeps it
    dealer, before, after = setting(1)
    told = guess(dealer, before, after, choices_of(dealer), dealer.secret)
    assert told == (dealer.match.log[-1].do, True)


# Whatever is published -----------------------------------------------------------------------

MUTANTS = int(os.environ.get("QUARTERDECK_MUTANTS", "200"))
JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2.5, 16, 255, 2**31, 2**53 + 1, 10**400, "", "x", "0" * 64, "F" * 64,
    "0" * 64 + "\n", "\ud83c", [], {}, [[]], {"": {}}, "resigned 1", [[0, 1]], [[5, 2]],
)  # fmt: skip


def mutated(value: Any, rng: random.Random) -> Any:
    """The value with something in it changed, dropped, doubled or added."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return value | {key: mutated(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        place = rng.randrange(len(value))
        changed = rng.choice([[], [value[place]] * 2, [mutated(value[place], rng)]])
        return [*value[:place], *changed, *value[place + 1 :]]
    return rng.choice(JUNK)


def test_no_record_and_no_receipt_breaks_the_check() -> None:
    """A changed proof or log is never proven, and whatever is said is a verdict or an error."""
    record, receipt = (plain(told) for told in Evening().published)
    told = {"record": record, "receipt": receipt}
    verdicts = Counter[str]()
    for seed in range(MUTANTS):
        rng = random.Random(seed)
        mutant = json.loads(json.dumps(told))
        which = rng.choice(["fairness", "log", "seats", "receipt"])
        if which == "receipt":
            mutant["receipt"] = mutated(receipt, rng)
        else:
            mutant["record"][which] = mutated(record[which], rng)
        if mutant == told:
            continue
        try:
            published = read_record(json.dumps(mutant["record"]).encode())
            kept = msgspec.json.decode(json.dumps(mutant["receipt"]).encode(), type=Receipt)
            verdict = verify(published, kept)
        except QuarterdeckError as error:
            verdicts[error.code] += 1
        except msgspec.ValidationError:
            verdicts["no receipt"] += 1
        else:
            verdicts[verdict.verdict] += 1
            if which != "receipt":
                assert verdict.verdict != "proven", (seed, which)
    assert verdicts["unfair"] > MUTANTS / 10
