"""Where chance comes from, and how anybody can check it afterwards.

Before the first draw the server publishes the SHA-256 of its secret, and each contributor the
SHA-256 of some random bytes of its own; then the bytes are revealed. The generator of draw number
`n` starts from the first 16 bytes of

    HMAC-SHA256(secret, "quarterdeck-1" + count + length and bytes of each contribution + n)

with count and lengths as one byte each and `n` as eight bytes, big-endian. Neither side alone can
steer a draw, and with the secret in the record everybody can repeat all of them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Protocol

import msgspec

from quarterdeck.contract import AnyRecord, BadProof, Rng, record, rng_from_bytes, seed_rng

from .loops import NATURE_STREAM
from .roster import RosterChance, RosterProof, roster_hash

_LABEL = b"quarterdeck-1"
_LONGEST_CONTRIBUTION = 64


class Seeded(msgspec.Struct, frozen=True, tag_field="scheme", tag="seed"):
    """Chance from a seed: the same every time, and known to whoever chose the seed."""

    seed: int
    game: int = 0

    def check(self) -> None:
        """Raises nothing: a seed is no promise that could be broken."""


class Contribution(msgspec.Struct, frozen=True):
    """Random bytes of somebody other than the server, and the hash that bound them, in hex."""

    commitment: str
    revealed: str


class CommitReveal(msgspec.Struct, frozen=True, tag_field="scheme", tag="commit-reveal"):
    """Chance that nobody could steer, as it is published after the game. All in hex."""

    commitment: str
    secret: str
    contributions: tuple[Contribution, ...] = ()

    def check(self) -> None:
        """Raises `BadProof` unless every commitment is the hash of what was revealed."""
        _check_hash("the server's secret", self.commitment, self.secret)
        for place, contribution in enumerate(self.contributions):
            _check_hash(f"contribution {place}", contribution.commitment, contribution.revealed)


class Chance(Protocol):
    """A source of draws: a generator for each, and what to publish once the game is over."""

    def rng(self, draw: int) -> AnyRecord: ...

    def proof(self) -> Seeded | CommitReveal | None: ...


class SeededChance:
    """Draws that follow from a seed and the number of the game."""

    def __init__(self, seed: int, game: int = 0) -> None:
        self._proof = Seeded(seed, game)

    def rng(self, draw: int) -> AnyRecord:
        rng = record(Rng)
        seed_rng(rng, self._proof.seed, self._proof.game, NATURE_STREAM, draw)
        return rng

    def proof(self) -> Seeded:
        return self._proof


class FairChance:
    """Draws that follow from a secret and from bytes others committed to.

    >>> chance = FairChance(b"s" * 32, [b"from a browser"])
    >>> chance.proof().check()
    """

    def __init__(self, secret: bytes, contributions: list[bytes]) -> None:
        if len(contributions) > 255 or any(
            not 0 < len(part) <= _LONGEST_CONTRIBUTION for part in contributions
        ):
            raise BadProof(f"a contribution has 1 to {_LONGEST_CONTRIBUTION} bytes")
        self._secret = secret
        self._contributions = contributions
        parts = b"".join(bytes([len(part)]) + part for part in contributions)
        self._message = _LABEL + bytes([len(contributions)]) + parts

    @staticmethod
    def new_secret() -> bytes:
        """A secret nobody can guess."""
        return secrets.token_bytes(32)

    def rng(self, draw: int) -> AnyRecord:
        message = self._message + draw.to_bytes(8, "big")
        return rng_from_bytes(hmac.digest(self._secret, message, "sha256"))

    def proof(self) -> CommitReveal:
        return CommitReveal(
            commit(self._secret),
            self._secret.hex(),
            tuple(Contribution(commit(part), part.hex()) for part in self._contributions),
        )


def commit(revealed: bytes) -> str:
    """The hash that binds bytes before they are shown, in hex."""
    return hashlib.sha256(revealed).hexdigest()


def chance_of(proof: Seeded | CommitReveal | RosterProof) -> Chance:
    """The source a proof describes. Raises `BadProof` if it contradicts itself."""
    proof.check()
    if isinstance(proof, RosterProof):
        parts = [(seat, bytes.fromhex(data)) for seat, data in proof.reveals]
        return RosterChance(bytes.fromhex(proof.secret), roster_hash(proof.roster), parts)
    if isinstance(proof, Seeded):
        if not -(2**63) <= proof.seed < 2**63 or not 0 <= proof.game < 2**31:
            raise BadProof("a seed has 64 bits, a game's number 31")
        return SeededChance(proof.seed, proof.game)
    revealed = [bytes.fromhex(part.revealed) for part in proof.contributions]
    return FairChance(bytes.fromhex(proof.secret), revealed)


def _check_hash(what: str, commitment: str, revealed: str) -> None:
    try:
        data = bytes.fromhex(revealed)
    except ValueError as error:
        raise BadProof(f"{what} is not written in hex") from error
    if commit(data) != commitment:
        raise BadProof(f"{what} does not have the hash it was bound to")
