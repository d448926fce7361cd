"""What a board of many systems asks of each: little of it may grow with the systems squared, or with all queries."""

from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank._core import signed_sums
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.comparison.pairing import DECIDES, Pairing
from idealrank.comparison.verdict import suspect_results
from idealrank.evaluation import buckets
from idealrank.statistics import all_pairs
from idealrank.statistics.max_t import moments_of
from idealrank.statistics.sample import usable_weights

JUDGED = {f"q{q}": {"a": 1, "b": 2} for q in range(40)}


def board(systems: int) -> Leaderboard:
    """Rank systems that answer the first ten of all judged queries."""
    rng = np.random.default_rng(2)
    results = {
        f"s{s}": {f"q{q}": {"a": float(rng.random()), "b": float(rng.random())} for q in range(10)}
        for s in range(systems)
    }
    return ir.leaderboard(JUDGED, results, ["nDCG@10"])


def test_names_and_columns_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a table has times is found out once for each system, and the judged queries are one list for all."""
    asked: list[Any] = []
    found = buckets.latency_column
    monkeypatch.setattr(buckets, "latency_column", lambda *of: asked.append(of) or found(*of))
    lists = {id(joined.queries) for joined in _met(board(9))}
    assert len(asked) == 9 * 2
    assert len(lists) == 1


def _met(ranked: Leaderboard) -> list[Any]:
    decisions = ranked.scores.setting.decisions
    return [join.lists(decisions) for join in ranked.scores.lists.all_joins]


def test_queries_that_all_systems_lack_are_not_compared() -> None:
    """That no system answered a query says nothing of one beside another: of forty queries, ten are looked at."""
    ranked = board(6)
    short = suspect_results._LookedUp(Pairing(ranked.scores, "", (DECIDES,))).short(0)
    assert short is not None
    assert (short.places.tolist(), ranked.suspicious) == ([*range(10)], ())


def test_differences_of_pairs_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core adds up over the queries in which systems differ; only the last pair is subtracted here."""
    made: list[int] = []
    of = all_pairs.differences_from
    monkeypatch.setattr(all_pairs, "differences_from", lambda rows, i: made.append(i) or of(rows, i))
    board(8)
    assert made == [6]


@pytest.mark.parametrize("weighted", [False, True])
def test_sums_of_pairs_are_those_of_their_differences(weighted: bool) -> None:
    """To the last bit, whatever queries all systems have the same value for."""
    rng = np.random.default_rng(7)
    values = rng.random((20, 300))
    values[:, rng.random(300) < 0.8] = 0.25
    values[1] = values[0] + 1e-13
    weights = usable_weights(rng.random(300), 300) if weighted else None
    for i, block in enumerate(all_pairs._moments_by_system(values, weights)):
        alone = moments_of(all_pairs.differences_from(values, i), weights)
        for name in ("total", "mixed_total", "n", "mass", "weight_squares", "squares"):
            assert getattr(block, name).tolist() == getattr(alone, name).tolist(), name


def test_sums_under_signs_of_queries_without_values() -> None:
    """Whole groups of zeros are passed over, and change no bit of a sum."""
    rng = np.random.default_rng(8)
    numbers = np.where(rng.random((500, 9)) < 0.02, rng.random((500, 9)), 0.0)
    signs = rng.integers(0, 2**64, (30, 8), np.uint64)
    filled = numbers.copy()
    filled[filled == 0] = -0.0
    filled[:, 0] = 1.0  # no group is passed over
    assert signed_sums(signs, numbers)[:, 1:].tolist() == signed_sums(signs, filled)[:, 1:].tolist()
