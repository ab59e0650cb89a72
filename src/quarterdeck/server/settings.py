"""What can be set about a server: in a file, in the environment, on the command line.

The command line goes before the environment, that before the file, and that before the defaults.
What is unknown or cannot be is refused at the start. The tables of `docs/hosting.md` are made from
this module (`make protocol`); a test fails when they are stale.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from quarterdeck.contract import BadOption

from .addresses import read_network
from .limits import KINDS, Limits

DATABASE: Final = "quarterdeck.sqlite3"
SETTINGS_FILE: Final = "quarterdeck.toml"
ENVIRONMENT: Final = "QUARTERDECK_"
_LIMITS: Final = "LIMITS_"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be set."""

    host: str = "127.0.0.1"
    """The address to listen on. `0.0.0.0`: all of this machine's, with IPv6 `::`."""
    port: Annotated[int, Meta(ge=0, lt=65_536)] = 8000
    """The port to listen on. 0: any that is free."""
    data: Path = Path("data")
    """The folder that everything is kept in."""
    database: str | None = None
    """The database, as `sqlite:PATH`. Unsaid: a file in the data folder."""
    public_url: str | None = None
    """The address others use, such as the one of a proxy. Unsaid: the one it listens on."""
    trusted_proxies: tuple[str, ...] = ()
    """Proxies in front of it, addresses or networks such as `10.0.0.0/8`. From them, and from
    nobody else, `X-Forwarded-For` and `X-Forwarded-Proto` are believed."""
    kits: Path | None = None
    """A folder with kits of one's own. Unsaid: every game has the kit it comes with."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """What is logged: `debug`, `info`, `warning` or `error`, and all that is worse."""
    open_browser: bool = False
    """Whether a browser is opened, where there is one."""
    unlimited: bool = False
    """No limits on counts and rates, for load tests; those that are set hold."""
    limits: Limits = Limits()
    """The bounds, in a table of their own."""

    @property
    def database_path(self) -> Path:
        """The SQLite file."""
        if self.database is None:
            return self.data / DATABASE
        return Path(self.database.removeprefix("sqlite:").removeprefix("//"))


TYPES: Final[dict[str, Any]] = get_type_hints(Settings, include_extras=True)

FLAGS: Final = {
    **{name: "--" + name.replace("_", "-") for name in TYPES},
    "trusted_proxies": "--trusted-proxy",
    "open_browser": "--open",
    "limits": "--limit",
}
"""How each setting is called on the command line."""


# Reading -----------------------------------------------------------------------------------------


def check_url(word: str) -> str:
    """An address of a server and nothing more: the client is served from its root."""
    try:
        parts = urlsplit(word)
        is_fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_fine = False
    if not is_fine or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(f"such as https://games.example.org, not {word!r}")
    return word.rstrip("/")


def _check_database(word: str) -> str:
    if not word.startswith("sqlite:"):
        raise ValueError(f"a database is sqlite:PATH, not {word!r}")
    return word


def _check_proxies(words: tuple[str, ...]) -> tuple[str, ...]:
    for word in words:
        read_network(word)
    return words


_CHECKS: Final[dict[str, Callable[[Any], Any]]] = {
    "public_url": check_url,
    "database": _check_database,
    "trusted_proxies": _check_proxies,
}


def _read_path(kind: Any, value: Any) -> Any:
    if kind is Path and isinstance(value, str) and value:
        return Path(value)
    raise ValueError("a path is expected")


def _value(where: str, kind: Any, name: str, value: Any, *, is_text: bool) -> Any:
    """A value of a setting, from a file or from a text. Raises `BadOption`."""
    try:
        if is_text and name == "trusted_proxies" and isinstance(value, str):
            value = value.replace(",", " ").split()
        read = msgspec.convert(value, kind, strict=not is_text, dec_hook=_read_path)
        return _CHECKS[name](read) if name in _CHECKS else read
    except msgspec.ValidationError as error:
        expected = str(error).partition(",")[0].replace("Expected", "expected")
        raise BadOption(f"{where}: {expected}, not {value!r}") from error
    except ValueError as error:
        raise BadOption(f"{where}: {error}") from error


def _layer(where: str, told: Mapping[str, Any], *, is_text: bool) -> dict[str, Any]:
    """The settings that one source tells; `limits` only those limits that it tells."""
    layer: dict[str, Any] = {}
    for name, value in told.items():
        if name not in TYPES:
            raise BadOption(f"{where}: there is no setting {name!r}")
        if name != "limits":
            layer[name] = _value(f"{where}: {name}", TYPES[name], name, value, is_text=is_text)
            continue
        if not isinstance(value, Mapping):
            raise BadOption(f"{where}: limits is a table")
        for limit in value:
            if limit not in KINDS:
                raise BadOption(f"{where}: there is no limit {limit!r}")
        layer["limits"] = {
            limit: _value(f"{where}: {limit}", KINDS[limit], limit, number, is_text=is_text)
            for limit, number in value.items()
        }
    return layer


def _environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """What the environment tells. An empty variable tells nothing."""
    told: dict[str, Any] = {"limits": {}}
    for variable, value in environment.items():
        name = variable.removeprefix(ENVIRONMENT)
        if name == variable or not value:
            continue
        if name.startswith(_LIMITS):
            told["limits"][name.removeprefix(_LIMITS).lower()] = value
        elif name.lower() in TYPES:  # others are not the server's
            told[name.lower()] = value
    return told


def _file(path: Path) -> dict[str, Any]:
    """What a settings file tells. Raises `BadOption`."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadOption(f"cannot read {str(path)!r}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadOption(f"{path}: {error}") from error


