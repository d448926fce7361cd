"""identify: the conventions under which a printed number comes out."""

from __future__ import annotations

import random

import pytest

import idealrank as ir
from idealrank.identifying import Printed
from tests.api.test_reconcile import SCORED
from tests.oracles.data import random_data

GRADES = {"d1": 2, "d2": 3, "d3": 0, "d4": 1, "d5": 3, "d6": 2, "d7": 3, "d8": 2, "d9": 2, "d10": 1, "d11": 1,
          "d12": 3, "d13": 1}  # fmt: skip
RANKING = ["d1", "u1", "d2", "d3", "d4", "u2", "d5", "d6"]
ONE = ir.from_ranking(RANKING, GRADES)


@pytest.mark.parametrize(
    ("printed", "convention"),
    [("0.4990", "trec_eval-10.0"), ("0.4373", "quepid"), ("0.45", "opensearch"), ("0.3369", "cheat-at-search")],
)
def test_a_number_is_traced(printed: str, convention: str) -> None:
    """The convention that printed the number is among the nearest matches, without a departure."""
    found = ir.identify(*ONE, {"nDCG@10": printed}, departures=1)
    nearest = [match.text for group in found.classes for match in group if not match.departures]
    assert convention in nearest


def test_more_numbers_leave_fewer_classes() -> None:
    """A second number under the same setting rules classes out, never the truth."""
    truth = ir.evaluate(*ONE, ["nDCG@10", "P@10"], convention="quepid")
    numbers = {name: f"{truth[name]:.4f}" for name in ("nDCG@10", "P@10")}
    one = ir.identify(*ONE, {"nDCG@10": numbers["nDCG@10"]}, departures=1)
    both = ir.identify(*ONE, numbers, departures=1)
    assert len(both.classes) <= len(one.classes)
    assert "quepid" in [match.text for match in both.classes[0]]


def test_nothing_gives_a_made_up_number() -> None:
    """A number that no setting gives is answered so, with how many were tried."""
    found = ir.identify(*ONE, {"nDCG@10": "0.9999"}, departures=1)
    assert (found.classes, found.identified) == ((), False)
    assert "no setting within reach" in found.text


def test_printed_digits_count() -> None:
    """A value matches that rounds to the digits, or is cut off to them."""
    assert Printed("AP", "0.437").matches(0.43749)
    assert Printed("AP", "0.437").matches(0.4379)
    assert Printed("AP", "0.437").matches(0.4366)
    assert not Printed("AP", "0.437").matches(0.4381)
    assert not Printed("AP", "0.4370").matches(0.43749)


@pytest.mark.parametrize("seed", range(12))
def test_the_truth_is_among_the_matches(seed: int) -> None:
    """On random data the convention that made a number is found again, and nothing else is called identified."""
    rng = random.Random(seed)
    name = rng.choice(SCORED)
    data = random_data(seed, (0, 1, 2, 3), queries=8, depth=10)
    value = ir.evaluate(data.judgments, data.results, ["nDCG@5"], convention=name).all_means[0][0]
    found = ir.identify(data.judgments, data.results, {"nDCG@5": f"{value:.4f}"}, departures=1)
    settings = [match.text for group in found.classes for match in group]
    assert name in settings
    if found.identified:
        assert name in [match.text for match in found.classes[0]]


def test_two_classes_are_told_apart() -> None:
    """Where two classes match, a query is named whose value would tell."""
    qrels = {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}}
    run = {"a": {"x": 2.0, "y": 1.0}, "b": {"y": 2.0, "x": 1.0}}
    found = ir.identify(qrels, run, {"nDCG@2": "0.9"}, departures=1)
    assert len(found.classes) > 1
    assert found.text.startswith("nDCG@2=0.9: ambiguous")
    assert found.between


def test_what_is_no_number_is_refused() -> None:
    """A number is given as it was printed."""
    with pytest.raises(ir.UsageError, match="not a number"):
        ir.identify(*ONE, {"nDCG@10": "abc"})
    with pytest.raises(ir.UsageError, match="No numbers given"):
        ir.identify(*ONE, {})


def test_every_name_is_looked_up() -> None:
    """An unknown measure is refused wherever it stands, and so is a number that is not finite."""
    with pytest.raises(ir.UsageError, match="Did you mean nDCG"):
        ir.identify(*ONE, {"RR": "0.5", "NDGC": "0.4"}, departures=0)
    with pytest.raises(ir.UsageError, match="not a number"):
        ir.identify(*ONE, {"RR": "nan"}, departures=0)
