"""Exact sums equal those of `math.fsum`, running sums those of Python."""

import itertools
import math

import numpy as np
import pytest

from idealrank import _core


@pytest.mark.parametrize("seed", range(40))
def test_sums_are_rounded_once(seed):
    """The sum is that of `math.fsum`, whatever the sizes and the order of the numbers."""
    random = np.random.default_rng(seed)
    wide = random.standard_normal(500) * 10.0 ** random.integers(-200, 200, 500)
    halves = np.ldexp(random.integers(-3, 4, 300).astype(float), random.integers(-60, 60, 300))
    for values in (random.random(1000), wide, halves, np.concatenate((wide, -wide, halves))):
        random.shuffle(values)
        assert _core.exact_sum(values) == math.fsum(values)


def test_half_way_cases_follow_the_rest():
    """A half that is tipped by a far smaller part is rounded as `math.fsum` rounds it."""
    one, half, tip = 1.0, 2.0**-53, 2.0**-120
    for values in ([one, half], [one, half, tip], [one, half, -tip], [one + 2 * half, half], [], [0.1] * 10):
        assert _core.exact_sum(np.array(values)) == math.fsum(values)


def test_a_sum_without_bounds_is_refused():
    """What no number can hold is an error."""
    with pytest.raises(ValueError, match="beyond the range"):
        _core.exact_sum(np.array([1e308, 1e308, 1e308]))


@pytest.mark.parametrize("seed", range(20))
def test_running_sums_are_added_in_order(seed):
    """Each value becomes the sum of its segment up to it, as Python's floats add one after the other."""
    random = np.random.default_rng(seed)
    segments = [(random.random(size) * 10.0 ** random.integers(-9, 9)).tolist() for size in random.integers(0, 9, 7)]
    values = np.array([value for segment in segments for value in segment], np.float64)
    start = np.cumsum([0, *map(len, segments)], dtype=np.int64)
    wanted = [total for segment in segments for total in itertools.accumulate(segment)]
    assert _core.running_sums(values, start).tolist() == wanted


def test_running_sums_beyond_the_values():
    """A segment that reaches beyond the values is refused."""
    for start in ([0, 3], [-1, 1], [2, 1]):
        with pytest.raises(IndexError):
            _core.running_sums(np.zeros(2), np.array(start))


@pytest.mark.parametrize(("rows", "queries", "columns"), [(1, 1, 1), (5, 63, 2), (3000, 200, 3), (4, 1000, 21)])
def test_signed_sums_are_those_of_a_product(rows, queries, columns):
    """The first query of a byte is its highest bit, and plus is 1, as `unpackbits` reads them; rows stand alone."""
    random = np.random.default_rng(queries)
    signs = random.integers(0, 2**64, size=(rows, -(-queries // 64)), dtype=np.uint64)
    numbers = random.standard_normal((queries, columns))
    plus = np.unpackbits(signs.astype("<u8").view(np.uint8), axis=1, count=queries)
    found = _core.signed_sums(signs, numbers)
    assert np.allclose(found, (2.0 * plus - 1) @ numbers, rtol=0, atol=1e-10)
    assert np.array_equal(found[-1:, :1], _core.signed_sums(signs[-1:], numbers[:, :1]))


def test_signs_of_another_number_of_queries_are_refused():
    """As many words of 64 signs as the queries need, no more and no less."""
    with pytest.raises(ValueError, match="as many words"):
        _core.signed_sums(np.zeros((1, 2), np.uint64), np.zeros((64, 1)))
