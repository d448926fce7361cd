"""What the readers of C/W/L measures read and get: by query, on average, and on the command line."""

from __future__ import annotations

import math

import pytest

import idealrank as ir

QRELS = {"q": {"a": 2, "b": 0, "c": 1}, "r": {"x": 1}, "s": {"y": 2}}
RUN = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}, "r": {"u": 3.0, "x": 2.0, "v": 1.0}}


@pytest.mark.parametrize("name", ["RBP(p=0.7)", "GradedRBP(p=0.7)"])
def test_residual_of_rbp(name: str) -> None:
    """All of d results judged leave p^d; results nobody judged add their weights; without results all is open."""
    rows = {row["query"]: row for row in ir.evaluate(QRELS, RUN, [name]).reading()}
    assert rows["q"]["residual"] == pytest.approx(0.7**3, abs=1e-15)
    assert rows["r"]["residual"] == pytest.approx(0.3 + 0.3 * 0.7**2 + 0.7**3, abs=1e-15)
    assert rows["s"]["residual"] == pytest.approx(1.0, abs=1e-15)
    assert rows["q"]["depth"] == rows["q"]["cost"] == pytest.approx(1 / 0.3)


def test_as_trec_eval_has_it() -> None:
    """The residual of RBP is the measure RBPResidual, where there are results."""
    scores = ir.evaluate(QRELS, RUN, ["RBP(p=0.6)", "RBPResidual(p=0.6)"], no_results="skip")
    assert scores.reading("RBP(p=0.6)")["residual"] == pytest.approx(scores.of("RBPResidual(p=0.6)")[:2].tolist())


def test_with_a_cutoff() -> None:
    """RBP to rank k can have 1 - p^k at most."""
    found = ir.evaluate(QRELS, RUN, ["RBP(p=0.5)@2"]).reading()
    assert found["residual"] == pytest.approx([0.0, 0.5, 0.75])


def test_ties_are_averaged() -> None:
    """With ties=average a residual is the mean of those of all orders, where the weights are those of the ranks."""
    qrels, tied = {"q": {"a": 1}}, {"q": {"a": 1.0, "x": 1.0}}
    found = ir.evaluate(qrels, tied, ["GradedRBP(p=0.5)"], ties="average").reading()
    orders = [{"a": 2.0, "x": 1.0}, {"a": 1.0, "x": 2.0}]
    each = [ir.evaluate(qrels, {"q": order}, ["GradedRBP(p=0.5)"]).reading()["residual"][0] for order in orders]
    assert found["residual"] == pytest.approx([sum(each) / 2])


def test_on_average() -> None:
    """One row a measure: means over the queries that count; a measure without a reader has none."""
    scores = ir.evaluate(QRELS, RUN, ["INST@10", "AP"], no_results="skip")
    by_query, rows = scores.reading("INST@10"), {row["measure"]: row for row in scores.readings}
    assert by_query["query"] == ["q", "r"]
    for name in ("total", "cost", "depth", "residual"):
        assert rows["INST@10"][name] == pytest.approx(sum(by_query[name]) / 2)
        assert math.isnan(rows["AP"][name])
    assert rows["AP"]["mean"] == scores["AP"]
    with pytest.raises(ir.UsageError, match="AP does not model a reader"):
        scores.reading("AP")


def test_of_each_system() -> None:
    """Each system has rows of its own."""
    scores = ir.evaluate(QRELS, {"up": RUN, "down": {"q": {"b": 1.0}}}, ["BPM@3"])
    assert scores.readings["system"] == ["up", "down"]
    assert scores.reading(system="down")["residual"] == pytest.approx([0.5, 1.0, 1.0])