def read_settings(
    flags: Mapping[str, Any], environment: Mapping[str, str], path: Path | None = None
) -> Settings:
    """The settings of a server. Raises `BadOption`.

    `path` is the settings file; unsaid, it is the one that the environment names, or
    `quarterdeck.toml` in the data folder if it is there.
    """
    said = _layer("on the command line", flags, is_text=True)
    around = _layer("in the environment", _environment(environment), is_text=True)
    named = path or (Path(environment[f"{ENVIRONMENT}SETTINGS"]) if _names(environment) else None)
    if named is None:
        data: Path = said.get("data", around.get("data", Settings().data))
        named = data / SETTINGS_FILE if (data / SETTINGS_FILE).exists() else None
        told = _file(named) if named else {}
        if "data" in told:
            raise BadOption(f"{named}: data: it lies in the data folder, and cannot say which")
    else:
        told = _file(named)
    layers = [_layer(str(named), told, is_text=False), around, said]
    merged = {name: value for layer in layers for name, value in layer.items()}
    limits = {name: value for layer in layers for name, value in layer.get("limits", {}).items()}
    make = Limits.unlimited if merged.get("unlimited") else Limits
    return Settings(**merged | {"limits": make(**limits)})


def _names(environment: Mapping[str, str]) -> bool:
    return bool(environment.get(f"{ENVIRONMENT}SETTINGS"))


# Telling -----------------------------------------------------------------------------------------


def told_of(struct: type[Struct]) -> dict[str, str]:
    """What the source says of each field of a struct, below it."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(struct))).body
    assert isinstance(body, ast.ClassDef)
    told = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                told[field.target.id] = " ".join(str(below.value.value).split())
    return told


def _default(value: object) -> str:
    if value is None or value == ():
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def page() -> str:
    """The tables of all settings, as Markdown."""
    settings, limits = told_of(Settings), told_of(Limits)
    lines = ["| in the file | on the command line | unsaid | |", "|---|---|---|---|"]
    for name in TYPES:
        if name != "limits":
            unsaid = _default(getattr(Settings(), name))
            shown = f"`{unsaid}`" if unsaid else ""
            lines.append(f"| `{name}` | `{FLAGS[name]}` | {shown} | {settings[name]} |")
    lines += ["", "The table `[limits]`:", "", "| limit | unsaid | |", "|---|---|---|"]
    for name in KINDS:
        lines.append(f"| `{name}` | `{_default(getattr(Limits(), name))}` | {limits[name]} |")
    return "\n".join(lines)


MARKS: Final = "<!-- settings -->", "<!-- end of settings -->"


def with_tables(text: str) -> str:
    """A document with the tables of today between its marks."""
    begin, end = map(re.escape, MARKS)
    parts = re.split(f"(?<={begin})\n.*(?={end})", text, flags=re.S)
    if len(parts) != 2:
        raise ValueError(f"no place between {MARKS[0]} and {MARKS[1]}")
    return f"{parts[0]}\n\n{page()}\n\n{parts[1]}"


if __name__ == "__main__":
    document = Path(sys.argv[1]) / "docs" / "hosting.md"
    document.write_text(with_tables(document.read_text("utf-8")), "utf-8")
