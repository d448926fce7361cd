"""The short form of `make calibrate`, and what its tables in the docs say."""

from __future__ import annotations

import re

import pytest

from idealrank.statistics.paired_tests import TESTS
from tests.calibration.__main__ import LEAST, PAGE, QUERIES, TABLES, UNBOUNDED
from tests.calibration.choices import WAYS, shipped
from tests.calibration.distributions import DIFFERENCES, FAMILY_VALUES, SHAPES, VALUES, Distribution
from tests.calibration.shares import FAMILIES, coverage, rejections

PROMISED = [values for values in VALUES if values.promised]


def rows(table: str) -> list[list[str]]:
    """Return the cells of a table of the page, without its head."""
    found = re.search(rf"<!-- {table}: .*?-->\n(.*?)<!-- end of {table} -->", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    lines = [line for line in found[1].splitlines() if line.startswith("|")]
    return [[cell.strip(" *`") for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("values", PROMISED, ids=lambda values: values.name)
def test_the_default_interval_holds(values: Distribution) -> None:
    """From 30 queries on, Student's t holds the mean in at least 93 of 100 samples."""
    assert coverage("student_t", values, 30, runs=3000, draws=1) >= LEAST


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_bootstraps_fall_short(method: str) -> None:
    """At 10 queries neither bootstrap does, on values of which 60 % are zeros, as the page says."""
    assert coverage(method, VALUES[2], 10, runs=600, draws=399) < LEAST


def test_skewed_differences_mislead_signs_and_ranks() -> None:
    """At 100 skewed differences of mean 0 sign rejects mostly, Wilcoxon often, t about 5 %, as the page says."""
    shares = {name: rejections(name, DIFFERENCES[3], 100, runs=300, draws=1) for name in ("sign", "wilcoxon", "t")}
    assert shares["sign"] > 0.5 > shares["wilcoxon"] > 0.2 > 0.1 > shares["t"]


@pytest.mark.heavy
def test_the_best_of_many_is_tested_honestly() -> None:
    """Where six systems do not differ, the best is shipped in about 2.5 % of runs or fewer by either honest way.

    Tested alone on the queries it was chosen by, it is shipped in more than 6 %.
    """
    naive, corrected, held = WAYS.values()
    assert shipped(100, 0.0, runs=200, draws=199, **naive) > 0.06
    assert shipped(100, 0.0, runs=200, draws=199, **held) <= 0.04
    assert shipped(100, 0.0, runs=50, draws=199, **corrected) <= 0.04


def test_the_page_says_what_a_hold_out_costs() -> None:
    """On the page both honest ways keep 2.5 % within two standard errors; half the queries find fewer gains."""
    found = {(gain, way): [float(share) for share in shares] for gain, way, *shares in rows("choices")}
    assert list(found) == [(gain, way) for gain in ("none", "0.4 deviations, of one system") for way in WAYS]
    naive, corrected, held = (found["none", way] for way in WAYS)
    assert max(*corrected, *held) <= 3.5
    assert min(naive) >= 7.5
    _, corrected, held = (found["0.4 deviations, of one system", way] for way in WAYS)
    assert all(all_queries > half for all_queries, half in zip(corrected, held, strict=True))


def test_the_page_has_every_row() -> None:
    """The tables have a row for every method on every distribution, and every family."""
    assert [row[:2] for row in rows("coverage")][: len(UNBOUNDED) * len(VALUES)] == [
        [method, values.name] for method in UNBOUNDED for values in VALUES
    ]
    assert [row[:2] for row in rows("size")] == [[test, drawn.name] for test in TESTS for drawn in DIFFERENCES]
    assert [row[:2] for row in rows("families")] == [[name, kind] for name in FAMILIES for kind in FAMILY_VALUES]
    assert list(TABLES) == [
        "coverage", "bounded", "quantiles", "size", "families", "ranks", "segments", "gate", "verdicts", "shapes",
        "same",
        "looks",
        "choices",
        "advice",
    ]  # fmt: skip
    assert {tuple(row[:2]) for row in rows("shapes")} == {
        (drawn.name, by) for drawn in SHAPES for by in ("Student's t alone", "the verdict")
    }


def test_the_page_keeps_the_promise() -> None:
    """On the page the default holds in at least 93 % from 30 queries on, on every distribution that is promised."""
    promised = {values.name for values in PROMISED}
    kept = [
        float(share)
        for method, name, *shares in rows("coverage")
        if method == "student_t" and name in promised
        for n, share in zip(QUERIES, shares, strict=True)
        if n >= 30
    ]
    assert len(kept) == 4 * len(promised)
    assert min(kept) >= 100 * LEAST
    corrected = [row[2:] for row in rows("families") if "no correction" not in row[0]]
    assert max(float(share) for shares in corrected for share in shares) <= 7.1
