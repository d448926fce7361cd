"""Behaviours of the notebooks that no printed number shows: what goes in."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir

JUDGMENTS = {"query": [0, 0, 0, 1, 1], "docid": [11, 12, 13, 21, 22], "rel": [3, 2, 1, 1, 0]}
RUN = {"query": [0, 0, 0, 1, 1], "docid": [12, 11, 99, 22, 21], "rank": [1, 2, 3, 1, 2], "score": [9, 8, 7, 6, 5]}
MEASURES = ["P@5", "nDCG@5", "AP", "RR"]


def means(judgments: Any, results: Any = None, **options: Any) -> list[float]:
    """The means of four measures."""
    scores = ir.evaluate(judgments, results, MEASURES, **options)
    return [scores.mean(measure) for measure in scores.measures]


def text_of(table: dict[str, list[Any]], separator: str) -> str:
    """Write a dict of columns as delimited text."""
    rows = [list(table), *zip(*table.values(), strict=True)]
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


EXPECTED = means(JUDGMENTS, RUN)


def test_ids_as_numbers_or_text() -> None:
    """Integer ids and the same ids as text give the same numbers, on either side."""
    as_text = {name: list(map(str, values)) if name != "rel" else values for name, values in JUDGMENTS.items()}
    assert means(as_text, RUN) == means(JUDGMENTS, RUN) == EXPECTED


def test_two_ids_may_share_a_text() -> None:
    """The id is the key; asking for a text that belongs to two ids is refused, and both are named."""
    judgments = {"queryid": [1, 2], "query": ["shoes", "shoes"], "doc": ["a", "b"], "grade": [1, 1]}
    results = {"queryid": [1, 2], "query": ["shoes", "shoes"], "doc": ["a", "x"], "rank": [1, 1]}
    assert ir.evaluate(judgments, results, ["RR"]).queries == ["1", "2"]
    with pytest.raises(ir.UsageError, match=r"2 queries: '1', '2'"):
        ir.explain(judgments, results, "RR", query="shoes")


def test_grades_in_rank_order_equal_a_table() -> None:
    """Bare grades give what a table of the same gives."""
    table = {"doc": ["a", "b", "c"], "grade": [3, 0, 2], "position": [1, 2, 3]}
    assert means(*ir.from_grades([3, 0, 2])) == means(table)


def test_trec_text(tmp_path: Path) -> None:
    """TREC judgments and runs with their constant and system columns are read."""
    (tmp_path / "qrels").write_text("0 q0 11 3\n0 q0 12 2\n0 q0 13 1\n1 q0 21 1\n1 q0 22 0\n")
    rows = zip(*RUN.values(), strict=True)
    (tmp_path / "run").write_text("".join(f"{q} q0 {doc} {rank} {score} test\n" for q, doc, rank, score in rows))
    assert means(tmp_path / "qrels", tmp_path / "run") == EXPECTED


def test_ranks_from_0_or_1() -> None:
    """Ranks that start at 0 give the same numbers as ranks that start at 1, and the base found is reported."""
    from_0 = {**RUN, "rank": [rank - 1 for rank in RUN["rank"]]}
    assert means(JUDGMENTS, from_0) == EXPECTED
    assert any("ranks start at 0" in note for note in ir.evaluate(JUDGMENTS, from_0, MEASURES).ledger.notes)


@pytest.mark.parametrize("separator", ["|", ",", "\t", ";"])
def test_separator_is_found(separator: str, tmp_path: Path) -> None:
    """A file's separator is found by itself."""
    (tmp_path / "j.csv").write_text(text_of(JUDGMENTS, separator))
    (tmp_path / "r.csv").write_text(text_of(RUN, separator))
    assert means(tmp_path / "j.csv", tmp_path / "r.csv") == EXPECTED


