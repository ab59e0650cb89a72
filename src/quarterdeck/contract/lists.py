"""Small compiled functions over the lists of records, shared by the games."""

from __future__ import annotations

from typing import Any

from .compiling import compiled
from .records import Array, Int8


@compiled
def copy_list(target: Array[Any], source: Array[Any]) -> None:
    """Copies a list of a record. (A loop compiles in a tenth of the time of `target[:] = `.)"""
    for i in range(len(source)):
        target[i] = source[i]


@compiled
def insert_sorted(items: Array[Int8], count: int, item: int) -> None:
    """Puts an item in its place among the first `count` of a list, which are sorted."""
    place = count
    while place > 0 and items[place - 1] > item:
        items[place] = items[place - 1]
        place -= 1
    items[place] = item
