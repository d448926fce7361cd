"""Measures of learning to rank against CatBoost and scikit-learn, by query."""

from __future__ import annotations

import math
from typing import Any

import pytest
from sklearn.metrics import roc_auc_score

import idealrank as ir
from tests.amounts import tried
from tests.heavy.oracles.test_catboost import CUTOFFS, SHARED, metric_of, ours, with_cutoff
from tests.oracles.conftest import Compare
from tests.oracles.data import random_data, values

CHANCES = (0, 0.25, 0.5, 0.75, 1)


@pytest.mark.parametrize("seed", range(tried(2)))
def test_pfound(seed: int, compare: Compare) -> None:
    """PFound takes the targets as the chances to be satisfied, and of a tie the lowest first."""
    data = random_data(760 + seed, CHANCES)
    for k in CUTOFFS:
        for decay in (0.85, 0.5):
            name = ours(f"PFound(decay={decay})", k)
            scores = ir.evaluate(data.judgments, data.results, [name], max_grade=1, **SHARED)
            compare("catboost", values(scores), metric_of(data, with_cutoff("PFound", k, f"decay={decay}")), name)


@pytest.mark.parametrize("seed", range(tried(2)))
def test_query_auc(seed: int, compare: Compare) -> None:
    """QueryAUC counts pairs of targets, a tie as half; without a pair it is 0, as no_relevant says by default."""
    graded = random_data(770 + seed)
    scores = ir.evaluate(graded.judgments, graded.results, ["OPA", "AUC"], **(SHARED | {"ties": "average"}))
    compare("catboost", values(scores), metric_of(graded, "QueryAUC:type=Ranking"), "OPA")
    binary = metric_of(graded, "QueryAUC:type=Classic", lambda grade: float(grade >= 1))
    compare("catboost", values(scores, 1), binary, "AUC")


@pytest.mark.parametrize("seed", range(tried(2)))
def test_average_gain(seed: int, compare: Compare) -> None:
    """AverageGain divides by what came back of the k."""
    data = random_data(780 + seed)
    for k in (1, 3, 10, 100):
        scores = ir.evaluate(data.judgments, data.results, [f"AverageGain@{k}"], short_list="returned", **SHARED)
        compare("catboost", values(scores), metric_of(data, f"AverageGain:top={k}"), f"AverageGain@{k}")


@pytest.mark.parametrize("seed", range(tried(2)))
def test_roc_auc(seed: int, compare: Compare) -> None:
    """AUC is roc_auc_score of the results of each query that has both kinds."""
    data = random_data(790 + seed)
    options: dict[str, Any] = SHARED | {"ties": "average", "no_relevant": "skip"}
    scores = ir.evaluate(data.judgments, data.results, ["AUC"], **options)
    kinds = {query: [grade >= 1 for grade in data.grades(query)] for query in data.both()}
    both = {q: float(roc_auc_score(kinds[q], data.scores(q))) for q in kinds if len(set(kinds[q])) == 2}
    assert both
    compare("scikit-learn", {q: v for q, v in values(scores).items() if not math.isnan(v)}, both, "AUC")


def transcribed_arp(labels: list[float]) -> float:
    """ARPMetric: sum of label x rank over sum of label, 0 if that is 0.

    https://github.com/tensorflow/ranking/blob/master/tensorflow_ranking/python/metrics_impl.py (class ARPMetric)
    """
    total = sum(labels)
    return sum(label * rank for rank, label in enumerate(labels, 1)) / total if total else 0.0


def transcribed_opa(labels: list[float]) -> float:
    """OPAMetric with weights 1: pairs ranked as labelled over pairs with different labels, 0 if none.

    https://github.com/tensorflow/ranking/blob/master/tensorflow_ranking/python/metrics_impl.py (class OPAMetric)
    """
    pairs = [(i, j) for i in range(len(labels)) for j in range(len(labels)) if labels[i] > labels[j]]
    return sum(i < j for i, j in pairs) / len(pairs) if pairs else 0.0


@pytest.mark.parametrize("seed", range(tried(2)))
def test_tf_ranking(seed: int, compare: Compare) -> None:
    """ARP and OPA of TensorFlow Ranking, from source, not run."""
    data = random_data(795 + seed)
    scores = ir.evaluate(data.judgments, data.results, ["ARP", "OPA"], ties="docid_desc", no_results="skip")
    ordered = {
        q: sorted(data.results[q], key=lambda d: (data.results[q][d], d.encode()), reverse=True) for q in data.both()
    }
    labels = {q: [data.judgments[q].get(doc, 0) for doc in docs] for q, docs in ordered.items()}
    for place, formula in enumerate((transcribed_arp, transcribed_opa)):
        oracle = {query: formula(grades) for query, grades in labels.items()}
        compare("TF-Ranking (transcribed)", values(scores, place), oracle, formula.__name__)


def transcribed_fallout(relevant: list[bool], k: int) -> float:
    """RetrievalFallOut: non-relevant of the first k over all non-relevant, of one list.

    https://github.com/Lightning-AI/torchmetrics/blob/master/src/torchmetrics/functional/retrieval/fall_out.py
    """
    others = [not one for one in relevant]
    return sum(others[:k]) / sum(others) if sum(others) else 0.0


def test_fallout(compare: Compare) -> None:
    """Fall-out of torchmetrics, from source, not run: each document of the list is judged there."""
    data = random_data(799)
    judged = {q: {d: data.judgments[q].get(d, 0) for d in data.results[q]} for q in data.both()}
    ordered = {
        q: sorted(grades, key=lambda d: (data.results[q][d], d.encode()), reverse=True) for q, grades in judged.items()
    }
    for k in (1, 5, 100):
        scores = ir.evaluate(judged, {q: data.results[q] for q in judged}, [f"Fallout@{k}"])
        oracle = {q: transcribed_fallout([judged[q][d] >= 1 for d in docs], k) for q, docs in ordered.items()}
        compare("torchmetrics (transcribed)", values(scores), oracle, f"Fallout@{k}")
