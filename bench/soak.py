"""The big counts, too long for every day: `make soak`. Results are kept in `bench/SOAK.md`.

python bench/soak.py [NAME ...]     only these; see `SOAKS`
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pace
from quarterdeck.bots.arena import Plan
from quarterdeck.bots.live import needs_world
from quarterdeck.bots.report import run
from quarterdeck.bots.simulate import simulate, simulated_records
from quarterdeck.bots.strength import Strength, keep_strength
from quarterdeck.contract import NATURE, Game
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import GameRecord
from quarterdeck.games import find_game, games
from quarterdeck.leaks import count_leaks
from quarterdeck.tampering import Tampered, check_positions, check_records
from results import keep_rows, keep_section, table

RANDOM_GAMES = 1_000_000
LEAK_GAMES = 10_000
RECORDS = 1_000  # of each variant and pair of bots
KILLS = 500
WIRE_GAMES = 5_000
FRAMES = 1_000_000
POSITIONS = 100_000
PLAYS = 4_000
PACES = (("quartermaster", 6), ("quartermaster", 24), ("legend", 24))
"""The level of all bots, and at how many tables they play at a time."""
MOST_TOLD_APART = 0.55
TAMPERED_POSITIONS = 100_000  # of each game
TAMPERED_RECORDS = 20_000
ROUNDS_OF_TAMPERING = 20  # with other games to begin from
MUTANTS = 250  # of a game that is not tried as a whole
WHOLE = ("skull-king",)
WORKERS = 2
LIVE_GAMES = 24
EARLY = "rounds 1 to 3"
ROUND_NAMES = [EARLY] * 3 + ["4 to 6"] * 3 + ["7 to 10"] * 4 + ["11 to 20"]
MATCH_SEED = 20_261_115  # of deals that nothing was tuned on
MATCHES: list[tuple[str, tuple[str, ...], dict[str, float], int]] = [
    ("skull-king", ("bosun",), {"score": 140, "exact-bids": 0.58}, 400),
    ("skull-king", ("bosun", "deckhand"), {"difference": 0}, 100),
    ("skull-king", ("quartermaster", "bosun"), {"difference": 60, "exact-bids": 0.65}, 200),
    ("skull-king", ("legend", "quartermaster"), {"difference": 0}, 150),
    ("jolly-roger", ("bosun", "deckhand"), {"wins": 0.5}, 100),
    ("jolly-roger", ("quartermaster", "bosun"), {"wins": 0.8}, 300),
    ("jolly-roger", ("legend", "quartermaster"), {"wins": 0.5}, 300),
    ("gezanke", ("bosun", "deckhand"), {"wins": 0.25}, 100),
    ("gezanke", ("quartermaster", "bosun"), {"wins": 0.25}, 200),
    ("gezanke", ("legend", "quartermaster"), {"wins": 0.25}, 200),
    ("piratoons", ("bosun", "deckhand"), {"difference": 0}, 100),
    ("piratoons", ("quartermaster", "bosun"), {"difference": 0}, 100),
    ("piratoons", ("legend", "quartermaster"), {"difference": 0}, 200),
]
"""One of the first against the second on all other seats: its measures, the bars, most deals."""


def soak_games(*ids: str) -> None:
    """A million random games, spread over all numbers of players: each ends, with winners."""
    head = ["game", "players", "games", "decisions", "time", "mean score"]
    for game in chosen(ids):
        rows = []
        counts = next(option for option in game.options if option.key == "players").values
        for players in counts:
            options = {"players": players, **game.worldless}
            # where the counts do not divide a million, the first has the rest too
            count = RANDOM_GAMES // len(counts)
            if players == counts[0]:
                count += RANDOM_GAMES % len(counts)
            played = simulate(game, options, count, 11, ["random"])
            share = sum(played.win_shares)
            assert abs(share - 1) < 1e-3, f"win shares sum to {share}"
            rows.append(
                [
                    game.id,
                    str(players),
                    f"{played.games:,}",
                    f"{played.decisions:,}",
                    f"{played.seconds:.0f} s",
                    f"{sum(played.mean_scores) / len(played.mean_scores):.1f}",
                ]
            )
        keep_rows("SOAK.md", "Random games", head, rows)


def soak_leaks(*ids: str) -> None:
    """Every state of ten thousand games, from every seat and for a spectator."""
    head = ["game", "games", "states", "worlds imagined", "of these different", "leaks", "time"]
    for game in chosen(ids):
        choices = worldless_options(game)
        started = time.monotonic()
        counts = []
        for place, options in enumerate(choices):
            # where the choices do not divide the games, the first has the rest too
            share = LEAK_GAMES // len(choices) + (LEAK_GAMES % len(choices) if place == 0 else 0)
            counts.append(count_leaks(game, options, share, 5))
            assert counts[-1].leaks == 0, f"{game.id} {options}: {counts[-1]}"
        sums = [
            sum(getattr(count, field) for count in counts)
            for field in ("games", "states", "worlds", "different", "leaks")
        ]
        seconds = f"{time.monotonic() - started:.0f} s"
        row = [game.id, *(f"{number:,}" for number in sums), seconds]
        keep_rows("SOAK.md", "Leaks", head, [row])


def chosen(ids: Sequence[str]) -> Iterable[Game]:
    """The games of these ids, or all there are."""
    return [find_game(id) for id in ids] or games()


def worldless_options(game: Game) -> list[dict[str, Any]]:
    """Every choice of the options the rules read with which no world has to run."""
    keys = [option.key for option in game.options]
    values = [(o.default,) if o.is_timing else o.values for o in game.options]
    choices = [dict(zip(keys, each, strict=True)) for each in itertools.product(*values)]
    return [options for options in choices if not needs_world(game, options)]


def soak_mutants(*ids: str) -> None:
    """Mutants of each game's rules, run against the game's tests."""
    for game in chosen(ids):
        script = Path(__file__).parent / "mutate.py"
        limit = [] if game.id in WHOLE else ["--limit", str(MUTANTS)]
        command = [sys.executable, str(script), "--game", game.id, "--workers", str(WORKERS)]
        done = subprocess.run([*command, *limit, "--json"], check=True, stdout=subprocess.PIPE)
        keep_mutants(json.loads(done.stdout))


def keep_mutants(told: dict[str, Any]) -> None:
    """Keeps what `mutate.py --json` said of a game."""
    head = ["game", "rooms", "mutants", "tried", "killed", "equivalent", "survived", "share"]
    is_sample = told["seed"] is not None
    tried = f"{told['tried']}, drawn with seed {told['seed']}" if is_sample else "all"
    row = [told["game"], ", ".join(told["rooms"]), f"{told['mutants']:,}", tried]
    row += [str(told[key]) for key in ("killed", "equivalent", "survived")]
    share = f"{100 * told['share']:.1f} %"
    keep_rows("SOAK.md", "Mutants of the rules", head, [[*row, share]])


def soak_bots(*ids: str) -> None:
    """Matches between the levels, on fixed budgets, until their intervals are clear of the bars."""
    for id in ids or dict.fromkeys(id for id, *_ in MATCHES):
        head = ["match", "measure", "mean (95 % interval)", "verdict", "games", "time"]
        rows: list[list[str]] = []
        for match in MATCHES:
            if match[0] == id:
                rows += _match(*match)
                keep_section("SOAK.md", f"Levels of the bots: {id}", table(head, rows))
        assert all(row[3].startswith("above") for row in rows), rows


def _match(
    id: str, bots: tuple[str, ...], bars: dict[str, float], deals: int
) -> Iterator[list[str]]:
    game = find_game(id)
    options = game.fill_options({"variant": "advanced"} if id == "jolly-roger" else {})
    report = run(game, Plan(id, options, bots, deals, MATCH_SEED), bars=bars)
    if len(bots) == 2:
        wins = round(report.bots[0].wins.value, 2)
        keep_strength(id, bots[0], Strength(wins, bots[1], options["players"]))
    for bar in report.bars:
        print(id, bots, bar, f"{report.deals} deals, {report.seconds:.0f} s", flush=True)
        yield [
            f"{bots[0]} against {bots[-1]}",
            bar.measure,
            f"{bar.interval.value:.4g} ({bar.interval.low:.4g} to {bar.interval.high:.4g})",
            f"{bar.verdict} {bar.bar:g}",
            f"{report.games:,}",
            f"{report.seconds / 60:.0f} min",
        ]


def _tests_with(variable: str, count: int, file: str, what: str) -> None:
    """Runs a file of tests with a count larger than every day's."""
    started = time.monotonic()
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "--timeout=0", f"tests/{file}"],
        cwd=root,
        env=os.environ | {variable: str(count)},
        capture_output=True,
        text=True,
    )
    print(done.stdout[-3000:])
    if done.returncode:
        sys.exit(f"{what}: failed")
    minutes = f"{(time.monotonic() - started) / 60:.0f} min"
    answer = done.stdout.strip().splitlines()[-1].strip("= ")
    keep_section("SOAK.md", what, f"{count:,} in {minutes}: {answer}.")


