"""Matches between bots with duplicate deals, on all cores: who is stronger, and how sure is that.

Chance follows from the seed and the number of the deal alone, whoever sits where; each deal is
played once for every way the line-up can be turned, so that every bot has every seat of it. Bots
search on fixed budgets of iterations unless told otherwise: the same plan then gives the same
games on any machine, however many processes share the work.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import combinations, islice
from typing import Any, Literal

from msgspec import Struct

from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OPEN,
    AnyRecord,
    BadOption,
    Game,
    QuarterdeckError,
    Rng,
    record,
    seed_rng,
)
from quarterdeck.engine.fairness import SeededChance
from quarterdeck.engine.loops import SEAT_STREAM
from quarterdeck.engine.match import Match, Step
from quarterdeck.engine.record import write_record
from quarterdeck.games import find_game

from .cores import cores
from .levels import WAIT, decide, find_level, fixed_budget
from .live import play_by_hand
from .open_phase import OpenPhase, let_time_pass, next_to_act
from .outside import EXEC, BotFault, OutsideBot, command_of, end_programs
from .warm import TABLE, THINKING, warm_up

STAND_IN = "random"
"""Who plays on for a bot from outside that failed: nobody is to gain by failing."""

MOST_BOTS = 32


class Plan(Struct, frozen=True):
    """Who plays what. `mixed`: one table of all bots, the last one on every seat that is left.
    `round-robin`: every two bots meet, with the seats shared evenly.

    `timed`: levels think as long as at a real table instead of on fixed budgets. `timeout_s`: how
    long a bot from outside may take for an answer.
    """

    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    deals: int
    seed: int = 0
    mode: Literal["mixed", "round-robin"] = "mixed"
    timed: bool = False
    timeout_s: float = 10.0

    @property
    def players(self) -> int:
        """The seats at each table."""
        return int(self.options["players"])

    def check(self) -> None:
        """Raises `BadOption` for a plan that cannot be played."""
        for bot in self.bots:
            if bot.startswith(EXEC):
                command_of(bot)
            else:
                find_level(bot)
        if len(set(self.bots)) < len(self.bots):
            raise BadOption("every bot is named once; the last one fills the seats that are left")
        if not 1 <= len(self.bots) <= MOST_BOTS:
            raise BadOption(f"there are 1 to {MOST_BOTS} bots, not {len(self.bots)}")
        if self.mode == "mixed" and len(self.bots) > self.players:
            raise BadOption(
                f"{len(self.bots)} bots do not fit at a table of {self.players}: "
                "name fewer, or let every two of them meet in a round-robin"
            )
        if self.mode == "round-robin" and (len(self.bots) < 2 or self.players < 2):
            raise BadOption("a round-robin takes at least two bots, and two seats")

    def seatings(self) -> list[tuple[int, ...]]:
        """The games of each deal: for every one the bots by seat.

        >>> Plan("skull-king", {"players": 3}, ("bosun", "random"), 1).seatings()
        [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
        """
        count, players = len(self.bots), self.players
        if self.mode == "mixed":
            line_ups = [tuple(min(seat, count - 1) for seat in range(players))]
        else:
            line_ups = [
                tuple((a, b)[(seat + turn) % 2] for seat in range(players))
                for a, b in combinations(range(count), 2)
                for turn in range(1 + players % 2)  # of an odd number, one has a seat more
            ]
        turned = [
            line_up[-turn:] + line_up[:-turn] for line_up in line_ups for turn in range(players)
        ]
        return list(dict.fromkeys(turned))


class Fault(Struct, frozen=True):
    """What went wrong with a bot from outside, and where."""

    bot: str
    deal: int
    seat: int
    error: str
    message: str


class GameResult(Struct, frozen=True):
    """One game: by seat, who sat there, the score, the share of the win, statistics, the decisions
    made and the seconds they took."""

    deal: int
    seating: int
    bots: tuple[int, ...]
    scores: list[int]
    wins: list[float]
    statistics: dict[str, list[float]]
    decisions: list[int]
    seconds: list[float]
    faults: list[Fault]
    record: bytes


# One game ------------------------------------------------------------------------------------


class _LevelBot:
    """A bot of ours on a seat of a match."""

    def __init__(self, level: str, match: Match, seat: int, plan: Plan, deal: int) -> None:
        self.level = level
        self.match = match
        self.seat = seat
        self._budget = None if plan.timed else fixed_budget(level)
        self._chance = plan.seed, deal, SEAT_STREAM + 1 + seat
        self._rng = record(Rng)
        self._waited = 0

    def act(self) -> Step | None:
        """Does what the level decides; chance for it is the decision's own. None where it waits."""
        match, seat = self.match, self.seat
        seed_rng(self._rng, *self._chance, len(match.log) + (self._waited << 20))
        known = match.knowledge(seat)
        decision = decide(match.game, known, self.level, self._rng, self._budget)
        if decision.number == WAIT:
            self._waited += 1
            return None
        return match.act(seat, match.action_text(decision.number), via="bot")


def play_game(game: Game, plan: Plan, deal: int, seating: int) -> GameResult:
    """Plays one game of a plan to its end."""
    bots = plan.seatings()[seating]
    names = [plan.bots[bot] for bot in bots]
    match = Match(game, plan.options, chance=SeededChance(plan.seed, deal))
    decisions, seconds = [0] * len(bots), [0.0] * len(bots)
    faults: dict[int, Fault] = {}
    open_rng = record(Rng)
    seed_rng(open_rng, plan.seed, deal, SEAT_STREAM, 0)

    with contextlib.ExitStack() as stack:
        outside = {
            seat: stack.enter_context(OutsideBot(name, match, seat, plan.timeout_s))
            for seat, name in enumerate(names)
            if name.startswith(EXEC)
        }
        levels = {
            seat: _LevelBot(STAND_IN if seat in outside else name, match, seat, plan, deal)
            for seat, name in enumerate(names)
        }

        def fail(seat: int, error: BotFault) -> None:
            outside.pop(seat).close()
            faults[seat] = Fault(names[seat], deal, seat, error.code, error.message)

        for seat, program in list(outside.items()):
            try:
                program.greet()
            except BotFault as error:
                fail(seat, error)

        def act(seat: int) -> Step | None:
            started = time.perf_counter()
            try:
                step = (outside.get(seat) or levels[seat]).act()
            except BotFault as error:
                fail(seat, error)
                return None
            seconds[seat] += time.perf_counter() - started
            decisions[seat] += step is not None
            return step

        def steps() -> Iterable[Step | None]:
            """One step, or in real time a whole open phase of them."""
            if match.node == OPEN and match.due is not None:
                bots = {seat: bot.level for seat, bot in levels.items()}
                return OpenPhase(match, bots, open_rng, act).run()
            seat = next_to_act(match, open_rng)
            return [_act_nature(match, names, open_rng) if seat == NATURE else act(seat)]

        while not match.is_over:
            for step in steps():
                if step is not None:
                    for program in outside.values():
                        program.events += match.events(step)
        for program in outside.values():
            program.say_over()

    outcome = match.outcome
    wins = [0.0] * len(bots)
    for seat in outcome.winners:
        wins[seat] = 0.0 if seat in faults else 1 / len(outcome.winners)
    statistics = game.statistics(game.kit, match.state) if game.statistics else {}
    return GameResult(
        deal,
        seating,
        bots,
        outcome.scores,
        wins,
        {key: list(values) for key, values in statistics.items()},
        decisions,
        seconds,
        list(faults.values()),
        write_record(match.record(names)),
    )


def _act_nature(match: Match, names: Sequence[str], rng: AnyRecord) -> Step:
    """Chance draws, a bot's hand plays in a live world, or the clock of an open node goes on.

    A program from outside has no hand: a bosun's does it.
    """
    if match.node == CHANCE:
        return match.draw()
    if match.live_seat is not None:
        name = names[match.live_seat]
        text, attached = play_by_hand(match, "bosun" if name.startswith(EXEC) else name, rng)
        return match.act(NATURE, text, attached=attached)
    return let_time_pass(match, rng)


# Many games ----------------------------------------------------------------------------------


def play_deals(
    game: Game, plan: Plan, jobs: int | None = None, saw: Callable[[], None] = lambda: None
) -> Generator[list[GameResult], None, None]:
    """The results of one deal after the other, in order, on so many processes, or on all cores.

    `saw` is called whenever a game has ended. Whoever stops listening ends the games under way.
    """
    plan.check()
    seatings = len(plan.seatings())
    jobs = min(jobs or cores(), plan.deals * seatings)
    tasks = ((deal, seating) for deal in range(plan.deals) for seating in range(seatings))
    results: dict[int, list[GameResult]] = {}
    due = 0
    with contextlib.closing(_played(game, plan, tasks, jobs)) as played:
        for result in played:
            saw()
            results.setdefault(result.deal, []).append(result)
            while len(results.get(due, ())) == seatings:
                yield sorted(results.pop(due), key=lambda result: result.seating)
                due += 1


def _played(
    game: Game, plan: Plan, tasks: Iterable[tuple[int, int]], jobs: int
) -> Generator[GameResult, None, None]:
    """The results of games of a plan, in the order in which these end."""
    if jobs == 1:
        for deal, seating in tasks:
            yield play_game(game, plan, deal, seating)
        return
    tasks = iter(tasks)
    warm_up(game, (TABLE, THINKING))  # compiled once, before the workers load it
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), initializer=_begin_worker
    )
    running: set[Future[GameResult]] = set()
    try:
        while True:
            for task in islice(tasks, 2 * jobs - len(running)):
                running.add(pool.submit(_play_in_worker, plan, *task))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool as error:
        raise ArenaBroken("a process of the arena was ended from outside") from error
    finally:
        for worker in set(multiprocessing.active_children()) - before if running else ():
            worker.terminate()
        pool.shutdown(cancel_futures=True)


class ArenaBroken(QuarterdeckError):
    """The processes that share the work did not last."""

    code = "arena-broken"


def _play_in_worker(plan: Plan, deal: int, seating: int) -> GameResult:
    return play_game(find_game(plan.game), plan, deal, seating)


def _begin_worker() -> None:
    """A worker that is told to end, or whose parent is gone, ends what it has started too."""

    def leave() -> None:
        end_programs()
        os._exit(1)

    def watch() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        leave()

    # in a thread of its own: what a handler raises is lost where nobody can catch it
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=leave).start())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and says when to end
    threading.Thread(target=watch, daemon=True).start()
