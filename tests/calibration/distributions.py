"""What queries are drawn from: values whose mean is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Draw = Callable[[np.random.Generator, int], np.ndarray]
ZEROS = 0.6
MEAN_RANKS = (1 - ZEROS) * math.log(2)
"""The mean of 1 / rank, rank r with probability 2⁻ʳ, is log 2."""


@dataclass(frozen=True)
class Distribution:
    """Values of queries, or differences.

    Attributes
    ----------
    name
        As the tables call it.
    mean
        The true one.
    draw
        Takes a generator and n, returns (n,) values.
    promised
        Whether the default interval is promised to hold on it.
    """

    name: str
    mean: float
    draw: Draw
    promised: bool = True


def _with_zeros(sizes: Draw) -> Draw:
    return lambda rng, n: np.where(rng.random(n) < ZEROS, 0.0, sizes(rng, n))


def _even_signs(sizes: Draw) -> Draw:
    return lambda rng, n: sizes(rng, n) * rng.choice([-1.0, 1.0], n)


def _reciprocal_ranks(rng: np.random.Generator, n: int) -> np.ndarray:
    return 1 / rng.geometric(0.5, n)


def _exponential(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.exponential(size=n)


def _normal(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.normal(size=n)


def _heavy(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.standard_t(3, n)


VALUES = (
    Distribution("normal", 0.0, _normal),
    Distribution("heavy tails (t of 3 degrees)", 0.0, _heavy),
    Distribution(
        "60 % zeros, else reciprocal ranks (skew 1.0)", (1 - ZEROS) * math.log(2), _with_zeros(_reciprocal_ranks)
    ),
    Distribution("60 % zeros, else exponential (skew 3.1)", 1 - ZEROS, _with_zeros(_exponential), promised=False),
)
"""What intervals are measured on; the last is beyond what is promised."""

DIFFERENCES = (
    Distribution("normal", 0.0, _normal),
    Distribution("heavy tails (t of 3 degrees)", 0.0, _heavy),
    Distribution("60 % zeros, else even signs", 0.0, _with_zeros(_even_signs(_reciprocal_ranks))),
    Distribution("skewed, mean 0 (exponential − 1)", 0.0, lambda rng, n: _exponential(rng, n) - 1, promised=False),
)
"""What tests are measured on: in all but the last, exchanging the systems changes nothing."""


def _few_losses(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.where(rng.random(n) < 0.9, 0.1 * rng.random(n), -0.9 * rng.random(n))


LOSSES = Distribution("nine in ten gain up to 0.1, one loses up to 0.9", 0.0, _few_losses, promised=False)
"""Where a segment may well have none of the queries that lose."""


def _rare_losses(share: float, spread: float = 0.01) -> Draw:
    """Return gains of which a share loses 0.9 and the others gain as much in all, with some noise."""

    def draw(rng: np.random.Generator, n: int) -> np.ndarray:
        lose = rng.random(n) < share
        return np.where(lose, -0.9, 0.9 * share / (1 - share)) + spread * rng.normal(size=n)

    return draw


def _small_losses_too(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return gains of which few lose 0.9, and some so little that it says nothing of those."""
    drawn = rng.random(n)
    return np.where(drawn < 0.02, -0.9, np.where(drawn < 0.07, -0.06, (0.02 * 0.9 + 0.05 * 0.06) / 0.93))


