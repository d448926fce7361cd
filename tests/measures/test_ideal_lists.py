"""The ideal list: what it adds up to, and what is kept of it between measures."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.errors import UsageError
from idealrank.evaluation.joins import SystemUnderTest as OneSystem
from idealrank.judged_lists.arrangement import arrange
from idealrank.measures import Measure
from idealrank.measures.ideal import ideal_list, ideal_sums
from tests.amounts import tried
from tests.oracles.data import random_data

ANSWERS: dict[str, list[Any]] = {
    "gain": ["linear", "whole", "exp2", {-1: -2, 0: 1, 0.5: 0, 0.9: 3, 1: 1, 2.5: 2}],
    "discount": ["log2", "ln", "reciprocal", "none", "log(2)"],
    "ideal": ["global", "returned", "local", "max"],
    "ideal_depth": ["cutoff", "returned", "all"],
    "cutoff": ["at_most_k", "below_k"],
    "ties": ["docid_desc", "average", "best", "worst"],
    "unjudged": ["zero", "filter", 0.5, -1.0],
    "negative": ["unjudged", "keep", "zero"],
    "rounding": ["none", "term,round,2", "term,floor,1", "query,half_up,2"],
}


def measures(ground: OneSystem, rng: random.Random, count: int) -> list[Measure]:
    """Measures with an ideal, under random answers that do not exclude each other."""
    found: list[Measure] = []
    while len(found) < count:
        answers = {name: rng.choice(some) for name, some in ANSWERS.items()}
        if (answers["ideal"], answers["ideal_depth"]) == ("max", "all"):  # no end
            continue
        try:
            measure = ground.measure("idealrank-1", rng.choice(["nDCG", "nDCG@3", "nDCG@4", "DCG@4"]), answers)
            ground.values(measure)
        except (UsageError, ir.DataError):
            continue
        found.append(measure)
    return found


@pytest.mark.parametrize("seed", range(tried(10)))
def test_no_measure_changes_another(seed: int) -> None:
    """A measure has the same values on fresh data as after other measures on the same lists, whatever these keep."""
    data, rng = random_data(seed, (-1, 0, 0.5, 0.9, 1, 2.5), queries=6, depth=8), random.Random(seed)
    ground = OneSystem(*data)
    for measure in measures(ground, rng, 40):
        assert np.array_equal(ground.values(measure), OneSystem(*data).values(measure), equal_nan=True), (
            measure.fingerprint
        )


@pytest.mark.parametrize("seed", range(tried(10)))
def test_the_ideal_list_adds_up_to_its_sum(seed: int) -> None:
    """The rows an explanation shows of the ideal list, added one by one, are what nDCG divides by."""
    ground, rng = OneSystem(*random_data(seed, (-1, 0, 0.5, 0.9, 1, 2.5), queries=6, depth=8)), random.Random(seed)
    for measure in measures(ground, rng, 40):
        under = measure.decisions.but(rounding=())
        lists = arrange(ground.lists_for(measure).lists, measure.on_lists)
        rows = ideal_list(lists, under, measure.cutoff)
        by_query = [math.fsum(rows.contribution[rows.query == q]) for q in range(lists.size)]
        assert ideal_sums(lists, under, measure.cutoff) == pytest.approx(by_query, abs=1e-12), measure.fingerprint


def test_whole_gains_do_not_order_others() -> None:
    """Grades 0.2 and 0.9 are worth the same under gain=whole; under gain=linear 0.9 still comes first."""
    qrels, run = {"q": {"a": 0.2, "b": 0.9, "c": 1.5}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    names = [f"nDCG(gain={gain}, ideal=returned)@3" for gain in ("whole", "linear")]
    half = 1 / math.log2(3)
    truth = (0.2 + 0.9 * half + 1.5 / 2) / (1.5 + 0.9 * half + 0.2 / 2)
    for order in itertools.permutations(names):
        assert ir.evaluate(qrels, run, list(order))[names[1]] == pytest.approx(truth, abs=1e-12)
