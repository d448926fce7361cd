"""Every step the five source notebooks show on the way to a number comes out of the public functions."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict

import pytest

import idealrank as ir
from tests.golden.notebooks import Case, cases, check_cell, check_values, explained, rows_of, scores_of


@cases("joined")
def test_results_meet_judgments(case: Case) -> None:
    """Every result keeps its rank and meets its grade; an unjudged one has a missing grade."""
    steps = list(scores_of(case).steps(case["measure"]))
    for found, row in zip(steps, rows_of(case), strict=True):
        assert (found["query"], found["doc"], found["rank"]) == (row["query"], row["doc"], row["rank"])
        if row["grade"] is None:
            assert found["grade"] is None or math.isnan(found["grade"])
        else:
            assert found["grade"] == row["grade"]


STEP_COLUMNS = {"grade", "gain", "discount", "contribution", "running"}


@cases("steps")
def test_steps(case: Case) -> None:
    """The steps hold every column of the notebook: gain, discount, discounted gain, running sums."""
    steps = {(row["query"], row["doc"]): row for row in scores_of(case).steps(case["measure"])}
    for row in rows_of(case):
        found = steps[row["query"], row["doc"]]
        assert found["rank"] == row.get("rank", found["rank"])
        for column in STEP_COLUMNS & set(row):
            check_cell(found[column], row[column], case["tolerance"])
        if "divisor" in row:
            check_cell(1 / found["discount"], row["divisor"], case["tolerance"])


@cases("steps")
def test_steps_other_columns(case: Case) -> None:
    """The running cumulated gain and the place in the best order are there too."""
    decisions = {name: answer for name, answer in case["decisions"].items() if name != "gain"}
    for query, group in itertools.groupby(rows_of(case), key=lambda row: row["query"]):
        rows = list(group)
        if "running_cg" in rows[0]:
            cg = ir.explain(case["judgments"], case["results"], "CG", query=query, **decisions).steps
            assert cg["running"] == [row["running_cg"] for row in rows]
        if "ideal_rank" in rows[0]:
            ideal = explained(case, "nDCG", query).ideal
            better = {g: 1 + len({h for h in ideal["grade"] if h > g}) for g in ideal["grade"]}
            assert [better[row["grade"]] for row in rows] == [row["ideal_rank"] for row in rows]


@cases("ideal")
def test_ideal_table(case: Case) -> None:
    """The ideal list has the documents, ranks, gains and discounted gains of the notebook."""
    by_query = defaultdict(list)
    for row in rows_of(case):
        by_query[row["query"]].append(row)
    for query, rows in by_query.items():
        explanation = explained(case, case["measure"], query)
        for found, row in zip(explanation.ideal, rows, strict=True):
            for column in {"rank", "gain", "discount", "contribution"} & set(row):
                check_cell(found[column], row[column], case["tolerance"])
            assert found["doc"] == row.get("doc", found["doc"])
        actual = [row["actual"] for row in rows if "actual" in row]
        assert not actual or explanation.steps["contribution"] == pytest.approx(actual, abs=case["tolerance"])


@cases("ideal_grades")
def test_ideal_grades(case: Case) -> None:
    """The ideal list has the grades of all judged documents, best first, as deep as the decision says."""
    assert explained(case, case["measure"], "q").ideal["grade"] == case["expected"]


@cases("normaliser")
def test_normaliser(case: Case) -> None:
    """The normaliser of nDCG is the DCG of the ideal list."""
    queries = list(case["expected"])
    check_values({query: explained(case, case["measure"], query).normaliser for query in queries}, case)


@cases("ideal_dcg")
def test_ideal_dcg(case: Case) -> None:
    """The best DCG there is at k ranks needs no data."""
    found = ir.ideal_dcg(k=case["k"], max_grade=case["max_grade"], gain="exp2", discount="ln")
    assert abs(found - case["expected"]) <= case["tolerance"]


@cases("gains")
def test_gains(case: Case) -> None:
    """The gain exp2 is 2 to the power of the grade, less 1."""
    judgments, results = ir.from_grades(case["grades"])
    assert ir.evaluate(judgments, results, ["DCG"], gain="exp2").steps("DCG")["gain"] == case["expected"]


@cases("fraction")
def test_fraction(case: Case) -> None:
    """The score is the total divided by the normaliser, at the digits of the text."""
    found = explained({**case, "decisions": {"ideal_depth": "returned"}}, "nDCG", "q")
    above, below = case["inputs"]
    assert (round(found.total, 3), round(found.normaliser, 3)) == (above, below)
    assert abs(found.total / found.normaliser - case["expected"]) <= case["tolerance"]
    assert found.score == pytest.approx(found.total / found.normaliser, abs=1e-12)


@cases("grades")
def test_grades_in_order(case: Case) -> None:
    """A ranking becomes the list of its grades."""
    assert ir.evaluate(case["judgments"], case["results"], ["DCG"]).steps("DCG")["grade"] == case["expected"]
