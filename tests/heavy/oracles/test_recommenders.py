"""recommenders and RecBole, which do not install here: their formulas in plain Python, with the lines of their source.

They know nothing of idealrank; the data is that of the other oracles. Read from source, not run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

import idealrank as ir
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

Hits = Sequence[bool]
CUTOFFS = (1, 3, 5, 10, 100)
UP = ((0, 1, 2, 3), (0, 0.5, 1, 4.5))
SCALES = (*UP, (-2, -0.5, 0, 1))
SEEDS = range(1600, 1600 + tried(3))
each = pytest.mark.parametrize(("seed", "scale"), [(seed, scale) for seed in SEEDS for scale in SCALES])
rated = pytest.mark.parametrize(("seed", "scale"), [(seed, scale) for seed in SEEDS for scale in SCALES[:2]])
"""Ratings from 0 up."""


def in_order(data: Data, query: str) -> list[str]:
    """Documents by score, equal ones as given."""
    scores = data.results.get(query, {})
    return sorted(scores, key=lambda doc: -scores[doc])


def hits_of(data: Data, query: str) -> Hits:
    """merge_ranking_true_pred: whether each result is a row of rating_true, whatever its rating."""
    return [doc in data.judgments[query] for doc in in_order(data, query)]


def discounted(rank: int) -> float:
    """ndcg_at_k: discfun_type "loge"."""
    return 1.0 / math.log(1 + rank)


def precision_at_k(hits: Hits, actual: int, k: int) -> float:
    """recommenders-team/recommenders, python_evaluation.py, precision_at_k: hit / k."""
    return sum(hits[:k]) / k


def recall_at_k(hits: Hits, actual: int, k: int) -> float:
    """python_evaluation.py, recall_at_k: hit / actual."""
    return sum(hits[:k]) / actual


def summed_precisions(hits: Hits, k: int) -> float:
    """python_evaluation.py, _get_reciprocal_rank: the count of the hit by its rank."""
    return sum(sum(hits[:rank]) / rank for rank, hit in enumerate(hits[:k], 1) if hit)


def mean_average_precision(hits: Hits, actual: int, k: int) -> float:
    """python_evaluation.py, map: rr / actual."""
    return summed_precisions(hits, k) / actual


def map_at_k(hits: Hits, actual: int, k: int) -> float:
    """python_evaluation.py, map_at_k: rr / min(actual, k)."""
    return summed_precisions(hits, k) / min(actual, k)


FUNCTIONS = {
    "precision_at": precision_at_k,
    "recall_at": recall_at_k,
    "map": mean_average_precision,
    "map_at": map_at_k,
}


@pytest.mark.parametrize("convention", ["recommenders", "recommenders-raw", "recommenders-exp"])
@each
def test_recommenders(seed: int, scale: tuple[float, ...], convention: str, compare: Compare) -> None:
    """P, R and AP over the users of both sides."""
    data = random_data(seed, scale, queries=25, depth=30)
    for name, function in FUNCTIONS.items():
        for k in CUTOFFS:
            written = f"{name}@{k}" if name == "map" else f"{name}_{k}"
            scores = ir.evaluate(data.judgments, data.results, [written], convention=convention)
            oracle = {q: function(hits_of(data, q), len(data.judgments[q]), k) for q in data.both()}
            compare("recommenders (transcribed)", values(scores), oracle, written)


def binary_ndcg_at_k(hits: Hits, actual: int, k: int) -> float:
    """python_evaluation.py, ndcg_at_k: score_type "binary"; a user without predictions has 0."""
    best = sum(discounted(rank) for rank in range(1, min(actual, k) + 1))
    return sum(discounted(rank) for rank, hit in enumerate(hits[:k], 1) if hit) / best


@each
def test_recommenders_ndcg(seed: int, scale: tuple[float, ...], compare: Compare) -> None:
    """NDCG, over all users of rating_true, is of items rated or not."""
    data = random_data(seed, scale, queries=25, depth=30)
    for k in CUTOFFS:
        scores = ir.evaluate(data.judgments, data.results, [f"ndcg_at_{k}", f"nDCG@{k}"], convention="recommenders")
        oracle = {q: binary_ndcg_at_k(hits_of(data, q), len(data.judgments[q]), k) for q in data.both()}
        oracle |= {q: 0.0 for q in data.judgments if q not in data.results}
        compare("recommenders (transcribed)", values(scores), oracle, f"ndcg_at_{k}")
        assert len(scores.measures) == 1


def worth(grade: float, score_type: str) -> float:
    """ndcg_at_k: score_type."""
    return grade if score_type == "raw" else 2**grade - 1


def graded_ndcg(data: Data, query: str, k: int, score_type: str) -> float | None:
    """python_evaluation.py, ndcg_at_k: the ideal is of the k highest ratings; 0/0 is NaN, left out of the mean."""
    best = sorted(data.judgments[query].values(), reverse=True)[:k]
    ideal = sum(worth(grade, score_type) * discounted(rank) for rank, grade in enumerate(best, 1))
    found = [data.judgments[query].get(doc, 0.0) for doc in in_order(data, query)[:k]]
    got = sum(worth(grade, score_type) * discounted(rank) for rank, grade in enumerate(found, 1))
    return got / ideal if ideal else None


@rated
def test_recommenders_raw(seed: int, scale: tuple[float, ...], compare: Compare) -> None:
    """score_type="raw" is nDCG with the ratings as gains."""
    data = rated_above_zero(seed, scale)
    for k in CUTOFFS:
        scores = ir.evaluate(data.judgments, data.results, [f"ndcg_at_{k}"], convention="recommenders-raw")
        compare("recommenders (transcribed)", values(scores), graded(data, k, "raw"), f"raw ndcg_at_{k}")


@rated
def test_recommenders_exp(seed: int, scale: tuple[float, ...], compare: Compare) -> None:
    """score_type="exp" is nDCG with the gain 2^rating - 1."""
    data = rated_above_zero(seed, scale)
    for k in CUTOFFS:
        scores = ir.evaluate(data.judgments, data.results, [f"ndcg_at_{k}"], convention="recommenders-exp")
        compare("recommenders (transcribed)", values(scores), graded(data, k, "exp"), f"exp ndcg_at_{k}")


def graded(data: Data, k: int, score_type: str) -> dict[str, float]:
    """The value of every user of rating_true."""
    found = {q: graded_ndcg(data, q, k, score_type) for q in data.judgments}
    return {q: value for q, value in found.items() if value is not None}


def rated_above_zero(seed: int, scale: tuple[float, ...]) -> Data:
    """Random data without users whose ratings are all 0 and who have no predictions: they count 0 here."""
    data = random_data(seed, scale, queries=25, depth=30)
    kept = {q: docs for q, docs in data.judgments.items() if q in data.results or any(docs.values())}
    return Data(kept, data.results)


def recbole_hit(hits: Hits, positives: int, k: int) -> float:
    """RUCAIBox/RecBole, evaluator/metrics.py, Hit."""
    return float(any(hits[:k]))


def recbole_mrr(hits: Hits, positives: int, k: int) -> float:
    """metrics.py, MRR."""
    return next((1 / rank for rank, hit in enumerate(hits[:k], 1) if hit), 0.0)


def recbole_ndcg(hits: Hits, positives: int, k: int) -> float:
    """metrics.py, NDCG: log2, and an ideal of min(R, k) ones."""
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(positives, k) + 1))
    return sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits[:k], 1) if hit) / best


RECBOLE = {
    "hit": recbole_hit,
    "mrr": recbole_mrr,
    "map": map_at_k,
    "recall": recall_at_k,
    "ndcg": recbole_ndcg,
    "precision": precision_at_k,
}
"""Names as it prints them; MAP, Recall and Precision of metrics.py are the formulas above."""


@each
def test_recbole(seed: int, scale: tuple[float, ...], compare: Compare) -> None:
    """Every top-k metric; users without items in the test set are not there, and means have four decimals."""
    data = random_data(seed, scale, queries=25, depth=30, missing=False)
    positive = {q: {d for d, grade in docs.items() if grade > 0} for q, docs in data.judgments.items()}
    judgments = {q: docs for q, docs in data.judgments.items() if positive[q]}
    for name, function in RECBOLE.items():
        for k in CUTOFFS:
            scores = ir.evaluate(judgments, data.results, [f"{name}@{k}"], convention="recbole")
            oracle = {
                q: function([d in positive[q] for d in in_order(data, q)], len(positive[q]), k) for q in judgments
            }
            compare("RecBole (transcribed)", values(scores), oracle, f"{name}@{k}")
            mean = round(sum(oracle.values()) / len(oracle), 4)  # base_metric.py, topk_result
            compare("RecBole (transcribed)", {"": scores[f"{name}@{k}"]}, {"": mean}, f"mean {name}@{k}", 0.51e-4)


def test_without_measures_asked_for() -> None:
    """Of the measures that are the default, those the tool has are computed, nDCG as the tool has it."""
    scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 2.0}}, convention="recommenders")
    assert [measure.definition.name for measure in scores.measures if measure.cutoff == 10][:1] == ["BinaryNDCG"]
