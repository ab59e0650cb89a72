"""The protocol: its page and its TypeScript types are fresh, every message survives the wire."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from quarterdeck.games import games
from quarterdeck.server import errors, journal, protocol, schema
from quarterdeck.server.errors import BadMessage
from quarterdeck.server.protocol import ClientMessage, ServerMessage

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("file", "make"),
    [
        ("docs/protocol.md", schema.markdown),
        ("web/src/protocol.ts", schema.typescript),
        *((schema.types_path(game), partial(schema.game_typescript, game)) for game in games()),
    ],
)
def test_what_is_made_from_the_protocol_is_fresh(file: str, make: Callable[[], str]) -> None:
    assert (ROOT / file).read_text("utf-8") == make(), f"{file} is stale: make protocol"


# Values of every type --------------------------------------------------------------------------


def values_of(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Any value a type of the wire may have."""
    match kind:
        case inspect.IntType():
            return st.integers(
                kind.ge if kind.ge is not None else -(2**53),
                kind.le if kind.le is not None else 2**53,
            )
        case inspect.StrType():
            if kind.pattern is not None:
                return st.from_regex(kind.pattern, fullmatch=True)
            return st.text(min_size=kind.min_length or 0, max_size=kind.max_length or 12)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.UnionType():
            return st.one_of([values_of(option) for option in kind.types])
        case inspect.VarTupleType():
            items = values_of(kind.item_type)
            low, high = kind.min_length or 0, min(kind.max_length or 3, 3)
            return st.lists(items, min_size=low, max_size=max(low, high)).map(tuple)
        case inspect.TupleType():
            return st.tuples(*(values_of(item) for item in kind.item_types))
        case inspect.ListType():
            return st.lists(values_of(kind.item_type), max_size=3)
        case inspect.DictType():
            return st.dictionaries(values_of(kind.key_type), values_of(kind.value_type), max_size=3)
        case inspect.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case inspect.AnyType():
            return st.one_of(st.integers(-99, 99), st.text(max_size=5), st.booleans(), st.none())
        case inspect.StructType():
            fields = {field.name: values_of(field.type) for field in kind.fields}
            return st.builds(kind.cls, **fields)
    raise AssertionError(f"{kind} is not used on the wire")


def structs_of(module: Any) -> list[type[msgspec.Struct]]:
    """The structs a module defines, those that only others inherit from left out."""
    return [
        value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, msgspec.Struct)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]


STRUCTS = structs_of(protocol) + structs_of(journal)


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_struct_survives_the_wire(struct: type[msgspec.Struct], data: st.DataObject) -> None:
    value = data.draw(values_of(inspect.type_info(struct)))
    wire = protocol.encode(value)
    assert msgspec.json.decode(wire, type=struct) == value
    for union in (ClientMessage, ServerMessage, journal.JournalEntry):
        if struct in union.__args__:
            assert msgspec.json.decode(wire, type=union) == value


def test_every_struct_is_used() -> None:
    """Each is a message, an entry, a body over HTTP, or a part of one."""
    bodies = schema._HTTP
    used: set[type] = set()

    def visit(kind: inspect.Type) -> None:
        match kind:
            case inspect.StructType():
                used.add(kind.cls)
                for field in kind.fields:
                    visit(field.type)
            case inspect.UnionType():
                for option in kind.types:
                    visit(option)
            case inspect.VarTupleType():
                visit(kind.item_type)

    for top in (ClientMessage, ServerMessage, journal.JournalEntry, *bodies):
        visit(inspect.type_info(top))
    assert set(STRUCTS) <= used


# Reading ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"type":"ping"}',
        b'{"type":"ping","id":-1}',
        b'{"type":"ping","id":"1"}',
        b'{"type":"ping","id":1.5}',
        b'{"type":"ping","id":true}',
        b'{"type":"ping","id":9007199254740992}',
        b'{"type":"ping","id":1,"more":0}',
        b'{"type":"pong","id":1}',
        b'{"type":7,"id":1}',
        b'{"type":"ok","id":1}',
        b'{"type":"act","id":1,"seat":16,"decision":0,"do":"bid 0"}',
        b'{"type":"act","id":1,"seat":0,"decision":0,"do":""}',
        b'{"type":"act","id":1,"seat":0,"decision":"0","do":"bid 0"}',
        b'{"type":"attach","id":1,"table":"../../etc"}',
        b'{"type":"attach","id":1,"table":"aaaaaaaa","tokens":["short"]}',
        b'{"type":"attach","id":1,"table":"aaaaaaaa","tokens":"x"}',
        b'{"type":"chat","id":1,"text":""}',
        b'{"type":"commit","id":1,"seat":0,"hash":"xyz"}',
        b'{"type":"reveal","id":1,"seat":0,"bytes":"abc"}',
        b'{"type":"ping","id":1} {"type":"ping","id":1}',
        b'{"type":"ping","id":1',
        b'\xff\xfe',
        b'{"type":"chat","id":1,"text":"\xff"}',
        b"[" * 16_000,
        b'{"a":' * 3_000,
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(BadMessage):
        protocol.read_request(data)


@settings(max_examples=300, deadline=None)
@given(data=st.binary(max_size=200))
def test_bytes_are_a_message_or_refused(data: bytes) -> None:
    try:
        message = protocol.read_request(data)
    except BadMessage:
        return
    assert isinstance(message, ClientMessage)


def test_error_codes_are_told_apart() -> None:
    kinds = [
        value
        for value in vars(errors).values()
        if isinstance(value, type)
        and issubclass(value, errors.ServerError)
        and "code" in vars(value)
    ]
    codes = [kind.code for kind in kinds]
    assert len(set(codes)) == len(codes)
    assert all(400 <= kind.status < 600 for kind in kinds)
