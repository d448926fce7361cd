"""What the ledger finds in the data: nothing vanishes without being counted."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir
from tests.evaluation.worlds import JUDGMENTS, RESULTS


def facts(judgments: Any, results: Any = None, measures: Any = ("RR",), **options: Any) -> list[str]:
    """Return what was found, one text a fact."""
    return [fact.text for fact in ir.evaluate(judgments, results, list(measures), **options).ledger.facts]


def judged(**columns: list[Any]) -> dict[str, list[Any]]:
    """Return judgments of the query q as columns."""
    size = len(next(iter(columns.values())))
    return {"query_id": ["q"] * size, "doc_id": [f"d{i}" for i in range(size)], **columns}


RUN = {"q": {"d0": 2.0, "d1": 1.0}}


def test_clean_data_has_no_facts() -> None:
    """Clean judgments and results leave nothing to say."""
    assert facts({"q": {"d0": 1.0, "d1": 0.0}}, RUN) == []


def test_grades_below_zero() -> None:
    """Grades below zero are counted, with what they count as."""
    assert facts(judged(grade=[1, -1]), RUN) == ["1 grade below zero (negative=unjudged)"]
    assert facts(judged(grade=[1, -1, -2]), RUN, negative="keep") == ["2 grades below zero (negative=keep)"]


def test_max_grade_is_told_where_it_is_read() -> None:
    """The top of the scale, and where it comes from, is told where a measure reads it."""
    assert facts(judged(grade=[1, 3]), RUN, ["ERR"]) == ["max_grade 3, the highest in the judgments"]
    assert facts(judged(grade=[1, 3]), RUN, ["nDCG(ideal=max)"], max_grade=4) == ["max_grade 4, as declared"]
    assert facts(judged(grade=[1, 3]), RUN, ["nDCG"]) == []


def test_grades_below_the_level() -> None:
    """Grades above 0 that are not relevant are counted, and the means under `positive` told."""
    ledger = ir.evaluate(judged(grade=[0.5, 1]), RUN, ["RR", "nDCG"]).ledger
    hint = "; no grade is above 1: relevant_from=positive counts every grade above 0 as relevant"
    low = "1 grade lies between 0 and {0} and counts as not relevant (relevant_from={0})".format
    assert [fact.text for fact in ledger.facts] == [f"{low(1)}{hint}"]
    assert ledger.notes[1] == f"{low(1)}; with relevant_from=positive: RR 0.5000 → 1.0000"
    levels = facts(judged(grade=[1, 2]), RUN, ["P(rel=2)@5", "P@5"])
    assert levels == [low(2)]


def test_no_grade_reaches_the_level() -> None:
    """Where no grade reaches the level, binary measures are refused with what to set; graded ones are not."""
    with pytest.raises(ir.DataError, match=r"no grade reaches relevant_from=1 \(the highest is 0.9\).*positive"):
        ir.evaluate({"q": {"d0": 0.9}}, RUN, ["RR"])
    assert ir.evaluate({"q": {"d0": 0.9}}, RUN, ["nDCG"])["nDCG"] == 1.0
    assert ir.evaluate({"q": {"d0": 0.9}}, RUN, ["R"], no_relevant="1")["R"] == 1.0
    assert ir.evaluate({"q": {"other": 0.9}}, RUN, ["RR"], unjudged=2)["RR"] == 1.0
    assert ir.evaluate({"q": {"d0": 0.9}}, RUN, ["RR"], relevant_from="positive")["RR"] == 1.0
    assert ir.evaluate({"q": {"d0": 0.0}}, RUN, ["RR"])["RR"] == 0.0


def test_judgments_in_a_table_of_results() -> None:
    """In a table that is both, rows without rank and score are judgments only, and counted."""
    table = {"query_id": ["q"] * 3, "doc_id": ["d0", "d1", "d2"], "grade": [0, 1, 2], "rank": [1, 2, None]}
    assert facts(table) == ["1 row without rank and score: judgments only"]
    assert ir.evaluate(table, measures=["R"])["R"] == 0.5


def test_queries_asked_for_that_are_nowhere() -> None:
    """Ids asked for that neither side has are named."""
    assert facts(JUDGMENTS, RESULTS, only=["q1", "q9", "x", "y"]) == [
        "2 queries asked for, but neither judged nor returned: x, y"
    ]


def test_facts_name_the_system_where_there_are_several() -> None:
    """What was found in one system's results is told of that system; what was found in the judgments, once."""
    broken = ir.read_results({"query_id": ["q1", "q2"], "doc_id": ["d1", None], "rank": [1, 1]})
    judgments = {**JUDGMENTS, "q2": {"d1": 1.0, "d5": -1.0}}
    notes = ir.evaluate(judgments, {"a": ir.read_results(RESULTS), "b": broken}, ["RR"]).ledger.notes
    assert notes[0] == "1 grade below zero (negative=unjudged)"
    assert notes[1] == "b: 1 row without a document: no results"


