"""The errors of every layer: a stable code, a sentence, and where there is one the rule.

What an error quotes it quotes as an `excerpt`: however long, deep or strange it is, the sentence
stays short and can be said.
"""

from __future__ import annotations

import reprlib
from typing import Any, ClassVar

LONGEST_MESSAGE = 400
LONGEST_EXCERPT = 100

_SHORT = reprlib.Repr()
_SHORT.maxlevel = 4
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = 60
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 8


def excerpt(value: object) -> str:
    """A value as Python writes it, cut short where it is long.

    >>> excerpt([1, 1])
    '[1, 1]'
    >>> len(excerpt("a" * 1000))
    60
    """
    try:
        said = _SHORT.repr(value)
    except ValueError:  # a whole number so large that Python does not write it
        said = "a number of too many digits"
    return shortened(said, LONGEST_EXCERPT)


def shortened(text: str, most: int) -> str:
    """A text of so many characters at most; from a longer one the middle is missing.

    >>> shortened("Blackbeard", 7), shortened("Anne", 7)
    ('Bl...rd', 'Anne')
    """
    if len(text) <= most:
        return text
    begin = (most - 3 + 1) // 2
    return f"{text[:begin]}...{text[len(text) - (most - 3 - begin) :]}"


class QuarterdeckError(Exception):
    """What every error of ours is: a stable code, a sentence, and where there is one the rule."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, rule: str | None = None, at: int | None = None) -> None:
        message = shortened(message, LONGEST_MESSAGE)
        super().__init__(message)
        self.message = message
        self.rule = rule
        self.at = at

    def as_json(self) -> dict[str, Any]:
        """The error as it is printed and sent."""
        answer: dict[str, Any] = {"error": self.code}
        if self.at is not None:
            answer["at"] = self.at
        if self.rule is not None:
            answer["rule"] = self.rule
        answer["message"] = self.message
        return answer


class BadNotation(QuarterdeckError):
    """A text that is no action at all."""

    code = "bad-notation"


class IllegalAction(QuarterdeckError):
    """An action the rules refuse; `rule` says which."""

    code = "illegal-action"


class NotYourTurn(IllegalAction):
    """An action by somebody who is not to act now."""

    code = "not-your-turn"


class NoSuchSeat(QuarterdeckError):
    """A seat that the game does not have."""

    code = "no-such-seat"


class BadPosition(QuarterdeckError):
    """A position that cannot occur."""

    code = "bad-position"


class BadRecord(QuarterdeckError):
    """A record that cannot be read."""

    code = "bad-record"


class BadOption(QuarterdeckError):
    """An option the game does not have, or a value it does not take."""

    code = "bad-option"


class UnknownGame(QuarterdeckError):
    """A name that no game has."""

    code = "unknown-game"


class BadGesture(QuarterdeckError):
    """A gesture no hand can make in the world it was meant for."""

    code = "bad-gesture"


class MissingWorld(QuarterdeckError):
    """A live world that nothing loaded can simulate."""

    code = "missing-world"


class BadProof(QuarterdeckError):
    """A draw that does not follow from the published secret."""

    code = "bad-proof"
