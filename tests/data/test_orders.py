"""What orders the results, and what odd rows do: ranks, scores, gaps, missing values."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from tests.data.test_columns import refusal

NAN = float("nan")
JUDGMENTS = {"q": {"a": 3, "b": 2, "c": 1}}
IDEAL = 3 + 2 / math.log2(3) + 1 / 2


def results(**columns: Any) -> dict[str, list[Any]]:
    """Return results of one query."""
    return {"query_id": ["q"] * len(columns["doc_id"]), **columns}


def dcg(*grades: float) -> float:
    """Return the DCG of grades in rank order."""
    return math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def ndcg(table: Any, judgments: Any = JUDGMENTS, **decisions: Any) -> float:
    """Return nDCG of one query."""
    return ir.evaluate(judgments, table, ["nDCG@10"], **decisions)["nDCG@10"]


def notes(table: Any, judgments: Any = JUDGMENTS, **decisions: Any) -> list[str]:
    """Return what the ledger says."""
    return list(ir.evaluate(judgments, table, ["nDCG@10"], **decisions).ledger.notes)


@pytest.mark.parametrize("order", list(itertools.permutations([1, 2, 3])))
@pytest.mark.parametrize("base", [0, 1])
def test_ranks_from_0_or_1(order: tuple[int, ...], base: int) -> None:
    """Ranks may count from 0 or 1, in rows of any order; that they start at 0 is said."""
    by_rank = sorted(zip(order, (3, 2, 1), strict=True))
    table = results(doc_id=["a", "b", "c"], rank=[rank - 1 + base for rank in order])
    assert ndcg(table) == pytest.approx(dcg(*(grade for _, grade in by_rank)) / IDEAL, abs=1e-12)
    assert any("ranks start at 0" in note for note in notes(table)) == (base == 0)


@pytest.mark.parametrize("base", [0, 1])
def test_base_is_found_per_table(base: int) -> None:
    """A query whose first rank is 1 has a gap only in a table that counts from 0."""
    judgments = {"p": {"a": 1}, "q": {"b": 1}}
    table = {"query_id": ["p", "q"], "doc_id": ["a", "b"], "rank": [base, 1]}
    assert any("gaps in the ranks" in note for note in notes(table, judgments)) == (base == 0)
    scores = ir.evaluate(judgments, table, ["RR"], rank_gaps="keep")
    assert scores.values[0, 0].tolist() == [1.0, 1.0 if base == 1 else 0.5]


def test_repeated_ranks() -> None:
    """Equal ranks are ties, and the queries that have them are counted."""
    table = results(doc_id=["a", "b", "c"], rank=[1, 2, 2])
    assert ndcg(table, ties="docid_asc") == pytest.approx(1.0)
    assert ndcg(table, ties="docid_desc") == pytest.approx(dcg(3, 1, 2) / IDEAL)
    assert ndcg(table, ties="average") == pytest.approx((1.0 + dcg(3, 1, 2) / IDEAL) / 2)
    assert any("1 query with repeated ranks" in note for note in notes(table))


def test_gaps_in_ranks() -> None:
    """Missing ranks close up, or are kept as unjudged results; they are counted either way."""
    table = results(doc_id=["a", "b", "c"], rank=[1, 2, 5])
    assert ndcg(table) == pytest.approx(1.0)
    assert ndcg(table, rank_gaps="keep") == pytest.approx(dcg(3, 2, 0, 0, 1) / IDEAL)
    assert any("1 query with gaps in the ranks" in note for note in notes(table))


def test_floats_and_text_as_ranks(tmp_path: Path) -> None:
    """Ranks may be floats, also with decimals, or text of a file."""
    assert ndcg(results(doc_id=["a", "b", "c"], rank=[1.0, 1.5, 2.0])) == pytest.approx(1.0)
    pd.DataFrame(results(doc_id=["a", "b", "c"], rank=[" 1", "2 ", "+3"])).to_csv(tmp_path / "r.csv", index=False)
    assert ndcg(tmp_path / "r.csv") == pytest.approx(1.0)


def test_ranks_compare_as_numbers(tmp_path: Path) -> None:
    """Rank 10 comes after rank 9, also in text."""
    docs = ["b", *(f"x{rank}" for rank in range(2, 10)), "a"]
    pd.DataFrame(results(doc_id=docs, rank=list(range(1, 11)))).to_csv(tmp_path / "r.csv", index=False)
    assert ir.evaluate({"q": {"a": 1}}, tmp_path / "r.csv", ["RR"])["RR"] == pytest.approx(0.1)


AGAINST = results(doc_id=["a", "b", "c"], rank=[1, 2, 3], score=[9.0, 5.0, 7.0])
"""Rank says a, b, c; score says a, c, b."""


def test_rank_against_score() -> None:
    """A table goes by its ranks; that its scores say otherwise is said, with the mean under them."""
    assert ndcg(AGAINST) == pytest.approx(1.0)
    other = dcg(3, 1, 2) / IDEAL
    assert ndcg(AGAINST, order_by="score") == pytest.approx(other)
    (said,) = [note for note in notes(AGAINST) if "rank and score disagree in 1 query" in note and "order_by" in note]
    assert f"{other:.4f}" in said


def test_trec_runs_go_by_score(tmp_path: Path) -> None:
    """A TREC run goes by score, whatever its rank column holds; dicts of dicts have only scores."""
    (tmp_path / "r.run").write_text("q Q0 a 1 9 t\nq Q0 b 2 5 t\nq Q0 c 3 7 t\n")
    other = dcg(3, 1, 2) / IDEAL
    assert ndcg(tmp_path / "r.run") == pytest.approx(other)
    assert ndcg(tmp_path / "r.run", order_by="rank") == pytest.approx(1.0)
    assert ndcg({"q": {"a": 9.0, "b": 5.0, "c": 7.0}}) == pytest.approx(other)
    (tmp_path / "r.run").write_text("q Q0 a - 9 t\nq Q0 b x 5 t\nq Q0 c 0 7 t\n")
    assert ndcg(tmp_path / "r.run") == pytest.approx(other)


def test_given_order() -> None:
    """Without ranks and scores the rows are the order."""
    assert ndcg(results(doc_id=["b", "a", "c"])) == pytest.approx(dcg(2, 3, 1) / IDEAL)
    assert ndcg(AGAINST, order_by="given") == pytest.approx(1.0)


def opposite(queries: int, against: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return judgments and results of queries of which some have scores that rise with the rank."""
    names = [f"q{i}" for i in range(queries)]
    judgments = {name: {"a": 1} for name in names}
    rows = [(name, doc, rank, rank if place < against else -rank) for place, name in enumerate(names)
            for rank, doc in enumerate("ab", 1)]  # fmt: skip
    return judgments, dict(
        zip(("query_id", "doc_id", "rank", "score"), map(list, zip(*rows, strict=True)), strict=True)
    )