def test_judgments_alone_that_rank_nothing() -> None:
    """Judgments without rank and score, and no results: their rows are the results, with a warning."""
    table = {"query_id": ["q", "q"], "doc_id": ["a", "b"], "grade": [0, 1]}
    scores = ir.evaluate(table, measures=["RR"])
    assert scores["RR"] == 0.5
    assert scores.ledger.warnings == ("no results given, no rank and no score: the judgments' rows are the results",)
    assert ir.evaluate(table, measures=["RR"], order_by="given").ledger.warnings == ()


def test_weights_that_are_all_zero() -> None:
    """Where every query that has a value weighs 0 there is no mean, and a warning says why."""
    scores = ir.evaluate({"q": {"d0": 1}}, RUN, ["RR", "NumRel"], weights={"q": 0})
    assert scores.ledger.warnings == ("no mean of RR: the weights of its queries are all 0",)
    assert ir.evaluate({"q": {"d0": 1}}, RUN, ["RR"], weights={"q": 2}).ledger.warnings == ()


def test_the_top_of_a_scale_that_a_convention_declares() -> None:
    """A convention that declares the top of the scale for one measure is told so, not the highest grade."""
    scores = ir.evaluate({"q": {"d0": 0.75}}, {"q": {"d0": 1.0}}, ["ERR"], convention="ir_measures")
    assert "max_grade 4, as declared" in scores.ledger.notes


def test_rows_without_scores_and_ranks() -> None:
    """A table with neither scores nor ranks is warned of; a ranking, a replay and a system without results are not."""
    judgments = {"q": {"a": 1}}
    plain = {"query": ["q", "q"], "doc": ["x", "a"]}
    (warning,) = ir.evaluate(judgments, plain, ["RR"]).ledger.warnings
    assert "no column of scores or ranks, so results are ranked in the order of the rows" in warning
    assert "--score-col" in warning
    assert ir.evaluate(judgments, plain, ["RR"], order_by="given").ledger.warnings == ()
    assert ir.evaluate(*ir.from_ranking(["x", "a"], {"a": 1}), ["RR"]).ledger.warnings == ()
    assert ir.evaluate(judgments, ir.replay(["q"], lambda text: ["x", "a"]), ["RR"]).ledger.warnings == ()
    empty = ir.evaluate(judgments, {"one": {"q": {"a": 1.0}}, "none": {}}, ["RR"])
    assert not any("order of the rows" in text for text in empty.ledger.warnings)


def test_failed_queries_in_number() -> None:
    """Several failed queries are left out, or count 0: the first with a message comes first, with it."""
    table = {"query": ["q", "p", "r"], "doc": ["a", None, None], "score": [1.0, None, None]}
    table |= {"error": ["", "failed", "HTTP 503"]}
    judgments = {query: {"a": 1} for query in "qpr"}
    for failed, fate in (("skip", "are left out"), ("0", "count 0")):
        scores = ir.evaluate(judgments, table, ["RR"], failed=failed)
        assert scores.ledger.warnings == (f"the search failed for 2 queries, which {fate}: r (HTTP 503), p",)


def test_ties_that_a_tool_orders_by_itself() -> None:
    """No answer says how ranx sorts equal scores: that its numbers may differ is said where there are any."""
    judged, tied = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}
    said = ir.evaluate(judged, tied, ["RR"], convention="ranx").ledger.warnings
    assert any("equal scores, whose order in ranx is that of the sort" in text for text in said)
    for options in ({"convention": "ranx", "ties": "given"}, {"convention": "pytrec_eval"}):
        assert not any(
            "equal scores, whose order" in text for text in ir.evaluate(judged, tied, ["RR"], **options).ledger.warnings
        )
