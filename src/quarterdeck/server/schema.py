"""The protocol for readers and for TypeScript, made from `protocol.py`: `make protocol`.

So are the TypeScript types of what each game shows, from the structs that its folder declares.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import msgspec

from quarterdeck.contract import Game
from quarterdeck.engine.draws import BundledDraws
from quarterdeck.engine.receipt import Receipt
from quarterdeck.engine.record import GameRecord
from quarterdeck.games import games
from quarterdeck.messages import Catalogue

from . import protocol
from .protocol import (
    ClientMessage,
    GameInfo,
    JoinTable,
    NewTable,
    Refused,
    Seated,
    ServerMessage,
    TableList,
)

_HTTP = (GameInfo, NewTable, JoinTable, Seated, TableList, GameRecord, Refused)
_KEPT = (Receipt, BundledDraws)  # never sent: what the page keeps, and what comes with it
_REF = "#/$defs/"


def schema() -> dict[str, Any]:
    """The JSON Schema of every message, under `$defs`, and which go which way."""
    kinds = [ClientMessage, ServerMessage, *_HTTP, *_KEPT]
    (client, server, *_), parts = msgspec.json.schema_components(
        kinds, ref_template=_REF + "{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": parts | {"ClientMessage": client, "ServerMessage": server},
    }


def typescript() -> str:
    """Every message of the protocol as TypeScript types."""
    blocks = [
        "// Made from src/quarterdeck/server/protocol.py by `make protocol`. Do not edit.",
        f"export const PROTOCOL = {protocol.PROTOCOL};",
        f"export const LONGEST_NAME = {protocol.LONGEST_NAME};",
        f"export const LONGEST_CHAT = {protocol.LONGEST_CHAT};",
    ]
    blocks += [_declaration(name, part) for name, part in schema()["$defs"].items()]
    return "\n\n".join(blocks) + "\n"


def game_typescript(game: Game) -> str:
    """What a game shows as TypeScript types: its view as the client puts it together, each part of
    it, and the keys of its events."""
    shown = [game.positions.Position, *_declared(game.outlook)]
    own = [game.view.Own, *_declared(game.own_outlook)]
    _, parts = msgspec.json.schema_components([*shown, *own], ref_template=_REF + "{name}")
    public = {key: value for kind in shown for key, value in _keys(parts, kind).items()}
    for kind in own:
        for key, value in _keys(parts, kind).items():
            if not _options(value) <= _options(public.get(key, {})):
                raise TypeError(f"{game.name}: {key!r} is another for a seat than for everybody")
    keys = [
        json.dumps(key.removeprefix("event."))
        for key in Catalogue("en", game.folder).entries
        if key.startswith("event.")
    ]
    source = f"src/quarterdeck/games/{game.folder.name}"
    return "\n\n".join(
        [
            f"// Made from what {source}/ declares by `make protocol`. Do not edit.",
            *(_declaration(name, part) for name, part in parts.items()),
            _VIEW.format(", ".join(kind.__name__ for kind in shown)),
            "/** The keys of what happens. */\nexport type EventKey =\n  | "
            + "\n  | ".join(keys)
            + ";\n",
        ]
    )


_VIEW = """\
/**
 * What somebody sees, in one level: what everybody is shown, and in the place of some of its keys
 * a seat's own.
 */
