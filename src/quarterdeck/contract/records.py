"""Records: what states, actions, kits and memories are made of, and the types that describe them.

A record is declared as a class with annotated fields; its numpy type follows from these, and so do
the signatures under which compiled functions take it:

    >>> class Hand(Record):
    ...     seat: Int8
    ...     cards: Array[Int8] = shape(3)
    ...     pad: Grid[Int16] = shape(2, 3)
    >>> hand = record(Hand)
    >>> hand.cards[1] = 7
    >>> hand.cards, Hand.dtype.itemsize
    (array([0, 7, 0], dtype=int8), 16)

To the type checker a field is what its annotation says, so a misspelt or mistyped one is found
without running anything. At run time a record is a row of a numpy array, in compiled code a record
of Numba's.
"""

from __future__ import annotations

import inspect
import math
import struct
import typing
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Annotated, Any, Protocol, TypeAlias, TypeVar, overload

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import lower_cast, typeof_impl

Int8: TypeAlias = Annotated[int, np.int8]
Int16: TypeAlias = Annotated[int, np.int16]
Int32: TypeAlias = Annotated[int, np.int32]
Int64: TypeAlias = Annotated[int, np.int64]
UInt8: TypeAlias = Annotated[int, np.uint8]
Float32: TypeAlias = Annotated[float, np.float32]
Float64: TypeAlias = Annotated[float, np.float64]
Bool: TypeAlias = Annotated[bool, np.bool_]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class _Cells(Protocol[T_co]):
    """What lists and grids of a record have in common, as far as we use it."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[T_co]: ...
    def tobytes(self) -> bytes: ...
    def tolist(self) -> list[Any]: ...
    def any(self) -> Any: ...
    def sum(self) -> Any: ...
    def __array__(self) -> npt.NDArray[Any]: ...


class Array(_Cells[T], Protocol[T]):
    """A list of numbers: a field of a record, or any one-dimensional array of its kind."""

    @overload
    def __getitem__(self, place: int, /) -> T: ...
    @overload
    def __getitem__(self, places: slice, /) -> Array[T]: ...
    def __getitem__(self, place: Any, /) -> Any: ...
    def __setitem__(self, place: Any, value: T | Sequence[T] | Array[T], /) -> None: ...
    def copy(self) -> Array[T]: ...


class Grid(_Cells[Array[T]], Protocol[T]):
    """A list of lists of numbers: a two-dimensional array."""

    @overload
    def __getitem__(self, place: int, /) -> Array[T]: ...
    @overload
    def __getitem__(self, place: tuple[int, int], /) -> T: ...
    @overload
    def __getitem__(self, places: slice, /) -> Grid[T]: ...
    @overload
    def __getitem__(self, places: tuple[slice, int], /) -> Array[T]: ...
    @overload
    def __getitem__(self, places: tuple[slice, slice], /) -> Grid[T]: ...
    def __getitem__(self, place: Any, /) -> Any: ...
    def __setitem__(self, place: Any, value: Any, /) -> None: ...
    def copy(self) -> Grid[T]: ...


class Cube(_Cells[Grid[T]], Protocol[T]):
    """A list of grids: a three-dimensional array."""

    @overload
    def __getitem__(self, place: int, /) -> Grid[T]: ...
    @overload
    def __getitem__(self, place: tuple[int, int], /) -> Array[T]: ...
    @overload
    def __getitem__(self, place: tuple[int, int, int], /) -> T: ...
    def __getitem__(self, place: Any, /) -> Any: ...
    def __setitem__(self, place: Any, value: Any, /) -> None: ...
    def copy(self) -> Cube[T]: ...


_DIMENSIONS = {Array: 1, Grid: 2, Cube: 3}

Numbers: TypeAlias = Array[Int16]
"""A buffer that `legal` fills with action numbers."""


def shape(*lengths: int) -> Any:
    """Says how many places a list, grid or cube of a record has."""
    return lengths


class _RecordType(type):
    """The class of record classes: compiled code knows a record class by it."""

    dtype: np.dtype[Any]

    def __new__(cls, name: str, bases: Any, names: dict[str, Any], **options: Any) -> Any:
        # without a `__dict__` a misspelt field cannot be written to, interpreted either
        return super().__new__(cls, name, bases, {"__slots__": (), **names}, **options)


if typing.TYPE_CHECKING:

    class _Void:
        """As much of `np.void` as the type checker shall allow: fields go by their names."""

        def tobytes(self) -> bytes: ...

else:
    _Void = np.void


class Record(_Void, metaclass=_RecordType):
    """A record whose fields go by their names. A subclass declares them by annotations.

    `dtype` is its numpy type. Numpy's own `record` does the same, but looks at every attribute in
    Python first.
    """

    def __init_subclass__(cls, align: bool = False) -> None:
        fields: list[tuple[Any, ...]] = []
        hints = typing.get_type_hints(cls, include_extras=True)
        for name in inspect.get_annotations(cls):
            kind, dimensions = field_type(hints[name])
            # not what `np.void` has under the same name
            lengths = vars(cls).get(name, ())
            if len(lengths) != dimensions:
                raise TypeError(f"{cls.__name__}.{name} needs shape(...) with {dimensions} lengths")
            fields.append((name, kind, lengths) if dimensions else (name, kind))
            setattr(cls, name, property(itemgetter(name), _setter(name)))
        cls.dtype = np.dtype((cls, np.dtype(fields, align=align)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _record_of_bytes, (type(self), self.tobytes())


def field_type(annotation: Any) -> tuple[Any, int]:
    """The numpy type an annotation stands for, and in how many dimensions.

    >>> field_type(Grid[Int8])
    (<class 'numpy.int8'>, 2)
    """
    dimensions = _DIMENSIONS.get(typing.get_origin(annotation), 0)
    scalar = typing.get_args(annotation)[0] if dimensions else annotation
    kind = getattr(scalar, "__metadata__", (None,))[0]
    if not (isinstance(kind, type) and issubclass(kind, np.generic)):
        raise TypeError(f"{annotation} is no type of a record's field: Int8, Array[Int8], ...")
    return kind, dimensions


def _setter(name: str) -> Callable[[Any, Any], None]:
    def put(row: Any, value: Any) -> None:
        row[name] = value

    return put


R = TypeVar("R", bound=Record)


class Rows(Protocol[R]):
    """An array of records. A single record is handed to compiled code as an array of one."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[R]: ...
    @overload
    def __getitem__(self, place: int, /) -> R: ...
    @overload
    def __getitem__(self, places: slice, /) -> Rows[R]: ...
    def __getitem__(self, place: Any, /) -> Any: ...
    def __setitem__(self, place: Any, value: R | Rows[R], /) -> None: ...
    def tobytes(self) -> bytes: ...
    def copy(self) -> Rows[R]: ...


