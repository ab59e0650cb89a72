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


class TooMany(ServerError):
    """More than the server allows: messages, tables, connections."""

    code = "too-many"
    status = 429


class TooManyWorlds(ServerError):
    """No more games with live worlds on this node."""

    code = "too-many-worlds"
    status = 503


class TooLarge(ServerError):
    """A message larger than the server reads."""

    code = "too-large"
    status = 413


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
