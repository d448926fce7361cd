"""Which segments explain a change: by exact enumeration, at the stated rate, and when they are there."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from idealrank.comparison.contrasts import Methods
from idealrank.comparison.segments.segments import find_explaining as explain_change, large_enough, largest_statistic_p
from tests.amounts import tried
from tests.comparison.pairs import attribute, segments

QUICK = Methods(draws=199, seed=3)
SETS = tried(400)

Draw = Callable[[np.random.Generator, np.ndarray], np.ndarray]


def statistic(d: np.ndarray, inside: np.ndarray) -> float:
    """Return the difference of the two means over its standard error, in plain numbers."""
    here, there = d[inside], d[~inside]
    own = (np.sum((here - here.mean()) ** 2) + 4 * np.var(d)) / (len(here) - 1 + 4)
    return float((here.mean() - there.mean()) / math.sqrt(own / len(here) + there.var(ddof=1) / len(there)))


def test_p_is_that_of_all_exchanges() -> None:
    """By drawing, p is within three standard errors of the share of all 252 exchanges of ten differences."""
    d = np.array([0.4, 0.1, 0.3, 0.25, -0.1, 0.05, -0.2, 0.0, 0.1, -0.05])
    inside = np.arange(10) < 5
    exchanges = [np.isin(np.arange(10), chosen) for chosen in itertools.combinations(range(10), 5)]
    exact = np.mean([statistic(d, mask) >= statistic(d, inside) - 1e-12 for mask in exchanges])
    found = largest_statistic_p(d, np.ones(10), [inside], Methods(draws=4000))[0]
    assert 0.005 < exact < 0.5
    assert abs(found - exact) <= 3 * math.sqrt(exact * (1 - exact) / 4000) + 1 / 4001


def test_p_is_corrected_over_all_segments() -> None:
    """With several segments, p is the share of exchanges in which the largest statistic of any is as large."""
    rng = np.random.default_rng(5)
    d = np.round(rng.normal(size=8), 2)
    d = np.concatenate([d, d[:2] + 0.11])
    masks = np.array([np.arange(10) < 5, np.arange(10) % 2 == 0])
    observed = [statistic(d, mask) for mask in masks]
    largest = [max(statistic(d[order], mask) for mask in masks) for order in (rng.permutation(10) for _ in range(4000))]
    for p, value in zip(largest_statistic_p(d, np.ones(10), masks, Methods(draws=4000)), observed, strict=True):
        expected = np.mean(np.array(largest) >= value - 1e-12)
        assert abs(p - expected) <= 3 * math.sqrt(2 * max(expected * (1 - expected), 0.001) / 4000)


def many(rng: np.random.Generator, n: int) -> np.ndarray:
    """Draw four attributes of 2 to 6 values each: 14 segments that overlap."""
    kinds = ([0.5, 0.3, 0.2], [0.8, 0.2], [0.15, 0.35, 0.5], [0.35, 0.2, 0.15, 0.1, 0.1, 0.1])
    labels = [(rng.choice(len(p), n, p=p), len(p)) for p in kinds]
    return np.array([drawn == value for drawn, count in labels for value in range(count)])


NOTHING: dict[str, tuple[float, Draw]] = {
    "the same effect everywhere": (0.05, lambda rng, m: rng.normal(0.1, 0.2, m.shape[1])),
    "no effect, 60 % zeros": (0.05, lambda rng, m: rng.choice([0, 0, 0, 1, -0.5], m.shape[1])),
    "the same effect, skewed": (0.05, lambda rng, m: rng.exponential(0.3, m.shape[1])),
    "one segment varies more": (0.06, lambda rng, m: rng.normal(0, 0.1, m.shape[1]) * np.where(m[4], 3, 1)),
}
"""Data in which no segment has a mean of its own, and the rate at which one is named: of exchanges exactly 5 %."""


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", NOTHING)
def test_silent_where_no_segment_differs(kind: str, weighted: bool) -> None:
    """Where no segment differs from the rest, a segment is named in at most 5 % of data sets, and 3 standard errors.

    6 % where one segment varies three times as much as the rest: its differences cannot be exchanged with theirs.
    """
    rate, draw = NOTHING[kind]
    rng = np.random.default_rng(len(kind))
    named = 0
    for _ in range(SETS):
        masks = many(rng, 100)
        weights = 1 + rng.pareto(1.5, 100) if weighted else np.ones(100)
        d = draw(rng, masks)
        d = d if d @ weights > 0 else -d
        able = [mask for mask in masks if large_enough(weights, mask)]
        named += bool(able) and largest_statistic_p(d, weights, able, QUICK).min() <= 0.05
    assert named / SETS <= rate + 3 * math.sqrt(rate * (1 - rate) / SETS)


def test_one_heavy_query_is_no_segment() -> None:
    """Six queries of which one has nearly all the weight tell as little as one, and are not named."""
    weights = np.array([100.0, *[1.0] * 11])
    assert large_enough(np.ones(12), np.arange(12) < 6)
    assert not large_enough(weights, np.arange(12) < 6)
    assert not large_enough(np.ones(12), np.arange(12) < 8)
    assert not large_enough(np.ones(12), np.ones(12, np.bool_))


@pytest.mark.parametrize(("place", "effect", "power"), [(4, 0.2, 0.9), (1, 0.2, 0.9), (10, 0.3, 0.9)])
def test_a_planted_effect_is_found(place: int, effect: float, power: float) -> None:
    """An effect of 1 to 1.5 standard deviations in a fifth to a tenth of 150 queries is found in most data sets."""
    rng = np.random.default_rng(place)
    found = 0
    for _ in range(100):
        masks = many(rng, 150)
        d = rng.normal(0, 0.2, 150) + effect * masks[place]
        if d.sum() > 0:
            found += largest_statistic_p(d, np.ones(150), masks, QUICK)[place] <= 0.05
    assert found / 100 >= power


@pytest.mark.parametrize(("effect", "least", "most"), [(0.0, 0.0, 0.1), (0.3, 0.7, 1.0)])
def test_from_attributes_to_the_sentence(effect: float, least: float, most: float) -> None:
    """Through the attributes of a comparison: without an effect a segment is named in 5 % of 200 data sets, at most.

    With an effect of 1.5 standard deviations in a fifth of 120 queries, that segment alone is named in 70 % or more:
    it stands out in nearly all, but in a fifth of them the others by chance hold more than 20 % of the change.
    """
    rng, named = np.random.default_rng(21), 0
    sets = tried(120)
    for _ in range(sets):
        kinds = rng.choice(["brand", "category", "problem"], 120, p=[0.2, 0.5, 0.3])
        others = {f"by {k}": attribute([f"v{i}" for i in rng.integers(0, k, 120)]) for k in (2, 4)}
        d = rng.normal(0, 0.2, 120) + effect * (kinds == "brand")
        found = segments([d], {"kind": attribute(kinds.tolist())} | others, methods=QUICK)
        sentence = found.explains().sentence
        named += "kind=brand (" in sentence if effect else "larger than elsewhere (p" in sentence or "holds" in sentence
    assert least <= named / sets <= most


def planted(rng: np.random.Generator, *places: np.ndarray, effect: float = 0.5) -> np.ndarray:
    """Draw 120 differences of no effect but in the places, made to have mean 0 elsewhere."""
    d: np.ndarray = rng.normal(0, 0.1, 120)
    inside = np.logical_or.reduce(places)
    d[~inside] -= d[~inside].mean()
    d[inside] += effect - d[inside].mean()
    return d


def test_the_segment_with_the_effect_is_named() -> None:
    """The segment in which alone something changed holds all of the change, and is said with its size."""
    brand, odd = np.arange(120) < 12, np.arange(120) % 2 == 1
    d = planted(np.random.default_rng(1), brand, effect=-0.5)
    found = explain_change(d, np.ones(120), {"kind=brand": brand, "odd=yes": odd, "kind=other": ~brand}, QUICK, "RR")
    assert (found.segments, found.queries, found.p) == (("kind=brand",), 12, 1 / 200)
    assert (found.share, found.share_of_change) == pytest.approx((0.1, 1.0), abs=1e-12)
    assert found.sentence == "kind=brand (12 queries, 10% of all) contains 100% of the change in RR (p = 0.005)."


def test_two_segments_where_one_does_not_hold_enough() -> None:
    """Of an effect in two segments both are named, the one that holds more first; queries in both count once."""
    a, b = np.arange(120) < 20, (np.arange(120) >= 16) & (np.arange(120) < 30)
    rest = np.arange(120) % 3 == 0
    d = planted(np.random.default_rng(2), a, b)
    found = explain_change(d, np.ones(120), {"x=rest": rest, "y=b": b, "x=a": a}, QUICK, "RR")
    assert (found.segments, found.queries) == (("x=a", "y=b"), 30)
    assert found.share_of_change == pytest.approx(1.0, abs=1e-12)


def test_of_equally_many_the_smaller_share() -> None:
    """Of two segments that hold most of the change, the one with the smaller share of the weight is named."""
    small, wide = np.arange(120) < 12, np.arange(120) < 30
    d = planted(np.random.default_rng(3), small, effect=1.0)
    assert explain_change(d, np.ones(120), {"wide": wide, "small": small}, QUICK, "RR").segments == ("small",)


def test_weights_decide_what_most_is() -> None:
    """Shares are of the weight: a segment in which little traffic lies does not hold most of the weighted change."""
    rare, often = np.arange(120) < 20, (np.arange(120) >= 20) & (np.arange(120) < 40)
    d = planted(np.random.default_rng(4), rare | often)
    segments = {"rare": rare, "often": often}
    assert set(explain_change(d, np.ones(120), segments, QUICK, "RR").segments) == {"rare", "often"}
    weights = np.where(often, 50.0, 1.0)
    found = explain_change(d, weights, segments, QUICK, "RR")
    assert found.segments == ("often",)
    assert found.share == pytest.approx(1000 / 1100)


def test_a_segment_that_holds_too_little_is_said_to() -> None:
    """A segment that stands out, but holds less than 80 % of the change, explains nothing by itself, and is told."""
    a = np.arange(120) < 12
    d = np.random.default_rng(6).normal(0.1, 0.05, 120) + 0.4 * a
    found = explain_change(d, np.ones(120), {"x=a": a, "x=b": ~a}, QUICK, "RR")
    assert found.segments == ()
    assert math.isnan(found.p)
    assert "No set of segments contains 80% of the change in RR. In x=a it is larger than elsewhere (p = 0.005)" in (
        found.sentence
    )


def test_nothing_to_explain() -> None:
    """No change, the same change everywhere, and segments that are too small are said, not explained."""
    half = np.arange(12) < 6
    for d in (np.zeros(12), np.full(12, 0.2), np.where(half, 0.1, -0.1)):
        assert explain_change(d, np.ones(12), {"half": half}, QUICK, "RR").sentence.startswith(
            "Nothing to explain in RR"
        )
    few = explain_change(np.arange(12.0), np.ones(12), {"few": np.arange(12) < 4, "all": half | True}, QUICK, "RR")
    assert few.sentence.startswith("No segment can explain RR: none has 5 queries or more")


def test_the_seed_decides_and_the_order_of_segments_does_not() -> None:
    """The same seed gives the same p, whatever order the segments come in; another seed another."""
    rng = np.random.default_rng(8)
    masks, d, weights = many(rng, 80), rng.normal(size=80), rng.random(80)
    found = largest_statistic_p(d, weights, masks, QUICK)
    assert (largest_statistic_p(d, weights, masks[::-1], QUICK)[::-1] == found).all()
    assert (largest_statistic_p(d, weights, masks, replace(QUICK, seed=4)) != found).any()
