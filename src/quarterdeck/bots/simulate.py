"""Whole games between bots, with or without their records.

Bots that decide at once are played in compiled code; where one searches, acts in real time, or a
hand plays in a live world, it goes match by match, on fixed budgets. Either way a seed stands for
the same games everywhere.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import msgspec
import numpy as np

from quarterdeck.contract import (
    LIVE,
    NATURE,
    OPEN,
    AnyRecord,
    BadOption,
    Game,
    Rng,
    record,
    records,
    seed_rng,
)
from quarterdeck.engine.fairness import Seeded, SeededChance
from quarterdeck.engine.loops import RANDOM, SEAT_STREAM, loops_of
from quarterdeck.engine.match import Match, Step, kit_hash
from quarterdeck.engine.record import Entry, GameRecord, Outcome

from .levels import SEARCH, choose_action, find_level, fixed_budget
from .live import needs_world, play_by_hand
from .open_phase import OpenPhase, let_time_pass, next_to_act

_CHUNK = 2000
_RECORDED_CHUNK = 50


class Summary(msgspec.Struct):
    """What a run of games came to. Means and shares are per seat."""

    game: str
    options: dict[str, Any]
    bots: list[str]
    games: int
    decisions: int
    seconds: float
    mean_scores: list[float]
    win_shares: list[float]


def seat_bots(players: int, names: Sequence[str]) -> list[str]:
    """A bot for every seat: the ones given, or one of them for all. Raises `BadOption`."""
    for name in names:
        find_level(name)
    if len(names) == 1:
        names = list(names) * players
    if len(names) != players:
        raise BadOption(f"{players} players need 1 or {players} bots, not {len(names)}")
    return list(names)


def simulate(
    game: Game,
    options: Mapping[str, Any],
    games: int,
    seed: int,
    bots: Sequence[str],
    *,
    saw: Callable[[int], None] = lambda games: None,
) -> Summary:
    """Plays games number 0, 1, … of a seed on all cores and sums them up. `saw` is told how many
    more have been played, whenever some have.

    >>> from quarterdeck.games import find_game
    >>> simulate(find_game("skull-king"), {}, games=10, seed=7, bots=["random"]).decisions
    2600
    """
    filled = game.fill_options(options)
    numbers = game.option_numbers(filled)
    bots = seat_bots(filled["players"], bots)
    policies = _policies(game, filled, bots)
    loops = loops_of(game)
    no_actors, no_log = np.zeros(0, np.int64), records(game.records.Action, 0)
    started = time.monotonic()

    size = _CHUNK if policies is not None else 1

    def chunk(first: int) -> tuple[int, Any, Any, Any]:
        if policies is None:
            match = played_match(game, filled, bots, seed, first)
            made = sum(entry.by != "nature" for entry in match.log)
            outcome = match.outcome
            won = sum(1 << seat for seat in outcome.winners)
            return made, np.array([outcome.scores]), np.array([won]), None
        count = min(size, games - first)
        return loops.play(numbers, policies, seed, first, count, no_actors, no_log)

    decisions = 0
    scores, wins = np.zeros(len(bots)), np.zeros(len(bots))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for made, chunk_scores, winners, _ in pool.map(chunk, range(0, games, size)):
            decisions += made
            scores += chunk_scores.sum(axis=0)
            won = winners[:, None] >> np.arange(len(bots)) & 1
            wins += (won / won.sum(axis=1, keepdims=True)).sum(axis=0)
            saw(len(winners))
    return Summary(
        game.id,
        filled,
        bots,
        games,
        decisions,
        time.monotonic() - started,
        (scores / games).round(3).tolist(),
        (wins / games).round(4).tolist(),
    )


def simulated_records(
    game: Game, options: Mapping[str, Any], games: int, seed: int, bots: Sequence[str]
) -> Iterator[GameRecord]:
    """The records of games number 0, 1, … of a seed, one after the other."""
    filled = game.fill_options(options)
    numbers = game.option_numbers(filled)
    bots = seat_bots(filled["players"], bots)
    policies = _policies(game, filled, bots)
    if policies is None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            play = partial(played_match, game, filled, bots, seed)
            for match in pool.map(play, range(games)):
                yield match.record(bots)
        return
    loops = loops_of(game)
    texts: dict[bytes, str] = {}
    room = 1 << 14
    first = 0
    while first < games:
        actors = np.zeros(room, np.int64)
        log = records(game.records.Action, room)
        count = min(_RECORDED_CHUNK, games - first)
        _, scores, winners, ends = loops.play(numbers, policies, seed, first, count, actors, log)
        if ends[0] < 0:  # not even one game fits
            room *= 2
            continue
        data, size = log.tobytes(), game.records.Action.dtype.itemsize
        start = 0
        for index in range(int((ends >= 0).sum())):
            entries = []
            for place in range(start, int(ends[index])):
                actor = int(actors[place])
                if actor == NATURE:
                    entries.append(Entry("nature", game.notation.text(game.kit, log[place])))
                    continue
                key = data[place * size : (place + 1) * size]
                text = texts.get(key)
                if text is None:
                    text = texts[key] = game.notation.text(game.kit, log[place])
                entries.append(Entry(actor, text, via="bot"))
            won = [seat for seat in range(len(bots)) if winners[index] >> seat & 1]
            yield GameRecord(
                1,
                game.id,
                filled,
                entries,
                kit=kit_hash(game),
                seats=bots,
                outcome=Outcome(scores[index].tolist(), won),
                fairness=Seeded(seed, first),
            )
            start = ends[index]
            first += 1


def _policies(game: Game, filled: Mapping[str, Any], bots: Sequence[str]) -> Any:
    """The policies of the compiled loops for these bots; None if one of them searches, or acts in
    real time other than at random, or if there are live worlds to play in."""
    policies = [find_level(name).policy for name in bots]
    is_timed = game.clock is not None and set(policies) != {RANDOM}
    is_slow = SEARCH in policies or is_timed or needs_world(game, filled)
    return None if is_slow else np.array(policies, np.int8)


def played_match(
    game: Game, options: Mapping[str, Any], bots: Sequence[str], seed: int, index: int
) -> Match:
    """Game number `index` of a seed, played to its end by bots on fixed budgets."""
    match = Match(game, options, chance=SeededChance(seed, index))
    rng = record(Rng)
    seed_rng(rng, seed, index, SEAT_STREAM, 0)
    play_on(match, bots, rng)
    return match


def play_on(match: Match, bots: Sequence[str], rng: AnyRecord) -> None:
    """Plays a match to its end."""

    def act(seat: int) -> Step | None:
        text = choose_action(match, seat, bots[seat], rng, fixed_budget(bots[seat]))
        return None if text is None else match.act(seat, text, via="bot")

    while not match.is_over:
        match.draw_chance()
        if match.node == LIVE:
            if match.live_seat is None:
                break
            text, attached = play_by_hand(match, bots[match.live_seat], rng)
            match.act(NATURE, text, attached=attached)
        elif match.node == OPEN and match.due is None:
            seat = next_to_act(match, rng)
            if seat == NATURE:
                let_time_pass(match, rng)
            else:
                act(seat)
        elif match.node == OPEN:
            for _ in OpenPhase(match, dict(enumerate(bots)), rng, act).run():
                pass
        elif match.seats_to_act:
            act(match.seats_to_act[0])
