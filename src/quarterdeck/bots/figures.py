"""What a match between bots has shown: means with their intervals, and ratings.

Games of the same deal resemble each other, so a deal is one observation: its games are averaged
first, and intervals are those of means over deals. As every bot has every seat of every deal, the
luck of the deal cancels where bots are compared.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
from msgspec import Struct

Floats = npt.NDArray[np.float64]

SCALE = 400 / math.log(10)
"""Elo points for a factor of e in the odds."""

MEAN_RATING = 1500.0
_RESAMPLES = 200
_LEAST = 0.05  # of a game, won by each of two who met, where the draw has left out their losses
_MOST_STEPS = 2000


class Mean(Struct, frozen=True):
    """A mean over deals and its 95 % interval, which is unknown of fewer than three."""

    value: float
    low: float | None
    high: float | None

    @classmethod
    def of(cls, values: Floats, looks: int = 1) -> Mean:
        """The mean of independent values. With several looks the interval is widened so that it
        holds at all of them together (Bonferroni).

        >>> Mean.of(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
        Mean(value=3.0, low=1.0418, high=4.9582)
        """
        count = len(values)
        value = float(values.mean())
        if count < 3:
            return cls(round(value, 4), None, None)
        error = float(values.std(ddof=1)) / math.sqrt(count)
        half = error * _student(NormalDist().inv_cdf(1 - 0.025 / looks), count - 1)
        return cls(round(value, 4), round(value - half, 4), round(value + half, 4))

    def verdict(self, bar: float) -> str:
        """Whether the whole interval is `above` the bar, `below` it, or neither: `open`."""
        if self.low is not None and self.low > bar:
            return "above"
        return "below" if self.high is not None and self.high < bar else "open"


def _student(z: float, freedom: int) -> float:
    """A quantile of Student's distribution from that of the normal one (Cornish and Fisher)."""
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    return z + first + second + third


class Rating(Struct, frozen=True):
    """An Elo rating and the half-width of its 95 % interval; the mean of all bots is 1500."""

    value: float
    error: float | None


def ratings(wins: Floats, seed: int) -> list[Rating]:
    """Bradley–Terry ratings of bots. `wins[d, a, b]`: games of deal d in which a was ahead of b,
    ties as halves. The errors come from deals drawn anew.

    Every two bots who met are given half a deal more, once won by the one and once by the other:
    so no rating is infinite, and a few deals that all went one way leave some doubt.
    """
    deals, bots, _ = wins.shape
    met = wins[0] + wins[0].T
    known = np.concatenate([wins, [np.triu(met) / 2, np.tril(met) / 2]])
    values = _fit(known.sum(axis=0)[None])[0]
    if deals < 2 or bots < 2:
        return [Rating(round(float(value), 1), None) for value in values]
    count = len(known)
    shares = np.random.default_rng(abs(seed)).multinomial(
        count, [1 / count] * count, size=_RESAMPLES
    )
    drawn = _fit(np.tensordot(shares.astype(float), known, axes=1))
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return [
        Rating(round(float(value), 1), round(float(half), 1))
        for value, half in zip(values, (high - low) / 2, strict=True)
    ]


def _fit(wins: Floats) -> Floats:
    """The ratings that make these results most likely, for each matrix of a stack."""
    met = (wins + wins.transpose(0, 2, 1)) > 0
    won = (wins + _LEAST * met).sum(axis=2)
    games = wins + wins.transpose(0, 2, 1) + 2 * _LEAST * met
    strength = np.ones(won.shape)
    for _ in range(_MOST_STEPS):
        pairs = strength[:, :, None] + strength[:, None, :]
        weight = (games / pairs).sum(axis=2)
        new = np.divide(won, weight, out=np.ones_like(won), where=weight > 0)
        new /= np.exp(np.log(new).mean(axis=1, keepdims=True))
        is_done = np.abs(new / strength - 1).max() < 1e-6
        strength = new
        if is_done:
            break
    fitted: Floats = MEAN_RATING + SCALE * np.log(strength)
    return fitted