def soak_positions(*ids: str) -> None:
    """Positions with something changed: refused, or played to their end from there."""
    _tampered("Positions tampered with", check_positions, TAMPERED_POSITIONS, ids)


def soak_records(*ids: str) -> None:
    """Records with something changed: read, replayed and verified, or refused."""
    _tampered("Records tampered with", check_records, TAMPERED_RECORDS, ids)


def _tampered(
    what: str, check: Callable[[Game, int, int], Tampered], count: int, ids: Sequence[str]
) -> None:
    head = ["game", "mutants", "accepted", "of these new", "refused", "by", "most often", "time"]
    for game in chosen(ids):
        started, found = time.monotonic(), Tampered()
        for seed in range(ROUNDS_OF_TAMPERING):
            found += check(game, count // ROUNDS_OF_TAMPERING, seed)
        rules = [rule for rule in found.refused_by if "-" in rule and rule[0].isupper()]
        often = ", ".join(rule for rule, _ in found.refused_by.most_common(6) if rule in rules)
        row = [game.id, *(f"{n:,}" for n in (found.mutants, found.accepted, found.new))]
        row += [f"{found.refused_by.total():,}", f"{len(rules)} rules", often]
        keep_rows("SOAK.md", what, head, [[*row, f"{time.monotonic() - started:.0f} s"]])


def soak_retold() -> None:
    """Simulated games of every variant, told again by the independent checker."""
    file = "games/jolly_roger/test_against_reference.py"
    what = "Records of Jolly & Roger against the second telling, each variant and pair of bots"
    _tests_with("QUARTERDECK_RECORDS", RECORDS, file, what)


def soak_kills() -> None:
    """Nothing lost: the server killed at random moments of running games."""
    _tests_with("QUARTERDECK_KILLS", KILLS, "server/test_nothing_lost.py", "Kills of the server")


def soak_wire() -> None:
    """Nothing leaked over the wire: games with what a seat may not see permuted."""
    what = "Games watched on the wire"
    _tests_with("QUARTERDECK_LEAK_GAMES", WIRE_GAMES, "server/test_nothing_leaked.py", what)


def soak_fuzz() -> None:
    """Bad input: garbled, huge, stale and foreign frames."""
    _tests_with("QUARTERDECK_FRAMES", FRAMES, "server/test_fuzz.py", "Bad frames")


def soak_pace() -> None:
    """An enemy with a watch does not tell forced plays from free ones, on a crowded machine."""
    head = ["level", "tables", "plays", "forced", "wait, p50", "wait, p99", "learnt", "tried"]
    rows = []
    for level, tables in PACES:
        found = pace.run(tables, PLAYS, level)
        print(level, tables, found, flush=True)
        row = [level, str(tables), f"{found['plays']:,}", f"{found['forced']:,}"]
        row += [f"{1000 * found[key]:.0f} ms" for key in ("median", "slowest")]
        rows.append([*row, *(f"{100 * found[key]:.1f} %" for key in ("learnt", "accuracy"))])
        assert found["accuracy"] < MOST_TOLD_APART, found
    body = (
        "Tables of four bots that search, more than there are cores to search on. How often an "
        "enemy is right who takes quicker plays than some threshold for forced ones, or for free "
        "ones, balanced: 50 % is chance. The threshold is the best one for every other play "
        "(*learnt*), and *tried* on the rest; the bar is "
        f"{100 * MOST_TOLD_APART:.0f} %.\n\n" + table(head, rows)
    )
    keep_section("SOAK.md", "A bot's pace", body)


def soak_balance() -> None:
    """Gezanke's balance in whole numbers against fractions, position by position."""
    file, what = "games/gezanke/test_against_reference.py", "Gezanke's balance against fractions"
    _tests_with("QUARTERDECK_POSITIONS", POSITIONS, file, what)


def soak_riff_raff() -> None:
    """Whole games in the real world: they end, and cargo falls as often as it should."""
    report_riff_raff(
        told
        for players in (2, 3, 4)
        for told in simulated_records(
            find_game("riff-raff"), {"players": players}, LIVE_GAMES, 3, ["deckhand"]
        )
    )


def report_riff_raff(records: Iterable[GameRecord]) -> None:
    """How often something fell, by area and round, and by load."""
    fallen: dict[tuple[str, str], list[bool]] = defaultdict(list)
    games = 0
    for told in records:
        match = Match.from_record(told)
        assert match.is_over
        games += 1
        for area, round, load, has_fallen in placements(match):
            for where in (str(area), "deck" if area < 5 else "yards", "anywhere"):
                for when in (ROUND_NAMES[min(round - 1, 10)], "all", f"load {load // 8}"):
                    fallen[where, when].append(has_fallen)

    def share(where: str, when: str) -> float:
        cases = fallen[where, when]
        return sum(cases) / len(cases) if cases else 0.0

    def rows(names: list[str], head: list[str]) -> list[list[str]]:
        return [
            [name, *(f"{100 * share(name, key):.1f} % of {len(fallen[name, key])}" for key in head)]
            for name in names
        ]

    rounds = ["all", *dict.fromkeys(ROUND_NAMES)]
    areas = [*map(str, range(1, 11)), "deck", "yards", "anywhere"]
    loads = [f"load {k}" for k in range(4)]
    body = (
        f"{games} games of two, three and four deckhands, as many of each; all ended. How many "
        "placements something fell in, of how many, by area and round.\n\n"
    )
    body += table(["area", *rounds], rows(areas, rounds))
    body += "\n\nBy the pieces aboard before.\n\n"
    head = ["area", *(f"{8 * k} to {8 * k + 7} aboard" for k in range(4))]
    body += table(head, rows(["deck", "yards"], loads))
    print(body)
    keep_section("SOAK.md", "Riff Raff in the real world", body)
    assert share("deck", EARLY) < 0.05
    assert 0.10 <= share("yards", "all") <= 0.35


def placements(match: Match) -> Iterator[tuple[int, int, int, bool]]:
    """Every loading of a game: area, round, pieces aboard before, and whether anything fell."""
    again = Match(match.game, match.options)
    for entry in match.log:
        state = again.state
        if entry.do.startswith("settle"):
            words = entry.do.split()
            has_fallen = words[1].endswith("=fell") or "fell" in words or "caught" in words
            area = int(state.played[state.active])
            yield area, int(state.round), int(state.aboard.sum()), has_fallen
        again.act(NATURE if entry.by == "nature" else entry.by, entry.do)


SOAKS = {
    "games": soak_games,  # the first six of one game alone: games-ID
    "leaks": soak_leaks,
    "mutants": soak_mutants,
    "positions": soak_positions,
    "records": soak_records,
    "bots": soak_bots,
    "retold": soak_retold,
    "kills": soak_kills,
    "wire": soak_wire,
    "fuzz": soak_fuzz,
    "pace": soak_pace,
    "balance": soak_balance,
    "riff_raff": soak_riff_raff,
}


def main() -> None:
    for name in sys.argv[1:] or SOAKS:
        print(f"{name} ...", flush=True)
        what, _, id = name.partition("-")
        SOAKS[what](*([id] if id else []))


if __name__ == "__main__":
    main()
