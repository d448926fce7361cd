"""What one call on objects in memory costs, as counts: joins, and what is only done when somebody asks."""

from __future__ import annotations

import cProfile
import pstats
from collections import Counter

import numpy as np
import pytest

import idealrank as ir

JUDGMENTS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}}
RESULTS = {"q1": {"a": 3.0, "x": 2.0, "b": 1.0}, "q2": {"b": 1.0}}
MEASURES = ["nDCG@10", "AP", "RR", "P@10", "R@100"]


def _functions(**options: str) -> Counter[str]:
    """Return how often each function is called by an evaluation that is not the first."""
    ir.evaluate(JUDGMENTS, RESULTS, MEASURES, **options)  # what a first call imports and reads is kept
    profile = cProfile.Profile()
    profile.runcall(lambda: ir.evaluate(JUDGMENTS, RESULTS, MEASURES, **options).means)
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined] # typeshed leaves it out
    return Counter({name: counts[0] for (_, _, name), counts in stats.items()})


@pytest.mark.parametrize("options", [{}, {"gain": "exp2"}])
def test_a_call_on_dicts_does_what_its_numbers_need(options: dict[str, str]) -> None:
    """Five measures share one join; names are read once; the ledger is counted when somebody asks."""
    called = _functions(**options)
    assert called["_join"] == called["compute"] == 1
    assert not called["parse_with"]
    assert not called["count_bucket"]
    assert called.total() < 3000


def test_the_ledger_is_counted_when_asked() -> None:
    """It is the same as if it had been counted at once, and the tables may have changed since."""
    results = {query: dict(documents) for query, documents in RESULTS.items()}
    scores = ir.evaluate(JUDGMENTS, results, MEASURES)
    results["q1"]["a"] = 0.0
    assert scores.ledger.line == ir.evaluate(JUDGMENTS, RESULTS, MEASURES).ledger.line
    assert "counts" in vars(scores)


def test_ranks_against_scores_are_refused_at_once() -> None:
    """What counting finds to be unusable is refused by evaluate, not by the ledger."""
    rows = [{"query_id": f"q{q}", "doc_id": f"d{i}", "rank": i, "score": i} for q in range(3) for i in range(1, 5)]
    with pytest.raises(ir.DataError, match="opposite directions"):
        ir.evaluate({f"q{q}": {"d1": 1} for q in range(3)}, rows, ["RR"])


@pytest.mark.parametrize("grade", [1, 1.0, True, np.int64(1), np.float32(1), 2**53])
def test_grades_of_any_kind_are_the_same_number(grade: float) -> None:
    """Whole numbers, fractions and NumPy's are read alike."""
    scores = ir.evaluate({"q": {"a": grade, "b": 0}}, {"q": {"b": 2, "a": 1}}, ["RR", "CG@1", "CG@2"])
    assert (scores["RR"], scores["CG@1"], scores["CG@2"]) == (0.5, 0.0, float(grade))


def test_a_grade_beyond_a_float_is_the_nearest_one() -> None:
    """A whole number of more digits than a float has is read as Python's own float of it."""
    grade = 2**60 + 1
    assert ir.evaluate({"q": {"a": grade}}, {"q": {"a": 1.0}}, ["CG@1"])["CG@1"] == float(grade)
