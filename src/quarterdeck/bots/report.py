"""The arena's report: the games of a plan summed up, and stopped as soon as all is clear."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
from msgspec import Struct

from quarterdeck.contract import BadOption, Game

from .arena import Fault, GameResult, Plan, play_deals
from .figures import Floats, Mean, Rating, ratings

FIRST_LOOK = 20
_LOOK_FACTOR = 1.5
_KEPT_FAULTS = 20


class BotFigures(Struct, frozen=True):
    """What one bot has shown, a game and seat. `difference`: its score less that of the others at
    the same table. `wins`: its share of the win; equal bots have one in as many as there are seats.
    """

    bot: str
    games: int
    score: Mean
    difference: Mean | None
    wins: Mean
    statistics: dict[str, Mean]
    rating: Rating
    decisions: int
    ms_per_decision: float
    faults: int


class Meeting(Struct, frozen=True):
    """Two bots at one table: how often the first was ahead (a tie is half), and by how much."""

    bot: str
    against: str
    ahead: Mean
    difference: Mean


class Bar(Struct, frozen=True):
    """A measure of the first bot, and whether its interval is `above` the bar, `below`, or `open`.

    The interval is widened for the number of times it was looked at.
    """

    measure: str
    bar: float
    interval: Mean
    verdict: str


class Report(Struct, frozen=True):
    """What a plan has come to. `deals` are those played before it stopped."""

    plan: Plan
    deals: int
    games: int
    seconds: float
    bots: list[BotFigures]
    meetings: list[Meeting]
    bars: list[Bar]
    faults: list[Fault]


class Tally:
    """The games of a plan, deal by deal."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.games = 0
        self.faults: list[Fault] = []
        count = len(plan.bots)
        self._means: list[dict[str, Floats]] = []  # of each deal, by measure and bot
        self._ahead: list[Floats] = []  # of each deal, by bot and bot
        self._differences: list[Floats] = []
        self._met = np.zeros((count, count))
        self._seats = np.zeros(count, int)
        self._decisions, self._seconds = np.zeros(count, int), np.zeros(count)
        self._failed = np.zeros(count, int)

    @property
    def deals(self) -> int:
        """How many deals were counted."""
        return len(self._means)

    def add(self, results: Sequence[GameResult]) -> None:
        """Counts all games of one deal."""
        count = len(self.plan.bots)
        sums: dict[str, Floats] = {}
        counts: dict[str, Floats] = {}
        ahead, differences, met = (np.zeros((count, count)) for _ in range(3))

        def put(measure: str, bot: int, value: float) -> None:
            sums.setdefault(measure, np.zeros(count))[bot] += value
            counts.setdefault(measure, np.zeros(count))[bot] += 1

        for result in results:
            failed = {fault.seat for fault in result.faults}
            self.faults += result.faults[: _KEPT_FAULTS - len(self.faults)]
            self.games += 1
            by_bot: dict[int, list[int]] = {}
            for seat, bot in enumerate(result.bots):
                by_bot.setdefault(bot, []).append(seat)
                put("score", bot, result.scores[seat])
                put("wins", bot, result.wins[seat])
                for name, values in result.statistics.items():
                    put(name, bot, values[seat])
                self._seats[bot] += 1
                self._decisions[bot] += result.decisions[seat]
                self._seconds[bot] += result.seconds[seat]
                self._failed[bot] += seat in failed
            scores = {bot: _mean(result.scores, seats) for bot, seats in by_bot.items()}
            for bot, seats in by_bot.items():
                others = [seat for seat in range(len(result.bots)) if seat not in seats]
                if others:
                    put("difference", bot, scores[bot] - _mean(result.scores, others))
                for other in by_bot.keys() - {bot}:
                    met[bot, other] += 1
                    differences[bot, other] += scores[bot] - scores[other]
                    ahead[bot, other] += _ahead(result, failed, seats, by_bot[other])
        self._means.append({key: sums[key] / np.maximum(counts[key], 1) for key in sums})
        self._ahead.append(ahead)
        self._differences.append(differences)
        self._met = met  # every deal has the same games

    def values(self, measure: str, bot: int) -> Floats:
        """A measure of a bot, for each deal. Raises `BadOption` if there is no such measure."""
        if self._means and measure not in self._means[0]:
            raise BadOption(
                f"there is no measure {measure!r}; there is {', '.join(self._means[0])}"
            )
        return np.array([means[measure][bot] for means in self._means])

    def report(self, seconds: float, bars: Sequence[Bar]) -> Report:
        """What all deals counted so far have come to."""
        rated = ratings(np.array(self._ahead), self.plan.seed)
        bots = [self._figures(bot, rating) for bot, rating in enumerate(rated)]
        return Report(
            self.plan,
            self.deals,
            self.games,
            round(seconds, 2),
            bots,
            list(self._meetings()),
            list(bars),
            self.faults,
        )

    def _figures(self, bot: int, rating: Rating) -> BotFigures:
        means = {key: Mean.of(self.values(key, bot)) for key in self._means[0]}
        known = ("score", "wins", "difference")
        decisions = int(self._decisions[bot])
        return BotFigures(
            self.plan.bots[bot],
            int(self._seats[bot]),
            means["score"],
            means.get("difference"),
            means["wins"],
            {key: mean for key, mean in means.items() if key not in known},
            rating,
            decisions,
            round(1000 * float(self._seconds[bot]) / max(decisions, 1), 3),
            int(self._failed[bot]),
        )

    def _meetings(self) -> Iterator[Meeting]:
        ahead, differences = np.array(self._ahead), np.array(self._differences)
        bots = self.plan.bots
        for a in range(len(bots)):
            for b in range(a + 1, len(bots)):
                met = self._met[a, b]
                if met:
                    yield Meeting(
                        bots[a],
                        bots[b],
                        Mean.of(ahead[:, a, b] / met),
                        Mean.of(differences[:, a, b] / met),
                    )


