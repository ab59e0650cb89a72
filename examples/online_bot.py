#!/usr/bin/env python3
"""A bot that takes an open seat of a table online and plays there. Needs `pip install websockets`.

python3 examples/online_bot.py http://127.0.0.1:8000 TABLE "My bot"
"""

import json
import random
import secrets
import sys
import urllib.request
from typing import Any

from websockets.sync.client import connect

url, table, name = sys.argv[1:]


def choose(view: dict[str, Any], legal: list[str]) -> str:
    return random.choice(legal)  # the view is all the seat may see


def gestures(world: dict[str, Any]) -> list[dict[str, object]]:
    """What the hand does in a live world: it lowers Riff Raff's piece, moves Gezanke's slowly."""
    if "piece" in world:
        spot = {"along": 0.5, "across": 0.5, "yaw": 0, "side": 0}
        return [{"steady": spot}, {"lower": True}]
    return [{"path": [[0, *world["from"]], [1500, *world["to"]]]}, {"let_go": True}]


body = json.dumps({"name": name, "kind": "program"}).encode()
with urllib.request.urlopen(f"{url}/api/tables/{table}/join", body) as answer:
    key = json.load(answer)["keys"][0]  # the seat, and the token that is its key
with connect(url.replace("http", "ws", 1) + "/ws") as socket:

    def send(kind: str, **keys: object) -> None:
        socket.send(json.dumps({"type": kind, "id": 0, **keys}))

    send("attach", table=table, tokens=[key["token"]], protocol=3)
    for text in socket:
        told: dict[str, Any] = {"type": "frame"} if isinstance(text, bytes) else json.loads(text)
        if told["type"] == "view" and (legal := told["own"][0].get("legal")):
            view = told["shown"]["view"] | told["own"][0]["view"]
            answers = {"seat": key["seat"], "decision": told["shown"]["decision"]}
            send("act", **answers, do=choose(view, legal), key=secrets.token_hex(16))
        elif told["type"] == "world" and told["seat"] == key["seat"]:
            for do in gestures(told["world"]):
                send("gesture", seat=key["seat"], decision=told["decision"], seen=0, do=do)
        elif told["type"] == "table" and told["status"] == "over":
            break
