"""Makes the folder of a version: `python -m tests.upgrade.make tests/upgrade/VERSION`.

A real server is filled with tables by people over WebSockets, and stopped where each of them has
come to. What the tables then tell, the records and what the commands say of them is kept beside
the database. A folder that is there is never made anew: see `README.md`.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..server.helpers import Player, Seated, Server, at
from .crew import Crew, Told, told_at

LEVELS = ("deckhand", "bosun", "quartermaster")
QUICK = {"glass": 1, "limit": 5}
SIMULATED = (
    ("skull-king", 2, "bosun", ()),
    ("skull-king", 6, "random", ()),
    ("jolly-roger", 2, "bosun", ("variant=intro",)),
    ("jolly-roger", 2, "random", ("variant=all-cards",)),
    ("piratoons", 2, "random", ()),
    ("piratoons", 4, "bosun", ()),
    ("riff-raff", 2, "bosun", ("world=real",)),
    ("riff-raff", 4, "bosun", ("world=fitted",)),
    ("gezanke", 2, "bosun", ("purses=open",)),
    ("gezanke", 3, "bosun", ("hands=real",)),
    ("gezanke", 4, "random", ()),
)


@dataclass
class Berth:
    """A table that is kept, and the tokens of the people there, by seat."""

    name: str
    table: str
    tokens: dict[int, str] = field(default_factory=dict)


class Harbour:
    """A server, and the tables that are to be kept."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.berths: list[Berth] = []

    def make(self, name: str, game: str, seats: str, **given: Any) -> Berth:
        """A table with these seats: `mine`, `open`, or the level of a bot."""
        plans = [
            {"kind": "bot", "level": word} if word in LEVELS else {"kind": word}
            for word in seats.split()
        ]
        body = {
            "game": game, "name": "Anne", "seats": plans, "bot_pace_ms": 0, "grace_ms": 3_600_000,
        }  # fmt: skip
        answer = self.server.fetch("POST", "/api/tables", body | given)
        assert answer.status == 200, answer.body
        made = Seated(answer.json)
        self.berths.append(Berth(name, made.table, made.tokens))
        return self.berths[-1]

    def join(self, berth: Berth, name: str, **given: Any) -> int:
        """A guest takes a seat, which is the answer."""
        tokens = self.server.join(berth.table, name, **given).tokens
        berth.tokens |= tokens
        return next(iter(tokens))

    async def board(self, berth: Berth) -> Player:
        """A connection that has all seats of people."""
        return await self.server.attached(berth.table, *berth.tokens.values())

    async def run(
        self,
        berth: Berth,
        until: Callable[[Told], bool] | None = None,
        *,
        seed: int = 0,
        careful: bool = False,
    ) -> None:
        """Plays until a position is there, in which it is only for people to act; without one, to
        the end."""
        async with at(self.board(berth)) as player:
            crew = Crew(player, seed, careful)

            def is_there() -> bool:
                if until is None or not crew.views:
                    return False
                view = crew.views[0]["view"]
                return set(view["to_act"]) <= set(crew.seats) and until(view)

            await crew.play(is_there)
            assert crew.is_over == (until is None), berth.name

    async def run_to_half_sealed(
        self, berth: Berth, phase: str, since: dict[str, int], *, seed: int, careful: bool = False
    ) -> None:
        """Plays until all have chosen in secret but seat 1, in a phase from some round on."""
        async with at(self.board(berth)) as player:
            crew = Crew(player, seed, careful)

            def is_there() -> bool:
                return bool(crew.views) and all(
                    told["legal"]
                    and told["view"]["phase"] == phase
                    and all(told["view"][key] >= least for key, least in since.items())
                    for told in crew.views
                )

            await crew.play(is_there)
            assert not crew.is_over, berth.name
            legal = [do for do in player.views[0]["legal"] if do not in ("show", "hide")]
            assert (await player.act(0, legal[-1]))["type"] == "ok"
            await player.until(lambda: crew.views and crew.views[0]["view"]["to_act"] == [1])


