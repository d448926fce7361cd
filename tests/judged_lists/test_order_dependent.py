"""Where the order of tied results moves the divisor, or an assumed grade lies off the scale."""

import math

import pytest

import idealrank as ir

TIED = {"q": {"b": 1.0, "a": 1.0}}


def test_ties_move_a_mean_over_the_local_ideal() -> None:
    """With the relevant document second, the local ideal at 1 is 0, and so is the mean the ledger tells."""
    ledger = ir.evaluate({"q": {"a": 0, "b": 1}}, TIED, ["nDCG(ideal=local)@1"]).ledger
    (move,) = [move for move in ledger.moves if move.decision == "ties"]
    assert (move.answer, move.means[0][1:]) == ("worst", (1.0, 0.0))


def test_average_over_orders_with_an_ideal_below_zero() -> None:
    """One of two orders has a local ideal of -1 and counts 0: the average of 1 and 0."""
    options = {"ideal": "local", "negative": "keep", "ties": "average"}
    assert ir.evaluate({"q": {"a": 3, "b": -1}}, TIED, ["nDCG@1"], **options)["nDCG@1"] == 0.5


def test_an_assumed_grade_above_the_scale_is_refused() -> None:
    """ERR's chance to stop would be above 1."""
    with pytest.raises(ir.DataError, match=r"unjudged=5 is above the top of the scale, 1\."):
        ir.evaluate({"q": {"b": 1}}, {"q": {"x": 2.0, "b": 1.0}}, ["ERR@2"], unjudged=5)


def test_an_assumed_grade_above_the_scale_stops_only_what_reads_its_top() -> None:
    """Of nDCG only ideal=max reads the top: x counts 5 / log2(2), b 1 / log2(3), and the ideal list is b alone."""
    asked = ({"q": {"b": 1}}, {"q": {"x": 2.0, "b": 1.0}})
    value = ir.evaluate(*asked, ["nDCG@2"], unjudged=5)["nDCG@2"]
    assert value == pytest.approx(5 + 1 / math.log2(3), abs=1e-12)
    with pytest.raises(ir.DataError, match=r"unjudged=5 is above the top of the scale, 1\."):
        ir.evaluate(*asked, ["nDCG@2"], unjudged=5, ideal="max")


def test_an_endless_ideal_stops_only_what_reads_it() -> None:
    """P and AP read neither ideal nor ideal_depth, BinaryNDCG the second; nDCG reads both, and says what to answer."""
    asked = ({"q": {"b": 1}}, {"q": {"b": 2.0, "x": 1.0}})
    scores = ir.evaluate(*asked, ["P@2", "AP", "BinaryNDCG@2"], ideal="max", ideal_depth="all")
    assert (scores["P@2"], scores["AP"]) == (0.5, 1.0)
    with pytest.raises(
        ir.UsageError, match=r"nDCG: ideal=max with ideal_depth=all is an endless list.*ideal_depth=cutoff"
    ):
        ir.evaluate(*asked, ["nDCG@2"], ideal="max", ideal_depth="all")
