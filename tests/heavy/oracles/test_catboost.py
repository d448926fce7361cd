"""CatBoost's ranking metrics against the conventions catboost and catboost-exp, and against decisions spelled out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from catboost.utils import eval_metric

import idealrank as ir
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

# CatBoost keeps targets as float32: these grades are exact there, and so are their gains.
SCALES = {
    "graded": (0, 1, 2, 3),
    "fractional": (0, 0.25, 0.5, 0.75, 1.75, 3),
    "negative": (0, -2, -0.5, 1, 4),
    "chances": (0, 0.25, 0.5, 0.75, 1),
}
CUTOFFS = (None, 1, 2, 3, 5, 10, 100)
# What all its metrics have in common: by score, the lowest grade of a tie first, returned documents only.
SHARED: dict[str, Any] = {"order_by": "score", "ties": "worst", "no_results": "skip"}


def metric_of(data: Data, metric: str, worth: Any = float) -> dict[str, float]:
    """Return one metric of every query, each a group of its own."""
    return {
        query: float(
            eval_metric(
                np.array([worth(grade) for grade in data.grades(query)]),
                np.array(data.scores(query)),
                metric,
                group_id=np.zeros(len(data.results[query]), np.int64),
            )[0]
        )
        for query in data.both()
    }


def only_returned(data: Data) -> Data:
    """Drop what CatBoost cannot know: judgments of documents that were not returned."""
    judged = {q: {d: data.judgments[q].get(d, 0) for d in data.results[q]} for q in data.both()}
    return Data(judged, {q: data.results[q] for q in judged})


def with_cutoff(metric: str, k: int | None, options: str = "") -> str:
    """Return the metric's description as CatBoost reads it."""
    parts = ([f"top={k}"] if k else []) + ([options] if options else [])
    return metric + (":" + ";".join(parts) if parts else "")


def ours(measure: str, k: int | None) -> str:
    """Return the measure with its cutoff."""
    return measure if k is None else f"{measure}@{k}"


@pytest.mark.parametrize("gain", ["Base", "Exp"])
@pytest.mark.parametrize("scale", ["graded", "fractional", "negative"])
@pytest.mark.parametrize("seed", range(tried(3)))
def test_dcg(seed: int, scale: str, gain: str, compare: Compare) -> None:
    """DCG of type Base has linear gain, of type Exp 2^g - 1; grades below zero count."""
    data = random_data(700 + seed, SCALES[scale])
    convention = "catboost-exp" if gain == "Exp" else "catboost"
    scores = ir.evaluate(data.judgments, data.results, [ours("DCG", k) for k in CUTOFFS], convention=convention)
    for place, k in enumerate(CUTOFFS):
        oracle = metric_of(data, with_cutoff("DCG", k, f"type={gain}"))
        compare("catboost", values(scores, place), oracle, f"DCG@{k} {gain}")


@pytest.mark.parametrize("gain", ["Base", "Exp"])
@pytest.mark.parametrize("scale", ["graded", "fractional"])
@pytest.mark.parametrize("seed", range(tried(3)))
def test_ndcg(seed: int, scale: str, gain: str, compare: Compare) -> None:
    """NDCG divides by the group's grades in their best order; an all-zero group has 1."""
    data = random_data(750 + seed, SCALES[scale])
    convention = "catboost-exp" if gain == "Exp" else "catboost"
    scores = ir.evaluate(data.judgments, data.results, [ours("nDCG", k) for k in CUTOFFS], convention=convention)
    for place, k in enumerate(CUTOFFS):
        oracle = metric_of(data, with_cutoff("NDCG", k, f"type={gain}"))
        compare("catboost", values(scores, place), oracle, f"NDCG@{k} {gain}")


@pytest.mark.parametrize("gain", ["Base", "Exp"])
@pytest.mark.parametrize("seed", range(tried(3)))
def test_ndcg_with_negative_grades(seed: int, gain: str, compare: Compare) -> None:
    """Grades below zero lower the group's DCG and its ideal; where the ideal is not above zero, NDCG is 1."""
    data = random_data(780 + seed, SCALES["negative"])
    kept = data.subset(list(data.both()))
    convention = "catboost-exp" if gain == "Exp" else "catboost"
    for k in CUTOFFS:
        scores = ir.evaluate(kept.judgments, kept.results, [ours("nDCG", k)], convention=convention)
        oracle = metric_of(kept, with_cutoff("NDCG", k, f"type={gain}"))
        compare("catboost", values(scores), oracle, f"NDCG@{k} {gain}")


@pytest.mark.parametrize("seed", range(tried(3)))
def test_position_discount(seed: int, compare: Compare) -> None:
    """The denominator Position is the discount 1/rank."""
    data = random_data(800 + seed)
    for measure, metric in (("nDCG", "NDCG"), ("DCG", "DCG")):
        scores = ir.evaluate(
            data.judgments, data.results, [f"{measure}@5"], convention="catboost", discount="reciprocal"
        )
        oracle = metric_of(data, f"{metric}:top=5;denominator=Position")
        compare("catboost", values(scores), oracle, f"{metric} by position")


