"""The sign-flip max |t| against enumeration, printed critical values and simulation."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest
import scipy.stats

from idealrank import IdealrankError
from idealrank._core import signed_sums
from idealrank.statistics import max_t as module
from idealrank.statistics.max_t import expected_max_t_seconds, max_t
from idealrank.statistics.paired_tests import paired_test

DUNNETT = {2: 2.21, 3: 2.35, 4: 2.44, 9: 2.69}
"""Two-sided 5 % points for k treatments against a control, many degrees of freedom: Dunnett (1964)."""


def correlated(systems: int, queries: int, seed: int, shift: float = 0.0) -> np.ndarray:
    """Return differences of systems from a baseline they share: correlation one half."""
    rng = np.random.default_rng(seed)
    return rng.normal(shift, 1, (systems, queries)) - rng.normal(size=queries)


def t_of(d: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Return |t| of each row from the textbook; NaN is left out."""
    found = []
    for row in d:
        kept = ~np.isnan(row)
        x, w = row[kept], np.ones(kept.sum()) if weights is None else weights[kept]
        mean = (w * x).sum() / w.sum()
        error = math.sqrt(((w * (x - mean)) ** 2).sum() * len(x) / (len(x) - 1)) / w.sum()
        found.append(abs(mean) / error)
    return np.array(found)


