"""What can go wrong at a table, beyond the game's own rules. Each has a stable code."""

from __future__ import annotations

from typing import ClassVar

from quarterdeck.contract import QuarterdeckError


class ServerError(QuarterdeckError):
    """An error with an HTTP status of its own."""

    status: ClassVar[int] = 400


class BadMessage(ServerError):
    """A message that cannot be read."""

    code = "bad-message"


class NoSuchTable(ServerError):
    """A table that is not there."""

    code = "no-such-table"
    status = 404


class NotAttached(ServerError):
    """A request about a table by somebody who is not at it."""

    code = "not-attached"


class NotYourSeat(ServerError):
    """A request about a seat whose token was not shown."""

    code = "not-your-seat"
    status = 403


class NotHost(ServerError):
    """Something only the host may do."""

    code = "not-host"
    status = 403


class NoSeat(ServerError):
    """No open seat, or not that one."""

    code = "no-seat"
    status = 409


class WrongTime(ServerError):
    """Something that cannot be done now: before the start, during the game, after its end."""

    code = "wrong-time"
    status = 409


class NoHints(ServerError):
    """A hint at a table that has none."""

    code = "no-hints"
    status = 403


class PastDecision(ServerError):
    """An answer to a decision that is no longer open."""

    code = "past-decision"
    status = 409


class PastBound(ServerError):
    """More than the server does or holds for somebody. `bound` is the one of `limits.BOUNDS`."""

    bound: str

    def __init__(self, message: str, bound: str) -> None:
        super().__init__(message)
        self.bound = bound


class TooMany(PastBound):
    """More than the server allows: messages, tables, connections."""

    code = "too-many"
    status = 429


class TooManyWorlds(PastBound):
    """No more games with live worlds on this node."""

    code = "too-many-worlds"
    status = 503

    def __init__(self, message: str) -> None:
        super().__init__(message, "worlds")


class TooLarge(PastBound):
    """A message larger than the server reads."""

    code = "too-large"
    status = 413


class HeadersTooLarge(TooLarge):
    """A request with more headers than the server reads."""

    status = 431


class TooSlow(PastBound):
    """A request that did not come within its time."""

    code = "too-slow"
    status = 408


class NoLength(BadMessage):
    """A body that does not say how long it is."""

    status = 411


class NoSocket(BadMessage):
    """A path that is only spoken to over a WebSocket."""

    status = 426


class WrongOrigin(ServerError):
    """A request from another site's page."""

    code = "wrong-origin"
    status = 403


class AnotherKit(ServerError):
    """A table whose game was begun with other components than this server has."""

    code = "another-kit"
    status = 409


class Conflict(ServerError):
    """Somebody else has written to the same table in between; nothing was written."""

    code = "conflict"
    status = 409


class DamagedJournal(ServerError):
    """A table whose journal cannot be read: an entry is missing, or is not what was written."""

    code = "damaged-journal"
    status = 500


class NotReady(ServerError):
    """A game that cannot be made ready here."""

    code = "not-ready"
    status = 503


class NotStored(ServerError):
    """The storage failed, for example because the disk is full; nothing was written."""

    code = "not-stored"
    status = 503


class Broken(ServerError):
    """Something failed that should not; it is logged, and nothing was changed."""

    code = "broken"
    status = 500


class OldProtocol(ServerError):
    """A client that speaks another version of the protocol; loading the page again helps."""

    code = "reload"
    status = 426
