"""How often rank intervals contain all true ranks, and the best group every best system."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from idealrank.comparison.leaderboard import dominance as surely_better
from idealrank.statistics.all_pairs import all_pairs, rank_intervals

Systems = Callable[[np.random.Generator, int, int], np.ndarray]


class Kind(NamedTuple):
    """Values of many systems.

    Attributes
    ----------
    name
        As the table calls it.
    means
        Takes the number of systems, returns their true means, (S,).
    draw
        Takes a generator, the numbers of systems and queries, returns (S, Q) values with means 0.
    largest
        The largest difference of two values there can be.
    """

    name: str
    means: Callable[[int], np.ndarray]
    draw: Systems
    largest: float = np.inf


def _correlated(rng: np.random.Generator, systems: int, n: int) -> np.ndarray:
    return rng.normal(size=(systems, n)) + 1.5 * rng.normal(size=n)


def _two_apart(rng: np.random.Generator, systems: int, n: int) -> np.ndarray:
    spread = np.where(np.arange(systems) < 2, 1.0, 0.2)[:, None]
    return spread * rng.normal(size=(systems, n)) + rng.normal(size=n)


def _skewed(rng: np.random.Generator, systems: int, n: int) -> np.ndarray:
    spread = np.linspace(0.5, 2.0, systems)[:, None]
    return spread * (rng.exponential(size=(systems, n)) - 1) + rng.normal(size=n)


def _tied(rng: np.random.Generator, systems: int, n: int) -> np.ndarray:
    shared = 1 / rng.geometric(0.5, n)
    return np.where(rng.random((systems, n)) < 0.7, shared, 1 / rng.geometric(0.5, (systems, n))) - np.log(2)


def _zeros(systems: int) -> np.ndarray:
    return np.zeros(systems)


def _steps(systems: int) -> np.ndarray:
    return np.linspace(0.0, 1.0, systems)


KINDS = (
    Kind("normal, correlated 0.7, equal means", _zeros, _correlated),
    Kind("normal, correlated 0.7, means in even steps", _steps, _correlated),
    Kind("two systems apart, the others near twins, equal means", _zeros, _two_apart),
    Kind("reciprocal ranks, seven in ten the same, equal means", _zeros, _tied, 1.0),
    Kind("skewed, of different spread, equal means", _zeros, _skewed),
)


def rank_coverage(kind: Kind, systems: int, n: int, runs: int, draws: int) -> tuple[float, float]:
    """Return how often all true ranks are in their intervals, and how often every best system is in the best group."""
    true = kind.means(systems)
    first, last = 1 + (true > true[:, None]).sum(axis=1), (true >= true[:, None]).sum(axis=1)
    ranks = best = 0
    for seed in range(runs):
        rng = np.random.default_rng([seed, systems, n])
        values = kind.draw(rng, systems, n) + true[:, None]
        found = rank_intervals(surely_better(all_pairs(values, draws=draws, seed=seed), values, None, kind.largest))
        ranks += bool((found.best <= first).all() and (found.worst >= last).all())
        best += bool((found.best[first == 1] == 1).all())
    return ranks / runs, best / runs
