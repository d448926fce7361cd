"""Ratings become one grade: the combination itself, against the standard library."""

from __future__ import annotations

from statistics import mean, median, multimode

import numpy as np
import pytest
from hypothesis import given, strategies as st

from idealrank.data.duplicates import JudgmentRows as Rows, combined_grades, first_clash
from idealrank.data.grades import combine_ratings

NAN = float("nan")
CELLS = st.one_of(st.just(NAN), st.integers(-2, 4).map(float))


RULES = {"median": median, "mean": mean, "max": max, "min": min, "majority": lambda row: min(multimode(row))}


@given(st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1)))
def test_combine(rows: list[list[float]]) -> None:
    """Every rule is the statistic of the ratings there are; without ratings there is no grade."""
    for rule, statistic in RULES.items():
        there = [[rating for rating in row if rating == rating] for row in rows]
        expected = [statistic(row) if row else NAN for row in there]
        assert combine_ratings(np.array(rows), rule).tolist() == pytest.approx(expected, nan_ok=True)


ROW = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 1), st.sampled_from([NAN, 0.0, 1.0, 2.0]))


@given(st.lists(ROW, min_size=1, max_size=12), st.sampled_from(["first", "last", "max"]))
def test_one_grade_a_document(rows: list[tuple[int, int, int, float]], rule: str) -> None:
    """Of each rater's graded rows one counts; every row of a document gets the median over its raters."""
    pair, rater, system, grade = (np.array(column) for column in zip(*rows, strict=True))
    found = combined_grades(Rows(pair, rater, system, grade), "median", rule)
    pick = {"first": lambda said: said[0], "last": lambda said: said[-1], "max": max}[rule]
    for place, (document, *_) in enumerate(rows):
        voices: dict[int, list[float]] = {}
        for p, r, _, g in rows:
            if p == document and g == g:
                voices.setdefault(r, []).append(g)
        expected = median(pick(said) for said in voices.values()) if voices else NAN
        assert found[place] == pytest.approx(expected, nan_ok=True)


@given(st.lists(ROW, min_size=1, max_size=12))
def test_clashes(rows: list[tuple[int, int, int, float]]) -> None:
    """The first clash is the first row that repeats a voice under its system, or gives the voice another grade."""
    pair, rater, system, grade = (np.array(column) for column in zip(*rows, strict=True))
    clash = first_clash(Rows(pair, rater, system, grade))
    for place, (p, r, s, g) in enumerate(rows):
        before = [row for row in rows[:place] if row[:2] == (p, r) and row[3] == row[3]]
        if g == g and (any(row[2] == s for row in before) or any(row[3] != g for row in before[:1])):
            assert clash is not None
            assert clash.row == place
            return
    assert clash is None
