"""The simulations of verdicts: values of a made-up world, the verdict that the product says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from scipy.stats import t as student_t

import idealrank as ir
from idealrank.comparison.contrasts import contrasts
from idealrank.comparison.holes.evidence import HoleEvidence, HoleRange
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Pairing
from idealrank.comparison.roles import roles
from idealrank.comparison.rule import Rule
from idealrank.comparison.verdict import verdict
from idealrank.statistics.power import queries_needed, queries_to_settle

SPREAD = 0.2
"""Standard deviation of the differences of a query."""

ALIKE = 0.6
"""Correlation of the measures."""

NAMED = tuple(f"nDCG@{k}" for k in range(1, 11))
"""Ten measures, named: the first decides, the others guard."""

Gains = Callable[[np.random.Generator, int, int], np.ndarray]
"""Takes a generator, M measures and n queries, returns (M, n) differences."""


def alike(first: float = 0.0, others: float = 0.0) -> Gains:
    """Return normal differences that are correlated over the measures; the means in standard deviations."""

    def draw(rng: np.random.Generator, measures: int, n: int) -> np.ndarray:
        own, shared = rng.normal(size=(measures, n)), rng.normal(size=n)
        means = np.array([first, *[others] * (measures - 1)])[:, None]
        return SPREAD * (np.sqrt(1 - ALIKE) * own + np.sqrt(ALIKE) * shared + means)

    return draw


@cache
def _world(names: tuple[str, ...] | None, n: int) -> Pairing:
    queries = {f"q{i:04}": {"d": 1} for i in range(n)}
    scores = ir.evaluate(queries, dict.fromkeys(("old", "new"), queries), None if names is None else list(names))
    return Pairing(scores, "old", roles(scores, 0.0))


def outcome(names: tuple[str, ...] | None, d: np.ndarray, draws: int, seed: int, level: float = 0.95) -> str:
    """Return the verdict on (M, n) differences where everything is judged."""
    pairing = _world(names, d.shape[1])
    d = np.clip(d, -1.0, 1.0)
    before = np.maximum(-d, 0.0)  # so that both are between 0 and 1
    values = np.stack([before, before + d])
    pairing = replace(pairing, scores=replace(pairing.scores, values=values))
    found = contrasts(pairing, Methods(draws=draws, seed=seed, level=level))
    nothing = HoleEvidence(ranges=(HoleRange(),) * len(d), measure="")
    return verdict(list(found.values()), Rule(level=level, equivalence=0.02), nothing).outcome


def shares(names: tuple[str, ...] | None, gains: Gains, n: int, runs: int, draws: int) -> dict[str, float]:
    """Return how often each outcome is said."""
    rng, measures = np.random.default_rng([n, 14]), 5 if names is None else len(names)
    said = [outcome(names, gains(rng, measures, n), draws, seed) for seed in range(runs)]
    return {word: said.count(word) / runs for word in set(said)}


def student_ships(draw: Callable[[np.random.Generator, int], np.ndarray], n: int, runs: int) -> float:
    """Return how often Student's t alone would say SHIP: its lower end at 95 % is above 0."""
    rng = np.random.default_rng([n, 14])
    d = np.array([draw(rng, n) for _ in range(runs)])
    with np.errstate(divide="ignore", invalid="ignore"):
        t = d.mean(axis=1) / d.std(axis=1, ddof=1) * np.sqrt(n)
    return float((t > student_t.ppf(0.975, n - 1)).mean())


def one_measure(draw: Callable[[np.random.Generator, int], np.ndarray]) -> Gains:
    """Return the differences of one measure."""
    return lambda rng, measures, n: draw(rng, n)[None]


def followed(effect: float, n: int, looks: int, level: float, runs: int) -> tuple[float, float]:
    """Return how often SHIP, and any answer, is said within some looks, each after as many queries as advised.

    Parameters
    ----------
    effect
        The true gain in standard deviations.
    level
        Of each look.
    """
    rng, ships, answered = np.random.default_rng([n, looks]), 0, 0
    for _ in range(runs):
        d = rng.normal(effect, 1.0, n)
        for look in range(looks):
            found = _answer(d, level)
            if found or look == looks - 1:
                break
            d = np.concatenate([d, rng.normal(effect, 1.0, _more(d, level))])
        ships += found > 0
        answered += found != 0
    return ships / runs, answered / runs


MANY = 5_000
"""More queries than anybody judges for one look."""


def _more(d: np.ndarray, level: float) -> int:
    needed = queries_to_settle(float(d.mean()), float(d.std(ddof=1)), len(d), 1 - level)
    return int(min(max(needed - len(d), 1), MANY))


def _answer(d: np.ndarray, level: float) -> int:
    t = d.mean() / d.std(ddof=1) * np.sqrt(len(d))
    return int(np.sign(t)) if abs(t) > student_t.ppf((1 + level) / 2, len(d) - 1) else 0


def kept(effect: float, n: int, runs: int, advised: Sequence[str] = ("settle", "seen")) -> dict[str, float]:
    """Return how often an open comparison is settled by as many queries as are advised, by the way they are counted."""
    rng = np.random.default_rng([n, 5])
    settled: dict[str, list[bool]] = {name: [] for name in advised}
    for _ in range(runs):
        d = rng.normal(effect, 1.0, n)
        if _answer(d, 0.95):
            continue
        mean, deviation = float(d.mean()), float(d.std(ddof=1))
        for name in advised:
            needed = queries_to_settle(mean, deviation, n) if name == "settle" else queries_needed(mean, deviation)
            more = int(min(max(needed - n, 1), 20 * MANY))
            settled[name].append(bool(_answer(np.concatenate([d, rng.normal(effect, 1.0, more)]), 0.95)))
    return {name: float(np.mean(answers)) for name, answers in settled.items()}