def test_renamed_columns() -> None:
    """With every column renamed and the names passed, the numbers are the same."""
    judgments = dict(zip(("frage", "stueck", "note"), JUDGMENTS.values(), strict=True))
    results = dict(zip(("consulta", "papel", "lugar", "pontos"), RUN.values(), strict=True))
    read = ir.read_judgments(judgments, query="frage", doc="stueck", grade="note")
    found = ir.read_results(results, query="consulta", doc="papel", rank="lugar", score="pontos")
    assert means(read, found) == EXPECTED


def test_score_is_the_grade_in_judgments() -> None:
    """SCORE, RANK and ENGINE in both tables: SCORE is a grade in one and the engine's number in the other."""
    judgments = {
        "QUERY_KEY": JUDGMENTS["query"],
        "DOC_KEY": JUDGMENTS["docid"],
        "SCORE": JUDGMENTS["rel"],
        "RANK": [9, 8, 7, 6, 5],
        "ENGINE": ["judge"] * 5,
    }
    results = dict(zip(("QUERY_KEY", "DOC_KEY", "RANK", "SCORE"), RUN.values(), strict=True))
    assert means(judgments, {**results, "ENGINE": ["solr"] * 5}) == EXPECTED


def test_one_system_of_several() -> None:
    """One system is chosen by name; alone it has the numbers it has among the others."""
    both = {name: values * 2 for name, values in RUN.items()} | {"ENGINE": ["a"] * 5 + ["b"] * 5}
    both["rank"] = [*RUN["rank"], *RUN["rank"][::-1]]
    both["score"] = [*RUN["score"], *RUN["score"][::-1]]
    every = ir.evaluate(JUDGMENTS, both, MEASURES)
    for system in ("a", "b"):
        alone = ir.evaluate(JUDGMENTS, both, MEASURES, system=system)
        assert alone.systems == (system,)
        assert [alone.mean(m) for m in alone.measures] == [every.mean(m, system) for m in every.measures]


def test_tables_go_out_and_come_back(tmp_path: Path) -> None:
    """A table written as CSV is read again with every digit."""
    steps = ir.evaluate(JUDGMENTS, RUN, ["nDCG@5"]).steps("nDCG@5")
    assert {"query", "rank", "doc", "grade", "gain", "discount", "contribution", "running"} <= set(steps.columns)
    (tmp_path / "steps.csv").write_text(steps.to_csv())
    again = ir.read_judgments(tmp_path / "steps.csv", grade="contribution")
    shares = {(row["query"], row["doc"]): row["contribution"] for row in steps}
    pool = ir.evaluate(again, RUN, ["CG"], relevant_from="positive", rank_gaps="close").steps("CG")
    assert {(row["query"], row["doc"]): row["grade"] for row in pool} == shares


def test_duplicates() -> None:
    """A document twice is refused with both places; a choice is applied and counted."""
    twice = {name: [*values, values[0]] for name, values in RUN.items()}
    with pytest.raises(ir.DataError, match=r"second time.*duplicates=first, last"):
        means(JUDGMENTS, twice)
    assert means(JUDGMENTS, twice, duplicates="first") == EXPECTED
    notes = ir.evaluate(JUDGMENTS, twice, MEASURES, duplicates="first").ledger.notes
    assert any("1 duplicate" in note for note in notes)


def test_raters_who_differ_or_stay_silent() -> None:
    """Two raters give a half; where a rating is missing, those present count, and it is said how many are."""
    table = {"doc": ["a", "b"], "position": [1, 2], "rating_1": [1, 2], "rating_2": [2, None]}
    scores = ir.evaluate(table, measures=["DCG"])
    assert scores.steps("DCG")["grade"] == [1.5, 2.0]
    assert any("1 rating" in note and "median" in note for note in scores.ledger.notes)


