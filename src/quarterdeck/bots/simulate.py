"""Whole games between bots, played in compiled code, with or without their records."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import numpy as np

from quarterdeck.contract import NATURE, BadOption, Game
from quarterdeck.engine.fairness import Seeded
from quarterdeck.engine.loops import loops_of
from quarterdeck.engine.match import kit_hash
from quarterdeck.engine.record import Entry, Outcome, Record

from .levels import find_level

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
    """A bot for every seat: the ones given, or one of them for all."""
    if len(names) == 1:
        names = list(names) * players
    if len(names) != players:
        raise BadOption(f"{players} players need 1 or {players} bots, not {len(names)}")
    return list(names)


def simulate(
    game: Game, options: Mapping[str, Any], games: int, seed: int, bots: Sequence[str]
) -> Summary:
    """Plays games number 0, 1, … of a seed on all cores and sums them up.

    >>> from quarterdeck.games import find_game
    >>> simulate(find_game("skull-king"), {}, games=10, seed=7, bots=["random"]).decisions
    2600
    """
    filled = game.fill_options(options)
    numbers = game.option_numbers(filled)
    bots = seat_bots(filled["players"], bots)
    levels = np.array([find_level(name) for name in bots], np.int8)
    loops = loops_of(game)
    no_actors, no_log = np.zeros(0, np.int64), np.zeros(0, game.rules.Action).view(np.recarray)
    started = time.monotonic()

    def chunk(first: int) -> tuple[int, Any, Any, Any]:
        count = min(_CHUNK, games - first)
        return loops.play(numbers, levels, seed, first, count, no_actors, no_log)

    decisions = 0
    scores, wins = np.zeros(len(bots)), np.zeros(len(bots))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for made, chunk_scores, winners, _ in pool.map(chunk, range(0, games, _CHUNK)):
            decisions += made
            scores += chunk_scores.sum(axis=0)
            won = winners[:, None] >> np.arange(len(bots)) & 1
            # a game that stopped at a live world has no winner
            wins += (won / won.sum(axis=1, keepdims=True).clip(1)).sum(axis=0)
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
) -> Iterator[Record]:
    """The records of the same games, one after the other."""
    filled = game.fill_options(options)
    numbers = game.option_numbers(filled)
    bots = seat_bots(filled["players"], bots)
    levels = np.array([find_level(name) for name in bots], np.int8)
    loops = loops_of(game)
    texts: dict[bytes, str] = {}
    room = 1 << 14
    first = 0
    while first < games:
        actors = np.zeros(room, np.int64)
        log = np.zeros(room, game.rules.Action).view(np.recarray)
        count = min(_RECORDED_CHUNK, games - first)
        _, scores, winners, ends = loops.play(numbers, levels, seed, first, count, actors, log)
        if ends[0] < 0:  # not even one game fits
            room *= 2
            continue
        data, size = log.tobytes(), log.itemsize
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
            yield Record(
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
