"""The simulations of choices: the best of several systems, and the verdict that the product says of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import idealrank as ir
from idealrank.comparison.tuning import restrict_scores as restricted

SYSTEMS = 6
"""Systems to choose from, the baseline among them."""

NOISE, QUERIES = 0.1, 0.15
"""Standard deviations of the values of one query, and of what all systems share in it."""

WAYS: dict[str, dict[str, Any]] = {
    "on the same queries, no correction": {"correction": "none"},
    "on the same queries, corrected": {},
    "on held-out queries": {"hold_out": 0.5},
}
"""How the best system is tested."""


@cache
def _world(n: int) -> ir.Scores:
    queries = {f"q{i:04}": {"d": 1} for i in range(n)}
    return ir.evaluate(queries, {f"s{s}": queries for s in range(SYSTEMS)}, ["nDCG@10"])


def drawn(n: int, gain: float, seed: int) -> ir.Scores:
    """Return normal values of systems that do not differ, but that the last gains so many standard deviations."""
    rng = np.random.default_rng([n, seed])
    values = 0.5 + NOISE * rng.normal(size=(SYSTEMS, 1, n)) + QUERIES * rng.normal(size=n)
    values[-1] += gain * NOISE * np.sqrt(2)
    return replace(_world(n), values=np.clip(values, 0.0, 1.0))


def ships(scores: ir.Scores, draws: int, seed: int, **way: Any) -> bool:
    """Say whether the best system is shipped in the place of the first."""
    if "hold_out" in way:
        return ir.compare(scores, baseline="s0", draws=draws, seed=seed, **way).verdict.outcome == "SHIP"
    best = int(scores.values[:, 0].mean(axis=1).argmax())
    if not best:
        return False
    alone = restricted(scores, [0, best], np.ones(len(scores.queries), np.bool_)) if way else scores
    return ir.compare(alone, baseline="s0", draws=draws, seed=seed, **way).verdict[f"s{best}"].outcome == "SHIP"


def shipped(n: int, gain: float, runs: int, draws: int, **way: Any) -> float:
    """Return how often the best system is shipped."""
    return sum(ships(drawn(n, gain, seed), draws, seed, **way) for seed in range(runs)) / runs
