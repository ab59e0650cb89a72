"""Writes `fairness_vectors.json`: `python -m tests.engine.write_vectors`.

Every hash of `docs/fairness.md` with what goes into it, for the tests of the Python half and of the
browser's alike. A value that changes means that nobody can check the games of yesterday any more.
"""

from __future__ import annotations

import hmac
import json
from pathlib import Path
from typing import Any

from quarterdeck import find_game
from quarterdeck.contract import below
from quarterdeck.engine.hashing import LABEL, canon, hashed, prefixed
from quarterdeck.engine.receipt import NOTHING, roll_link, roll_view, view_bytes
from quarterdeck.engine.roster import (
    Chain,
    RosterChance,
    attached_hash,
    deal_code,
    kit_digest,
    log_code,
    name_hash,
    seat_hash,
    server_hash,
)

from .fair_play import START, Browser, Dealer, begin, bytes_of, plain, play, show

FILE = Path(__file__).with_name("fairness_vectors.json")
VALUES: list[Any] = [
    None, True, False, 0, -0.0, 1, -1, 0.1, 1e21, 2**53, -(2**53), 5e-324, 1763460000000,
    "", "ahoy", "é", "\U0001f3f4\u200d\u2620\ufe0f", "a\u0000b", [], [1, [2, "3"]], {},
    {"b": 1, "a": [None]}, {"é": 1, "z": 2, "\uffff": 3, "\U0001f3f4": 4}, {"": {"": []}},
]  # fmt: skip


def vectors() -> dict[str, Any]:
    """All of them."""
    dealer = Dealer(find_game("skull-king"), {"players": 2}, seed="vectors")
    anne, bart, watcher = Browser("parrot7", [0], "a"), Browser("parrot7", [1], "b"), Browser(
        "parrot7", [], "w"
    )  # fmt: skip
    everybody = [anne, bart, watcher]
    begin(dealer, everybody)
    play(dealer, everybody, 9)
    dealer.happen("stood-in 1")
    show(dealer, everybody)
    dealer.happen("returned 1")
    show(dealer, everybody)
    dealer.happen("resigned 1")
    show(dealer, [anne, watcher])
    record = dealer.record(resigned=1)
    parts = [(seat, bytes.fromhex(data)) for seat, data in dealer.reveals]
    secret, roster = dealer.secret, dealer.hash
    return {
        "canon": [{"value": value, "canon": canon(value).hex()} for value in VALUES],
        "hashed": [
            {"tag": tag, "parts": [part.hex() for part in given], "hash": hashed(tag, *given).hex()}
            for tag, given in (("seat", []), ("seen", [b""]), ("link", [b"ab", b"c"]),
                               ("link", [b"a", b"bc"]))
        ],
        "seat": [_seat("parrot7", 0, 0, bytes_of(1)), _seat("parrot7", 1, 0, bytes_of(1)),
                  _seat("parrot8", 0, 15, bytes_of(2))],
        "server": {"table": "parrot7", "attempt": 3, "secret": bytes_of(3).hex(),
                   "hash": server_hash("parrot7", 3, bytes_of(3))},
        "name": [{"salt": bytes_of(4, size=16).hex(), "name": name,
                  "hash": name_hash(bytes_of(4, size=16), name)} for name in ("Anne", "Ööö", "")],
        "with": [{"with": value, "hash": attached_hash(value)}
                 for value in ({}, {"poses": {"rat": [0.5, -1.25, 3]}, "motion": [[1, 2.5]]})],
        "kits": {id: kit_digest(find_game(id)) for id in ("skull-king", "gezanke")},
        "roster": {"roster": plain(dealer.roster), "hash": roster.hex()},
        "draws": [_draw(secret, roster, parts, n) for n in (0, 1, 255, 2**33)]
        + [_draw(secret, roster, [], 0)],
        "chain": _chain(secret, roster),
        "codes": {"roster": roster.hex(), "reveals": [[s, d] for s, d in dealer.reveals],
                  "deal": deal_code(roster, parts), "empty": deal_code(roster, []),
                  "link": dealer.chain.link.hex(), "log": log_code(dealer.chain.link)},
        "seen": _seen(),
        "shown": _shown(dealer),
        "record": plain(record),
        "receipts": {"0": plain(anne.receipt), "1": plain(bart.receipt),
                     "watching": plain(watcher.receipt)},
    }  # fmt: skip


def _seat(table: str, attempt: int, seat: int, data: bytes) -> dict[str, Any]:
    told = {"table": table, "attempt": attempt, "seat": seat, "bytes": data.hex()}
    return told | {"hash": seat_hash(table, attempt, seat, data)}


def _draw(secret: bytes, roster: bytes, parts: list[tuple[int, bytes]], n: int) -> dict[str, Any]:
    message = prefixed(LABEL + b"draw") + roster + bytes([len(parts)])
    message += b"".join(bytes([seat]) + data for seat, data in parts) + n.to_bytes(8, "big")
    rng = RosterChance(secret, roster, parts).rng(n)
    return {
        "secret": secret.hex(),
        "roster": roster.hex(),
        "reveals": [[seat, data.hex()] for seat, data in parts],
        "n": n,
        "seed": hmac.digest(secret, message, "sha256")[:16].hex(),
        "below": [below(rng, size) for size in (2, 6, 66, 1000, 3)],
    }


def _chain(secret: bytes, roster: bytes) -> dict[str, Any]:
    items: list[tuple[int | str, str, int | None, str | None, str | None]] = [
        ("nature", "start 1", START, None, None),
        (0, "play k7", START + 1, None, None),
        (1, "bid 3", START + 2, "bot", None),
        (15, "Ö", None, "timeout", None),
        ("nature", "settle", START + 3, None, bytes_of("with").hex()),
        ("table", "resigned 2", START + 4, None, None),
    ]
    chain = Chain(secret, roster)
    links = []
    for item in items:
        chain.add(*item)
        links.append({"item": list(item), "n": chain.n, "link": chain.link.hex()})
    return {"secret": secret.hex(), "roster": roster.hex(), "links": links}


def _seen() -> list[dict[str, Any]]:
    rolled, told = NOTHING, []
    for n in (2, 3, 7, 2**32):
        link = bytes_of("link", n)
        rolled = roll_link(rolled, n, link)
        told.append({"n": n, "link": link.hex(), "hash": rolled.hex()})
    return told


def _shown(dealer: Dealer) -> list[dict[str, Any]]:
    rolled, told = NOTHING, []
    for seats in ([], [0], [0, 1]):
        match = dealer.match
        shown, owns, ply = match.shown(), [match.own(seat) for seat in seats], len(match.log)
        rolled = roll_view(rolled, ply, view_bytes(shown, owns))
        value = {"shown": plain(shown), "own": [plain(own) for own in owns]}
        told.append({"ply": ply, "value": value, "hash": rolled.hex()})
    return told


def text() -> str:
    """The file."""
    return json.dumps(vectors(), indent=1, ensure_ascii=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
