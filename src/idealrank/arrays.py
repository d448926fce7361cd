"""Numbers in arrays and segments: their types, sums, offsets and places; and what is built once and kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from idealrank.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]
else:  # numpy.typing takes 8 ms to import, and only a type checker reads it
    Floats = Ints = Mask = np.ndarray

EQUAL = 1e-12
"""Values that differ by no more are equal: they are sums of rounded numbers, added in another order."""

Built = TypeVar("Built")


class Cache:
    """What was built before, by key, so that asking again costs nothing.

    It lies in the value that all it keeps follows from, and lives as long as that value. As such values are frozen,
    nothing kept goes stale, and a key names only what else decides the outcome. What is kept must not hold the value
    it lies in: the two would stay in memory until the garbage collector finds them.
    """

    def __init__(self) -> None:
        self._every: dict[Hashable, Any] = {}
        self._latest: dict[Hashable, tuple[Hashable, Any]] = {}

    def once(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """Return what was built under a key, building it when first asked for."""
        if key not in self._every:
            self._every[key] = build()
        built: Built = self._every[key]
        return built

    def latest(self, name: Hashable, key: Hashable, build: Callable[[], Built]) -> Built:
        """Return what was built under a name and a key; of each name only what had the latest key is kept."""
        kept = self._latest.get(name)
        if kept is None or kept[0] != key:
            # Not read back: another thread may keep something else by then.
            kept = self._latest[name] = (key, build())
        built: Built = kept[1]
        return built

    def each(self, change: Callable[[Any], Any]) -> Cache:
        """Return another one, which keeps each thing changed."""
        changed = Cache()
        changed._every = {key: change(built) for key, built in self._every.items()}
        return changed

    def forget(self) -> None:
        """Keep nothing."""
        self._every.clear()
        self._latest.clear()


def exact_sum(values: Floats) -> float:
    """Add (N,) numbers and round once, as `math.fsum` does, but without a Python number for each."""
    from idealrank._core import exact_sum

    try:
        return exact_sum(values)
    except ValueError:
        raise DataError(
            "The values of the queries add up to more than a number can be (1.8e308). Give smaller grades or weights."
        ) from None


UNITS = 1 << 1126
"""So many units of `exact_totals` are 1: the smallest number above 0 is a whole number of them."""


def group_totals(group: Ints, values: Floats, many: int) -> Floats:
    """(many,) the sum of the values of each group; 0 for a group without any.

    Examples
    --------
    >>> group_totals(np.array([2, 0, 2]), np.array([0.5, 1.0, 0.25]), 4).tolist()
    [1.0, 0.0, 0.75, 0.0]
    """
    totals: Floats = np.bincount(group, values, many).astype(np.float64, copy=False)
    return totals


def exact_totals(rows: Floats) -> list[int]:
    """(R,) the exact sum of each row of (R, N) numbers, in units that can be added without rounding.

    Sums of rows that were cut apart, added up, are those of the whole rows to the last bit.

    Examples
    --------
    >>> whole = exact_totals(np.array([[1e16, 1.0, -1e16]]))
    >>> parts = [exact_totals(np.array([part])) for part in ([1e16, 1.0], [-1e16])]
    >>> whole[0] == parts[0][0] + parts[1][0] == UNITS
    True
    """
    return [
        sum(_exact_total(row[first : first + MOST_ADDED]) for first in range(0, len(row), MOST_ADDED)) for row in rows
    ]


MOST_ADDED = 1 << 26
"""So many numbers below 2^27 add up to one that float64 holds exactly."""


def _exact_total(numbers: Floats) -> int:
    mantissa, exponent = np.frexp(numbers)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    least = int(exponent.min(initial=0))
    # The halves of those with the same exponent are added up as floats, which is exact, since they are few and small.
    upper, lower = (np.bincount(exponent - least, half) for half in (whole >> 27, whole & ((1 << 27) - 1)))
    sums = enumerate(zip(upper.tolist(), lower.tolist(), strict=True), start=least)
    return sum(((int(high) << 27) + int(low)) << (power + 1073) for power, (high, low) in sums if high or low)


def scaled(weights: Floats) -> Floats:
    """Return weights times the power of two that makes the largest 1 to 2: so no sum or square of them overflows.

    Only the proportions of weights count, and a power of two changes no digit of them.

    Examples
    --------
    >>> scaled(np.array([3e200, 1.5e200, 0.0])).tolist() == scaled(np.array([2.0, 1.0, 0.0]) * 1.5e200).tolist()
    True
    """
    largest = float(weights.max(initial=0.0))
    return np.ldexp(weights, 1 - math.frexp(largest)[1])


def differ(before: Floats, after: Floats) -> Mask:
    """Return where values are not the same; missing ones are."""
    return ~np.isclose(before, after, rtol=EQUAL, atol=EQUAL, equal_nan=True)


def offsets(counts: Ints) -> Ints:
    """Turn counts (Q,) into offsets (Q + 1,)."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))


def segment_counts(mask: Mask, start: Ints) -> Ints:
    """Count True per segment: (Q,)."""
    total = np.concatenate((np.zeros(1, np.int64), np.cumsum(mask, dtype=np.int64)))
    counts: Ints = total[start[1:]] - total[start[:-1]]
    return counts


def running_sums(values: Floats, start: Ints) -> Floats:
    """Sum the values of each segment from its first on, whatever the other segments hold."""
    from idealrank._core import running_sums

    return running_sums(values.astype(np.float64, copy=False), start)


def places(start: Ints) -> Ints:
    """1-based place of each element within its segment."""
    return np.arange(1, int(start[-1]) + 1, dtype=np.int64) - np.repeat(start[:-1], np.diff(start))
