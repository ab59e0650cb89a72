"""How a game begins so that nobody has to trust the dealer (`docs/fairness.md`).

Seats bind random bytes; a roster fixes all that is to be fixed; only then the bytes are revealed.
The game begins with all of them or not at all: an attempt with one missing is void and counted, and
the next goes on without the seats that were missing. This is the state between, a fold like the
table it belongs to.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from quarterdeck.engine.roster import (
    Chain,
    Fact,
    Roster,
    RosterChance,
    RosterProof,
    Void,
    roster_hash,
    seat_hash,
)


def new_secret() -> str:
    """A secret nobody can guess, in hex."""
    return secrets.token_hex(32)


def new_salt() -> str:
    """What keeps a name from being guessed by its hash, in hex."""
    return secrets.token_hex(16)


class Beginning:
    """The attempts of a table to begin: the present one, and what came to nothing before it."""

    def __init__(self, table: str, secret: str) -> None:
        self.table = table
        self.attempt = 0
        self.secret = bytes.fromhex(secret)
        self.bound: dict[int, str] = {}  # by seat, the hash of its bytes in this attempt
        self.revealed: dict[int, str] = {}
        self.roster: Roster | None = None  # once it is fixed
        self.hash = b""  # of the roster
        self.salts: tuple[str | None, ...] = ()
        self.voids: list[Void] = []
        self.silent: set[int] = set()  # the seats that contribute no more

    # The fold --------------------------------------------------------------------------------

    def bind(self, seat: int, hash: str) -> None:
        """A seat has bound bytes."""
        self.bound[seat] = hash

    def forget(self, seat: int) -> None:
        """Somebody else is to sit there, or nobody."""
        self.bound.pop(seat, None)

    def fix(self, roster: Roster, salts: Sequence[str]) -> None:
        """Nothing of the roster changes from now on."""
        self.roster, self.hash, self.salts = roster, roster_hash(roster), tuple(salts)

    def reveal(self, seat: int, data: str) -> None:
        """A seat has shown its bytes."""
        self.revealed[seat] = data

    def give_up(self, missing: Sequence[int], secret: str) -> None:
        """The attempt is void; the next has a secret of its own, and fresh bytes."""
        self.voids.append(Void(self.attempt, self.hash.hex(), tuple(missing)))
        self.silent.update(missing)
        self.attempt += 1
        self.secret = bytes.fromhex(secret)
        self.bound, self.revealed = {}, {}
        self.roster, self.hash, self.salts = None, b"", ()

    # What is the case ------------------------------------------------------------------------

    def binds(self, seat: int, data: str) -> bool:
        """Whether these are the bytes that a seat has bound."""
        expected = seat_hash(self.table, self.attempt, seat, bytes.fromhex(data))
        return self.roster is not None and self.roster.seats[seat].bound == expected

    @property
    def missing(self) -> list[int]:
        """The seats of the roster that have not revealed."""
        due = [] if self.roster is None else self.roster.contributors
        return [seat for seat in due if seat not in self.revealed]

    @property
    def reveals(self) -> tuple[tuple[int, str], ...]:
        """What was revealed, in the order of the seats."""
        return tuple(sorted(self.revealed.items()))

    def chance(self) -> RosterChance:
        """Where the draws come from, once everything is revealed."""
        parts = [(seat, bytes.fromhex(data)) for seat, data in self.reveals]
        return RosterChance(self.secret, self.hash, parts)

    def chain(self) -> Chain:
        """The chain of the game before its first item."""
        return Chain(self.secret, self.hash)

    def proof(self, facts: Sequence[Fact], chain: Chain) -> RosterProof:
        """What is published after the end."""
        assert self.roster is not None, "a game that began without a roster has no such proof"
        return RosterProof(
            self.roster,
            self.salts,
            self.secret.hex(),
            self.reveals,
            tuple(facts),
            chain.n,
            chain.link.hex(),
        )
