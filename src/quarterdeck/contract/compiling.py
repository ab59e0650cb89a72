"""Compiled functions: their signatures, and what of them is kept on disk.

A compiled function is taken by its annotations: it is compiled once, for the types these name, and
whatever calls it converts its arguments. Numba alone would compile it anew for every small integer,
constant and nested list that somebody hands over.

What was compiled is kept in `COMPILE_CACHE`, under the *fingerprint* of the function: a hash of its
code, of the constants it reads and of every compiled function it calls, however far down. An edit
that changes none of these (a comment, a line above, another game) compiles nothing; an edited
callee compiles all its callers, which Numba by itself would forget. Equal code in two checkouts is
compiled once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
import time
import typing
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

import llvmlite.binding
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from .records import Record, numba_type

F = TypeVar("F", bound=Callable[..., Any])

_KEPT_DAYS = 60


def _choose_folder() -> Path:
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "quarterdeck" / "compiled"


COMPILE_CACHE = _choose_folder()
"""Where compiled functions are kept: `NUMBA_CACHE_DIR`, or the user's cache."""


def is_compiled() -> bool:
    """Whether rules run compiled; with `NUMBA_DISABLE_JIT=1` they are ordinary Python."""
    return not numba.config.DISABLE_JIT  # type: ignore[attr-defined]


def compiled(function: F) -> F:
    """The function, compiled when first called, cached on disk, run without the GIL.

    With `NUMBA_DISABLE_JIT=1` it stays ordinary Python, for a debugger.
    """
    return _dispatcher(function)


def inlined(function: F) -> F:
    """The function, compiled into its callers: for what every move goes through and few call.

    A call costs little, but what is known at its place is forgotten beyond it. Where there are
    many callers, or a large function, the compiler takes minutes.
    """
    return _dispatcher(function, forceinline=True)


def unkept(function: F) -> F:
    """The function, compiled anew in every process: for what may change under its name."""
    return _dispatcher(function, on_disk=False)


def is_kept(function: Any) -> bool:
    """Whether a compiled function lies in the cache already, so that it is only loaded."""
    return isinstance(function, _Dispatcher) and function.is_on_disk()


def make_ready(function: Any, *, wait: bool = True) -> None:
    """Compiles a compiled function now, or loads it from the cache.

    Of several processes that ask for the same one compiles it. The others wait for that one; or,
    where they are not to `wait`, leave it alone.
    """
    if not isinstance(function, _Dispatcher):
        return
    with contextlib.ExitStack() as stack:
        if function.is_kept and not function.is_on_disk():
            with contextlib.suppress(OSError, ImportError):  # no locks here: each for itself
                import fcntl

                _make_folder()
                path = COMPILE_CACHE / f"{fingerprint(function)}.lock"
                lock = stack.enter_context(path.open("w"))
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
                except BlockingIOError:
                    return
        function.settle()


def _dispatcher(function: F, *, on_disk: bool = True, **options: Any) -> F:
    if not is_compiled():
        return function
    options |= {"nopython": True, "nogil": True, "boundscheck": None}
    dispatcher: Any = _Dispatcher(function, targetoptions=options)
    dispatcher.is_kept = on_disk
    return dispatcher  # type: ignore[no-any-return]  # to callers it is the function it was


class _Dispatcher(CPUDispatcher):
    """A compiled function that is compiled for the types of its annotations, and for no others.

    One whose annotations leave something open (`Array[Any]`) is compiled for whatever it is given.
    """

    is_kept = True
    _is_begun = False
    _is_settled = False

    def settle(self) -> None:
        """Compiles the function, or loads it from the cache.

        Not before it is first needed: its fingerprint depends on functions that may stand below it.
        """
        with global_compiler_lock:  # whoever else calls it meanwhile waits
            if self._is_begun:
                return
            self._is_begun = True
            try:
                if self.is_kept:
                    with contextlib.suppress(OSError):  # without a writable disk nothing is kept
                        self._cache = _Cache(self.py_func)  # type: ignore[no-untyped-call]
                types = signature(self.py_func)
                if types is not None:
                    self.compile(types)
                    self.disable_compile()
            finally:
                self._is_settled = True

    def is_on_disk(self) -> bool:
        """Whether the function was compiled before, here or by another process."""
        if not self.is_kept:
            return False
        try:
            return Path(_Cache(self.py_func)._cache_file._index_path).exists()  # type: ignore[no-untyped-call]
        except OSError:
            return False

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What Numba asks for when other compiled code calls the function."""
        self.settle()
        return super().get_call_template(args, kws)

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """What Numba calls when Python calls the function and no compiled version fits."""
        if self._is_settled:
            return super()._compile_for_args(*args, **kws)  # type: ignore[misc]
        self.settle()
        return self


def signature(function: Callable[..., Any]) -> tuple[Any, ...] | None:
    """The types compiled code takes for a function's arguments; None if these are left open."""
    hints = typing.get_type_hints(function, include_extras=True)
    code = function.__code__
    try:
        return tuple(numba_type(hints[name]) for name in code.co_varnames[: code.co_argcount])
    except TypeError:
        return None


