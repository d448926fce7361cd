"""conventions_table and reconcile: the same number under every convention, and what makes the difference."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.audit.conventions_table import spread
from idealrank.conventions import CONVENTIONS
from tests.evaluation.worlds import RANDOMLY, Nested, worlds

QRELS = {"q": {"a": 3, "b": 1, "c": 2, "m": 3}, "r": {"x": 1, "y": 2}}
RUN = {"q": {"b": 3.0, "u": 2.0, "a": 1.0}, "r": {"x": 5.0, "y": 5.0}}
SCORED = [
    name
    for name, convention in CONVENTIONS.items()
    if convention.decisions.order_by != "rank"
    and convention.decisions.max_grade != 1
    and (convention.measures is None or "nDCG" in convention.measures)
]
"""Conventions that have nDCG of scores and of any grades."""


def mean(**answers: Any) -> float:
    """The mean nDCG@2 under some answers."""
    return ir.evaluate(QRELS, RUN, ["nDCG@2"], **answers)["nDCG@2"]


def test_shares_are_the_mean_over_both_orders() -> None:
    """With two decisions a share is the mean of its effect before and after the other, and both are shown."""
    found = ir.reconcile(QRELS, RUN, "nDCG@2", "idealrank-1", "idealrank-1, gain=exp2, ideal=returned")
    shares = {row["decision"]: row for row in found.shares}
    none, gain, ideal = mean(), mean(gain="exp2"), mean(ideal="returned")
    both = mean(gain="exp2", ideal="returned")
    assert (found.before, found.after, found.gap) == (none, both, both - none)
    assert shares["gain"]["first"] == pytest.approx(gain - none, abs=1e-15)
    assert shares["gain"]["last"] == pytest.approx(both - ideal, abs=1e-15)
    assert shares["gain"]["share"] == pytest.approx((gain - none + both - ideal) / 2, abs=1e-15)
    assert shares["ideal"]["share"] == pytest.approx((ideal - none + both - gain) / 2, abs=1e-15)
    assert (shares["ideal"]["from"], shares["ideal"]["to"]) == ("global", "returned")


def test_what_changes_nothing_is_no_part() -> None:
    """A decision that differs and changes no value on this data has no share."""
    found = ir.reconcile(QRELS, RUN, "nDCG@2", "idealrank-1", "idealrank-1, negative=keep, gain=exp2")
    assert found.shares["decision"] == ["gain"]
    same = ir.reconcile(QRELS, RUN, "nDCG@2", "idealrank-1", "idealrank-1, negative=keep")
    assert (same.gap, len(same.shares), len(same.queries)) == (0.0, 0, 0)
    assert same.text.endswith("nothing visible in this data")


def test_queries_name_the_documents() -> None:
    """A query whose value differs comes with the decision that did most, and the documents it is about."""
    ties = ir.reconcile(QRELS, RUN, "nDCG@2", "idealrank-1", "idealrank-1, ties=worst").queries
    assert ties.to_dict()["query"] == ["r"]
    assert (ties["most by"], ties["documents"]) == (["ties"], ["tied y x"])
    holes = ir.reconcile(QRELS, RUN, "nDCG@2", "idealrank-1", "idealrank-1, unjudged=filter").queries
    assert (holes["query"], holes["documents"]) == (["q"], ["unjudged u"])
    missed = ir.reconcile(QRELS, RUN, "nDCG@2", "idealrank-1", "idealrank-1, ideal=returned").queries
    assert missed["documents"][0] == "missing m c"


def test_a_query_left_out_is_laid_to_what_leaves_it_out() -> None:
    """Where a query counts under one setting only, the decision that leaves it out did most."""
    qrels = QRELS | {"none": {"z": 1}}
    found = ir.reconcile(qrels, RUN, "nDCG@2", "idealrank-1", "idealrank-1, no_results=skip, gain=exp2")
    most = dict(zip(found.queries["query"], found.queries["most by"], strict=True))
    assert most["none"] == "no_results"


def test_what_is_refused_is_answered_together() -> None:
    """Two answers that cannot be had apart are one player, and the refusal is told."""
    tied = {"q": {"a": 1.0, "u": 1.0, "b": 1.0}}
    one, two = "idealrank-1, ties=average", "idealrank-1, ap_denominator=hits"
    found = ir.reconcile(QRELS, tied, "AP", one, two)
    assert [set(name.split(" + ")) for name in found.shares["decision"]] == [{"ties", "ap_denominator"}]
    assert "cannot be computed" in found.refused[0]
    assert math.fsum(found.shares["share"]) == pytest.approx(found.gap, abs=1e-12)


@RANDOMLY
@given(worlds(), st.sampled_from(SCORED), st.sampled_from(SCORED))
def test_shares_sum_to_the_gap(world: tuple[Nested, Nested], one: str, other: str) -> None:
    """On random data the shares sum to the gap between the two means that evaluate gives, within 1e-12."""
    found = ir.reconcile(*world, "nDCG@3", one, other)
    before, after = (ir.evaluate(*world, ["nDCG@3"], convention=name).all_means[0][0] for name in (one, other))
    if math.isnan(before) or math.isnan(after):
        return
    assert (found.before, found.after) == (before, after)
    assert math.fsum(found.shares["share"]) == pytest.approx(after - before, abs=1e-12)


def test_the_table_is_what_evaluate_gives() -> None:
    """Every convention's value is that of evaluate; what cannot answer says why, and comes last."""
    table = ir.conventions_table(QRELS, RUN, "nDCG@2")
    rows = {row["convention"]: row for row in table}
    for name in SCORED:
        assert rows[name]["value"] == ir.evaluate(QRELS, RUN, ["nDCG@2"], convention=name).all_means[0][0]
    values = [value for value in table["value"] if not math.isnan(value)]
    assert values == sorted(values)
    assert rows["catboost-exp"]["decisions"].startswith("order_by=score ties=worst gain=exp2")
    assert spread(table).endswith(f"from {values[0]:.4f} to {values[-1]:.4f}")
    bpref = {row["convention"]: row["note"] for row in ir.conventions_table(QRELS, RUN, "Bpref")}
    assert bpref["sklearn"] == "unsupported"


