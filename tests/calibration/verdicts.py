"""The simulations of verdicts: values of a made-up world, the verdict that the product says of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import t as student_t

import idealrank as ir
from tests.calibration.distributions import Draw

SAME = 0.02
"""Up to this difference systems are about the same."""

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
def _world(names: tuple[str, ...] | None, n: int) -> ir.Scores:
    judgments: Any = {f"q{i:04}": {"d": 1, "x": 0} for i in range(n)}
    results: Any = {"old": {q: {"d": 2.0, "x": 1.0} for q in judgments}, "new": {q: {"x": 2.0} for q in judgments}}
    return ir.evaluate(judgments, results, None if names is None else list(names))


def scores_of(names: tuple[str, ...] | None, d: np.ndarray) -> ir.Scores:
    """Return the scores of two systems whose values differ by (M, n) differences, everything judged."""
    d = np.clip(d, -1.0, 1.0)
    before = np.maximum(-d, 0.0)  # so that both are between 0 and 1
    return replace(_world(names, d.shape[1]), values=np.stack([before, before + d]))


def compared(names: tuple[str, ...] | None, d: np.ndarray, draws: int, seed: int, **how: Any) -> ir.Comparison:
    """Compare two systems whose values differ by (M, n) differences."""
    return ir.compare(scores_of(names, d), draws=draws, seed=seed, **how)


def outcome(names: tuple[str, ...] | None, d: np.ndarray, draws: int, seed: int, **how: Any) -> str:
    """Return the verdict on (M, n) differences where everything is judged."""
    return compared(names, d, draws, seed, equivalence=SAME, **how).verdict.outcome


def shares(names: tuple[str, ...] | None, gains: Gains, n: int, runs: int, draws: int) -> dict[str, float]:
    """Return how often each outcome is said."""
    rng, measures = np.random.default_rng([n, 14]), 5 if names is None else len(names)
    said = [outcome(names, gains(rng, measures, n), draws, seed) for seed in range(runs)]
    return {word: said.count(word) / runs for word in set(said)}


DROP, ALPHA = 0.01, 0.05


def failed_builds(draw: Draw, n: int, change: float, runs: int) -> list[float]:
    """Return how often a gate fails without an alpha, and with it, and how often the verdict is DON'T."""
    rng, found = np.random.default_rng([n, 20]), []
    for seed in range(runs):
        scores = scores_of(NAMED[:1], draw(rng, n)[None] + change)
        gates = [ir.gate(scores, fail_if=f"{NAMED[0]} drops {DROP}", alpha=alpha, seed=seed) for alpha in (None, ALPHA)]
        verdict = ir.compare(scores, draws=DRAWS, seed=seed).verdict
        found.append([*(gate.outcome == "failed" for gate in gates), verdict == "DON'T"])
    return [float(share) for share in np.mean(found, axis=0)]


def tied(rng: np.random.Generator, measures: int, n: int) -> np.ndarray:
    """Return differences of one measure of which seven in ten are 0, with mean 0."""
    return np.where(rng.random(n) < 0.7, 0.0, rng.normal(0, SPREAD / math.sqrt(0.3), n))[None]


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


def followed(effect: float, n: int, looks: int, runs: int, *, planned: bool) -> tuple[float, float]:
    """Return how often SHIP, and any answer, is said within some looks, each after as many queries as advised.

    Parameters
    ----------
    effect
        The true gain in standard deviations.
    planned
        Whether the looks share the error rate.
    """
    rng, ships, answered = np.random.default_rng([n, looks]), 0, 0
    for seed in range(runs):
        d, said = rng.normal(effect * SPREAD, SPREAD, n), CANT_TELL
        for look in range(looks):
            found = compared(NAMED[:1], d[None], DRAWS, seed, equivalence=SAME, looks=looks if planned else 1)
            said = found.verdict.outcome
            if said != CANT_TELL or look == looks - 1:
                break
            d = np.concatenate([d, rng.normal(effect * SPREAD, SPREAD, min(max(advised(found).values()), MANY))])
        ships += said == "SHIP"
        answered += said != CANT_TELL
    return ships / runs, answered / runs


CANT_TELL, DRAWS = "CAN'T TELL", 199

MANY = 5_000
"""More queries than anybody judges for one look."""

_ADVISED = re.compile(r"(?:About|about) ([\d,]+) (?:more judged queries|if the true|if nothing)")


_WHEN = {"none": "nothing changes", "seen": "seen, which"}


def advised(found: ir.Comparison) -> dict[str, int]:
    """Return the numbers of queries that the advice names: if nothing changes, and if the gain is the one seen."""
    settle = found.verdict.settle
    numbers = [int(number.replace(",", "")) for number in _ADVISED.findall(settle)]
    if numbers:
        places = {settle.find(words): name for name, words in _WHEN.items() if words in settle}
        return dict(zip((places[place] for place in sorted(places)), numbers, strict=True))
    more = re.match(r"Judge about ([\d,]+)", settle)
    return {"none": int(more[1].replace(",", "")) if more else MANY}


def kept(draw: Gains, effect: float, n: int, runs: int) -> dict[str, float]:
    """Return how often an open comparison is settled by the queries advised, if the gain is the one they are for.

    Parameters
    ----------
    draw
        Differences of mean 0 and a standard deviation of `SPREAD`.
    effect
        The true gain of the first n queries, in standard deviations: what they happen to show varies about it.
    """
    rng = np.random.default_rng([n, round(100 * effect), 5])
    settled: dict[str, list[bool]] = {"seen": [], "none": []}
    for seed in range(runs):
        d = np.clip(draw(rng, 1, n)[0] + effect * SPREAD, -1, 1)
        found = compared(NAMED[:1], d[None], DRAWS, seed, equivalence=SAME)
        settle = found.verdict.settle
        if found.verdict.outcome != CANT_TELL or "80% chance" not in settle:
            continue
        for name, more in advised(found).items():
            if more <= MANY:
                then = draw(rng, 1, more)[0] + (float(d.mean()) if name == "seen" else 0.0)
                said = outcome(NAMED[:1], np.concatenate([d, then])[None], DRAWS, seed)
                settled[name].append(said != CANT_TELL)
    return {name: float(np.mean(answers)) if answers else math.nan for name, answers in settled.items()}
