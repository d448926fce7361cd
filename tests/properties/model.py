"""The decisions in plain Python, for one query: what is judged, relevant, worth something, and ideal."""

from __future__ import annotations

import math
from collections.abc import Mapping

from idealrank.decisions import Decisions
from idealrank.measures import Definition, Measure
from tests.properties.ranked import Grade, Ranked


def judged(grade: Grade, decisions: Decisions) -> Grade:
    """A grade as `negative` lets it stand; None if unjudged."""
    if grade is None or grade >= 0 or decisions.negative == "keep":
        return grade
    return 0.0 if decisions.negative == "zero" else None


def counted(grade: Grade, decisions: Decisions) -> Grade:
    """The grade a result counts with: `unjudged` gives the unjudged one a grade, or none."""
    grade = judged(grade, decisions)
    return decisions.unjudged if grade is None and isinstance(decisions.unjudged, float) else grade


def pool(query: Ranked, decisions: Decisions) -> list[float]:
    """The judgments that count."""
    return [g for g in (judged(grade, decisions) for grade in query.pool) if g is not None]


def results(query: Ranked, decisions: Decisions) -> list[Grade]:
    """The results that keep a rank, in order."""
    kept = [counted(grade, decisions) for grade in query.grades]
    return [g for g in kept if g is not None] if decisions.unjudged == "filter" else kept


def relevant(grade: Grade, decisions: Decisions) -> bool:
    """Whether a grade is relevant."""
    if grade is None:
        return False
    return grade > 0 if decisions.relevant_from == "positive" else grade >= decisions.relevant_from


def gain(grade: Grade, decisions: Decisions) -> float:
    """What a grade is worth; an unjudged result counts as grade 0."""
    grade = 0.0 if grade is None else grade
    if decisions.gain == "linear":
        return grade
    if decisions.gain == "whole":
        return float(math.trunc(grade))
    if decisions.gain == "exp2":
        return 2.0**grade - 1.0
    if isinstance(decisions.gain, str):
        raise NotImplementedError(
            f"gain={decisions.gain}: tests/properties/model.py does not know what a grade is worth."
        )
    return dict(decisions.gain).get(grade, 0.0)


def goodness(grade: Grade, definition: Definition, decisions: Decisions) -> float:
    """How good a document is to a measure: its gain where it reads gains, else its grade."""
    grade = counted(grade, decisions)
    if "gain" in definition.reads:
        return gain(grade, decisions)
    return 0.0 if grade is None else grade


def discount(rank: int, decisions: Decisions) -> float:
    """How much a rank counts."""
    name = decisions.discount
    if name.startswith("log("):
        base = float(name[4:-1])
        return 1.0 if rank < base else 1.0 / math.log(rank, base)
    shapes: Mapping[str, float] = {
        "log2": 1 / math.log2(rank + 1),
        "ln": 1 / math.log(rank + 1),
        "reciprocal": 1 / rank,
        "none": 1.0,
    }
    return shapes[name]


def last_rank(measure: Measure, length: int) -> int:
    """The last rank that counts in a list."""
    if measure.cutoff is None:
        return length
    return min(length, measure.cutoff if measure.decisions.cutoff == "at_most_k" else measure.cutoff - 1)


def ideal_worth(query: Ranked, measure: Measure, top: float) -> float:
    """DCG of the ideal list."""
    decisions, found = measure.decisions, results(query, measure.decisions)
    returned = len(found)
    depth = returned if measure.cutoff is None else measure.cutoff
    candidates: list[Grade] = list(pool(query, decisions))
    if decisions.ideal == "global":
        depth = len(candidates) if measure.cutoff is None else depth
    elif decisions.ideal == "returned":
        candidates = found
    elif decisions.ideal == "local":
        candidates = found[: last_rank(measure, returned)]
    if decisions.ideal_depth == "returned":
        depth = min(depth, returned) if measure.cutoff is not None else returned
    elif decisions.ideal_depth == "all":
        depth = len(candidates)
    if decisions.ideal == "max":
        candidates = [top] * depth
    gains = sorted((gain(grade, decisions) for grade in candidates), reverse=True)[:depth]
    return sum(worth * discount(rank, decisions) for rank, worth in enumerate(gains, 1))


def relevant_judged(query: Ranked, decisions: Decisions) -> int:
    """How many judged documents are relevant."""
    return sum(relevant(grade, decisions) for grade in pool(query, decisions))
