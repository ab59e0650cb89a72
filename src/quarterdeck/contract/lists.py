"""Small compiled functions over the lists of records, shared by the games."""

from __future__ import annotations

from typing import Any

from .compiling import compiled
from .records import Array


@compiled
def copy_list(target: Array[Any], source: Array[Any]) -> None:
    """Copies a list of a record. (A loop compiles in a tenth of the time of `target[:] = `.)"""
    for i in range(len(source)):
        target[i] = source[i]
