"""Every number the five source notebooks print, query by query and as means, comes out of the public functions."""

from __future__ import annotations

import pytest

import idealrank as ir
from tests.golden.notebooks import CASES, Case, cases, check_values, keywords, per_query, scores_of


@cases("per_query")
def test_values_per_query(case: Case) -> None:
    """The value of each query is the one printed, under the decisions of the cell."""
    found = per_query(scores_of(case))
    assert set(found) == set(case["expected"])
    check_values(found, case)


@cases("mean")
def test_means(case: Case) -> None:
    """The mean is the one printed: a query without results counts as the convention says."""
    scores = scores_of(case)
    assert abs(scores[case["measure"]] - case["expected"]) <= case["tolerance"]
    for query, value in case.get("per_query", {}).items():
        assert per_query(scores)[query] == pytest.approx(value, abs=1e-12)


@cases("worst")
def test_worst_first(case: Case) -> None:
    """The queries come worst first, equal ones by name, each with the DCG printed."""
    scores = scores_of(case)
    check_values(per_query(scores), case)
    assert scores.worst(len(case["order"]))["query"] == case["order"]


@cases("better")
def test_better_list(case: Case) -> None:
    """Of two lists of the same documents, the better ordered one has the higher DCG."""
    scores = scores_of(case)
    check_values(per_query(scores), case)
    assert scores.best(1)["query"] == [case["better"]]


@cases("nothing_returned")
def test_nothing_returned(case: Case) -> None:
    """A judged query that got nothing back has 0, even where an all-zero list has 1."""
    grades = dict(zip(case["judgments"]["doc"], case["judgments"]["grade"], strict=True))
    scores = ir.evaluate(*ir.from_ranking([], grades, query="e"), [case["measure"]], **keywords(case))
    assert per_query(scores) == case["expected"]


@cases("describe")
def test_describe(case: Case) -> None:
    """Count, mean, sd (n - 1), minimum, interpolated quartiles and maximum of 50 values."""
    numbers = range(case["values"][0], case["values"][1] + 1)
    queries = {str(number): {"d": number} for number in numbers}
    row = next(iter(ir.evaluate(queries, {query: {"d": 1.0} for query in queries}, ["CG"]).describe()))
    assert {"std": row.pop("sd")} | {name: row[name] for name in case["expected"] if name != "std"} == pytest.approx(
        case["expected"], abs=case["tolerance"]
    )


REAL_LIFE = {
    "s000-07": ("DCG", {}),
    "s000-10": ("nDCG", {"ideal": "local"}),
    "s000-13": ("nDCG", {"ideal": "global"}),
    "s000-16": ("nDCG", {"ideal": "max"}),
    "s000-18": ("DCG@10", {}),
    "s000-19": ("nDCG@10", {"ideal": "max"}),
}


@pytest.mark.parametrize("identity", REAL_LIFE)
def test_real_life_convention(identity: str) -> None:
    """The convention real-life answers as notebook 000 does, with only the ideal to choose."""
    case = next(case for case in CASES if case["id"] == identity)
    measure, ideal = REAL_LIFE[identity]
    check_values(per_query(scores_of({**case, "convention": "real-life", "decisions": ideal}, measure)), case)


PLACEHOLDERS = [case for case in CASES if case["id"].startswith("s004-10")]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in PLACEHOLDERS])
def test_empty_document_under_trectools(case: Case) -> None:
    """A row with an empty document id makes its query one of the run's: trectools, too, counts it 0."""
    scores = scores_of({**case, "convention": "trectools"})
    assert abs(scores[case["measure"]] - case["expected"]) <= case["tolerance"]
