"""Every number the five source notebooks print comes out of the public functions."""

from __future__ import annotations

import itertools
import json
import math
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.golden.tables import read_cases

CASES = read_cases()
SOURCE = Path(__file__).parents[3] / "shared" / "golden" / "seeds" / "seed_cases.json"
Case = dict[str, Any]
KINDS: set[str] = set()


def cases(kind: str) -> Callable[[Callable[[Case], None]], Any]:
    """Run a test on every case of a kind, each under its id."""
    KINDS.add(kind)
    chosen = [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", chosen)


def scores_of(case: Case, measure: str | None = None) -> ir.Scores:
    """Evaluate a case as it says."""
    return ir.evaluate(case["judgments"], case.get("results"), [measure or case["measure"]], **keywords(case))


def keywords(case: Case) -> dict[str, Any]:
    """Return the convention and the decisions of a case."""
    return {"convention": case.get("convention", "idealrank-1"), **case.get("decisions", {})}


def per_query(scores: ir.Scores) -> dict[str, float]:
    """Return the values of the one measure of the one system."""
    return dict(zip(scores.queries, scores.values[0, 0].tolist(), strict=True))


def check_values(found: dict[str, float], case: Case) -> None:
    """Compare with the printed values, and with all digits where the print has fewer."""
    for query, value in case["expected"].items():
        assert abs(found[query] - value) <= case["tolerance"], query
    for query, value in case.get("full", {}).items():
        assert found[query] == pytest.approx(value, abs=1e-12), query


def check_cell(found: float | None, expected: float | None, tolerance: float) -> None:
    """Compare two numbers; what is printed as missing is missing or adds nothing."""
    if expected is None:
        assert found is None or math.isnan(found) or found == 0
    else:
        assert found is not None
        assert abs(found - expected) <= tolerance


def explained(case: Case, measure: str, query: str) -> ir.Explanation:
    """Explain one query of a case."""
    return ir.explain(case["judgments"], case["results"], measure, query=query, **keywords(case))


def rows_of(case: Case) -> list[dict[str, Any]]:
    """Return the expected rows as dicts."""
    return [dict(zip(case["expected"]["columns"], row, strict=True)) for row in case["expected"]["rows"]]


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


@cases("sets")
def test_returned_sets(case: Case) -> None:
    """Overlap shows the set of documents each query got."""
    found = ir.overlap(case["results"], case["results"])
    sets = {query: sorted(docs) for query, docs in zip(found["query"], found["a"], strict=True)}
    assert sets == case["expected"]


@cases("overlap")
def test_overlap(case: Case) -> None:
    """Overlap gives Jaccard, intersection and union of two systems per query."""
    found = {row["query"]: row for row in ir.overlap(*case["systems"].values())}
    for query, value in case["expected"]["per_query"].items():
        assert abs(found[query]["jaccard"] - value) <= case["tolerance"]
        assert sorted(found[query]["intersection"]) == case["expected"]["intersection"][query]
        assert sorted(found[query]["union"]) == case["expected"]["union"][query]


@cases("raters")
def test_median_of_raters(case: Case) -> None:
    """Three ratings in three columns become their median, in a table that is judgments and results at once."""
    table: dict[str, list[Any]] = {name: [] for name in ("query", "document", "position")}
    table |= {f"rating_{n}": [] for n in (1, 2, 3)}
    for query, doc, rank, ratings in case["ratings"]:
        for column, value in zip(table.values(), [query, doc, rank, *ratings], strict=True):
            column.append(value)
    steps = ir.evaluate(table, measures=["DCG"]).steps("DCG")
    found = {(row["query"], row["doc"]): row["grade"] for row in steps}
    assert found == {(row["query"], row["doc"]): row["grade"] for row in rows_of(case)}


@cases("shape")
def test_shape(case: Case) -> None:
    """A table with query ids and texts is keyed by id, and every row counts as a result."""
    ids = case["expected"]["ids"]
    judgments, results = (dict(case[name]) for name in ("judgments", "results"))
    for table in (judgments, results):
        table["queryid"] = [ids[text] for text in table["query"]]
    scores = ir.evaluate(judgments, results, ["NumRet"])
    assert scores["NumRet"] == case["expected"]["rows"]
    assert scores.queries == [str(number) for number in sorted(ids.values())]
    texts = dict(zip(scores.per_query["text"], scores.per_query["NumRet"], strict=True))
    assert texts == case["expected"]["returned"]


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


@cases("scores_from_positions")
def test_scores_from_positions(case: Case) -> None:
    """Scores that fall by one from position to position order the results as the positions do."""
    assert case["results"]["score"] == case["expected"]
    by_rank, by_score = (
        ir.evaluate(case["judgments"], case["results"], ["DCG"], order_by=order).steps("DCG")["doc"]
        for order in ("rank", "score")
    )
    assert by_rank == by_score


@cases("groups")
def test_groups(case: Case) -> None:
    """One group id for all documents is one query."""
    grades = dict(zip(case["judgments"]["doc"], case["judgments"]["grade"], strict=True))
    in_order = [grades[doc] for doc in case["results"]["doc"]]
    scores = ir.evaluate(*ir.from_groups(in_order, case["results"]["score"], case["expected"]), ["DCG"])
    assert scores.queries == ["1"]
    assert scores.steps("DCG")["grade"] == in_order


@cases("several_systems")
def test_two_systems_in_one_call(case: Case) -> None:
    """Two systems in one call, an error in the notebook's tool, give two columns here."""
    sources = [ir.read_results(table, name=name) for name, table in case["systems"].items()]
    scores = ir.evaluate(case["judgments"], sources, ["P@5"])
    assert list(scores.systems) == case["expected"]
    assert scores.means.columns == ["measure", *case["expected"]]


@cases("per_system")
def test_one_number_per_system(case: Case) -> None:
    """A table with a system column gives one number for each system and measure."""
    table: dict[str, list[Any]] = defaultdict(list)
    for name, results in case["systems"].items():
        for column, values in results.items():
            table[column] += values
        table["system"] += [name] * len(results["query"])
    scores = ir.evaluate(case["judgments"], dict(table), case["measure"], **keywords(case))
    for system, values in case["expected"].items():
        for measure, value in values.items():
            assert abs(scores[measure, system] - value) <= case["tolerance"]


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


def test_every_case_has_a_test() -> None:
    """All 117 cases are here once, each of a kind that a test above runs."""
    identities = [case["id"] for case in CASES]
    assert len(identities) == len(set(identities)) == 117
    assert {case["kind"] for case in CASES} == KINDS


@pytest.mark.skipif(not SOURCE.is_file(), reason="the file the tables were made from is not beside the repository")
def test_tables_are_as_their_source() -> None:
    """The tables hold every case of the file they were made from, with its numbers and tolerance."""
    source = {case["id"]: case for case in json.loads(SOURCE.read_text(encoding="utf-8"))}
    assert set(source) == {case["id"] for case in CASES}
    for case in CASES:
        original = source[case["id"]]
        assert case["role"] == original["role"]
        assert case["tolerance"] == original["tolerance"]["abs"]
        if case["kind"] == "per_query":
            assert case["expected"] == original["expected"]["per_query"]
        if case["kind"] == "mean":
            assert case["expected"] == original["expected"]["aggregate"]
