"""Several judgments of one document by nobody in particular: one grade of them."""

from __future__ import annotations

import pytest

import idealrank as ir

SEVERAL = {"query": ["q"] * 5, "doc": ["a", "a", "a", "b", "a"], "grade": [3, 1, 1, 2, 2]}
"""a is judged 3, 1, 1 and 2: by hand the mean is 1.75, the median 1.5, the most frequent 1."""

RESULTS = {"q": {"a": 2.0, "b": 1.0}}


@pytest.mark.parametrize(("answer", "grade"), [("mean", 1.75), ("median", 1.5), ("majority", 1.0)])
def test_one_grade_of_several(answer: str, grade: float) -> None:
    """duplicates=mean, median and majority make one grade of all, and the ledger says how many there were."""
    scores = ir.evaluate(SEVERAL, RESULTS, ["CG"], duplicates=answer)
    assert scores["CG"] == grade + 2
    assert f"3 duplicate judgments combined with others (duplicates={answer})" in scores.ledger.notes


def test_a_rater_who_judged_twice() -> None:
    """Each rater's ratings are combined first, then the raters': (mean of 3 and 1, and 0) is 1."""
    table = {"query": ["q"] * 3, "doc": ["a"] * 3, "grade": [3, 1, 0], "rater": ["x", "x", "y"]}
    assert ir.evaluate(table, RESULTS, ["CG"], duplicates="mean", raters="mean")["CG"] == 1.0


def test_results_have_no_grades_to_combine() -> None:
    """A document returned twice is refused under these answers, with those that help."""
    results = {"query": ["q", "q"], "doc": ["a", "a"], "rank": [1, 2]}
    with pytest.raises(ir.DataError, match=r"returned a second time .* choose: duplicates=first, last or max\."):
        ir.evaluate({"q": {"a": 1}}, results, ["RR"], duplicates="mean")