BINARY = {
    "PrecisionAt": ("P", {"short_list": "returned", "no_relevant": "0"}),
    "RecallAt": ("R", {"no_relevant": "1"}),
    "MAP": ("AP", {"ap_denominator": "min(R,k)"}),
}


@pytest.mark.parametrize("convention", ["catboost", "catboost-exp"])
@pytest.mark.parametrize("metric", BINARY)
@pytest.mark.parametrize("seed", range(tried(4)))
def test_binary_metrics(seed: int, metric: str, convention: str, compare: Compare) -> None:
    """PrecisionAt, RecallAt and MAP are P, R and AP, each under its own decisions in the conventions."""
    data = only_returned(random_data(850 + seed))
    for k in (1, 2, 3, 5, 10, 100):
        scores = ir.evaluate(data.judgments, data.results, [f"{metric}@{k}"], convention=convention)
        compare("catboost", values(scores), metric_of(data, f"{metric}:top={k}"), f"{metric}@{k}")


@pytest.mark.parametrize("border", [0.5, 1.5, 2.5])
@pytest.mark.parametrize("seed", range(tried(2)))
def test_border(seed: int, border: float, compare: Compare) -> None:
    """A grade above the border is relevant: relevant_from is the next grade up."""
    data = only_returned(random_data(900 + seed))
    for metric, (measure, decisions) in BINARY.items():
        scores = ir.evaluate(
            data.judgments, data.results, [f"{measure}@5"], relevant_from=border + 0.5, **SHARED, **decisions
        )
        compare("catboost", values(scores), metric_of(data, f"{metric}:top=5;border={border}"), f"{metric} {border}")


@pytest.mark.parametrize("convention", ["catboost", "catboost-exp"])
@pytest.mark.parametrize("seed", range(tried(4)))
def test_mrr(seed: int, convention: str, compare: Compare) -> None:
    """MRR is the reciprocal rank of the first relevant document, 0 beyond the cutoff."""
    data = only_returned(random_data(950 + seed))
    for k in (1, 2, 5, 100):
        scores = ir.evaluate(data.judgments, data.results, [f"MRR@{k}"], convention=convention)
        compare("catboost", values(scores), metric_of(data, f"MRR:top={k}"), f"MRR@{k}")


@pytest.mark.parametrize("seed", range(tried(4)))
def test_err(seed: int, compare: Compare) -> None:
    """ERR is CatBoost's with the chance to stop, (2^g - 1) / 2^highest grade, as target."""
    data = only_returned(random_data(1000 + seed))
    for k in (1, 2, 5, 100):
        scores = ir.evaluate(data.judgments, data.results, [f"ERR@{k}"], max_grade=3, **SHARED)
        oracle = metric_of(data, f"ERR:top={k}", worth=lambda grade: (2**grade - 1) / 8)
        compare("catboost", values(scores), oracle, f"ERR@{k}")


@pytest.mark.parametrize("convention", ["catboost", "catboost-exp"])
@pytest.mark.parametrize("seed", range(tried(3)))
def test_err_under_the_convention(seed: int, convention: str, compare: Compare) -> None:
    """CatBoost's ERR is LinearERR: the targets are the chances to stop, and of a tie the lowest comes first."""
    data = random_data(1050 + seed, SCALES["chances"])
    scores = ir.evaluate(data.judgments, data.results, [ours("ERR", k) for k in CUTOFFS], convention=convention)
    for place, k in enumerate(CUTOFFS):
        compare("catboost", values(scores, place), metric_of(data, with_cutoff("ERR", k)), f"ERR@{k}")


@pytest.mark.parametrize("seed", range(tried(3)))
def test_err_of_labels(seed: int, compare: Compare) -> None:
    """With a scale declared, it is CatBoost's of the grades as shares of its top."""
    data = random_data(1070 + seed, (0, 1, 2, 3, 4))
    for k in CUTOFFS:
        scores = ir.evaluate(data.judgments, data.results, [ours("ERR", k)], convention="catboost", max_grade=4)
        oracle = metric_of(data, with_cutoff("ERR", k), worth=lambda grade: grade / 4)
        compare("catboost", values(scores), oracle, f"ERR@{k} of labels")


def test_err_above_one() -> None:
    """CatBoost takes any target for a chance: 3 - 2 x 2/2 + 2 x 1/3; here such a grade is refused."""
    judgments, results = ir.from_grades([3, 2, 1])
    found = eval_metric(np.array([3.0, 2.0, 1.0]), np.array([3.0, 2.0, 1.0]), "ERR", group_id=np.zeros(3, np.int64))
    assert found == [pytest.approx(5 / 3)]
    with pytest.raises(ir.DataError, match="grade 3 is above max_grade=1"):
        ir.evaluate(judgments, results, ["ERR"], convention="catboost")


def test_err_below_zero() -> None:
    """CatBoost takes a target below zero for a chance: -1/2 + 3/2 x 1/2 / 2; here it never satisfies: 1/2 / 2."""
    judgments, results = ir.from_grades([-0.5, 0.5])
    found = eval_metric(np.array([-0.5, 0.5]), np.array([2.0, 1.0]), "ERR", group_id=np.zeros(2, np.int64))
    assert found == [pytest.approx(-0.125)]
    assert ir.evaluate(judgments, results, ["ERR"], convention="catboost")["ERR"] == 0.25
