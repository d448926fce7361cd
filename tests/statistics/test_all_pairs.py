"""All pairs of systems: the same as max |t| over their differences, and what ranks they leave open."""

import itertools

import numpy as np
import pytest

import idealrank as ir
from idealrank.statistics.all_pairs import all_pairs, group_letters, rank_intervals
from idealrank.statistics.max_t import max_t


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("queries", [8, 40])
def test_intervals_are_those_of_max_t(weighted: bool, queries: int) -> None:
    """Intervals are those of max |t| over one row per pair, by exact flips and by drawn ones, with weights, too."""
    rng = np.random.default_rng(queries)
    values = rng.random((7, queries))
    values[3] = values[2]
    weights = rng.integers(0, 4, queries).astype(float) if weighted else None
    found = all_pairs(values, weights, seed=3, draws=999)
    i, j = np.triu_indices(7, 1)
    rows = max_t(values[j] - values[i], weights, seed=3, draws=999)
    assert found.difference[j, i] == pytest.approx(rows.difference)
    assert found.difference[i, j] == pytest.approx(-rows.difference)
    assert found.half_width[j, i] == pytest.approx((rows.high - rows.low) / 2)
    assert found.half_width[2, 3] == 0


@pytest.mark.parametrize("alike", [0.0, 0.001, 0.05])
def test_pairs_not_looked_at_change_nothing(alike: float) -> None:
    """Intervals are those of max |t| among many systems, some of them much alike."""
    rng = np.random.default_rng(4)
    values = rng.random((30, 20))
    values[20:] = values[:10] + alike * rng.random((10, 20))
    i, j = np.triu_indices(30, 1)
    rows = max_t(values[j] - values[i], seed=5, draws=400)
    found = all_pairs(values, seed=5, draws=400)
    assert found.half_width[j, i] == pytest.approx((rows.high - rows.low) / 2)


def test_three_queries_say_nothing() -> None:
    """Three queries have four patterns of signs, too few for 95 %: intervals are infinite."""
    found = all_pairs([[0.0, 0.1, 0.2], [0.9, 0.8, 0.95]], seed=0)
    assert np.isinf(found.half_width[0, 1])


@pytest.mark.parametrize("values", [[[0.1, 0.2]], [[], []], [[0.1, np.nan], [0.2, 0.3]]])
def test_what_is_refused(values: list[list[float]]) -> None:
    """One system, no query and a missing value are refused."""
    with pytest.raises(ir.DataError, match="values"):
        all_pairs(values, seed=0)


def test_ranks_by_hand() -> None:
    """Five systems of which a beats c, d, e; b beats d, e; c beats e: ranks counted by hand."""
    better = np.zeros((5, 5), bool)
    for winner, losers in {0: (2, 3, 4), 1: (3, 4), 2: (4,)}.items():
        better[winner, list(losers)] = True
    found = rank_intervals(better)
    assert found.best.tolist() == [1, 1, 2, 3, 4]
    assert found.worst.tolist() == [2, 3, 4, 5, 5]


def test_ranks_of_intervals_by_enumeration() -> None:
    """Over all true means that the intervals allow, on a grid, ranks reach exactly the ends of each rank interval.

    Four systems with means 0.8, 0.6, 0.5 and 0.2, and half widths of all differences of 0.25.
    """
    means, half = np.array([0.8, 0.6, 0.5, 0.2]), 0.25
    better = means[:, None] - means - half > 0
    found = rank_intervals(better)
    grid = np.array(np.meshgrid(*[np.arange(-20, 21) / 100] * 3, indexing="ij")).reshape(3, -1)
    shifted = np.vstack([np.full(grid.shape[1], means[0]), means[1:, None] + grid])
    moved = (shifted[:, None] - shifted) - (means[:, None] - means)[..., None]
    allowed = shifted[:, (np.abs(moved) <= half + 1e-12).all(axis=(0, 1))]
    least = 1 + (allowed > allowed[:, None]).sum(axis=1)
    most = (allowed >= allowed[:, None]).sum(axis=1)
    assert found.best.tolist() == least.min(axis=1).tolist() == [1, 1, 2, 4]
    assert found.worst.tolist() == most.max(axis=1).tolist() == [2, 3, 3, 4]


@pytest.mark.parametrize("seed", range(30))
def test_letters_are_shared_by_exactly_the_pairs_that_are_not_apart(seed: int) -> None:
    """By the definition: a shared letter for each pair that cannot be told apart, and no letter that another covers."""
    generator = np.random.default_rng(seed)
    systems = int(generator.integers(1, 9))
    apart = np.triu(generator.random((systems, systems)) < generator.random(), 1)
    apart |= apart.T
    letters = group_letters(apart)
    assert letters is not None
    for i, j in itertools.combinations(range(systems), 2):
        assert bool(set(letters[i]) & set(letters[j])) != bool(apart[i, j])
    groups = [{i for i in range(systems) if letter in letters[i]} for letter in sorted(set("".join(letters)))]
    # Each is a largest set: by trying every set of systems.
    alike = [set(some) for size in range(1, systems + 1) for some in itertools.combinations(range(systems), size)
             if not apart[np.ix_(some, some)].any()]  # fmt: skip
    largest = [one for one in alike if not any(one < other for other in alike)]
    assert sorted(map(sorted, groups)) == sorted(map(sorted, largest))


def test_letters_of_a_printed_example() -> None:
    """Groups as textbooks print them: the best alone, the middle between both neighbours, the last with the middle."""
    apart = np.array([[0, 1, 1, 1], [1, 0, 0, 1], [1, 0, 0, 0], [1, 1, 0, 0]], bool)
    assert group_letters(apart) == ["a", "b", "bc", "c"]


def test_groups_without_an_order_have_no_letters() -> None:
    """Of 2n systems, each apart from one other alone, there are 2ⁿ largest sets: none is counted, and nobody waits."""
    apart = np.kron(np.eye(50, dtype=bool), np.array([[0, 1], [1, 0]], bool))
    assert group_letters(apart) is None
    letters = group_letters(apart[:10, :10])
    assert letters is not None
    assert len(set("".join(letters))) == 2**5
