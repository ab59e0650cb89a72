#!/usr/bin/env python3
"""A bot for any game: it takes any of its legal actions. Standard library only.

quarterdeck arena skull-king --bot "exec:python3 examples/bot.py" --bot bosun
"""

import json
import random
import sys
from typing import Any


def choose(turn: dict[str, Any]) -> str:
    """One of `turn["legal"]`; `turn["view"]` is all the seat may see, `turn["events"]` what
    happened since the last turn."""
    legal: list[str] = turn["legal"]
    return random.choice(legal)


def answer(message: dict[str, object]) -> None:
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":  # told["game"], told["options"], told["seat"]
        answer({"ready": True})
    elif told["type"] == "turn":
        answer({"do": choose(told)})
    elif told["type"] == "over":  # told["scores"], told["winners"]
        break
