"""Ids and tokens that follow from a request's key, so that a request sent again gets the same.

A key is 16 random bytes of the client's, in hex. Whoever has it has what follows from it, so it is
kept nowhere. The journal has hashes of tokens: by these a request that comes again is known.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_ID_LENGTH = 14  # 69 bits: nobody guesses the way to a table
_TOKEN_BYTES = 24


def new_key() -> str:
    """A key for a request that came without."""
    return secrets.token_hex(16)


def table_id(key: str) -> str:
    """The id of the table that the request with this key makes."""
    return _as_id(_derived(key, "table"))


def maker_token(key: str, table: str, seat: int) -> str:
    """The token of a seat of whoever made the table."""
    return _as_token(_derived(key, f"maker {table} {seat}"))


def guest_token(key: str, table: str) -> str:
    """The token of the seat that a guest took with this key."""
    return _as_token(_derived(key, f"guest {table}"))


def rematch_id(table: str, token_hashes: Iterable[str]) -> str:
    """The id of a table's rematch: there is one, and only who sat at the table could guess it."""
    told = f"quarterdeck rematch {table} {' '.join(token_hashes)}"
    return _as_id(hashlib.sha256(told.encode()).digest())


def hash_token(token: str) -> str:
    """What is kept of a token: enough to know it again, not to say it."""
    return hashlib.sha256(b"quarterdeck seat " + token.encode()).hexdigest()


def is_same(one: str, other: str) -> bool:
    """Whether two hashes are the same, in a time that tells nothing of either."""
    return hmac.compare_digest(one, other)


def _derived(key: str, what: str) -> bytes:
    return hmac.digest(bytes.fromhex(key), f"quarterdeck {what}".encode(), "sha256")


def _as_id(data: bytes) -> str:
    number, letters = int.from_bytes(data, "big"), []
    for _ in range(_ID_LENGTH):
        number, letter = divmod(number, len(_ID_LETTERS))
        letters.append(_ID_LETTERS[letter])
    return "".join(letters)


def _as_token(data: bytes) -> str:
    return base64.urlsafe_b64encode(data[:_TOKEN_BYTES]).decode()