def _mean(scores: Sequence[float], seats: Sequence[int]) -> float:
    return sum(scores[seat] for seat in seats) / len(seats)


def _ahead(
    result: GameResult, failed: set[int], seats: Sequence[int], others: Sequence[int]
) -> float:
    """How often a seat of one bot was ahead of one of another's; a bot that failed is behind."""

    def place(seat: int) -> tuple[bool, float, float]:
        if seat in failed:
            return (False, 0.0, 0.0)
        return (True, result.wins[seat], result.scores[seat])

    pairs = [(place(seat), place(other)) for seat in seats for other in others]
    return sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs)


def looks(deals: int) -> list[int]:
    """After how many deals it is asked whether all is clear.

    >>> looks(100)
    [20, 30, 45, 68, 100]
    """
    times = []
    look = float(FIRST_LOOK)
    while round(look) < deals:
        times.append(round(look))
        look *= _LOOK_FACTOR
    return [*times, deals]


def run(
    game: Game,
    plan: Plan,
    *,
    bars: Mapping[str, float] | None = None,
    jobs: int | None = None,
    records: BinaryIO | None = None,
    saw: Callable[[], None] = lambda: None,
) -> Report:
    """Plays a plan to its end, or until the first bot's measures are all clear of their bars.

    The intervals that decide on stopping are widened for all the looks that were planned, so that
    looking often proves nothing that is not so.
    """
    bars = dict(bars or {})
    tally = Tally(plan)
    times = looks(plan.deals)
    judged: list[Bar] = []
    started = time.monotonic()
    with contextlib.closing(play_deals(game, plan, jobs, saw)) as deals:
        for results in deals:
            tally.add(results)
            if records is not None:
                records.writelines(result.record + b"\n" for result in results)
            if bars and (tally.deals in times or tally.deals == 1):
                judged = [_judge(tally, key, bar, len(times)) for key, bar in bars.items()]
                if tally.deals in times and all(bar.verdict != "open" for bar in judged):
                    break
    return tally.report(time.monotonic() - started, judged)


def _judge(tally: Tally, measure: str, bar: float, looks: int) -> Bar:
    interval = Mean.of(tally.values(measure, 0), looks)
    return Bar(measure, bar, interval, interval.verdict(bar))


def shown(report: Report, name: str) -> Any:
    """The report for people, to be printed with rich."""
    from rich import box
    from rich.console import Group
    from rich.table import Column, Table

    def table(*names: str) -> Table:
        return Table(*(Column(name, no_wrap=True) for name in names), box=box.SIMPLE_HEAD)

    plan = report.plan
    head = (
        f"{name}, {plan.players} players, {plan.mode}: {report.deals} deals, {report.games} games, "
        f"seed {plan.seed}, {'timed' if plan.timed else 'fixed budgets'}, {report.seconds:.0f} s"
    )
    statistics = list(report.bots[0].statistics)
    bots = table(
        "bot", "score", "difference", "won", *statistics, "rating", "ms/decision", "faults"
    )
    for figures in report.bots:
        rating = figures.rating
        error = f" ± {rating.error:.0f}" if rating.error is not None else ""
        bots.add_row(
            figures.bot,
            _points(figures.score),
            _points(figures.difference) if figures.difference else "",
            _percent(figures.wins),
            *(_percent(figures.statistics[key]) for key in statistics),
            f"{rating.value:.0f}{error}",
            f"{figures.ms_per_decision:.2f}",
            str(figures.faults or ""),
        )
    parts: list[Any] = [head, bots]
    if len(report.meetings) > 1:
        meetings = table("bot", "against", "ahead", "difference")
        for meeting in report.meetings:
            ahead, difference = _percent(meeting.ahead), _points(meeting.difference)
            meetings.add_row(meeting.bot, meeting.against, ahead, difference)
        parts.append(meetings)
    for bar in report.bars:
        low, high = bar.interval.low, bar.interval.high
        between = f"{low:g} to {high:g}" if low is not None else f"{bar.interval.value:g}"
        parts.append(f"{bar.measure} of {plan.bots[0]}: {bar.verdict} {bar.bar:g} ({between})")
    for fault in report.faults:
        parts.append(f"{fault.error}, deal {fault.deal}, seat {fault.seat}: {fault.message}")
    return Group(*parts)


def _points(mean: Mean) -> str:
    return f"{mean.value:.1f}{_half(mean, 1)}"


def _percent(mean: Mean) -> str:
    return f"{100 * mean.value:.1f}{_half(mean, 100)} %"


def _half(mean: Mean, scale: float) -> str:
    if mean.low is None or mean.high is None:
        return ""
    return f" ± {scale * (mean.high - mean.low) / 2:.1f}"
