"""Means, intervals and ratings, against numbers known otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from quarterdeck.bots.figures import MEAN_RATING, SCALE, Mean, ratings


def test_the_interval_of_a_mean_is_student_s() -> None:
    values = np.array([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0, 1.0, 3.0, 6.0])
    mean = Mean.of(values)
    half = 2.228139 * values.std(ddof=1) / np.sqrt(11)  # the quantile of ten degrees of freedom
    assert mean.value == pytest.approx(values.mean(), abs=1e-3)
    assert mean.low == pytest.approx(values.mean() - half, rel=2e-3)
    assert mean.high == pytest.approx(values.mean() + half, rel=2e-3)


def test_too_few_deals_have_no_interval() -> None:
    assert Mean.of(np.array([1.0, 2.0])) == Mean(1.5, None, None)
    assert Mean(1.5, None, None).verdict(0.0) == "open"


def test_the_interval_covers_the_truth_nineteen_times_in_twenty() -> None:
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(2000):
        mean = Mean.of(rng.normal(3.0, 2.0, 12))
        assert mean.low is not None
        assert mean.high is not None
        held += mean.low <= 3.0 <= mean.high
    assert 0.935 <= held / 2000 <= 0.965


def test_more_looks_widen_the_interval() -> None:
    values = np.random.default_rng(1).normal(0, 1, 50)
    once, often = Mean.of(values), Mean.of(values, looks=10)
    assert once.low is not None
    assert often.low is not None
    assert often.low < once.low
    assert often.value == once.value


@pytest.mark.parametrize(("bar", "verdict"), [(0.5, "above"), (2.0, "open"), (3.5, "below")])
def test_verdicts(bar: float, verdict: str) -> None:
    assert Mean(2.0, 1.0, 3.0).verdict(bar) == verdict


def test_ratings_find_the_strengths_that_made_the_results() -> None:
    strengths = np.array([4.0, 2.0, 1.0, 0.25])
    truth = MEAN_RATING + SCALE * (np.log(strengths) - np.log(strengths).mean())
    rng = np.random.default_rng(11)
    wins = np.zeros((600, 4, 4))
    for a in range(4):
        for b in range(a + 1, 4):
            won = rng.random(600) < strengths[a] / (strengths[a] + strengths[b])
            wins[:, a, b], wins[:, b, a] = won, ~won
    for rating, true in zip(ratings(wins, seed=3), truth, strict=True):
        assert rating.error is not None
        assert 5 < rating.error < 60
        assert abs(rating.value - true) < 1.6 * rating.error


def test_ratings_stay_finite_and_doubtful_where_all_was_won() -> None:
    wins = np.zeros((5, 2, 2))
    wins[:, 0, 1] = 1
    first, second = ratings(wins, seed=0)
    assert first.value + second.value == pytest.approx(2 * MEAN_RATING, abs=0.2)
    assert 100 < first.value - second.value < 1000
    assert first.error is not None
    assert first.error > 50


def test_a_rating_of_one_alone_is_the_mean() -> None:
    (alone,) = ratings(np.zeros((4, 1, 1)), seed=0)
    assert alone.value == MEAN_RATING
    assert alone.error is None
