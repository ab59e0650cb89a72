"""Bytes that everybody computes alike: JSON in one canonical form, and hashes with a purpose.

`docs/fairness.md` has the same in words, `tests/engine/fairness_vectors.json` in examples, which
the browser's tests read too.
"""

from __future__ import annotations

import hashlib
import struct
from math import isfinite
from typing import Any

from quarterdeck.contract import BadProof

LABEL = b"quarterdeck/2/"
LARGEST = 2**53  # of the whole numbers that a double holds, one and all

_CONSTANTS = {None: b"n", True: b"t", False: b"f"}
_number = struct.Struct(">cd").pack
_count = struct.Struct(">cI").pack
_length = struct.Struct(">I").pack


def prefixed(data: bytes) -> bytes:
    """The bytes with their length before them: four bytes, big-endian.

    >>> prefixed(b"ahoy")
    b'\\x00\\x00\\x00\\x04ahoy'
    """
    return _length(len(data)) + data


def hashed(tag: str, *parts: bytes) -> bytes:
    """SHA-256 of some parts, none of which can be taken for another, for one purpose only.

    >>> hashed("seen", b"a", b"b") == hashed("seen", b"ab")
    False
    """
    data = [prefixed(LABEL + tag.encode())]
    data += [prefixed(part) for part in parts]
    return hashlib.sha256(b"".join(data)).digest()


def canon(value: Any) -> bytes:
    """A JSON value as bytes, the same wherever it is computed. Raises `BadProof` for no such value.

    Every number is a double, as in a browser; the keys of an object, texts like others, are in the
    order of their UTF-8 bytes.

    >>> canon({"b": [1, None], "a": "é"}) == canon({"a": "é", "b": [1.0, None]})
    True
    """
    parts: list[bytes] = []
    try:
        _write(value, parts)
    except RecursionError as error:
        raise BadProof("what is to be hashed is nested too deeply") from error
    return b"".join(parts)


def _write(value: Any, parts: list[bytes]) -> None:
    if isinstance(value, str):
        parts.append(_text(value))
    elif value is None or value is True or value is False:
        parts.append(_CONSTANTS[value])
    elif isinstance(value, int):
        if not -LARGEST <= value <= LARGEST:
            raise BadProof("a number is too large to be hashed")
        parts.append(_number(b"d", value))
    elif isinstance(value, float):
        if not isfinite(value):
            raise BadProof(f"{value} is no number that could be hashed")
        parts.append(_number(b"d", value or 0.0))  # -0 is 0
    elif isinstance(value, list | tuple):
        parts.append(_count(b"[", len(value)))
        for item in value:
            _write(item, parts)
    elif isinstance(value, dict) and all(isinstance(key, str) for key in value):
        parts.append(_count(b"{", len(value)))
        for key in sorted(value, key=str.encode):
            parts.append(_text(key))
            _write(value[key], parts)
    else:
        raise BadProof(f"a {type(value).__name__} is no JSON")


def _text(text: str) -> bytes:
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise BadProof("a text holds half a character") from error
    return _count(b"s", len(data)) + data