async def _ask(player: Player, type: str, **fields: Any) -> Told:
    answer = await player.ask(type, **fields)
    assert answer["type"] == "ok", answer
    return answer


# The tables ----------------------------------------------------------------------------------


async def lobby(harbour: Harbour) -> None:
    """Waits for one more guest; something was said already."""
    berth = harbour.make("lobby", "skull-king", "mine open open bosun")
    harbour.join(berth, "Mary")
    async with at(harbour.board(berth), harbour.server.attached(berth.table)) as (crew, spectator):
        await _ask(crew, "chat", text="Who else is coming?")
        await _ask(spectator, "chat", text="Not me, I only look. Ahoi, Österreich!")


async def skull_king_over(harbour: Harbour) -> None:
    """A game that is over, with everybody's bytes in it, and its rematch, over too."""
    berth = harbour.make("skull-king-over", "skull-king", "mine open bosun")
    harbour.join(berth, "Mary")
    async with at(harbour.board(berth)) as player:
        await _ask(player, "start")
        await Crew(player, 1).play()
        rematch = Berth("skull-king-rematch", (await _ask(player, "rematch"))["table"])
    rematch.tokens = berth.tokens
    harbour.berths.append(rematch)
    async with at(harbour.board(rematch)) as player:
        await _ask(player, "start")
        await Crew(player, 2).play()


async def skull_king_storm(harbour: Harbour) -> None:
    """Over; one guest has left, another was away and came back, and a clock ran out."""
    berth = harbour.make(
        "skull-king-storm", "skull-king", "mine open open",
        grace_ms=100, clock={"kind": "per-move", "move_ms": 1000},
    )  # fmt: skip
    leaver, away = (harbour.join(berth, name) for name in ("Mary", "Jack"))
    tokens, server = berth.tokens, harbour.server
    async with at(server.attached(berth.table, tokens[0], tokens[leaver])) as player:
        absent = await server.attached(berth.table, tokens[away])
        await _ask(player, "start")
        await absent.close()
        await player.until(lambda: player.table["seats"][away]["stand_in"])
        await _ask(player, "leave", seat=leaver)
        del tokens[leaver]
        crew = Crew(player, 3)
        await crew.play(lambda: crew.views[0]["view"]["hand"] == 2 if crew.views else False)
        seq = crew.views[0]["seq"]
        await player.until_view(0, seq + 1)  # the clock runs out
        async with at(server.attached(berth.table, tokens[away])) as back:
            await asyncio.gather(crew.play(), Crew(back, 4).play())


async def skull_king_bids(harbour: Harbour) -> None:
    """Running, with a clock; one of two people has bid, the other, a program, has not."""
    berth = harbour.make(
        "skull-king-bids", "skull-king", "mine open deckhand bosun", clock={"kind": "bank"}
    )
    harbour.join(berth, "Robot", kind="program")
    async with at(harbour.board(berth), harbour.server.attached(berth.table)) as (crew, spectator):
        await _ask(crew, "start")
        await _ask(crew, "chat", text="I bid what I hold.")
        await _ask(spectator, "chat", text="Do you?")
    await harbour.run_to_half_sealed(berth, "bid", {"hand": 3}, seed=5)


async def skull_king_paused(harbour: Harbour) -> None:
    """Paused in the middle of a trick; one of three people has resigned."""
    berth = harbour.make("skull-king-paused", "skull-king", "mine mine mine bosun", start=True)
    async with at(harbour.board(berth)) as player:
        await _ask(player, "resign", seat=2)
    await harbour.run(berth, lambda view: view["hand"] >= 6 and len(view["trick"]) > 1, seed=6)
    async with at(harbour.board(berth)) as player:
        await _ask(player, "pause", paused=True)


