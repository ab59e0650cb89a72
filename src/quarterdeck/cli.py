"""The `quarterdeck` command."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import locale
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from quarterdeck import __version__
from quarterdeck.contract import (
    BadOption,
    BadRecord,
    Game,
    IllegalAction,
    QuarterdeckError,
    excerpt,
)
from quarterdeck.messages import LANGUAGES

if TYPE_CHECKING:
    from quarterdeck.engine.verify import Verdict
    from quarterdeck.server.settings import Settings

EXIT_REFUSED = 2
LOG_LEVELS = "debug", "info", "warning", "error"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code. An error of ours is printed as one JSON line."""
    _say_whatever_comes()
    parsed = _parser().parse_args(arguments)
    try:
        code: int = parsed.run(parsed)
        return code
    except QuarterdeckError as error:
        print(_json(error.as_json()))
        return EXIT_REFUSED
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _say_whatever_comes() -> None:
    """What the terminal, or a file, has no letters for is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _json(value: object) -> str:
    """JSON on one line, that can be written to stdout and read again."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="quarterdeck", description="Pirate tabletop games, with friends and with bots."
    )
    parser.add_argument("--version", action="version", version=f"quarterdeck {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, run: Any, help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(run=run)
        return command

    add("games", _games, "List the games and their options.")

    rules = add("rules", _rules, "Tell a game's rules, in our own words.")
    rules.add_argument("game", metavar="GAME")
    _add_language(rules)

    play = add("play", _play, "Play a game in the terminal, against bots.")
    play.add_argument("game", metavar="GAME")
    _add_options(play)
    _add_language(play)
    play.add_argument("--seat", type=_number, default=0, help="your seat (0)")
    play.add_argument("--name", default=None, help="your name at the table")
    play.add_argument("--bots", default="bosun", help="who sits on the other seats (bosun)")
    play.add_argument("--seed", type=_seed, default=None, help="play the game of this seed")
    play.add_argument("--record", type=Path, default=None, help="keep the game in this file")

    replay = add("replay", _replay, "Replay a record and print the position it reaches.")
    replay.add_argument("file", type=Path, metavar="FILE", help="a record, or one on each line")
    replay.add_argument("--json", action="store_true", help="print the position as JSON")
    replay.add_argument("--seat", type=_number, default=None, help="only what this seat may see")

    simulate = add("simulate", _simulate, "Play whole games between bots.")
    simulate.add_argument("game", metavar="GAME")
    _add_options(simulate)
    simulate.add_argument("--games", type=_positive, default=1000, help="how many (1000)")
    simulate.add_argument("--seed", type=_seed, default=0, help="where chance begins (0)")
    simulate.add_argument(
        "--bots", default="random", help="one for all, or one a seat with commas (random)"
    )
    simulate.add_argument("--records", type=Path, default=None, help="write all records here")
    simulate.add_argument("--json", action="store_true", help="print the summary as JSON")

    arena = add("arena", _arena, "Let bots play each other with duplicate deals, and rate them.")
    arena.add_argument("game", metavar="GAME")
    _add_options(arena)
    arena.add_argument(
        "--bot",
        action="append",
        required=True,
        metavar="BOT",
        help="a level, or exec:COMMAND for a program of your own; several times",
    )
    arena.add_argument("--deals", type=_positive, default=100, help="at most so many (100)")
    arena.add_argument("--seed", type=_seed, default=0, help="where chance begins (0)")
    modes = arena.add_mutually_exclusive_group()
    modes.add_argument(
        "--mixed",
        dest="mode",
        action="store_const",
        const="mixed",
        default="mixed",
        help="all bots at one table, the last on every seat that is left (this is the default)",
    )
    modes.add_argument(
        "--round-robin",
        dest="mode",
        action="store_const",
        const="round-robin",
        help="every two bots meet, with the seats shared evenly",
    )
    arena.add_argument(
        "--time", action="store_true", help="think by the clock, not on fixed budgets"
    )
    arena.add_argument(
        "--timeout", type=_seconds, default=10.0, help="seconds for a program's answer (10)"
    )
    arena.add_argument(
        "--until-clear",
        action="append",
        default=[],
        metavar="MEASURE=BAR",
        help="stop when the first bot's score, difference, wins or other measure is clear of this",
    )
    arena.add_argument("--jobs", type=_positive, default=None, help="processes (one a core)")
    arena.add_argument("--record", type=Path, default=None, help="keep the games in this file")
    arena.add_argument("--json", action="store_true", help="print the report as JSON")

    warm = add("warm", _warm, "Compile games now, so that nobody waits for it later.")
    warm.add_argument("games", nargs="*", metavar="GAME", help="all of them unless some are named")

    verify = add("verify", _verify, "Check what a record proves, and to whom.")
    verify.add_argument("file", type=Path, metavar="FILE", help="a record, or one on each line")
    verify.add_argument(
        "--receipt",
        type=Path,
        metavar="FILE",
        help="what your browser kept of the game: then it is checked for you",
    )
    verify.add_argument("--json", action="store_true", help="print the verdict as JSON")

    serve = add("serve", _serve, "Serve tables to browsers.")
    unsaid = argparse.SUPPRESS  # then the environment or the settings file may say it
    serve.add_argument("--host", default=unsaid, help="the address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=_port, default=unsaid, help="0: any that is free (8000)")
    _add_data(serve)
    serve.add_argument(
        "--public-url",
        type=_url,
        default=unsaid,
        help="the address others use, such as the one of a proxy",
    )
    serve.add_argument(
        "--trusted-proxy",
        action="append",
        dest="trusted_proxies",
        default=unsaid,
        metavar="ADDRESS",
        help="a proxy, or a network of them, whose X-Forwarded-For is believed (none)",
    )
    serve.add_argument(
        "--log-level", type=_log_level, default=unsaid, help=f"{', '.join(LOG_LEVELS)} (info)"
    )
    serve.add_argument(
        "--kits",
        default=unsaid,
        metavar="FOLDER",
        help="kits of one's own, such as piratoons.toml (none)",
    )
    serve.add_argument(
        "--open",
        action="store_true",
        dest="open_browser",
        default=unsaid,
        help="open a browser where there is one",
    )
    serve.add_argument(
        "--limit",
        type=_limit,
        action="append",
        dest="limits",
        default=unsaid,
        metavar="NAME=NUMBER",
        help="one of the limits in docs/hosting.md",
    )
    serve.add_argument(
        "--unlimited",
        action="store_true",
        default=unsaid,
        help="no limits on counts and rates, for load tests",
    )

    loadtest = add("loadtest", _loadtest, "Fill a server with tables that play, and measure it.")
    loadtest.add_argument("game", nargs="?", default="skull-king", metavar="GAME")
    loadtest.add_argument("--tables", type=_positive, default=300, help="how many (300)")
    loadtest.add_argument("--players", type=_positive, default=4, help="seats at each (4)")
    loadtest.add_argument(
        "--pace-ms",
        type=_milliseconds,
        default=500,
        help="between the moves of a table; 0: none (500)",
    )
    loadtest.add_argument("--seconds", type=_seconds, default=20.0, help="how long (20)")
    loadtest.add_argument("--seed", type=_seed, default=0, help="which moves are chosen (0)")
    loadtest.add_argument(
        "--bots", default=None, metavar="LEVEL", help="one person a table, bots of this level"
    )
    loadtest.add_argument(
        "--bot-pace-ms", type=_milliseconds, default=900, help="of these bots (900)"
    )
    loadtest.add_argument("--url", default=None, help="a running server (starts one of its own)")
    loadtest.add_argument("--json", action="store_true", help="print the figures as JSON")

    new_game = add("new-game", _new_game, "Lay out a new game in this checkout, to be changed.")
    new_game.add_argument("id", metavar="ID", help="such as walk-the-plank")
    new_game.add_argument("--name", default=None, help="what people call it (Walk The Plank)")
    new_game.add_argument("--prefix", default=None, help="of its rule numbers (WTP)")
    new_game.add_argument("--root", type=Path, default=Path(), help="the checkout (this folder)")

    status = add("status", _status, "Tell how a running server fares.")
    status.add_argument("--json", action="store_true", help="print it as JSON")
    _add_data(status)

    backup = add("backup", _backup, "Copy the database, even one in use, into a new file.")
    backup.add_argument("target", type=Path, metavar="FILE")
    _add_data(backup)

    restore = add("restore", _restore, "Put a backup into a data folder that has no database.")
    restore.add_argument("source", type=Path, metavar="FILE")
    _add_data(restore)
    return parser


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--players", type=_number, default=None, help="how many seats")
    command.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game"
    )


def _add_data(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--settings", type=Path, metavar="FILE", help="(quarterdeck.toml in the data folder)"
    )
    command.add_argument("--data", default=argparse.SUPPRESS, help="data folder (data)")
    command.add_argument(
        "--database", default=argparse.SUPPRESS, help="sqlite:PATH (in the folder)"
    )


def _add_language(command: argparse.ArgumentParser) -> None:
    command.add_argument("--lang", choices=LANGUAGES, default=_language(), help="language")


def _language() -> str:
    """The reader's language where we have it, else English."""
    wanted = os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0] or ""
    return wanted[:2] if wanted[:2] in LANGUAGES else "en"


