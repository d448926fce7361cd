"""A measure at every cutoff."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir
from idealrank.reports.sections.charts import curve
from tests.comparison.worlds import random_world

NAMES = ["nDCG@10", "nDCG(gain=exp2, ideal=local)@3", "P@5", "R", "AP", "RR@2", "Success@1"]
OPTIONS = [
    {"unjudged": "filter"},
    {"no_results": "skip"},
    {"convention": "trec_eval-9.0.8"},
    {"only": ["q001", "q004"]},
]


@pytest.mark.parametrize(("name", "options"), [*((name, {}) for name in NAMES), *(("nDCG@10", o) for o in OPTIONS)])
def test_each_mean_is_that_of_the_measure_with_that_cutoff(name: str, options: dict[str, Any]) -> None:
    """At each k stands what `evaluate` gives for the measure written with @k, under the same decisions."""
    judgments, runs = random_world(1, queries=12, holes=0.2)
    del runs["s1"]["q003"]
    found = curve(ir.evaluate(judgments, runs, [name], **options), depth=6)
    asked = [f"{name.partition('@')[0]}@{k}" for k in range(1, 7)]
    expected = ir.evaluate(judgments, runs, asked, **options)
    assert found["k"] == [1, 2, 3, 4, 5, 6]
    for system in runs:
        assert found[system] == [expected[one, system] for one in asked]


def test_precision_by_hand() -> None:
    """One relevant result of three, in the second place: P@1 to P@4 are 0, 1/2, 1/3 and 1/4."""
    found = curve(ir.evaluate({"q": {"b": 1}}, {"q": {"a": 3, "b": 2, "c": 1}}, ["RR", "P@1"]), "P@1", depth=4)
    assert found["results"] == [0.0, 1 / 2, 1 / 3, 1 / 4]


def test_weights_count() -> None:
    """The mean of two queries of weight 3 and 1 lies at three quarters of the first."""
    run = {"a": {"d": 2, "x": 1}, "b": {"x": 2, "d": 1}}
    scores = ir.evaluate({"a": {"d": 1}, "b": {"d": 1}}, run, ["Success@1"], weights={"a": 3, "b": 1})
    assert curve(scores, depth=2)["results"] == [0.75, 1.0]


def test_what_has_no_curve_is_refused() -> None:
    """A measure without a cutoff is named, and so is a depth that is none."""
    scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, ["Rprec", "P@5"])
    with pytest.raises(ir.UsageError, match=r"Rprec takes no cutoff.*nDCG"):
        curve(scores)
    for depth in (0, 2.5):
        with pytest.raises(ir.UsageError, match=f"depth={depth}"):
            curve(scores, "P@5", depth=depth)  # type: ignore[arg-type]


def test_it_states_the_measure() -> None:
    """The fingerprint is that of the measure without a cutoff."""
    scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, ["nDCG@10"], gain="exp2")
    assert curve(scores).stated == {"fingerprint": ir.measure("nDCG(gain=exp2)").fingerprint}


def test_the_part_of_a_report_begins_at_1() -> None:
    """One relevant result in the second place of three, at k = 1, 2 and 3; a measure without a cutoff has no curve."""
    measures = ["RR", "P@1", "Rprec"]
    found = ir.report(ir.evaluate({"q": {"b": 1}}, {"q": {"a": 3, "b": 2, "c": 1}}, measures)).curves
    assert found == {
        "RR": {"k": [1, 2, 3], "systems": {"results": [0.0, 1 / 2, 1 / 2]}},
        "P@1": {"k": [1, 2, 3], "systems": {"results": [0.0, 1 / 2, 1 / 3]}},
    }