async def jolly_roger_over(harbour: Harbour) -> None:
    """Over, against a bot that searches."""
    options = {"variant": "advanced"}
    berth = harbour.make("jolly-roger-over", "jolly-roger", "mine quartermaster", options=options)
    async with at(harbour.board(berth)) as player:
        await _ask(player, "start")
    await harbour.run(berth, seed=7)


async def jolly_roger_resigned(harbour: Harbour) -> None:
    """Over, as one of two has resigned."""
    berth = harbour.make("jolly-roger-resigned", "jolly-roger", "mine mine", start=True)
    await harbour.run(berth, lambda view: view["turn"] == 4, seed=8)
    async with at(harbour.board(berth)) as player:
        await _ask(player, "resign", seat=1)


async def jolly_roger_pick(harbour: Harbour) -> None:
    """Five cards were split and none of the sets is picked."""
    options = {"variant": "all-cards"}
    berth = harbour.make(
        "jolly-roger-pick", "jolly-roger", "mine bosun", options=options, start=True
    )
    await harbour.run(berth, lambda view: view["turn"] >= 5 and view["phase"] == "pick", seed=9)


async def jolly_roger_play(harbour: Harbour) -> None:
    """A set is played in part."""
    options = {"variant": "advanced"}
    berth = harbour.make(
        "jolly-roger-play", "jolly-roger", "mine mine", options=options, start=True
    )

    def is_there(view: Told) -> bool:
        held = sum(len(hand) for hand in view["hands"])
        return view["turn"] >= 5 and view["phase"] == "play" and held < 5

    await harbour.run(berth, is_there, seed=10)


async def piratoons_over(harbour: Harbour) -> None:
    """Over, with everybody's bytes."""
    berth = harbour.make("piratoons-over", "piratoons", "mine deckhand bosun", options=QUICK)
    async with at(harbour.board(berth)) as player:
        await _ask(player, "start")
    await harbour.run(berth, seed=11)


async def piratoons_auction(harbour: Harbour) -> None:
    """One of two bids of people is sealed; one of the two shows what they have."""
    berth = harbour.make("piratoons-auction", "piratoons", "mine open bosun", options=QUICK)
    harbour.join(berth, "Mary")
    async with at(harbour.board(berth)) as player:
        await _ask(player, "start")
        crew = Crew(player, 12)
        await crew.play(lambda: any("show" in told["legal"] for told in crew.views))
        shower = next(told["seat"] for told in crew.views if "show" in told["legal"])
        assert (await player.act(shower, "show"))["type"] == "ok"
    await harbour.run_to_half_sealed(berth, "auction", {"round": 6}, seed=12)


async def piratoons_refit(harbour: Harbour) -> None:
    """One of two ships of people is refitted, the other is not."""
    berth = harbour.make(
        "piratoons-refit", "piratoons", "mine mine deckhand", options=QUICK, start=True
    )
    await harbour.run_to_half_sealed(berth, "refit", {"round": 6}, seed=13)


async def piratoons_plunder(harbour: Harbour) -> None:
    """Paused while everybody is plundering and the sand runs."""
    options = {"glass": 3, "limit": 5}
    berth = harbour.make("piratoons-plunder", "piratoons", "mine mine", options=options, start=True)
    await harbour.run(berth, lambda view: view["round"] == 8 and len(view["piles"]) > 2, seed=14)
    async with at(harbour.board(berth)) as player:
        await _ask(player, "pause", paused=True)


async def riff_raff_over(harbour: Harbour) -> None:
    """Over after ten rounds, of which a deckhand played its part."""
    berth = harbour.make("riff-raff-over", "riff-raff", "mine mine deckhand")
    async with at(harbour.board(berth)) as player:
        await _ask(player, "start")
    await harbour.run(berth, lambda view: view["round"] == 4, seed=15, careful=True)
    await harbour.run(berth, seed=15)


