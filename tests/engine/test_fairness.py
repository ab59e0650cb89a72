"""Chance: the generator against the published algorithm, and draws that can be proven."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from quarterdeck import Match, find_game
from quarterdeck.bots.simulate import simulated_records
from quarterdeck.contract import (
    NATURE,
    BadProof,
    Rng,
    below,
    draw,
    next_word,
    record,
    rng_from_bytes,
    seed_rng,
)
from quarterdeck.engine.fairness import (
    CommitReveal,
    FairChance,
    Seeded,
    SeededChance,
    chance_of,
    commit,
)
from quarterdeck.engine.record import GameRecord, read_record, write_record
from quarterdeck.engine.verify import verify

from ..toys.plank_race import GAME as TOY

SKULL_KING = find_game("skull-king")
SECRET = bytes(range(32))
CONTRIBUTIONS = [b"from Ann's browser", b"\x00", b"\xff" * 64]


def xoshiro128_starstar(state: list[int]) -> int:
    """Blackman and Vigna's xoshiro128** 1.1, as published, on 32-bit words."""

    def rotl(x: int, k: int) -> int:
        return ((x << k) | (x >> (32 - k))) & 0xFFFFFFFF

    result = rotl((state[1] * 5) & 0xFFFFFFFF, 7) * 9 & 0xFFFFFFFF
    t = (state[1] << 9) & 0xFFFFFFFF
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= t
    state[3] = rotl(state[3], 11)
    return result


# The generator -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [[1, 2, 3, 4], [0, 0, 0, 1], [0xFFFFFFFF] * 4, [0x80000000, 0, 0, 0], [7, 0xDEADBEEF, 0, 9]],
    ids=str,
)
def test_the_generator_is_xoshiro128_starstar(words: list[int]) -> None:
    rng = record(Rng)
    rng.s[:] = words
    state = list(words)
    assert [next_word(rng) for _ in range(500)] == [xoshiro128_starstar(state) for _ in range(500)]
    assert rng.s.tolist() == state


def test_the_first_words_of_a_known_state() -> None:
    rng = record(Rng)
    rng.s[:] = [1, 2, 3, 4]
    # the values other implementations publish for this state
    assert [next_word(rng) for _ in range(4)] == [11520, 0, 5927040, 70819200]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 66, 1000])
def test_below_is_even(n: int) -> None:
    rng = record(Rng)
    seed_rng(rng, 12, 0, 0, n)
    draws = max(20 * n, 3000)
    counts = Counter(below(rng, n) for _ in range(draws))
    assert set(counts) == set(range(n))
    expected = draws / n
    chi = sum((counts[value] - expected) ** 2 / expected for value in range(n))
    assert chi < n - 1 + 5 * (2 * n) ** 0.5 + 5


def test_below_rejects_what_would_be_biased() -> None:
    """With n = 3 * 2**29 a quarter of the words has to be thrown away to be even."""
    n = 3 << 29
    rng, words = record(Rng), record(Rng)
    seed_rng(rng, 1, 2, 3, 4)
    words.s[:] = rng.s
    expected: list[int] = []
    while len(expected) < 200:
        product = next_word(words) * n
        if product & 0xFFFFFFFF >= (2**32 - n) % n:
            expected.append(product >> 32)
    assert [below(rng, n) for _ in range(200)] == expected


def test_draw_moves_without_losing() -> None:
    rng = record(Rng)
    seed_rng(rng, 3, 0, 0, 0)
    firsts: Counter[int] = Counter()
    for _ in range(2000):
        pool = np.arange(10, dtype=np.int8)
        draw(rng, pool, 8, 3)
        assert sorted(pool.tolist()) == list(range(10))
        assert pool[8:].tolist() == [8, 9]
        firsts.update(pool[:3].tolist())
    assert set(firsts) == set(range(8))
    assert all(abs(count - 750) < 6 * 750**0.5 for count in firsts.values())


def test_every_part_of_a_seed_counts() -> None:
    seeds = [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]
    seeds += [(1 << 32, 0, 0, 0), (-1, 0, 0, 0), (2**63 - 1, 0, 0, 0), (-(2**63), 0, 0, 0)]
    states = set()
    for seed in seeds:
        rng = record(Rng)
        seed_rng(rng, *seed)
        assert all(0 <= word < 2**32 for word in rng.s)
        assert rng.s.any()
        states.add(rng.s.tobytes())
    assert len(states) == len(seeds)


