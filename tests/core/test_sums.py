"""Exact sums equal those of `math.fsum`."""

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
