"""What a share is divided by, counted by hand under every answer.

Four of at most five results came back: relevant, unjudged, not relevant, relevant. Six documents are relevant.
"""

from __future__ import annotations

from math import log2

import pytest

import idealrank as ir
from idealrank.decisions import questions

JUDGMENTS = {"q": {"a": 1, "b": 0, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1}}
RESULTS = {"q": {"a": 4.0, "x": 3.0, "b": 2.0, "c": 1.0}}

DCG = 1 + 1 / log2(5)


def ideal(depth: int) -> float:
    """Return the DCG of relevant documents at every rank down to a depth."""
    return sum(1 / log2(rank + 1) for rank in range(1, depth + 1))


BY_HAND = {
    "short_list": [("P@5", {"k": 2 / 5, "returned": 2 / 4, "judged": 2 / 3})],
    "recall_denominator": [("R@5", {"R": 2 / 6, "min(R,k)": 2 / 5, "min(R,k,n)": 2 / 4, "hits": 2 / 2})],
    "ap_denominator": [("AP@5", {"R": 1.5 / 6, "min(R,k)": 1.5 / 5, "min(R,k,n)": 1.5 / 4, "hits": 1.5 / 2})],
    "ideal_depth": [
        ("BinaryNDCG@5", {"cutoff": DCG / ideal(5), "returned": DCG / ideal(4), "all": DCG / ideal(6)}),
        ("BinaryNDCG", {"cutoff": DCG / ideal(6), "returned": DCG / ideal(4), "all": DCG / ideal(6)}),
    ],
    "recall_points": [
        ("IPrec@0.2", {"nearest": 1.0, "up": 0.5}),  # 1.2 documents: one, at rank 1; or two, the second at rank 4
        ("IPrec@0.1", {"nearest": 1.0, "up": 1.0}),  # 0.6 documents: one either way
        ("IPrec@0.25", {"nearest": 0.5, "up": 0.5}),  # 1.5 documents: two either way
    ],
}
CASES = [
    (measure, decision, answer, value)
    for decision, rows in BY_HAND.items()
    for measure, values in rows
    for answer, value in values.items()
]


@pytest.mark.parametrize(("measure", "decision", "answer", "value"), CASES)
def test_counted_by_hand(measure: str, decision: str, answer: str, value: float) -> None:
    """P and R count 2 relevant results, AP adds 1/1 and 2/4, nDCG 1 and 1/log2(5); each answer has its own divisor."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, [measure], convention=f"idealrank-1, {decision}={answer}")
    assert scores[measure] == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("decision", BY_HAND)
def test_every_answer_is_counted(decision: str) -> None:
    """No answer is left out above."""
    for _, values in BY_HAND[decision]:
        assert set(values) == set(questions()[decision].answers)