async def riff_raff_cards(harbour: Harbour) -> None:
    """Cargo lies aboard; one of two cards is chosen."""
    berth = harbour.make("riff-raff-cards", "riff-raff", "mine mine", start=True)
    await harbour.run_to_half_sealed(berth, "card", {"round": 5}, seed=16, careful=True)


async def riff_raff_hand(harbour: Harbour) -> None:
    """Cargo lies aboard, and a piece is in the hand."""
    berth = harbour.make("riff-raff-hand", "riff-raff", "mine deckhand", start=True)
    await harbour.run(
        berth,
        lambda view: view["round"] >= 4 and view["phase"] == "take",
        seed=17,
        careful=True,
    )
    await _take_in_hand(harbour, berth)


async def gezanke_over(harbour: Harbour) -> None:
    """Over, by hand where somebody liked to."""
    berth = harbour.make(
        "gezanke-over", "gezanke", "mine bosun deckhand", options={"hands": "each"}
    )
    async with at(harbour.board(berth)) as player:
        await _ask(player, "start")
    await harbour.run(berth, seed=18)


async def gezanke_steady(harbour: Harbour) -> None:
    """Pirates went overboard; who collects and who brings them back is asked for."""
    berth = harbour.make("gezanke-steady", "gezanke", "mine mine bosun", start=True)
    await harbour.run(berth, lambda view: view["fins"] <= 4 and view["phase"] == "choose", seed=19)


async def gezanke_hand(harbour: Harbour) -> None:
    """A pirate or a plank is in the hand, of people who have real ones."""
    berth = harbour.make("gezanke-hand", "gezanke", "mine open", options={"hands": "real"})
    harbour.join(berth, "Mary")
    async with at(harbour.board(berth)) as player:
        await _ask(player, "start")
    await harbour.run(berth, lambda view: view["fins"] <= 3 and view["phase"] == "lift", seed=20)
    await _take_in_hand(harbour, berth)


async def _take_in_hand(harbour: Harbour, berth: Berth) -> None:
    """Whoever is to act takes what comes first in his hand, and does nothing with it."""
    async with at(harbour.board(berth)) as player:
        crew = Crew(player)
        await player.until(lambda: crew.views)
        seat = crew.views[0]["view"]["to_act"][0]
        await player.act(seat, player.views[seat]["legal"][0])
        await player.until(lambda: crew.world is not None)


TABLES: tuple[Callable[[Harbour], Coroutine[Any, Any, None]], ...] = (
    lobby, skull_king_over, skull_king_storm, skull_king_bids, skull_king_paused,
    jolly_roger_over, jolly_roger_resigned, jolly_roger_pick, jolly_roger_play,
    piratoons_over, piratoons_auction, piratoons_refit, piratoons_plunder,
    riff_raff_over, riff_raff_cards, gezanke_over, gezanke_steady,
)  # fmt: skip
LAST_TABLES = (riff_raff_hand, gezanke_hand)
"""A hand lets go after a while, so these are left as they are when the others are done."""


# What is kept --------------------------------------------------------------------------------


async def _fill(harbour: Harbour) -> None:
    for tables in (TABLES, LAST_TABLES):
        async with asyncio.TaskGroup() as group:
            for table in tables:
                group.create_task(table(harbour))


