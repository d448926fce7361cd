"""Every assignment of grades to holes, by evaluating judgments that hold them: an independent path to the bounds."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import idealrank as ir
from idealrank.arrays import Floats
from idealrank.comparison.unjudged.holes import MeasureUnjudged, holes

Ranking = Sequence[str]
TOP = 3
GRADES = tuple(range(TOP + 1))


class Case(NamedTuple):
    """One query: what is judged, what systems return in order (the third only opens holes), a measure and decisions."""

    judged: dict[str, int]
    one: Ranking
    other: Ranking
    measure: str
    decisions: dict[str, Any]
    third: Ranking = ()


def scored(ranking: Ranking) -> dict[str, float]:
    """Return scores that keep the order."""
    return {doc: float(len(ranking) - place) for place, doc in enumerate(ranking)}


def evaluated(case: Case, worlds: Sequence[dict[str, int]]) -> Floats:
    """(2, W) values of both systems under each world's judgments; each world is a query of its own."""
    judgments = {f"q{w}": world for w, world in enumerate(worlds)}
    judgments["z"] = {"elsewhere": TOP}  # so that some grade is relevant
    runs = {
        name: {f"q{w}": scored(ranking) for w in range(len(worlds)) if ranking} | {"z": {"elsewhere": 1.0}}
        for name, ranking in (("one", case.one), ("other", case.other))
    }
    found = ir.evaluate(judgments, runs, [case.measure], max_grade=TOP, **case.decisions)
    place = [found.queries.index(f"q{w}") for w in range(len(worlds))]
    return found.values[:, 0, place]


def bounded(case: Case, unseen: int = 0) -> tuple[MeasureUnjudged, int]:
    """Return the holes of a case, and the index of its query."""
    judgments = {"q0": case.judged, "z": {"elsewhere": TOP}}
    runs = {
        name: ({"q0": scored(ranking)} if ranking else {}) | {"z": {"elsewhere": 1.0}}
        for name, ranking in (("one", case.one), ("other", case.other), ("third", case.third))
    }
    scores = ir.evaluate(judgments, runs, [case.measure], max_grade=TOP, **case.decisions)
    return holes(scores.joins, scores.measures[0], unseen), scores.queries.index("q0")


def every_world(case: Case, open_: Sequence[str]) -> list[dict[str, int]]:
    """Return the judgments under every assignment of grades to documents."""
    return [
        case.judged | dict(zip(open_, grades, strict=True)) for grades in itertools.product(GRADES, repeat=len(open_))
    ]


def ranges(values: Floats) -> dict[str, tuple[float, float]]:
    """Return the lowest and highest of each system and of the difference."""
    rows = {"one": values[0], "other": values[1], "difference": values[1] - values[0]}
    return {name: (float(np.min(row)), float(np.max(row))) for name, row in rows.items()}


def at_random(rng: np.random.Generator, measure: str, decisions: dict[str, Any], most: int) -> Case:
    """Draw a query: a few judged documents, returned or not, two lists that share some, at most so many holes."""
    known = [f"j{i}" for i in range(rng.integers(1, 6))]
    top = int(rng.integers(0, TOP + 1))
    judged = {doc: int(rng.integers(0, top + 1)) for doc in known}
    unknown = [f"u{i}" for i in range(rng.integers(1, most + 1))]
    every = [*known, *unknown]
    least = 0 if rng.random() < 0.1 else 1
    one, other = (list(rng.permutation(every)[: rng.integers(least, len(every) + 1)]) for _ in (0, 1))
    if rng.random() < 0.2:
        other = list(one)
    third = list(rng.permutation(every)[:3]) if rng.random() < 0.3 else []
    return Case(judged, one, other, measure, decisions, third)