def test_several_systems_ask_for_one() -> None:
    """A comparison of conventions is about one system."""
    with pytest.raises(ir.UsageError, match="Several systems: a, b"):
        ir.reconcile(QRELS, {"a": RUN, "b": RUN}, "RR", "idealrank-1", "idealrank-1, unjudged=filter")


def test_nothing_judged_is_refused() -> None:
    """Results that meet no judgment are no row of zeros, and no number that nothing gives."""
    strange = {"z": {"x": 1.0}}
    for call in (
        lambda: ir.conventions_table(QRELS, strange, "RR"),
        lambda: ir.reconcile(QRELS, strange, "RR", "idealrank-1", "idealrank-1, unjudged=filter"),
        lambda: ir.identify(QRELS, strange, {"RR": "0.5"}, departures=0),
    ):
        with pytest.raises(ir.DataError, match="has no judgments"):
            call()


def test_what_one_setting_settles_is_settled_for_all() -> None:
    """Judgments given twice are compared under the rule both settings have."""
    twice = {"query_id": ["q", "q", "q"], "doc_id": ["a", "a", "b"], "grade": [3, 3, 1]}
    one = "idealrank-1, duplicates=first"
    found = ir.reconcile(twice, {"q": {"b": 2.0, "a": 1.0}}, "nDCG@2", one, f"{one}, gain=exp2")
    assert found.shares["decision"] == ["gain"]
    assert found.queries["query"] == ["q"]


def test_a_name_that_is_another_measure_there() -> None:
    """Where a convention's name is another measure, the measure is a player, and the ends are those of evaluate."""
    found = ir.reconcile(QRELS, RUN, "nDCG@2", "idealrank-1", "recommenders")
    ends = [
        ir.evaluate(QRELS, RUN, ["nDCG@2"], convention=name).all_means[0][0] for name in ("idealrank-1", "recommenders")
    ]
    assert [found.before, found.after] == pytest.approx(ends, abs=1e-15)
    measure = next(row for row in found.shares if row["decision"] == "measure")
    assert (measure["from"], measure["to"]) == ("nDCG@2", "BinaryNDCG@2")
    assert math.fsum(found.shares["share"]) == pytest.approx(found.gap, abs=1e-12)
    # The base of the logarithm cancels: what rounding leaves of it is no part.
    assert "discount" not in found.shares["decision"]


def test_more_than_twelve_are_taken_by_stage() -> None:
    """Thirteen decisions that differ are answered together by stage."""
    thirteen = (
        "gain=exp2, discount=reciprocal, ideal=returned, ideal_depth=returned, cutoff=below_k, unjudged=filter, "
        "negative=keep, no_relevant=1, no_results=skip, no_judgments=0, average=median, "
        "ties=worst, score_precision=float32"
    )
    found = ir.reconcile(QRELS, RUN, "nDCG@2", "idealrank-1", f"idealrank-1, {thirteen}")
    assert all(set(name.split(" + ")) & {"gain", "ties", "no_results"} for name in found.shares["decision"])
    assert any(" + " in name for name in found.shares["decision"])
    assert math.fsum(found.shares["share"]) == pytest.approx(found.gap, abs=1e-12)


def test_shares_come_largest_first() -> None:
    """The decision with the largest share, up or down, stands first."""
    found = ir.reconcile(QRELS, RUN, "nDCG@2", "idealrank-1", "idealrank-1, gain=exp2, ideal=returned, ties=worst")
    assert [abs(share) for share in found.shares["share"]] == sorted(map(abs, found.shares["share"]), reverse=True)


def test_one_refusal_of_all_is_raised() -> None:
    """What refuses every convention alike is an error, not a table of it."""
    with pytest.raises(ir.UsageError, match="'nDCG@5,10' is 2 measures"):
        ir.conventions_table(QRELS, RUN, "nDCG@5,10")
    twice = {"query": ["q", "q"], "doc": ["a", "a"], "grade": [1, 2]}
    with pytest.raises(ir.DataError, match="judged a second time"):
        ir.conventions_table(twice, RUN, "nDCG@2", conventions=["idealrank-1", "sklearn"])


def test_known_faults_have_a_row_where_they_show() -> None:
    """With fractional grades trec_eval's own number stands beside that of its formulas; else it would say the same."""
    names = ir.conventions_table({"q": {"a": 2.9, "b": 1.5}}, {"q": {"b": 2.0, "a": 1.0}}, "nDCG@2")["convention"]
    assert "trec_eval-9.0.8, faults=on" in names
    assert not any("faults" in name for name in ir.conventions_table(QRELS, RUN, "nDCG@2")["convention"])
