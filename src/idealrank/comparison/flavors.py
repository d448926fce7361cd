"""The flavours of a measure: the same measure under other answers to the decisions it reads."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import DEFAULT, answer_text
from idealrank.errors import UsageError
from idealrank.measures import Measure

UNJUDGED = ("zero", "filter")
IDEALS = ("local", "returned", "global", "max")
GAINS = ("linear", "exp2")
CUTOFFS = (5, 10, 20)

MOST_LEVELS = 5
"""So many grades are tried as the one from which a document is relevant."""


def axes(measure: Measure, grades: Floats) -> dict[str, list[Any]]:
    """Return by decision (and `cutoff`) the answers of the flavours, the measure's own among them.

    Parameters
    ----------
    grades
        All grades given.
    """
    own, reads = measure.decisions, measure.definition.reads
    by_results = own.unit != DEFAULT.unit and own.counts == "returned"  # which refuses unjudged=filter
    tried: dict[str, Sequence[Any]] = {
        "unjudged": [own.unjudged] if by_results else UNJUDGED,
        "ideal": IDEALS,
        "gain": GAINS,
    }
    answers = {name: _with(own_answers, getattr(own, name)) for name, own_answers in tried.items() if name in reads}
    if "relevant_from" in reads and "gain" not in reads:
        answers["relevant_from"] = _with(levels(grades), own.relevant_from)
    if measure.cutoff is not None:
        answers["k"] = cutoffs(measure.cutoff)
    return answers


def _with(answers: Iterable[Any], own: Any) -> list[Any]:
    """Return the answers, the measure's own added where it is another."""
    every = list(answers)
    return every if own in every else [own, *every]


def levels(grades: Floats) -> list[float]:
    """Return the grades above 0 from which a document may be relevant: all, or some from lowest to highest."""
    positive = np.unique(grades[grades > 0])
    if len(positive) > MOST_LEVELS:
        positive = positive[np.linspace(0, len(positive) - 1, MOST_LEVELS).round().astype(np.int64)]
    return [float(level) for level in positive]


def cutoffs(k: int) -> list[int]:
    """Return 5, 10 and 20, or half, once and twice another cutoff."""
    return list(CUTOFFS) if k in CUTOFFS else sorted({max(1, k // 2), k, 2 * k})


def flavored(measure: Measure, answers: Mapping[str, Any]) -> Measure:
    """Return the measure under other answers.

    Raises
    ------
    UsageError
        If the answers do not go together.
    """
    decisions = {name: answer for name, answer in answers.items() if name != "k"}
    return replace(measure, cutoff=answers.get("k"), decisions=measure.decisions.but(**decisions), typed="")


def flavors(measure: Measure, grades: Floats) -> tuple[list[tuple[dict[str, Any], Measure]], list[str]]:
    """Return every flavour with its answers, and in words those whose answers do not go together."""
    computable: list[tuple[dict[str, Any], Measure]] = []
    refused: list[str] = []
    tried = axes(measure, grades)
    for chosen in itertools.product(*tried.values()):
        answers = dict(zip(tried, chosen, strict=True))
        try:
            computable.append((answers, flavored(measure, answers)))
        except UsageError as refusal:
            refused.append(f"{written(answers)}: {refusal}")
    return computable, refused


def written(answers: Mapping[str, Any]) -> str:
    """Write answers as they are typed."""
    return " ".join(f"{name}={answer_word(answer)}" for name, answer in answers.items())


def answer_word(answer: Any) -> str:
    """Write one answer."""
    return str(answer) if isinstance(answer, int) else answer_text(answer)