export interface View extends {} {{
  to_act: number[] | "nature";
  scores: number[];
  winners: number[];
}}"""


def _declared(function: Callable[..., Any] | None) -> list[type[msgspec.Struct]]:
    """The struct that a function returns, of a game that has such a function."""
    if function is None:
        return []
    kind = get_type_hints(function)["return"]
    return [option for option in get_args(kind) or (kind,) if option is not NoneType]


def _keys(parts: dict[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    properties: dict[str, Any] = parts[kind.__name__]["properties"]
    return properties


def _options(part: dict[str, Any]) -> set[str]:
    return {_type(option) for option in part.get("anyOf", [part])}


def _declaration(name: str, part: dict[str, Any]) -> str:
    comment = _comment(part.get("description", ""))
    if part.get("type") != "object" or "properties" not in part:
        return f"{comment}export type {name} = {_type(part)};"
    required = set(part.get("required", ()))
    lines = [
        f"  {_key(key)}{'' if key in required else '?'}: {_type(value)};"
        for key, value in part["properties"].items()
    ]
    body = "\n".join(["{", *lines, "}"]) if lines else "{}"
    return f"{comment}export interface {name} {body}"


def _key(key: str) -> str:
    return key if key.isidentifier() else json.dumps(key)


def _comment(description: str) -> str:
    if not description:
        return ""
    body = "\n".join(f" * {line}".rstrip() for line in inspect.cleandoc(description).splitlines())
    return f"/**\n{body}\n */\n"


def _type(part: dict[str, Any]) -> str:
    if "$ref" in part:
        return str(part["$ref"]).removeprefix(_REF)
    if "anyOf" in part:
        return " | ".join(_type(option) for option in part["anyOf"])
    if "enum" in part:
        return " | ".join(json.dumps(value) for value in part["enum"])
    if "const" in part:
        return json.dumps(part["const"])
    kind = part.get("type")
    if kind == "array" and "prefixItems" in part:
        return f"[{', '.join(_type(item) for item in part['prefixItems'])}]"
    if kind == "array":
        inner = _type(part["items"]) if part.get("items") else "unknown"
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if kind == "object":
        value = part.get("additionalProperties")
        return f"Record<string, {_type(value) if isinstance(value, dict) and value else 'unknown'}>"
    simple = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean"}
    return simple.get(str(kind), "null" if kind == "null" else "unknown")


def markdown() -> str:
    """The page for readers: what the module says, every message, and the whole schema."""
    head = inspect.cleandoc(protocol.__doc__ or "")
    parts = schema()["$defs"]
    lines = ["# The protocol", "", "Made from `src/quarterdeck/server/protocol.py`.", "", head, ""]
    lines += [_HTTP_PAGE, ""]
    for title, union in (
        ("From the client, over the WebSocket at `/ws`", "ClientMessage"),
        ("From the server, over the WebSocket", "ServerMessage"),
    ):
        lines += [f"## {title}", ""]
        for option in parts[union]["anyOf"]:
            name = _type(option)
            lines += _section(name, parts[name])
    told = {_type(option) for union in ("ClientMessage", "ServerMessage")
            for option in parts[union]["anyOf"]}  # fmt: skip
    lines += ["## Parts, and bodies over HTTP", ""]
    for name, part in parts.items():
        if name not in told and not name.endswith("Message"):
            lines += _section(name, part)
    lines += ["## JSON Schema", "", "```json", json.dumps(schema(), indent=1), "```", ""]
    return "\n".join(lines)


_HTTP_PAGE = """\
## HTTP

| request | body | answer |
|---|---|---|
| `GET /api/games` | | a list of `GameInfo` |
| `GET /api/games/{game}/kit` | | the game's components, as in its `kit.toml` |
| `GET /api/tables` | | `TableList` |
| `POST /api/tables` | `NewTable` | `Seated` |
| `POST /api/tables/{table}/join` | `JoinTable` | `Seated` |
| `GET /api/tables/{table}/record` | | the `GameRecord` of a finished game, with its proof |
| `GET /api/tables/{table}/proof` | | the same, for the page that checks it, at a rate of its own |
| `GET /healthz`, `GET /metrics` | | for whoever keeps the server |

What is refused is answered with `Refused` and a status of 4xx or 5xx. A WebSocket is closed with
1009 after a message too large, 1008 after too many, and 1012 when the server restarts."""


def _section(name: str, part: dict[str, Any]) -> list[str]:
    tag = part.get("properties", {}).get("type", {}).get("enum", [None])[0]
    title = f"### `{tag}` ({name})" if tag else f"### {name}"
    lines = [title, "", inspect.cleandoc(part.get("description", "")), ""]
    required = set(part.get("required", ()))
    for key, value in part.get("properties", {}).items():
        if key != "type":
            optional = "" if key in required else f" (unsaid: `{json.dumps(value.get('default'))}`)"
            lines.append(f"- `{key}`: `{_type(value)}`{optional}")
    return [*lines, ""]


def main() -> None:
    """Writes page and TypeScript types into the repository given, or that of this source."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[3]
    (root / "docs" / "protocol.md").write_text(markdown(), "utf-8")
    target = root / "web" / "src" / "protocol.ts"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(typescript(), "utf-8")
    for game in games():
        types = root / types_path(game)
        types.parent.mkdir(parents=True, exist_ok=True)
        types.write_text(game_typescript(game), "utf-8")


def types_path(game: Game) -> str:
    """Where the types of a game lie in the repository."""
    return f"web/src/games/{game.folder.name}/types.ts"


if __name__ == "__main__":
    main()