# What a function depends on ------------------------------------------------------------------


def fingerprint(function: Any) -> str:
    """A hash of all that the machine code of a function depends on.

    It is the same after an edit that changes comments, docstrings or places only.
    """
    return _fingerprint(getattr(function, "py_func", function))


@cache
def _fingerprint(function: FunctionType) -> str:
    # what is kept on disk imports the module it was compiled for: equal code elsewhere is another
    named = [function.__module__, function.__name__]
    parts = [_machine(), *named, repr(signature(function)), *_code(function.__code__)]
    # names of attributes stand beside those of globals: `rules.apply` is there as both
    names = set(_names(function.__code__))
    for name in sorted(names & function.__globals__.keys()):
        value = function.__globals__[name]
        is_itself = getattr(value, "py_func", None) is function
        parts.append(f"{name}={'itself' if is_itself else _describe(value, names)}")
    for cell in function.__closure__ or ():
        parts.append(_describe(cell.cell_contents, names))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def _code(code: CodeType) -> list[str]:
    """What a function does, without the places and words of its source."""
    parts = [code.co_code.hex(), repr(code.co_names), repr(code.co_varnames)]
    docstring = code.co_consts[0] if code.co_consts else None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            parts += _code(constant)
        elif not (isinstance(constant, str) and constant is docstring):
            parts.append(repr(constant))
    return parts


def _names(code: CodeType) -> list[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [*code.co_names, *(name for part in inner for name in _names(part))]


def _describe(value: Any, names: set[str]) -> str:
    """A global as compiled code sees it. Of one of our modules only what is used."""
    if isinstance(value, CPUDispatcher):
        return _fingerprint(value.py_func)
    if isinstance(value, ModuleType):
        if not value.__name__.startswith(f"{__package__.split('.')[0]}."):
            return value.__name__
        used = sorted(name for name in names if name in vars(value))
        return ",".join(f"{name}={_describe(vars(value)[name], names)}" for name in used)
    if isinstance(value, type):
        return (
            f"{value.__qualname__} {value.dtype.descr}"
            if issubclass(value, Record)
            else repr(value)
        )
    if isinstance(value, FunctionType):
        return f"{value.__module__}.{value.__qualname__} {_code(value.__code__)}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, np.dtype):
        return repr(value.descr)
    return repr(value)


@cache
def _machine() -> str:
    """The compiler and the processor it compiles for."""
    cpu = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()  # type: ignore[attr-defined]
    return f"{numba.__version__} {sys.version} {cpu} {numba.config.CPU_FEATURES}"  # type: ignore[attr-defined]


# Where it is kept ----------------------------------------------------------------------------


class _Locator(_CacheLocator):
    """Tells Numba where a function is kept, and that its name says all of its state."""

    def __init__(self, function: FunctionType) -> None:
        self._fingerprint = fingerprint(function)

    def get_cache_path(self) -> str:
        return str(COMPILE_CACHE)

    def get_source_stamp(self) -> str:
        return self._fingerprint

    def get_disambiguator(self) -> str:
        return self._fingerprint

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> _Locator:
        """Raises `OSError` where nothing can be written."""
        _make_folder()
        return cls(py_func)


class _Kept(CompileResultCacheImpl):
    _locator_classes = (_Locator,)  # type: ignore[assignment]  # numba: an untyped list


class _Cache(FunctionCache):
    _impl_class = _Kept


@cache
def _make_folder() -> None:
    """Makes the folder of the cache, and drops what is old: it may be of another version.

    A folder that somebody named is theirs to tidy: it may be part of an image.
    """
    COMPILE_CACHE.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=COMPILE_CACHE).close()
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    oldest = time.time() - _KEPT_DAYS * 24 * 3600
    for path in COMPILE_CACHE.iterdir():
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