def test_missing_grade() -> None:
    """An empty grade is counted, and the row is unjudged."""
    judgments = {"query": ["q", "q"], "doc": ["a", "b"], "grade": [2, None]}
    scores = ir.evaluate(judgments, {"q": {"b": 2.0, "a": 1.0}}, ["DCG"])
    assert scores["DCG"] == ir.evaluate({"q": {"a": 2}}, {"q": {"b": 2.0, "a": 1.0}}, ["DCG"])["DCG"]
    assert any("1 judgment" in note and "without a grade" in note for note in scores.ledger.notes)


def test_rows_in_any_order() -> None:
    """Shuffled rows change nothing where ranks or scores order them, running sums included."""
    rows = list(zip(*RUN.values(), strict=True))
    random.Random(7).shuffle(rows)
    shuffled = dict(zip(RUN, map(list, zip(*rows, strict=True)), strict=True))
    assert means(JUDGMENTS, shuffled) == EXPECTED
    tables = [ir.evaluate(JUDGMENTS, run, ["DCG"]).steps("DCG").to_csv() for run in (RUN, shuffled)]
    assert tables[0] == tables[1]


def test_rank_and_score_disagree() -> None:
    """A table that contradicts itself is read by rank; that is said, with the means by score."""
    results = {
        "query": [0] * 5,
        "docid": ["doc_2", "doc_1", "doc_10", "doc_11", "doc_12"],
        "rank": [1, 2, 3, 3, 4],
        "score": [2, 3, 0, 0, 0],
    }
    scores = ir.evaluate({"0": {"doc_1": 3, "doc_2": 2, "doc_3": 1}}, results, ["nDCG@5"])
    notes = "\n".join(scores.ledger.notes)
    assert "rank and score disagree in 1 query; ordered by rank" in notes
    assert f"with order_by=score: nDCG@5 {scores['nDCG@5']:.4f} → 0.8950" in notes


def test_text_beyond_ascii(tmp_path: Path) -> None:
    """Accents, Cyrillic and emoji in queries, documents and file names go in and come out."""
    query, doc = "técnica e preço 😀", "обувь.html"
    path = tmp_path / "julgamentos_é.csv"
    path.write_text(f"query,doc,grade\n{query},{doc},2\n", encoding="utf-8")
    scores = ir.evaluate(path, {"query": [query], "doc": [doc], "rank": [1]}, ["DCG"])
    assert scores.queries == [query]
    assert scores.steps("DCG")["doc"] == [doc]
    assert scores["DCG"] == 2


def test_only_some_queries(tmp_path: Path) -> None:
    """A range of keys, a list or a file says which queries count; the ledger counts the others."""
    (tmp_path / "ids.txt").write_text("1\n")
    for only in ("1..50", ["1"], tmp_path / "ids.txt"):
        scores = ir.evaluate(JUDGMENTS, RUN, ["RR"], only=only if isinstance(only, list) else str(only))
        assert scores["RR"] == 0.5
        assert "1 left out on request" in scores.ledger.line


def test_queries_only_the_results_have() -> None:
    """A query nobody judged is counted and named, not scored."""
    extra = {name: [*values, new] for (name, values), new in zip(RUN.items(), (7, 70, 1, 1), strict=True)}
    scores = ir.evaluate(JUDGMENTS, extra, MEASURES)
    assert [scores.mean(m) for m in scores.measures] == EXPECTED
    assert "1 returned, not judged (7)" in scores.ledger.line


@pytest.mark.parametrize(
    ("judgments", "results", "said"),
    [
        (JUDGMENTS, {"query": [0], "docid": [11], "rank": ["first"]}, "rank 'first' is not a number"),
        (JUDGMENTS, {"q1": {"11": 1.0}}, "The one query in results has no judgments"),
        (JUDGMENTS, "no-such.run", "no such file"),
    ],
)
def test_errors_carry_cause_and_place(judgments: Any, results: Any, said: str) -> None:
    """An error names what was being read, the value, and what to do next."""
    with pytest.raises(ir.DataError, match=said):
        means(judgments, results)
