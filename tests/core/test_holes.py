"""What the core computes of unjudged documents, against plain Python."""

from __future__ import annotations

import itertools
import random
from types import SimpleNamespace

import numpy as np
import pytest

from idealrank._core import max_ap_differences, max_ratios, merge_judgments
from idealrank.arrays import Ints, offsets


def starts(groups: list[list[float]]) -> Ints:
    """Return where each group begins, and the end."""
    return offsets(np.array([len(group) for group in groups], np.int64))


def joined(groups: list[list[float]]) -> np.ndarray:
    """Return the numbers of all groups."""
    return np.array(list(itertools.chain(*groups)), np.float64)


def test_judgments_are_merged_highest_grade_first() -> None:
    """Of the same grade judgments come first, then the further documents as they are."""
    rng = random.Random(1)
    judged = [sorted(rng.choices([0.0, 1.0, 2.0], k=rng.randint(0, 6)), reverse=True) for _ in range(50)]
    more = [rng.choices([0.0, 0.5, 2.0, 3.0], k=rng.randint(0, 6)) for _ in range(50)]
    entries = np.arange(sum(map(len, judged)))
    further = 1000 + np.arange(sum(map(len, more)))
    grades, merged = merge_judgments(starts(judged), joined(judged), entries, starts(more), joined(more), further)
    expected: list[tuple[float, int]] = []
    pairs = zip(np.split(entries, starts(judged)[1:-1]), np.split(further, starts(more)[1:-1]), strict=True)
    for (one, other), (of_one, of_other) in zip(zip(judged, more, strict=True), pairs, strict=True):
        both = [*zip(one, of_one.tolist(), strict=True), *zip(other, of_other.tolist(), strict=True)]
        expected += sorted(both, key=lambda pair: -pair[0])
    assert list(zip(grades.tolist(), merged.tolist(), strict=True)) == expected


def test_segments_beyond_the_numbers_are_refused() -> None:
    """Whoever calls the core with other arrays gets an error, and no crash."""
    none, number, far = np.zeros(0, np.int64), np.zeros(1), np.array([0, 5])
    with pytest.raises(IndexError):
        merge_judgments(far, number, np.zeros(1, np.int64), np.array([0, 0]), np.zeros(0), none)
    with pytest.raises(IndexError):
        merge_judgments(np.array([0, 1]), number, np.zeros(1, np.int64), np.array([0]), np.zeros(0), none)
    table, whole = np.zeros((1, 1)), np.zeros((1, 1), np.int64)
    with pytest.raises(IndexError):
        max_ratios(number, number, far, table, whole, number, number, np.zeros(1, np.int64))
    with pytest.raises(IndexError):
        max_ratios(number, number, np.array([0, 1]), table, whole, number, np.zeros(0), np.zeros(1, np.int64))
    lists = SimpleNamespace(rank=number, single=number, certain=number, cap=number, fill=number)
    with pytest.raises(IndexError):
        max_ap_differences(lists, lists, np.array([0, 1]), np.array([3]), number, 0, 10.0)


def test_a_ratio_is_greatest_over_every_count_of_holes() -> None:
    """Every count of holes at or above each level, never falling from a level to the next, is tried by hand."""
    rng = random.Random(2)
    ideal = np.concatenate(([0.0], np.cumsum(1 / np.log2(np.arange(2.0, 12)))))
    for _ in range(200):
        weight = [rng.choice([-0.5, 0.0, 0.3, 0.6, 1.0]) for _ in range(rng.randint(0, 4))]
        height, above = [rng.choice([0.5, 1.0, 4.0]) for _ in range(2)], sorted(rng.randint(0, 3) for _ in range(2))
        # What stands above for certain stands in the ideal, too.
        certain, depth = rng.choice([-0.4, 0.0, 1.5] if above[0] else [-0.4, 0.0]), rng.randint(1, 5)
        best = sorted(weight, reverse=True)
        tried = []
        for counts in itertools.combinations_with_replacement(range(len(weight) + 1), 2):
            below = sum(h * ideal[min(a + n, depth)] for h, a, n in zip(height, above, counts, strict=True))
            top = certain + sum(h * sum(best[:n]) for h, n in zip(height, counts, strict=True))
            tried += [top / below] if below > 0 else []
        (found,) = max_ratios(
            np.array([certain]),
            np.array(weight, np.float64),
            np.array([0, len(weight)]),
            np.array([height]),
            np.array([above]),
            np.array([sum(height)]),
            ideal,
            np.array([depth]),
        )
        # Where nothing stands below with all holes at the top, nothing ever does.
        assert found == pytest.approx(max(tried), abs=1e-12) if tried else np.isnan(found)
