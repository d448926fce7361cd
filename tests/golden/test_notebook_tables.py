"""Every shape of table the five source notebooks have is read: raters, texts, positions, groups, systems."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import idealrank as ir
from tests.golden.notebooks import Case, cases, keywords, rows_of


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
