"""What the ledger doubts: one table for both sides, scales that end at 1, and orders that ties hide."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir

ONE_TABLE = {"query": ["q1", "q1", "q2", "q2"], "doc": list("abcd"), "rank": [1, 2, 1, 2], "rating": [1, 0, 0, 1]}
"""Quepid's detailed export: judgments and results in one, nothing judged that was not returned."""


def warnings(scores: ir.Scores) -> list[str]:
    """Return the facts that are said even where only the numbers are asked for."""
    return [fact.text for fact in scores.ledger.facts if fact.warns]


def moved(scores: ir.Scores, decision: str) -> list[tuple[str, str, tuple[tuple[str, float, float], ...]]]:
    """Return cause, answer and means of the moves of a decision."""
    return [(move.cause, move.answer, move.means) for move in scores.ledger.moves if move.decision == decision]


def test_one_table_knows_no_missed_document() -> None:
    """Where every judged document was returned, measures that ask what was missed are warned of, by name."""
    scores = ir.evaluate(ONE_TABLE, measures=["nDCG@10", "R@100", "P@1", "nDCG(ideal=returned)@10"])
    assert warnings(scores) == [
        "judgments: judgments and results in one table, and every judged document was returned: nDCG@10, R@100 cannot "
        "know what was missed and may be too high; give all judgments first, results second"
    ]
    assert warnings(ir.evaluate(ONE_TABLE, measures=["P@1"])) == []


def test_one_table_with_a_document_nobody_returned() -> None:
    """A row without a rank is a judged document that was missed: then nothing is doubted."""
    more = {"query": ["q1"], "doc": ["m"], "rank": [None], "rating": [1]}
    table = {name: [*ONE_TABLE[name], *more[name]] for name in ONE_TABLE}
    assert warnings(ir.evaluate(table, measures=["R@100"])) == []


def test_grades_up_to_one() -> None:
    """Of grades between 0 and 1 few reach 1: a warning names the answer that counts all, unless one is given."""
    judgments, results = {"q": {"a": 0.9, "b": 0.4, "c": 1}}, {"q": {"a": 2.0, "b": 1.0}}
    assert warnings(ir.evaluate(judgments, results, ["P@2"])) == [
        "2 grades lie between 0 and 1 and count as not relevant (relevant_from=1); no grade is above 1: "
        "relevant_from=positive counts every grade above 0 as relevant"
    ]
    assert warnings(ir.evaluate(judgments, results, ["P@2"], relevant_from=1)) == []
    assert warnings(ir.evaluate({"q": {"a": 3, "b": 0.4}}, results, ["P@2"])) == []
    assert warnings(ir.evaluate(judgments, results, ["P@2"], convention="quepid")) == []


def test_ranks_decide_between_tied_scores_of_a_trec_run(tmp_path: Path) -> None:
    """All scores 0, a common dummy: RR is 1/3 by id and 1 by rank, and the ledger says so."""
    (tmp_path / "j").write_text("q1 0 a 1\nq1 0 b 0\nq1 0 c 0\n")
    (tmp_path / "r").write_text("q1 Q0 a 1 0 x\nq1 Q0 b 2 0 x\nq1 Q0 c 3 0 x\n")
    scores = ir.evaluate(str(tmp_path / "j"), str(tmp_path / "r"), ["RR"])
    assert moved(scores, "order_by") == [("3 results tied by score", "rank", (("RR", pytest.approx(1 / 3), 1.0),))]


def test_scores_that_float32_ties() -> None:
    """0.123456789 and 0.123456788 are one score in float32: then the greater id is first."""
    run = {"q": {"a": 0.123456789, "b": 0.123456788}}
    scores = ir.evaluate({"q": {"a": 1}}, run, ["RR"])
    cause = "2 results tied in float32, not in float64"
    assert moved(scores, "score_precision") == [(cause, "float32", (("RR", 1.0, 0.5),))]
    scores = ir.evaluate({"q": {"a": 1}}, run, ["RR"], convention="trec_eval-9.0.8")
    assert moved(scores, "score_precision") == [(cause, "float64", (("RR", 0.5, 1.0),))]
    exact = {"q": {"a": 0.5, "b": 0.25}}
    assert moved(ir.evaluate({"q": {"a": 1}}, exact, ["RR"]), "score_precision") == []


def run_of(path: Path, line: str, queries: int = 20) -> Path:
    """Write a TREC run of ten results a query, each line from a rank and a score."""
    rows = [(q, r, 20.5 - 1.25 * r - q / 100) for q in range(queries) for r in range(1, 11)]
    path.write_text("".join(line.format(q=q, r=r, s=s, up=11 - r, hundreds=int(100 * s)) + "\n" for q, r, s in rows))
    return path


@pytest.mark.parametrize("line", ["q{q} Q0 d{q}_{r} {s} {r} t", "q{q} Q0 d{q}_{r} {hundreds} {r} t"])
def test_swapped_columns_of_a_run(line: str, tmp_path: Path) -> None:
    """A TREC run whose ranks are its scores is read from its last result: that is said, and no such run is shipped."""
    judgments = {f"q{q}": {f"d{q}_{1 + q % 3}": 1, f"d{q}_10": 0} for q in range(20)}
    swapped = run_of(tmp_path / "swapped.run", line)
    found = ir.evaluate(judgments, swapped, ["RR"])
    said = (
        "swapped: the scores count the results from 1 in 20 of 20 queries, and the ranks do not, as if the columns of"
    )
    assert [warning.startswith(said) for warning in found.ledger.warnings] == [True]
    assert ir.evaluate(judgments, swapped, ["RR"], order_by="score").ledger.warnings == ()
    whole = run_of(tmp_path / "whole.run", "q{q} Q0 d{q}_{r} {r} {s} t")
    verdict = ir.compare(judgments, {"old": swapped, "new": whole}, ["RR"]).verdict
    assert "Ship" not in str(verdict).splitlines()[0]


@pytest.mark.parametrize(
    "line", ["q{q} Q0 d{q}_{r} {r} {s} t", "q{q} Q0 d{q}_{r} {up} {r} t", "q{q} Q0 d{q}_{r} {r} {up} t"]
)
def test_ranks_of_a_run_are_no_scores(line: str, tmp_path: Path) -> None:
    """Ranks from 1 are no swapped scores, also of rows from the last to the first and of scores that count them."""
    judgments = {f"q{q}": {f"d{q}_1": 1} for q in range(20)}
    found = ir.evaluate(judgments, run_of(tmp_path / "r.run", line), ["RR"])
    assert not any("swapped" in warning for warning in found.ledger.warnings)


@pytest.mark.parametrize(("grade", "warns"), [(50, True), (9, False)])
def test_a_grade_far_above_all_others(grade: int, warns: bool) -> None:
    """A grade that one query alone has, and more than five times the next, is warned of; the doctor mends it once."""
    judgments = {f"q{q}": {"a": 3 if q else grade, "b": q % 2} for q in range(20)}
    results = {query: {"a": 1.0} for query in judgments}
    said = (
        f"the judgments have the grade {grade} (q0), and no other above 3. Correct the grade {grade}, or take it out",
    )
    assert ir.evaluate(judgments, results, ["nDCG@10"]).ledger.warnings == said * warns
    assert [each.name for each in ir.doctor(judgments, results).findings].count("warning of the ledger") == 0