def test_opposite_directions() -> None:
    """Where scores rise with the rank in most queries, something must say which counts."""
    judgments, table = opposite(4, 3)
    message = refusal(lambda: ir.evaluate(judgments, table, ["RR"]))
    assert message == (
        "results: rank and score run in opposite directions in 3 of 4 queries (does a lower score mean better here?). "
        "Say which counts: order_by=rank or order_by=score."
    )
    assert ir.evaluate(judgments, table, ["RR"], order_by="rank")["RR"] == 1.0
    assert ir.evaluate(judgments, table, ["RR"], order_by="score")["RR"] == pytest.approx((3 * 0.5 + 1) / 4)
    judgments, table = opposite(4, 2)
    assert ir.evaluate(judgments, table, ["RR"])["RR"] == 1.0


def test_empty_columns() -> None:
    """An empty rank column leaves the order to the scores, and the other way round."""
    assert ndcg(results(doc_id=["b", "a"], rank=[None, None], score=[1.0, 2.0])) == pytest.approx(dcg(3, 2) / IDEAL)
    assert ndcg(results(doc_id=["b", "a"], rank=[2, 1], score=[NAN, NAN])) == pytest.approx(dcg(3, 2) / IDEAL)
    assert refusal(lambda: ndcg(results(doc_id=["b", "a"], rank=[None, None]))) == (
        "results: the rank column is empty. Give each result a rank or a score."
    )


def test_results_without_a_rank_or_score() -> None:
    """Beside ranks a missing score is counted; a missing rank puts its result last, and is counted."""
    scored = results(doc_id=["a", "b"], rank=[1, 2], score=[9.0, None])
    assert ndcg(scored) == pytest.approx(dcg(3, 2) / IDEAL)
    assert any("1 result without a score" in note for note in notes(scored))
    ranked = results(doc_id=["a", "b"], rank=[None, 1])
    assert ndcg(ranked) == pytest.approx(dcg(2, 3) / IDEAL)
    assert any("1 result without a rank" in note for note in notes(ranked))


@pytest.mark.parametrize("empty", [None, "", NAN])
def test_empty_documents(empty: Any) -> None:
    """A row without a document says that its query got nothing; what else stands in it does not matter."""
    judgments = {"q": {"a": 1}, "r": {"b": 1}}
    table = {"query_id": ["q", "r"], "doc_id": ["a", empty], "rank": [1, -1], "score": [1.0, NAN]}
    scores = ir.evaluate(judgments, table, ["RR"])
    assert scores.values[0, 0].tolist() == [1.0, 0.0]
    assert any("1 row without a document: no results" in note for note in scores.ledger.notes)
    nothing = {name: values[1:] for name, values in table.items()}
    assert ir.evaluate(judgments, nothing, ["RR"])["RR"] == 0.0


@pytest.mark.parametrize("empty", [None, NAN, "", "nan", "NA", "null"])
def test_empty_grades(empty: Any, tmp_path: Path) -> None:
    """An empty grade, or NaN, is unjudged, and counted; in text also as NA and null."""
    judgments = {"query_id": ["q"] * 3, "doc_id": ["a", "b", "c"], "grade": [3, empty, 1]}
    table = results(doc_id=["a", "b", "c"], rank=[1, 2, 3])
    assert ndcg(table, judgments) == pytest.approx(dcg(3, 0, 1) / dcg(3, 1))
    assert any("1 judgment row without a grade: unjudged" in note for note in notes(table, judgments))
    pd.DataFrame(judgments).to_csv(tmp_path / "j.csv", index=False)
    assert ndcg(table, tmp_path / "j.csv") == pytest.approx(dcg(3, 0, 1) / dcg(3, 1))