def step_down(d: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Adjust by Westfall & Young's algorithm 4.1, hypothesis by hypothesis, over all flips."""
    flips = [np.array(signs) for signs in itertools.product([1, -1], repeat=d.shape[1])]
    flipped, t = np.array([t_of(d * signs, weights) for signs in flips]), t_of(d, weights)
    p, least = np.empty(len(t)), 0.0
    for h in np.argsort(-t):
        smaller = t <= t[h]
        least = max(least, np.mean(flipped[:, smaller].max(axis=1) >= t[h] * (1 - 1e-9)))
        p[h] = least
    return p


@pytest.mark.parametrize("weights", [None, np.array([1.0, 3, 2, 5, 1, 4, 2])])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("holes", [False, True])
def test_step_down_is_the_enumeration(seed: int, weights: np.ndarray | None, holes: bool) -> None:
    """On seven queries p is that of the algorithm as it is written, with weights and missing queries."""
    d = correlated(4, 7, seed, 0.6)
    if holes:
        d[1, 2] = d[3, 5] = np.nan
    found = max_t(d, weights, seed=1)
    assert found.p == pytest.approx(step_down(d, weights), rel=1e-9)
    assert not found.error.any()
    assert np.abs(found.t) == pytest.approx(t_of(d, weights), rel=1e-9)


@pytest.mark.parametrize("name", ["randomisation", "t"])
def test_one_hypothesis_is_one_test(name: str) -> None:
    """With one hypothesis p is that of the randomisation test, and near that of the t test."""
    d = correlated(1, 12, 3, 0.5)
    found = max_t(d, seed=1)
    assert found.p[0] == pytest.approx(
        paired_test(name, d[0], seed=1).p, abs=1e-12 if name == "randomisation" else 0.02
    )


def test_the_interval_is_the_step_of_one() -> None:
    """The interval is the mean difference ∓ c standard errors, and leaves 0 out only where p is at most 0.05."""
    d = correlated(6, 40, 4, 0.4) + np.linspace(0, 1, 6)[:, None]
    found = max_t(d, seed=1)
    errors = scipy.stats.sem(d, axis=1)
    assert found.low == pytest.approx(d.mean(axis=1) - found.critical * errors, abs=1e-8)
    assert found.high == pytest.approx(d.mean(axis=1) + found.critical * errors, abs=1e-8)
    outside = (found.low > 0) | (found.high < 0)
    assert outside.any()
    assert (found.p[outside] <= 0.05).all()


@pytest.mark.parametrize("systems", DUNNETT)
def test_critical_value_is_that_of_dunnett(systems: int) -> None:
    """For normal differences of correlation one half c is Dunnett's printed value, to its simulation error."""
    found = max_t(correlated(systems, 2000, 5), seed=2, draws=20_000)
    assert found.critical == pytest.approx(DUNNETT[systems], abs=0.05)


def test_it_respects_correlation() -> None:
    """A hundred copies of one hypothesis are adjusted as one."""
    d = correlated(1, 50, 6, 0.3)
    once, often = max_t(d, seed=1), max_t(np.repeat(d, 100, axis=0), seed=1)
    assert often.p == pytest.approx(np.full(100, once.p[0]), rel=1e-12)
    assert often.critical == pytest.approx(once.critical, rel=1e-9)


@pytest.mark.parametrize("shape", ["plain", "zeros", "weighted"])
def test_family_wise_error_on_correlated_systems(shape: str) -> None:
    """Of 400 families of eight true and two false hypotheses at most 5 % have a false rejection, plus three errors."""
    runs, wrong, right = 400, 0, 0
    for run in range(runs):
        rng = np.random.default_rng(run)
        d = correlated(10, 30, 100 + run)
        d[:2] += 1.5
        d *= (rng.random(30) < 0.5) if shape == "zeros" else 1
        weights = rng.uniform(1, 3, 30) if shape == "weighted" else None
        rejected = max_t(d, weights, seed=run, draws=199).p <= 0.05
        wrong += rejected[2:].any()
        right += rejected[:2].all()
    assert wrong / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert right / runs > 0.5


def test_simultaneous_coverage() -> None:
    """Of 400 families of six intervals all hold their differences in 95 %, within three errors."""
    runs, held = 400, 0
    for run in range(runs):
        found = max_t(correlated(6, 40, 900 + run, 0.2), seed=run, draws=399)
        held += bool(((found.low <= 0.2) & (found.high >= 0.2)).all())
    assert abs(held / runs - 0.95) <= 3 * math.sqrt(0.05 * 0.95 / runs)


def test_odd_hypotheses() -> None:
    """Identical systems have p = 1 and no width; one query or none p = 1 and no bounds; none disturbs the others."""
    d = correlated(5, 40, 7, 0.4)
    alone = max_t(d[:2], seed=1)
    d[2] = 0
    d[3, 1:] = np.nan
    d[4] = np.nan
    found = max_t(d, seed=1)
    assert (found.p[2], found.low[2], found.high[2], found.t[2]) == (1, 0, 0, 0)
    assert (found.p[3], found.low[3], found.high[3]) == (1, -math.inf, math.inf)
    assert found.p[4] == 1
    assert math.isnan(found.difference[4])
    assert found.p[:2] == pytest.approx(alone.p, rel=1e-12)
    assert found.critical == alone.critical


def test_constant_differences() -> None:
    """Six differences of 0.1 are rejected at 2 of 64 flips, with an interval without width; three tell nothing."""
    six, three = max_t([[0.1] * 6], seed=1), max_t([[0.1] * 3], seed=1)
    assert (six.p[0], six.low[0], six.high[0]) == pytest.approx((2 / 64, 0.1, 0.1), rel=1e-9)
    assert (three.p[0], three.low[0], three.high[0]) == (0.25, -math.inf, math.inf)


def test_all_identical() -> None:
    """Where nothing differs at all, every p is 1 and every interval is 0."""
    found = max_t(np.zeros((3, 30)), seed=1)
    assert found.p.tolist() == [1, 1, 1]
    assert found.low.tolist() == found.high.tolist() == [0, 0, 0]


@pytest.mark.parametrize("weighted", [False, True])
def test_the_order_of_hypotheses_does_not_matter(weighted: bool) -> None:
    """Systems in another order have the same numbers; equal weights are none, and a weight of 0 leaves a query out."""
    d, weights = correlated(5, 60, 8, 0.2), np.random.default_rng(1).integers(1, 5, 60) if weighted else None
    found, turned = max_t(d, weights, seed=1), max_t(d[::-1], weights, seed=1)
    assert turned.p[::-1].tolist() == found.p.tolist()
    assert turned.critical == found.critical
    equal = max_t(d, np.full(60, 2.0), seed=1)
    assert equal.p == pytest.approx(max_t(d, seed=1).p, rel=1e-12)
    with_zero = max_t(d[:, :10], [1] * 9 + [0], seed=1, draws=4000)
    assert with_zero.p == pytest.approx(max_t(d[:, :9], seed=1).p, abs=0.05)


@pytest.mark.heavy
def test_threads_do_not_matter() -> None:
    """One thread and two of the matrix product give the same numbers."""
    code = (
        "import numpy as np; from idealrank.statistics.max_t import max_t\n"
        "d = np.random.default_rng(1).normal(0.02, 1, (40, 3000)).round(2)\n"
        "m = max_t(d, seed=3, draws=2000); print(m.p.tolist(), m.critical, m.low.tolist())"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code], env=_threads(count), capture_output=True, text=True, check=True
        ).stdout
        for count in ("1", "2")
    ]
    assert told[0] == told[1]