def record(kind: type[R]) -> R:
    """One zeroed record."""
    return records(kind, 1)[0]


def records(kind: type[R], count: int) -> Rows[R]:
    """So many zeroed records, in Python and in compiled code alike."""
    # a buffer of zeros is made in a third of the time of `np.zeros`
    return _rows(kind, bytearray(count * kind.dtype.itemsize))


def records_of(kind: type[R], data: bytes) -> Rows[R]:
    """The records these bytes are, in an array of their own."""
    return _rows(kind, bytearray(data))


def record_of(kind: type[R], data: bytes) -> R:
    """The record these bytes are, read-only."""
    return _rows(kind, data)[0]


def copy_record(row: R) -> R:
    """A copy that shares no memory with the original."""
    return boxed(row)[0]


def boxed(row: R) -> Rows[R]:
    """A copy of a record in an array of one.

    Compiled code takes such an array from Python ten times as fast as a record alone.
    """
    return _rows(type(row), bytearray(row.tobytes()))


def _rows(kind: type[R], data: bytes | bytearray) -> Rows[R]:
    rows: Any = np.frombuffer(data, kind.dtype)
    return rows  # type: ignore[no-any-return]  # an array is what `Rows` describes


def _record_of_bytes(kind: type[R], data: bytes) -> R:
    return records_of(kind, data)[0]


def reader(kind: type[Record]) -> Callable[[Record], tuple[Any, ...]]:
    """A function that reads all fields of a record at once, much faster than one after the other.

    A list comes as a tuple, a list of lists as one tuple of all.

    >>> class Hand(Record):
    ...     seat: Int8
    ...     cards: Grid[Int8] = shape(2, 2)
    >>> reader(Hand)(record(Hand))
    (0, (0, 0, 0, 0))
    """
    letters, at = "<", 0
    places: list[int | slice] = []
    for name in kind.dtype.names or ():
        field = kind.dtype[name]
        count = math.prod(field.shape)
        letters += f"{count}{field.base.char}"
        places.append(slice(at, at + count) if field.shape else at)
        at += count
    unpack, pick = struct.Struct(letters).unpack, itemgetter(*places)
    return lambda row: pick(unpack(row.tobytes()))


# Records in compiled code --------------------------------------------------------------------


def numba_type(annotation: Any) -> Any:
    """The type compiled code gives to what is annotated so: a record, an array, a number.

    >>> numba_type(Array[Int8]), numba_type(int), numba_type(None)
    (Array(int8, 1, 'C', False, aligned=True), int64, none)
    """
    if annotation is None or annotation is type(None):
        return types.none
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if isinstance(annotation, _RecordType):
        return numba.from_dtype(annotation.dtype)
    if typing.get_origin(annotation) is Rows:
        return numba.from_dtype(typing.get_args(annotation)[0].dtype)[::1]
    if typing.get_origin(annotation) is tuple:
        return types.Tuple(  # type: ignore[no-untyped-call]
            [numba_type(part) for part in typing.get_args(annotation)]
        )
    kind, dimensions = field_type(annotation)
    scalar = numba.from_dtype(np.dtype(kind))
    return types.Array(scalar, dimensions, "C") if dimensions else _widest(scalar)


_PLAIN = {int: types.int64, float: types.float64, bool: types.boolean}


def _widest(scalar: Any) -> Any:
    """Numbers that are passed alone are all of one size; in records and arrays they are small."""
    return types.int64 if isinstance(scalar, types.Integer) else scalar


@typeof_impl.register(_RecordType)
def _type_of_record_class(kind: Any, _: Any) -> Any:
    return types.DType(numba.from_dtype(kind.dtype))


@numba.extending.overload(records)
def _compiled_records(kind, count):  # type: ignore[no-untyped-def] # numba compares signatures
    return lambda kind, count: np.zeros(count, kind)


@lower_cast(types.NestedArray, types.Array)  # type: ignore[no-untyped-call, untyped-decorator]
def _list_of_record_as_array(
    context: Any, builder: Any, source: Any, target: Any, value: Any
) -> Any:
    """A list of a record is an array that lies within it: both have the same form in memory."""
    return value