def _number(word: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,30}", word):
        raise argparse.ArgumentTypeError(f"a whole number, not {excerpt(word)}")
    return int(word)


def _seed(word: str) -> int:
    number = _number(word)
    if not -(2**63) <= number < 2**63:
        raise argparse.ArgumentTypeError("a seed has 64 bits")
    return number


def _positive(word: str) -> int:
    number = _number(word)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def _milliseconds(word: str) -> int:
    number = _number(word)
    if number < 0:
        raise argparse.ArgumentTypeError("at least 0")
    return number


def _port(word: str) -> int:
    number = _number(word)
    if not 0 <= number < 2**16:
        raise argparse.ArgumentTypeError("from 0 (any that is free) to 65535")
    return number


def _seconds(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number, not {word!r}") from None
    if not 0 < number < 86_400:
        raise argparse.ArgumentTypeError("more than 0 and less than a day")
    return number


def _url(word: str) -> str:
    from quarterdeck.server.settings import check_url

    try:
        return check_url(word)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _limit(word: str) -> tuple[str, str]:
    name, sign, number = word.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"NAME=NUMBER, not {word!r}")
    return name, number


def _log_level(word: str) -> str:
    if word not in LOG_LEVELS:
        raise argparse.ArgumentTypeError(f"one of {', '.join(LOG_LEVELS)}, not {word!r}")
    return word