def test_a_generator_is_never_all_zero() -> None:
    assert rng_from_bytes(bytes(16)).s.tolist() == [1, 0, 0, 0]
    assert rng_from_bytes(bytes(range(16)) + b"more").s.tolist() == [
        0x03020100, 0x07060504, 0x0B0A0908, 0x0F0E0D0C,
    ]  # fmt: skip


# Commitments ---------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1, 255, 2**40])
def test_a_fair_draw_is_the_documented_hmac(number: int) -> None:
    chance = FairChance(SECRET, CONTRIBUTIONS)
    message = b"quarterdeck-1" + bytes([3])
    for part in CONTRIBUTIONS:
        message += bytes([len(part)]) + part
    message += number.to_bytes(8, "big")
    digest = hmac.new(SECRET, message, hashlib.sha256).digest()
    words = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4)]
    assert chance.rng(number).s.tolist() == words


def test_every_part_of_fair_chance_counts() -> None:
    states = {
        FairChance(secret, parts).rng(number).s.tobytes()
        for secret, parts, number in [
            (SECRET, [], 0),
            (SECRET, [], 1),
            (SECRET[1:], [], 0),
            (SECRET, [b"ab"], 0),
            (SECRET, [b"a", b"b"], 0),
            (SECRET, [b"b", b"a"], 0),
        ]
    }
    assert len(states) == 6


def test_a_proof_describes_its_chance() -> None:
    chance = FairChance(SECRET, CONTRIBUTIONS)
    proof = chance.proof()
    proof.check()
    assert proof.commitment == hashlib.sha256(SECRET).hexdigest()
    assert proof.contributions[0].commitment == commit(CONTRIBUTIONS[0])
    assert chance_of(proof).rng(3).s.tolist() == chance.rng(3).s.tolist()
    seeded = SeededChance(-5, 7)
    assert seeded.proof() == Seeded(-5, 7)
    assert chance_of(seeded.proof()).rng(3).s.tolist() == seeded.rng(3).s.tolist()
    assert len(FairChance.new_secret()) == 32
    assert FairChance.new_secret() != FairChance.new_secret()


@pytest.mark.parametrize("parts", [[b""], [b"x" * 65], [b"x"] * 256])
def test_contributions_have_bounds(parts: list[bytes]) -> None:
    with pytest.raises(BadProof):
        FairChance(SECRET, parts)


# Verification --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fair_record() -> GameRecord:
    """A game of three hands whose chance nobody could steer."""
    match = Match(SKULL_KING, {"players": 3}, chance=FairChance(SECRET, CONTRIBUTIONS))
    while match.position()["hand"] < 4:
        if match.to_act == "nature":
            match.draw()
        else:
            seat = match.seats_to_act[0]
            match.act(seat, match.legal(seat)[0])
    return match.record()


def tampered(told: GameRecord, change: Callable[[dict[str, Any]], None]) -> GameRecord:
    """The record after a change to it as JSON."""
    plain = json.loads(write_record(told))
    change(plain)
    return read_record(json.dumps(plain).encode())


def test_a_fair_game_verifies(fair_record: GameRecord) -> None:
    verdict = verify(fair_record)
    assert (verdict.verdict, verdict.scheme) == ("old-scheme", "commit-reveal")
    assert (verdict.draws, verdict.attested, verdict.verified) == (4, 0, True)
    assert [(part.part, part.state, part.code) for part in verdict.parts] == [
        ("roster", "not-checked", "old-scheme"),
        ("draws", "ok", "draws"),
    ]


def test_the_server_alone_proves_nothing() -> None:
    match = Match(SKULL_KING, {"players": 3}, chance=FairChance(SECRET, []))
    match.draw_chance()
    verdict = verify(match.record())
    assert (verdict.verdict, verdict.draws, verdict.verified) == ("server-only", 2, False)


def test_nothing_drawn_is_nothing_verified() -> None:
    verdict = verify(Match(SKULL_KING, {"players": 3}, seed=1).record())
    assert (verdict.draws, verdict.verified) == (0, False)


def test_a_seeded_game_verifies() -> None:
    told = list(simulated_records(SKULL_KING, {"players": 2}, 3, 11, ["random"]))
    for one in told:
        verdict = verify(one)
        assert (verdict.verdict, verdict.draws, verdict.verified) == ("seed", 11, True)


