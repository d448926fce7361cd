"""How queries are split into those to choose by and those to test on."""

from __future__ import annotations

import random
from typing import Any

import pytest

import idealrank as ir
from idealrank.errors import DataError, UsageError
from tests.comparison.held_out import MANY, halves, ranks, tuned
from tests.comparison.worlds import one_relevant, random_world, reciprocal


def test_the_split_depends_on_ids_and_seed_alone() -> None:
    """Rows in another order and other systems leave the split as it is; another seed changes it."""
    judged, runs = random_world(3, queries=41, systems=4)
    ids = list(judged)
    random.Random(1).shuffle(ids)
    turned = {query: judged[query] for query in ids}
    other = {name: {query: run[query] for query in ids} for name, run in reversed(runs.items())}
    for seed in (0, 5):
        tuning, held = halves(list(judged), seed)
        for found in (
            ir.compare(judged, runs, ["nDCG@5"], baseline="s0", hold_out=0.5, seed=seed),
            ir.compare(turned, other, ["nDCG@5"], baseline="s1", hold_out=0.5, seed=seed),
            ir.compare(judged, {name: runs[name] for name in ("s0", "s3")}, ["P@3"], hold_out=0.5, seed=seed),
        ):
            assert found.tuning is not None
            assert (sorted(found.tuning.queries), sorted(found.tuning.held_out)) == (sorted(tuning), sorted(held))
    assert halves(list(judged), 0) != halves(list(judged), 5)
    assert (len(tuning), len(held)) == (20, 21)


def test_most_queries_stay_where_they_are() -> None:
    """Ten more queries for a hundred move at most ten of them to the other part."""
    ids = [f"query {i}" for i in range(110)]
    before, after = halves(ids[:100])[1], halves(ids)[1]
    assert len(set(before) ^ (set(after) & set(ids[:100]))) <= 10


def test_queries_of_weight_0_are_in_neither_part() -> None:
    """They are not counted among the held-out ones, and named as ever."""
    judged = one_relevant(MANY)
    weights = {query: float(i > 1) for i, query in enumerate(judged)}
    found = tuned({"base": ranks(3, 3), "A": ranks(1, 1)}, weights=weights)
    assert found.tuning is not None
    tuning, held = halves([query for query, weight in weights.items() if weight])
    assert (sorted(found.tuning.queries), sorted(found.tuning.held_out)) == (sorted(tuning), sorted(held))
    assert found.pairing.weightless == ("q000", "q001")


def test_too_few_queries() -> None:
    """Each part needs six queries: eleven are too few at one half, twelve enough; at a tenth it takes fifty-five."""
    judged = one_relevant(12)
    runs = {name: reciprocal(dict.fromkeys(judged, rank)) for name, rank in (("base", 2), ("A", 1))}
    ir.compare(judged, runs, ["RR"], hold_out=0.5)
    fewer = {q: judged[q] for q in list(judged)[:11]}
    with pytest.raises(DataError, match=r"11 queries would leave 5 to choose by and 6 to test on, .* at least 12"):
        ir.compare(fewer, runs, ["RR"], hold_out=0.5)
    with pytest.raises(DataError, match=r"leave 11 to choose by and 1 to test on, .* Judge at least 55 queries"):
        ir.compare(judged, runs, ["RR"], hold_out=0.1)


@pytest.mark.parametrize("share", [1, 1.5, -0.1, 50, True, "half"])
def test_no_share(share: Any) -> None:
    """A share is between 0 and 1."""
    with pytest.raises(UsageError, match=r"hold_out=.*the share of the queries to test on is between 0 and 1, as 0.5"):
        tuned({"base": ranks(2, 2), "A": ranks(1, 1)}, hold_out=share)


def test_nothing_is_held_out_by_default() -> None:
    """Without it there is no tuning, and every system is compared on every query."""
    found = tuned({"base": ranks(2, 2), "A": ranks(1, 1)}, hold_out=0.0)
    assert found.tuning is None
    assert found.verdict.tuning == ""
    assert found["RR"].queries == MANY
    assert "tuning" not in found.to_dict()