def _threads(count: str) -> dict[str, str]:
    import os

    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
    return {**os.environ, **dict.fromkeys(names, count)}


def test_progress_and_time() -> None:
    """Progress is told up to the last flip, and the expected time grows with the flips."""
    told: list[tuple[int, int]] = []
    d = correlated(3, 5000, 9)
    max_t(d, seed=1, draws=150_000, progress=lambda done, total: told.append((done, total)))
    assert len(told) > 1
    assert told[-1] == (150_000, 150_000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert 0 < expected_max_t_seconds(d, draws=100) < expected_max_t_seconds(d, draws=1_000_000)


def test_the_expected_time_flips_some_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signs of no more queries are flipped for the time than say it, and the time is that of all."""
    flipped: list[int] = []
    seconds = iter([1.0, 1.0])
    monkeypatch.setattr(module, "PILOT_QUERIES", 50)
    monkeypatch.setattr(
        module, "signed_sums", lambda signs, parts: flipped.append(len(parts)) or signed_sums(signs, parts)
    )
    monkeypatch.setattr(module, "measure_seconds", lambda call: (call(), next(seconds))[1])
    some, many = (expected_max_t_seconds(correlated(3, n, 9), draws=100) for n in (50, 5000))
    assert flipped == [50, 50]
    assert many == 100 * some


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"differences": [0.1, 0.2]}, "one row per hypothesis"),
        ({"differences": np.empty((0, 4))}, "one row per hypothesis"),
        ({"differences": [[0.1, math.inf]]}, "one is infinite"),
        ({"differences": [[0.1, 0.2]], "weights": [1]}, "one weight per query"),
        ({"differences": [[0.1, 0.2]], "level": 1}, "level=1: it must be between 0 and 1"),
        ({"differences": [[0.1, 0.2]], "draws": 1.5}, "draws=1.5: it is a whole number"),
    ],
)
def test_what_is_refused(call: dict[str, object], said: str) -> None:
    """What is no table of differences, or no weight, level or number of draws, is an error that says what is."""
    with pytest.raises(IdealrankError, match=said):
        max_t(**call, seed=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("changed", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("n", [10, 60, 200])
def test_few_queries_that_differ(n: int, changed: int) -> None:
    """Where few queries differ, and all one way, the interval holds 0 as p says, and is no narrower than Student's."""
    d = np.zeros((1, n))
    d[0, :changed] = 0.1
    found = max_t(d, seed=1, draws=2000)
    theirs = scipy.stats.ttest_1samp(d[0], 0).confidence_interval(0.95)
    assert found.p[0] > 0.05
    assert found.low[0] < 0 < found.high[0]
    assert found.low[0] <= theirs.low * (1 - 1e-9)


def test_queries_nobody_pairs_are_none() -> None:
    """Columns of NaN, and those of weight 0, change nothing."""
    d = correlated(2, 8, 5, 0.3)
    plain = max_t(d, seed=1)
    wide = max_t(np.concatenate([d, np.full((2, 50), np.nan)], axis=1), seed=1)
    weighted = max_t(np.concatenate([d, d], axis=1), np.array([1.0] * 8 + [0.0] * 8), seed=1)
    for other in (wide, weighted):
        assert (other.p.tolist(), other.method) == (plain.p.tolist(), plain.method)
        assert other.low == pytest.approx(plain.low, rel=1e-12)