def test_a_deal_told_in_another_order_is_the_same_deal(fair_record: GameRecord) -> None:
    def swap(plain: dict[str, Any]) -> None:
        place = next(i for i, e in enumerate(plain["log"]) if e["do"].count(",") == 3)
        entry = plain["log"][place]
        hands = [",".join(hand.split(",")[::-1]) for hand in entry["do"][5:].split("/")]
        entry["do"] = "deal " + "/".join(hands)

    assert verify(tampered(fair_record, swap)).draws == 4


def set_secret(plain: dict[str, Any]) -> None:
    plain["fairness"]["secret"] = bytes(32).hex()


def set_secret_and_commitment(plain: dict[str, Any]) -> None:
    plain["fairness"]["secret"] = bytes(32).hex()
    plain["fairness"]["commitment"] = commit(bytes(32))


def set_commitment(plain: dict[str, Any]) -> None:
    plain["fairness"]["commitment"] = commit(b"something else")


def set_contribution(plain: dict[str, Any]) -> None:
    plain["fairness"]["contributions"][1]["revealed"] = "01"


def set_contribution_and_commitment(plain: dict[str, Any]) -> None:
    plain["fairness"]["contributions"][1] = {"commitment": commit(b"\x01"), "revealed": "01"}


def swap_contributions(plain: dict[str, Any]) -> None:
    plain["fairness"]["contributions"].reverse()


def drop_contribution(plain: dict[str, Any]) -> None:
    plain["fairness"]["contributions"].pop()


def empty_contribution(plain: dict[str, Any]) -> None:
    plain["fairness"]["contributions"][1] = {"commitment": commit(b""), "revealed": ""}


def no_hex(plain: dict[str, Any]) -> None:
    plain["fairness"]["secret"] = "the secret"


def no_commitment(plain: dict[str, Any]) -> None:
    plain["fairness"]["commitment"] = "0" * 64


def no_proof(plain: dict[str, Any]) -> None:
    del plain["fairness"]


def a_seed_instead(plain: dict[str, Any]) -> None:
    plain["fairness"] = {"scheme": "seed", "seed": 1}


def other_start(plain: dict[str, Any]) -> None:
    """Another first dealer, and the turns that follow from it, up to the first deal."""
    plain["log"] = plain["log"][:1]
    seat = int(plain["log"][0]["do"].split()[1])
    plain["log"][0]["do"] = f"start {(seat + 1) % 3}"
    del plain["outcome"]


def other_deal(plain: dict[str, Any]) -> None:
    hands = plain["log"][1]["do"][5:].split("/")
    plain["log"] = plain["log"][:2]
    plain["log"][1]["do"] = "deal " + "/".join(hands[::-1])
    del plain["outcome"]


@pytest.mark.parametrize(
    "change",
    [
        set_secret,
        set_secret_and_commitment,
        set_commitment,
        set_contribution,
        set_contribution_and_commitment,
        swap_contributions,
        drop_contribution,
        empty_contribution,
        no_hex,
        no_commitment,
        no_proof,
        a_seed_instead,
        other_start,
        other_deal,
    ],
    ids=lambda change: change.__name__,
)
def test_what_was_tampered_with_is_found(
    fair_record: GameRecord, change: Callable[[dict[str, Any]], None]
) -> None:
    if change is no_proof:
        with pytest.raises(BadProof):
            verify(tampered(fair_record, change))
        return
    verdict = verify(tampered(fair_record, change))
    assert (verdict.verdict, verdict.verified) == ("unfair", False)
    assert verdict.flaw is not None
    if change is other_start:
        assert verdict.flaw.values == {"at": 0}
    if change is other_deal:
        assert verdict.flaw.values == {"at": 1}


def test_clock_and_physics_are_counted_not_proven() -> None:
    match = Match(TOY, {"players": 2}, chance=FairChance(SECRET, [b"x"]))
    match.draw()
    for actor, text in [(0, "wager 0"), (1, "wager 1"), (1, "step"), (NATURE, "sand")]:
        match.act(actor, text)
    for actor, text in [(1, "drop @0,0"), (NATURE, "settle floats")]:
        match.act(actor, text)
    verdict = verify(match.record(), game=TOY)
    assert (verdict.draws, verdict.attested) == (1, 2)


def test_a_proof_survives_writing(fair_record: GameRecord) -> None:
    assert isinstance(fair_record.fairness, CommitReveal)
    again = read_record(write_record(fair_record))
    assert again.fairness == fair_record.fairness
    assert b'"scheme":"commit-reveal"' in msgspec.json.encode(fair_record.fairness)
