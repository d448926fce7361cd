"""What a report is called, what it says of its measures and its ledger, and its edges."""

from __future__ import annotations

import pytest

import idealrank as ir
from tests.reports.sections.test_arithmetic import by_subtopic, scored

JUDGED = {query: {"d": 1} for query in "abc"}
RUN = {query: scored("d") for query in JUDGED}


@pytest.mark.parametrize(
    ("systems", "title"), [("s", "s: RR"), ("st", "s and t: RR"), ("stu", "3 systems: RR"), ("stuv", "4 systems: RR")]
)
def test_a_report_is_called_by_its_systems(systems: str, title: str) -> None:
    """One or two systems are named, more are counted, with the first measure."""
    assert ir.report(ir.evaluate(JUDGED, dict.fromkeys(systems, RUN), ["RR", "AP"])).title == title


def test_what_is_taken_of_the_values() -> None:
    """A mean, in weights where there are any; a geometric mean, a median; of a count the sum."""
    assert [each["over"] for each in ir.report(ir.evaluate(JUDGED, RUN, ["RR", "num_rel"])).measures] == ["mean", "sum"]
    weighted = ir.evaluate(JUDGED, RUN, ["RR"], weights={"a": 1, "b": 2, "c": 3})
    assert ir.report(weighted).measures[0]["over"] == "weighted mean"
    for average, said in (("geometric", "geometric mean"), ("median", "median")):
        assert ir.report(ir.evaluate(JUDGED, RUN, ["RR"], average=average)).measures[0]["over"] == said


def test_a_list_of_one_rank_where_nothing_was_returned_for_what_is_judged() -> None:
    """The longest list has one result, so that one rank is shown, however deep is asked for."""
    assert ir.report(ir.evaluate(JUDGED, {"a": scored("d")}, ["RR"]), depth=7).depth == 1
    assert ir.report(ir.evaluate(JUDGED, {"a": scored("d", "e", "f")}, ["RR"]), depth=2).depth == 2


def test_a_small_rest_is_one() -> None:
    """Of DCG 1000 + 1 / log2(3) the second result is 0.0006 of it: it is the rest where one is shown."""
    scores = ir.evaluate({"q": {"a": 1000, "b": 1}}, {"q": scored("a", "b")}, ["DCG@5"])
    assert ir.report(scores, depth=1).explanations["DCG@5"]["systems"]["results"]["rest"] == pytest.approx([0.6309298])


def test_nothing_is_named_to_judge_where_no_move_is_known() -> None:
    """Of measures by subtopic, and where unjudged results are removed, no list of what to judge first is made."""
    runs = {"old": {"q1": scored("x", "c")}, "new": {"q1": scored("c")}}
    assert ir.report(ir.compare(by_subtopic(), runs, ["alpha_nDCG@3"], draws=100)).holes["to_judge"] == []
    plain = {"old": {"a": scored("x", "d")}, "new": {"a": scored("d")}}
    assert ir.report(ir.compare(JUDGED, plain, ["RR"], draws=100, unjudged="filter")).holes["to_judge"] == []
    assert len(ir.report(ir.compare(JUDGED, plain, ["RR"], draws=100)).holes["to_judge"]) == 1


def test_queries_of_weight_0_and_the_level_are_told() -> None:
    """The comparison names the query without weight, and the confidence that was asked for."""
    weights = {"a": 1, "b": 0, "c": 2}
    found = ir.report(ir.compare(JUDGED, {"s": RUN, "t": RUN}, ["RR"], weights=weights, level=0.9, draws=100)).compared
    assert found is not None
    assert (found["weight_0"], found["level"]) == (["b"], 0.9)


def test_an_overlap_of_no_weight_is_none() -> None:
    """Where the only query with a churn has the weight 0, there is no mean of churn; Jaccard of the others has one."""
    judged = {query: {"d": 1} for query in "ab"}
    runs = {"s": {"a": scored("d"), "b": scored("d")}, "t": {"b": scored("x", "d")}}
    found = ir.report(ir.compare(judged, runs, ["RR"], weights={"a": 1, "b": 0}, draws=100)).overlap[0]
    assert (found["churn"], found["summary"]["churn"]) == ([None, 0.5], None)
    assert (found["jaccard"], found["summary"]["jaccard"]) == ([0, 0.5], 0)
