"""What a verdict says: headline, summary, sentence and steps of every outcome, as they were approved."""

from __future__ import annotations

import pytest
from scipy import stats

import idealrank as ir
from tests.approving import difference
from tests.comparison.approve import APPROVED, WORLDS, said, verdicts


def test_verdicts_are_as_approved() -> None:
    """Every world says what was read and approved; else the difference is named."""
    found = difference(APPROVED / "verdicts.txt", verdicts(), "python -m tests.comparison.approve")
    assert not found, found


@pytest.mark.parametrize(
    ("name", "differences", "digits"),
    [
        ("40 gain 1/2", [0.5] * 40 + [0.0] * 20, 3),
        ("14 of 20 gain 1/2", [0.5] * 14 + [0.0] * 6, 2),
        ("40 lose 1/6", [-1 / 6] * 40 + [0.0] * 20, 3),
        ("20 gain 1/2, less than a margin", [0.5] * 20 + [0.0] * 40, 3),
        ("a guardrail loses", [2 / 3] * 24 + [-1 / 12] * 36, 3),
        ("10 of 400 gain 0.075 and 10 lose it", [0.075] * 10 + [-0.075] * 10 + [0.0] * 380, 4),
        ("8 gain 1/2 and 12 lose 1/6", [0.5] * 8 + [-1 / 6] * 12 + [0.0] * 40, 3),
        ("lower is better, 40 gain 2", [2.0] * 40 + [0.0] * 20, 2),
        ("lower is better, 10 lose 2 and 5 gain it", [2.0] * 5 + [-2.0] * 10 + [0.0] * 45, 2),
    ],
)
def test_ends_are_those_of_scipy(name: str, differences: list[float], digits: int) -> None:
    """The interval that is said is SciPy's of the differences, by amounts above 0."""
    before, after, rule = WORLDS[name]
    span = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    sentence = said(before, after, **rule).verdict.sentence
    for end in span:
        assert f" {abs(end):.{digits}f} " in sentence


def test_queries_are_missing_rather_than_judgments() -> None:
    """Where only the number of queries speaks against a loss, the headline and the advice name queries, not holes."""
    docs = [f"d{n}" for n in range(7)]
    judged = {f"q{n}": dict.fromkeys(docs, 1) for n in range(41)}
    before = {query: [*docs, "x", "y", "z"] for query in judged}
    after = {query: [*docs[: 4 if n < 8 else 7], "x", "y", "z"] for n, query in enumerate(judged)}
    few = ir.compare(judged, {"before": before, "after": after}, ["P@10"], baseline="before").verdict
    assert "too few to rule out" in few.reason
    assert few.headline == "Not enough evidence to ship after"
    assert few.settle.startswith("Judge about 41 more queries")
