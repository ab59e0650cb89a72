"""What is said to people, in four languages: one catalogue for the terminal and the browser.

A catalogue is a flat JSON object of keys and sentences. The shared one lies in
`quarterdeck/text/LANG.json`, a game's own in its folder under `text/LANG.json`. In a sentence

- `{points}` is a value as it is,
- `{seat:seat}` is the name of the player on that seat, a list of seats is all their names,
- `{card:card}` is what the catalogue says under `card.` and the value (`card.king`); where that key
  is missing and the value ends in digits, the key with `#` for the digits (`card.k#`, with the
  digits as `{n}`),
- `{tricks:count.trick}` with the keys `count.trick.one` and `count.trick.other` is the one that
  fits the number, which is `{n}` in it.

The browser renders the same catalogues by the same rules (`web/src/messages.ts`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "de", "fr", "it")

_PLACEHOLDER = re.compile(r"\{(\w+)(?::([\w.-]+))?\}")


@cache
def _read(folder: Path, lang: str) -> dict[str, str]:
    entries: dict[str, str] = json.loads((folder / "text" / f"{lang}.json").read_text("utf-8"))
    return entries


class Catalogue:
    """The sentences of one language: the shared ones, and those of a game's folder.

    >>> Catalogue("en").say("languages.de")
    'Deutsch'
    """

    def __init__(self, lang: str, game_folder: Path | None = None) -> None:
        self.lang = lang
        self.entries = dict(_read(Path(__file__).parent, lang))
        if game_folder is not None:
            self.entries |= _read(game_folder, lang)

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def say(
        self, key: str, values: Mapping[str, Any] | None = None, names: Sequence[str] = ()
    ) -> str:
        """The sentence under a key with its values in place. A missing key raises `KeyError`."""
        return self._fill(self.entries[key], values or {}, names)

    def sentence(
        self, key: str, values: Mapping[str, Any] | None = None, names: Sequence[str] = ()
    ) -> str:
        """The sentence under a key with its values in place, beginning with a capital letter."""
        said = self.say(key, values, names)
        return said[:1].upper() + said[1:]

    def _fill(self, template: str, values: Mapping[str, Any], names: Sequence[str]) -> str:
        def place(match: re.Match[str]) -> str:
            value, kind = values[match[1]], match[2]
            parts = value if isinstance(value, list) else [value]
            return ", ".join(self._one(part, kind, values, names) for part in parts)

        return _PLACEHOLDER.sub(place, template)

    def _one(
        self, value: Any, kind: str | None, values: Mapping[str, Any], names: Sequence[str]
    ) -> str:
        if kind is None:
            return str(value)
        if kind == "seat":
            return names[int(value)]
        if f"{kind}.other" in self.entries:
            is_one = abs(value) < 2 if self.lang == "fr" else abs(value) == 1
            form = self.entries[f"{kind}.one" if is_one else f"{kind}.other"]
            return self._fill(form, {**values, "n": value}, names)
        key = f"{kind}.{value}"
        if key not in self.entries:
            digits = re.search(r"\d+$", key)
            if digits:
                form = self.entries[key[: digits.start()] + "#"]
                return self._fill(form, {**values, "n": digits[0]}, names)
        return self._fill(self.entries[key], values, names)