def _close_database(database: Path) -> None:
    """Brings everything into the one file."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    assert not list(database.parent.glob("*-wal"))


async def _keep_told(server: Server, berths: list[Berth], database: Path, folder: Path) -> None:
    """Writes what each table tells now, the records of those that are over, and the logs of those
    that are not, which only the database knows."""
    tables: Told = {}
    for berth in sorted(berths, key=lambda berth: berth.name):
        tokens = {str(seat): token for seat, token in sorted(berth.tokens.items())}
        told = await told_at(server, berth.table, list(tokens.values()))
        tables[berth.name] = {"table": berth.table, "tokens": tokens, "told": told}
        if told["table"]["status"] == "over":
            record = server.fetch("GET", f"/api/tables/{berth.table}/record")
            assert record.status == 200
            (folder / "records" / f"{berth.name}.json").write_bytes(record.body)
            proof = server.fetch("GET", f"/api/tables/{berth.table}/proof")
            assert proof.status == 200
            told["proof"] = proof.json
        else:
            tables[berth.name]["log"] = _log(database, berth.table)
    _write_json(folder / "tables.json.gz", tables)


def _log(database: Path, table: str) -> list[Told]:
    """The log of a game so far, as its record will tell it."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(
            "SELECT entry FROM journal WHERE table_id = ? ORDER BY seq", (table,)
        )
        entries = [json.loads(entry) for (entry,) in rows]
    log = []
    for entry in entries:
        if entry["type"] == "acted":
            told = {"by": "nature" if entry["by"] < 0 else entry["by"], "do": entry["do"]}
            told |= {"at": entry["at"]}
            told |= {"via": entry["via"]} if "via" in entry else {}
            told |= {"with": entry["attached"]} if "attached" in entry else {}
            log.append(told)
    return log


def _simulate(folder: Path) -> None:
    for game, players, bots, options in SIMULATED:
        words = [word.partition("=")[2] for word in options]
        name = "-".join(["simulated", game, str(players), bots, *words])
        said = [part for word in options for part in ("--option", word)]
        _quarterdeck(
            "simulate", game, "--players", str(players), "--bots", bots, "--games", "1",
            "--seed", "16", "--records", str(folder / f"{name}.json"), *said,
        )  # fmt: skip


def _keep_results(folder: Path) -> None:
    """Writes what `replay` and `verify` say of every record."""
    results: Told = {}
    for path in sorted((folder / "records").iterdir()):
        results[path.name] = {
            "replay": json.loads(_quarterdeck("replay", "--json", str(path))),
            "seat": json.loads(_quarterdeck("replay", "--json", "--seat", "0", str(path))),
            "verify": json.loads(_quarterdeck("verify", "--json", str(path))),
            "verify_says": _quarterdeck("verify", str(path)),
        }
    _write_json(folder / "results.json.gz", results)


def _quarterdeck(*arguments: str) -> str:
    command = [sys.executable, "-m", "quarterdeck.cli", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _write_json(path: Path, value: Any) -> None:
    path.write_bytes(gzip.compress(json.dumps(value, ensure_ascii=False).encode(), mtime=0))


def _make(folder: Path, scratch: Path) -> None:
    """Makes the folder; servers run in folders beside it."""
    (folder / "records").mkdir(parents=True)
    with _running(scratch / "data") as server:
        harbour = Harbour(server)
        asyncio.run(_fill(harbour))
    assert '"closed"' in server.log  # of its own will, with everything stored
    _close_database(server.database)
    data = server.database.read_bytes()
    (folder / f"{server.database.name}.gz").write_bytes(gzip.compress(data, mtime=0))
    # from a copy, as whoever opens the folder later will see it
    (scratch / "copy").mkdir()
    shutil.copy(server.database, scratch / "copy")
    with _running(scratch / "copy") as copy:
        asyncio.run(_keep_told(copy, harbour.berths, server.database, folder))
    _simulate(folder / "records")
    _keep_results(folder)


@contextmanager
def _running(data: Path) -> Iterator[Server]:
    """A server over a data folder, ended at the end."""
    server = Server(data, "--unlimited").start()
    try:
        yield server
    finally:
        server.end()


def main() -> None:
    """Makes the folder that is named, whole or not at all."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.upgrade.make FOLDER")
    folder = Path(sys.argv[1])
    if folder.exists():
        sys.exit(f"{folder} is there: what a version has left is never made anew")
    with tempfile.TemporaryDirectory() as scratch:
        _make(Path(scratch) / "made", Path(scratch))
        shutil.copytree(Path(scratch) / "made", folder)


if __name__ == "__main__":
    main()
