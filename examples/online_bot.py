#!/usr/bin/env python3
"""A bot that takes an open seat of a table online and plays there. Needs `pip install websockets`.

python3 examples/online_bot.py http://127.0.0.1:8000 TABLE "My bot"
"""

import json
import random
import sys
import urllib.request

from websockets.sync.client import connect

url, table, name = sys.argv[1:]


def choose(view):
    """One of `view["legal"]`; `view["view"]` is all the seat may see."""
    return random.choice(view["legal"])


def join():
    body = json.dumps({"name": name, "kind": "program"}).encode()
    with urllib.request.urlopen(f"{url}/api/tables/{table}/join", body) as answer:
        return json.load(answer)["keys"][0]  # the seat, and the token that is its key


key = join()
with connect(url.replace("http", "ws", 1) + "/ws") as socket:
    socket.send(json.dumps({"type": "attach", "id": 0, "table": table, "tokens": [key["token"]]}))
    for number, text in enumerate(socket, start=1):
        told = json.loads(text)
        if told["type"] == "view" and told["legal"]:
            act = {"type": "act", "id": number, "seat": key["seat"]}
            socket.send(json.dumps({**act, "decision": told["decision"], "do": choose(told)}))
        elif told["type"] == "table" and told["status"] == "over":
            break
