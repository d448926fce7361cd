"""Where the order of tied results moves the divisor, or an assumed grade lies off the scale."""

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
    with pytest.raises(ir.DataError, match=r"unjudged=5 lies above the top of the scale, 1\."):
        ir.evaluate({"q": {"b": 1}}, {"q": {"x": 2.0, "b": 1.0}}, ["ERR@2"], unjudged=5)