def _tied(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.where(rng.random(n) < 0.7, 0.0, rng.normal(size=n) / math.sqrt(0.3))


def _shifted(draw: Draw, mean: float, spread: float) -> Draw:
    return lambda rng, n: np.clip(mean + spread * draw(rng, n), -1.0, 1.0)


def _tail_of_losses(rng: np.random.Generator, n: int) -> np.ndarray:
    return 1 - _exponential(rng, n)


def _tail_of_gains(rng: np.random.Generator, n: int) -> np.ndarray:
    return _exponential(rng, n) - 1


FIVE = _rare_losses(0.05)
FIVE_SPREAD = 0.9 * math.sqrt(0.05 / 0.95)
"""The standard deviation of gains of which five in a hundred lose 0.9."""

SHAPES = (
    Distribution("one in 100 loses 0.9, mean 0", 0.0, _rare_losses(0.01)),
    Distribution("one in 50 loses 0.9, mean 0", 0.0, _rare_losses(0.02)),
    Distribution("one in 20 loses 0.9, mean 0", 0.0, FIVE),
    Distribution("one in 100 loses 0.9, the others vary by 0.03, mean 0", 0.0, _rare_losses(0.01, 0.03)),
    Distribution("one in 50 loses 0.9, the others vary by 0.05, mean 0", 0.0, _rare_losses(0.02, 0.05)),
    Distribution("one in 50 loses 0.9, the others vary by 0.08, mean 0", 0.0, _rare_losses(0.02, 0.08)),
    Distribution("one in 50 loses 0.9, one in 20 loses 0.06, mean 0", 0.0, _small_losses_too),
    LOSSES,
    Distribution("a long tail of losses, mean 0", 0.0, _shifted(_tail_of_losses, 0.0, 0.1)),
    Distribution("seven in ten tie, mean 0", 0.0, _shifted(_tied, 0.0, 0.2)),
    Distribution("normal, mean 0", 0.0, _shifted(_normal, 0.0, 0.2)),
    Distribution(
        "one in 20 loses 0.9, mean 0.4 deviations",
        0.4 * FIVE_SPREAD,
        lambda rng, n: np.clip(FIVE(rng, n) + 0.4 * FIVE_SPREAD, -1, 1),
    ),
    Distribution("a long tail of losses, mean 0.4 deviations", 0.04, _shifted(_tail_of_losses, 0.04, 0.1)),
    Distribution("a long tail of gains, mean 0.4 deviations", 0.04, _shifted(_tail_of_gains, 0.04, 0.1)),
    Distribution("seven in ten tie, mean 0.4 deviations", 0.08, _shifted(_tied, 0.08, 0.2)),
    Distribution("normal, mean 0.4 deviations", 0.08, _shifted(_normal, 0.08, 0.2)),
    Distribution("normal, deviation 0.06, mean 0.4 deviations", 0.024, _shifted(_normal, 0.024, 0.06)),
    Distribution("normal, mean 0.8 deviations", 0.16, _shifted(_normal, 0.16, 0.2)),
    Distribution("heavy tails, mean 0.4 deviations", 0.08, _shifted(_heavy, 0.08, 0.2 / math.sqrt(3))),
)
"""Differences of queries between −1 and 1: SHIP is wrong where the mean is 0."""

CHANGES = (
    Distribution("normal", 0.0, _shifted(_normal, 0.0, 0.2)),
    Distribution("a long tail of gains", 0.0, _shifted(_tail_of_gains, 0.0, 0.1)),
    Distribution("a long tail of losses", 0.0, _shifted(_tail_of_losses, 0.0, 0.1)),
)
"""Differences of queries between two builds that do not differ."""

ALIKE = (
    Distribution("no change, deviation 0.2", 0.0, _shifted(_normal, 0.0, 0.2)),
    Distribution("no change, deviation 0.1", 0.0, _shifted(_normal, 0.0, 0.1)),
    Distribution("no change, deviation 0.05", 0.0, _shifted(_normal, 0.0, 0.05)),
    Distribution("no change, deviation 0.2, seven in ten tie", 0.0, _shifted(_tied, 0.0, 0.2)),
    Distribution("a gain of 0.02, deviation 0.1", 0.02, _shifted(_normal, 0.02, 0.1)),
    Distribution("a gain of 0.02, deviation 0.05", 0.02, _shifted(_normal, 0.02, 0.05)),
    Distribution("a loss of 0.02: one in 50 loses 0.9", -0.02, _shifted(_rare_losses(0.02), -0.02, 1.0)),
    Distribution(
        "a loss of 0.02: one in 45 loses 0.9", -0.02, lambda rng, n: np.where(rng.random(n) < 0.0222, -0.9, 0.0)
    ),
)
"""Differences of queries: ABOUT THE SAME is right where there is no change, and wrong in the others."""


def _found(rng: np.random.Generator, n: int) -> np.ndarray:
    return (rng.random(n) < 0.9).astype(float)


BOUNDED = (
    (VALUES[2], (0.0, 1.0)),
    (Distribution("nine in ten are 1, the others 0", 0.9, _found), (0.0, 1.0)),
    (LOSSES, (-1.0, 1.0)),
)
"""Values between two bounds, and the bounds."""


def _normal_systems(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.normal(size=(SYSTEMS, n)) + rng.normal(size=n)


def _ranking_systems(rng: np.random.Generator, n: int) -> np.ndarray:
    found = rng.random((SYSTEMS, n)) >= ZEROS
    return np.where(found, 1 / rng.geometric(rng.uniform(0.2, 0.9, n), (SYSTEMS, n)), 0.0)


SYSTEMS = 11
FAMILY_VALUES: dict[str, Draw] = {"normal": _normal_systems, "60 % zeros, else reciprocal ranks": _ranking_systems}
"""Values of eleven systems, (11, n), that do not differ, on queries that do."""
