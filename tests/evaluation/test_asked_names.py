"""Measures are asked for by any of their names; a wrong one is answered with the nearest."""

from __future__ import annotations

import pytest

import idealrank as ir
from tests.evaluation.worlds import JUDGMENTS, RESULTS


def test_default_measures() -> None:
    """Without measures: nDCG@10, P@10, R@100, RR, AP."""
    assert ir.evaluate(JUDGMENTS, RESULTS).means["measure"] == ["nDCG@10", "P@10", "R@100", "RR", "AP"]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("mrr@10", "RR@10"),
        ("MRR", "RR"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("map", "AP"),
        ("recip_rank", "RR"),
        ("P_5", "P@5"),
        ("recall_100", "R@100"),
        ("P(rel=2)@5", "P(rel=2)@5"),
    ],
)
def test_names_people_type(typed: str, name: str) -> None:
    """A measure asked for by any of its names is answered under that name and under ours."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, [typed])
    assert scores.means["measure"] == [name]
    assert scores[typed] == scores[name] == ir.evaluate(JUDGMENTS, RESULTS, [name])[name]


@pytest.mark.parametrize("asked", ["PrecisionAt@2", "precisionat@2", "P@2", "PrecisionAt(short_list=k)@2"])
def test_a_tools_own_name_is_answered(asked: str) -> None:
    """The name a tool has for a measure is answered where it was asked for: a value, the steps, an explanation."""
    theirs = ["PrecisionAt@2,3", "PrecisionAt(short_list=k)@2"]
    scores = ir.evaluate(JUDGMENTS, RESULTS, theirs, convention="catboost")
    place = 2 if "short_list" in asked else 0
    assert scores[asked] == scores.all_means[0][place]
    assert scores.explain(asked, scores.queries[0]).score == scores.values[0, place, 0]
    assert scores.steps(asked).columns == scores.steps(scores.measures[place].name).columns


def test_each_cutoff_of_a_tools_own_name_is_answered() -> None:
    """Of PrecisionAt@2,3 each cutoff is answered under the tool's name."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["PrecisionAt@2,3"], convention="catboost")
    assert [scores["PrecisionAt@2"], scores["PrecisionAt@3"]] == scores.all_means[0]


def test_unknown_names_say_the_nearest() -> None:
    """A name that is no measure, or was not asked for, names the nearest one that is there."""
    with pytest.raises(ir.UsageError, match="Did you mean nDCG"):
        ir.evaluate(JUDGMENTS, RESULTS, ["NDGC@10"])
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@10", "P@2"])
    with pytest.raises(ir.UsageError, match=r"Did you mean P@2\?"):
        scores["P@3"]


def test_several_cutoffs_in_one_name() -> None:
    """nDCG@5,10 is two measures."""
    assert ir.evaluate(JUDGMENTS, RESULTS, "nDCG@5,10").means["measure"] == ["nDCG@5", "nDCG@10"]


def test_one_measure_twice_is_one_column() -> None:
    """Two names of one measure under the same decisions are one row."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["mrr", "RR", "recip_rank"])
    assert scores.means["measure"] == ["RR"]
    assert scores["mrr"] == scores["recip_rank"] == 0.5


def test_measures_of_one_name_keep_apart() -> None:
    """Two measures that are written alike but decided differently are told apart by their fingerprints."""
    from idealrank.measures import parse

    exp2 = parse("nDCG@10", ir.Decisions().but(gain="exp2"))[0]
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@10", exp2])
    assert len(scores.per_query.columns) == 3
    assert [label.startswith("nDCG[") for label in scores.labels] == [True, True]
    assert scores[scores.labels[1]] == ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@10"], gain="exp2")["nDCG@10"]


def test_another_name_is_said_beside_the_decisions() -> None:
    """A name other than the measure's own is said once, letter case and cutoffs aside."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["hit_rate@5", "ndcg@5,10", "P(rel=2)@5", ir.measure("AP"), "MRR"])
    assert scores.answers.line.endswith("; hit_rate@5 is Success@5, MRR is RR")
    assert str(scores.answers.shown()).count("hit_rate@5 is Success@5, MRR is RR") == 1
    assert "names" not in str(ir.evaluate(JUDGMENTS, RESULTS, ["ndcg@5"]).answers.shown())
