"""The list of tables: who is on it, in which order, and how quickly it is told."""

from __future__ import annotations

import random
import time
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from quarterdeck.server.listing import Listing
from quarterdeck.server.protocol import TableList, encode
from quarterdeck.server.storage import TableRow

from .helpers import made_table


def row(id: str, status: str = "playing", made_at: int = 1, **given: Any) -> TableRow:
    """A table with somebody online, as it is stored."""
    table, _ = made_table("mine", "bot", "open")
    line = replace(table.line([0]), table=id, status=status, made_at=made_at)
    return TableRow(id, "skull-king", status, True, made_at, made_at, encode(line), **given)


def told(listing: Listing, limit: int = 60) -> list[str]:
    page = msgspec.json.decode(listing.page_bytes(limit), type=TableList)
    assert [encode(line) for line in page.tables] == listing.page(limit)
    return [line.table for line in page.tables]


def test_waiting_ones_come_first_and_newer_ones_before_older() -> None:
    listing = Listing()
    assert told(listing) == []
    for id, status, made_at in (
        ("a", "playing", 5),
        ("b", "waiting", 1),
        ("c", "paused", 9),
        ("d", "waiting", 3),
        ("e", "playing", 7),
    ):
        listing.put(row(id, status, made_at), is_attended=True)
    assert told(listing) == ["d", "b", "c", "e", "a"]
    assert told(listing, 2) == ["d", "b"]
    listing.put(row("b", "playing", 1))
    assert told(listing) == ["d", "c", "e", "a", "b"]
    listing.drop("c")
    listing.drop("c")
    assert told(listing) == ["d", "e", "a", "b"]


@pytest.mark.parametrize(
    ("status", "listed", "is_attended", "is_told"),
    [
        ("playing", True, False, True),
        ("paused", True, False, True),
        ("waiting", True, True, True),
        ("waiting", True, False, False),
        ("over", True, True, False),
        ("playing", False, True, False),
        ("waiting", False, True, False),
    ],
)
def test_only_what_one_may_join_or_watch_is_told(
    status: str, listed: bool, is_attended: bool, is_told: bool
) -> None:
    listing = Listing()
    for id in ("new", "known"):
        if id == "known":
            listing.put(row(id))
        listing.put(replace(row(id, status), listed=listed), is_attended=is_attended)
        assert (id in told(listing)) == is_told
        listing.drop(id)
    assert len(listing) == 0


def test_tables_that_sleep_have_nobody_there_but_bots() -> None:
    listing = Listing()
    listing.fill([row("a"), replace(row("b"), line=b"{"), row("c", made_at=2)])
    page = msgspec.json.decode(listing.page_bytes(9), type=TableList)
    assert [line.table for line in page.tables] == ["c", "a"]
    assert [seat.online for seat in page.tables[0].seats] == [False, True, False]
    listing.put(row("a"))
    page = msgspec.json.decode(listing.page_bytes(9), type=TableList)
    assert [seat.online for seat in page.tables[1].seats] == [True, True, False]


def test_any_order_of_changes_comes_to_the_same_list() -> None:
    rng = random.Random(7)
    listing = Listing()
    kept: dict[str, TableRow] = {}
    for _ in range(2000):
        id = f"t{rng.randrange(40)}"
        if rng.random() < 0.3:
            kept.pop(id, None)
            listing.drop(id)
        else:
            kept[id] = row(id, rng.choice(("waiting", "playing")), rng.randrange(20))
            listing.put(kept[id], is_attended=True)
        expected = sorted(
            kept.values(), key=lambda row: (row.status != "waiting", -row.made_at, row.id)
        )
        assert listing.page(100) == [row.line for row in expected]


def test_five_thousand_tables_are_listed_within_two_milliseconds() -> None:
    listing = Listing()
    rows = [row(f"t{number}", made_at=number) for number in range(5000)]
    listing.fill(rows)
    assert len(listing) == 5000
    quickest = 1.0
    for number in range(20):
        started = time.perf_counter()
        listing.put(rows[number * 200])
        listing.page_bytes()
        quickest = min(quickest, time.perf_counter() - started)
    assert quickest < 0.002
