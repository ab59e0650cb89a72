"""Hashes, draws and links, against the vectors and against a plain reading of the page."""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
from typing import Any

import pytest

from quarterdeck.contract import BadProof
from quarterdeck.engine.hashing import canon, hashed
from quarterdeck.engine.roster import deal_code

from . import write_vectors
from .write_vectors import FILE

VECTORS: dict[str, Any] = json.loads(FILE.read_text("utf-8"))


def lp(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def plainly(tag: str, *parts: bytes) -> bytes:
    """H as the page has it, written once more."""
    return hashlib.sha256(lp(b"quarterdeck/2/" + tag.encode()) + b"".join(map(lp, parts))).digest()


def written(value: Any) -> bytes:
    """The canonical form as the page has it, written once more."""
    if value is None or isinstance(value, bool):
        return {None: b"n", True: b"t", False: b"f"}[value]
    if isinstance(value, int | float):
        return b"d" + struct.pack(">d", value + 0.0)
    if isinstance(value, str):
        return b"s" + lp(value.encode())
    if isinstance(value, list):
        return b"[" + struct.pack(">I", len(value)) + b"".join(map(written, value))
    keys = sorted(value, key=lambda key: key.encode())
    inner = b"".join(written(key) + written(value[key]) for key in keys)
    return b"{" + struct.pack(">I", len(keys)) + inner


def test_the_vectors_are_what_this_version_computes() -> None:
    assert FILE.read_text("utf-8") == write_vectors.text(), (
        "a hash has changed: python -m tests.engine.write_vectors, if that is meant"
    )


def test_canonical_forms() -> None:
    for one in VECTORS["canon"]:
        assert canon(one["value"]).hex() == one["canon"] == written(one["value"]).hex()
    assert canon({"a": 1, "b": 2}) == canon({"b": 2.0, "a": 1.0})
    assert len({one["canon"] for one in VECTORS["canon"]}) == len(VECTORS["canon"]) - 1  # -0 is 0


@pytest.mark.parametrize(
    "value", [2**53 + 1, -(2**53) - 1, float("nan"), float("inf"), "\ud800", {1: 2}, b"x", {1, 2}],
    ids=repr,
)  # fmt: skip
def test_what_has_no_canonical_form(value: Any) -> None:
    with pytest.raises(BadProof):
        canon([value])


def test_hashes() -> None:
    for one in VECTORS["hashed"]:
        parts = [bytes.fromhex(part) for part in one["parts"]]
        assert hashed(one["tag"], *parts) == plainly(one["tag"], *parts)
        assert hashed(one["tag"], *parts).hex() == one["hash"]
    for one in VECTORS["seat"]:
        table, attempt = one["table"].encode(), struct.pack(">I", one["attempt"])
        data = bytes.fromhex(one["bytes"])
        assert plainly("seat", table, attempt, bytes([one["seat"]]), data).hex() == one["hash"]
    one = VECTORS["server"]
    number = struct.pack(">I", one["attempt"])
    secret = bytes.fromhex(one["secret"])
    assert plainly("server", one["table"].encode(), number, secret).hex() == one["hash"]
    for one in VECTORS["name"]:
        salt = bytes.fromhex(one["salt"])
        assert plainly("name", salt, one["name"].encode()).hex() == one["hash"]
    for one in VECTORS["with"]:
        assert plainly("with", written(one["with"])).hex() == one["hash"]
    one = VECTORS["roster"]
    assert plainly("roster", written(one["roster"])).hex() == one["hash"]


def test_draws() -> None:
    for one in VECTORS["draws"]:
        message = lp(b"quarterdeck/2/draw") + bytes.fromhex(one["roster"])
        message += bytes([len(one["reveals"])])
        message += b"".join(bytes([seat]) + bytes.fromhex(data) for seat, data in one["reveals"])
        message += struct.pack(">Q", one["n"])
        digest = hmac.new(bytes.fromhex(one["secret"]), message, hashlib.sha256)
        assert digest.hexdigest()[:32] == one["seed"]


def test_links() -> None:
    told = VECTORS["chain"]
    secret, roster = bytes.fromhex(told["secret"]), bytes.fromhex(told["roster"])
    link = roster
    for one in told["links"]:
        message = lp(b"quarterdeck/2/blind") + roster + struct.pack(">Q", one["n"])
        blind = hmac.new(secret, message, hashlib.sha256).digest()
        link = plainly("link", link, plainly("entry", blind, written(one["item"])))
        assert link.hex() == one["link"]


def test_codes() -> None:
    told = VECTORS["codes"]
    parts = [bytes([seat]) + bytes.fromhex(data) for seat, data in told["reveals"]]
    bits = int.from_bytes(plainly("code", bytes.fromhex(told["roster"]), *parts)[:5], "big")
    letters = ""
    for _ in range(8):
        bits, low = divmod(bits, 32)
        letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[low] + letters
    assert told["deal"] == f"{letters[:4]}-{letters[4:]}"
    assert told["empty"] == deal_code(bytes.fromhex(told["roster"]), [])
    assert told["log"].replace(" ", "") == told["link"][:32]


def test_rolling_hashes() -> None:
    rolled = bytes(32)
    for one in VECTORS["seen"]:
        rolled = plainly("seen", rolled, struct.pack(">Q", one["n"]), bytes.fromhex(one["link"]))
        assert rolled.hex() == one["hash"]
    rolled = bytes(32)
    for one in VECTORS["shown"]:
        rolled = plainly("shown", rolled, struct.pack(">Q", one["ply"]), written(one["value"]))
        assert rolled.hex() == one["hash"]