def _find(parsed: argparse.Namespace) -> Game:
    from quarterdeck.games import find_game

    return find_game(parsed.game)


def _options(parsed: argparse.Namespace, game: Game) -> dict[str, Any]:
    """The options said on the command line, as the values the game knows."""
    given: dict[str, Any] = {}
    for word in parsed.option:
        key, separator, value = word.partition("=")
        if not separator:
            raise BadOption(f"an option is KEY=VALUE, not {word!r}")
        option = next((option for option in game.options if option.key == key), None)
        known = {str(known).lower(): known for known in option.values} if option else {}
        given[key] = known.get(value.lower(), value)
    if parsed.players is not None:
        given["players"] = parsed.players
    return game.fill_options(given)


class _Progress(NamedTuple):
    """How a long command tells how far it has come: `advance` by so many, and `say` a line of its
    output without tearing the bar."""

    advance: Callable[[int], None]
    say: Callable[[str], None]


@contextlib.contextmanager
def _progress(what: str, total: int) -> Iterator[_Progress]:
    """A bar on stderr where that is a terminal and there is more than one thing to wait for."""
    if total < 2 or not sys.stderr.isatty():
        yield _Progress(lambda by: None, print)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
    from rich.text import Text

    terminal = Console(stderr=True)
    columns = (what, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # rich would take whatever is printed for the terminal, even if stdout is a file
    bars = Progress(*columns, console=terminal, transient=True, redirect_stdout=False)
    bar = bars.add_task("", total=total)

    def say(line: str) -> None:
        if sys.stdout.isatty():  # the bar's own terminal, which makes room for the line
            terminal.print(Text(line), soft_wrap=True)
        else:
            print(line)

    with bars:
        yield _Progress(lambda by: bars.advance(bar, by), say)


def _sum_up(records: int, refused: int, done: str, since: float) -> None:
    """The last line of a command on many records: on stderr, for stdout has a line a record."""
    seconds = time.monotonic() - since
    sys.stdout.flush()  # what comes last shall stand last
    print(
        f"{records} records, {seconds:.1f} s: {records - refused} {done}, {refused} refused",
        file=sys.stderr,
    )


# The commands --------------------------------------------------------------------------------


def _games(parsed: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.table import Table

    from quarterdeck.games import games

    table = Table("game", "name", "options (default first)")
    for game in games():
        options = []
        for option in game.options:
            others = [str(value) for value in option.values if value != option.default]
            options.append(f"{option.key}={'|'.join([str(option.default), *others])}")
        table.add_row(game.id, game.name, "  ".join(options))
    Console().print(table)
    return 0


def _rules(parsed: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.markdown import Markdown

    path = _find(parsed).folder / "text" / f"rules.{parsed.lang}.md"
    Console().print(Markdown(path.read_text("utf-8")))
    return 0


def _play(parsed: argparse.Namespace) -> int:
    from quarterdeck.terminal import play

    game = _find(parsed)
    return play(
        game,
        _options(parsed, game),
        seat=parsed.seat,
        name=parsed.name,
        bots=parsed.bots.split(","),
        seed=parsed.seed,
        lang=parsed.lang,
        record_to=parsed.record,
    )


def _replay(parsed: argparse.Namespace) -> int:
    from quarterdeck.engine.match import Match
    from quarterdeck.engine.record import GameRecord, read_records

    records = read_records(parsed.file)
    started, refused = time.monotonic(), 0
    with _progress("records", len(records)) as progress:
        for told in records:
            error = None
            try:
                if not isinstance(told, GameRecord):
                    raise told
                match = Match.from_record(told)
                if parsed.seat is None:
                    shown = match.position() | {"hash": match.hash}
                elif 0 <= parsed.seat < match.players:
                    shown = match.view(parsed.seat)
                else:
                    raise BadOption(f"there is no seat {parsed.seat}")
            except QuarterdeckError as caught:
                error, shown = caught, _refusal(caught)
                refused += 1
            if error or parsed.json or len(records) > 1:
                progress.say(_json(shown))
            else:
                _print_position(shown)
            progress.advance(1)
    if len(records) > 1:
        _sum_up(len(records), refused, "replayed", started)
    return EXIT_REFUSED if refused else 0


def _refusal(error: QuarterdeckError) -> dict[str, Any]:
    """Why a record is refused. In a record, out of turn is no other matter than against a rule."""
    told = error.as_json()
    if isinstance(error, IllegalAction):
        told["error"] = IllegalAction.code
    return told


def _print_position(shown: dict[str, Any]) -> None:
    width = max(len(key) for key in shown)
    for key, value in shown.items():
        print(f"{key:<{width}}  {value if isinstance(value, str) else _json(value)}")


def _simulate(parsed: argparse.Namespace) -> int:
    from quarterdeck.bots.simulate import simulate, simulated_records
    from quarterdeck.engine.record import write_record

    game = _find(parsed)
    options = _options(parsed, game)
    bots = parsed.bots.split(",")
    if parsed.records is not None:
        started = time.monotonic()
        told_games = simulated_records(game, options, parsed.games, parsed.seed, bots)
        try:
            with parsed.records.open("wb") as file, _progress("games", parsed.games) as progress:
                for told in told_games:
                    file.write(write_record(told) + b"\n")
                    progress.advance(1)
        except OSError as error:
            raise BadOption(f"cannot write {str(parsed.records)!r}: {error.strerror}") from error
        seconds = time.monotonic() - started
        said = {"records": parsed.games, "file": str(parsed.records), "seconds": round(seconds, 2)}
        print(
            json.dumps(said)
            if parsed.json
            else f"{parsed.games} records in {parsed.records}, {seconds:.1f} s"
        )
        return 0
    with _progress("games", parsed.games) as progress:
        summary = simulate(game, options, parsed.games, parsed.seed, bots, saw=progress.advance)
    if parsed.json:
        import msgspec

        print(msgspec.json.encode(summary).decode())
        return 0
    print(f"{summary.games} games of {game.name}, {summary.decisions:,} decisions", end=", ")
    print(
        f"{summary.seconds:.2f} s: {summary.decisions / max(summary.seconds, 1e-9):,.0f} a second"
    )
    for seat, bot in enumerate(summary.bots):
        score, share = summary.mean_scores[seat], summary.win_shares[seat]
        print(f"  seat {seat}  {bot:<8}  {score:9.2f} points  {100 * share:5.1f} % won")
    return 0


def _arena(parsed: argparse.Namespace) -> int:
    import msgspec
    from rich.console import Console

    from quarterdeck.bots.arena import Plan
    from quarterdeck.bots.report import run, shown

    game = _find(parsed)
    plan = Plan(
        game.id,
        _options(parsed, game),
        tuple(parsed.bot),
        parsed.deals,
        parsed.seed,
        parsed.mode,
        parsed.time,
        parsed.timeout,
    )
    plan.check()
    bars = dict(_bar(word) for word in parsed.until_clear)
    with contextlib.ExitStack() as stack:
        file = None
        if parsed.record is not None:
            try:
                file = stack.enter_context(parsed.record.open("wb"))
            except OSError as error:
                raise BadOption(f"cannot write {str(parsed.record)!r}: {error.strerror}") from error
        progress = stack.enter_context(_progress("games", plan.deals * len(plan.seatings())))
        report = run(
            game,
            plan,
            bars=bars,
            jobs=parsed.jobs,
            records=file,
            saw=lambda: progress.advance(1),
        )
    if parsed.json:
        print(msgspec.json.encode(report).decode())
    else:
        wide = None if sys.stdout.isatty() else 160  # into a file: nothing is cut off
        Console(width=wide).print(shown(report, game.name))
    return 1 if report.faults else 0


def _bar(word: str) -> tuple[str, float]:
    """A measure and its bar, from the command line."""
    measure, _, bar = word.partition("=")
    try:
        return measure, float(bar)
    except ValueError:
        raise BadOption(f"a bar is MEASURE=NUMBER, not {word!r}") from None


def _verify(parsed: argparse.Namespace) -> int:
    from quarterdeck.engine.receipt import read_receipt
    from quarterdeck.engine.record import GameRecord, read_records
    from quarterdeck.engine.verdicts import sentences
    from quarterdeck.engine.verify import verify

    records = read_records(parsed.file)
    receipt = None if parsed.receipt is None else read_receipt(parsed.receipt)
    if receipt is not None and len(records) != 1:
        raise BadRecord("a receipt is of one game")
    started, refused = time.monotonic(), 0
    with _progress("records", len(records)) as progress:
        for told in records:
            try:
                if not isinstance(told, GameRecord):
                    raise told
                verdict = verify(told, receipt)
                lines = [_verdict_json(verdict)] if parsed.json else sentences(verdict)
                if verdict.flaw is not None:
                    lines = [_verdict_json(verdict)]
                    refused += 1
            except QuarterdeckError as error:
                lines = [_json(_refusal(error))]
                refused += 1
            for line in lines:
                progress.say(line)
            progress.advance(1)
    if len(records) > 1:
        _sum_up(len(records), refused, "verified", started)
    return EXIT_REFUSED if refused else 0


def _verdict_json(verdict: Verdict) -> str:
    from quarterdeck.engine.verdicts import as_json

    return _json(as_json(verdict))


def _warm(parsed: argparse.Namespace) -> int:
    from quarterdeck.bots.warm import PARTS, missing, warm_up
    from quarterdeck.games import find_game, games

    chosen = [find_game(id) for id in parsed.games] or games()
    new = {game.id: sum(len(missing(game, part)) for part in PARTS) for game in chosen}
    started = time.monotonic()
    with _progress("compiling", sum(new.values())) as progress:
        for game in chosen:
            warm_up(game, PARTS, progress.advance)
            progress.say(f"{game.name} is ready.")
    seconds = time.monotonic() - started
    print(f"{len(chosen)} games, {seconds:.1f} s: {sum(new.values())} functions compiled.")
    return 0


def _settings(parsed: argparse.Namespace) -> Settings:
    """The settings from all sources. What cannot be ends the command with one line."""
    from quarterdeck.server.settings import TYPES, read_settings

    flags = {name: value for name, value in vars(parsed).items() if name in TYPES}
    if "limits" in flags:
        flags["limits"] = dict(flags["limits"])
    try:
        return read_settings(flags, os.environ, parsed.settings)
    except BadOption as error:
        print(f"quarterdeck: {error.message}", file=sys.stderr)
        raise SystemExit(EXIT_REFUSED) from None


def _serve(parsed: argparse.Namespace) -> int:
    from quarterdeck.games import KITS
    from quarterdeck.server.serve import serve

    settings = _settings(parsed)
    if settings.kits is not None:
        os.environ[KITS] = str(settings.kits)  # for the processes beside the server too
    return serve(settings)


def _loadtest(parsed: argparse.Namespace) -> int:
    import msgspec

    from quarterdeck.loadtest import Plan, Server, load_test, started_quarterdeck

    plan = Plan(
        parsed.game,
        parsed.tables,
        parsed.players,
        parsed.pace_ms,
        parsed.seconds,
        parsed.seed,
        bots=parsed.bots,
        bot_pace_ms=parsed.bot_pace_ms,
    )
    own = (
        started_quarterdeck(pinned=not parsed.bots)
        if parsed.url is None
        else contextlib.nullcontext(None)
    )
    with own as started:
        figures = load_test(plan, started or Server(parsed.url))
    print(msgspec.json.encode(figures).decode() if parsed.json else figures.text())
    return 1 if figures.errors else 0


def _new_game(parsed: argparse.Namespace) -> int:
    from quarterdeck.new_game import lay_out, names_of, tidy

    names = names_of(parsed.id, parsed.name, parsed.prefix)
    root = parsed.root.absolute()
    for path in lay_out(root, names):
        print(path.relative_to(root))
    tidy(root, names)
    print(f"{names.name} is laid out. Next: make check-game ID={names.id}, docs/adding-a-game.md")
    return 0


def _database(parsed: argparse.Namespace) -> Path:
    return _settings(parsed).database_path


def _status(parsed: argparse.Namespace) -> int:
    import msgspec

    from quarterdeck.server.control import ask_status

    told = ask_status(_database(parsed))
    shown = {key: value for key, value in msgspec.to_builtins(told).items() if key != "told"}
    if parsed.json:
        print(json.dumps(shown))
    else:
        for key, value in shown.items():
            print(f"{key.replace('_', ' '):<12}  {value}")
    return 0


def _backup(parsed: argparse.Namespace) -> int:
    from quarterdeck.server.control import fetch_copy
    from quarterdeck.server.storage import back_up

    database = _database(parsed)
    if not fetch_copy(database, parsed.target):
        back_up(database, parsed.target)
    print(f"copied to {parsed.target}")
    return 0


def _restore(parsed: argparse.Namespace) -> int:
    from quarterdeck.server.lock import locked
    from quarterdeck.server.storage import back_up

    target = _database(parsed)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOption(f"cannot write {str(target)!r}: {error.strerror}") from error
    with locked(target):
        back_up(parsed.source, target)
    print(f"restored to {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
