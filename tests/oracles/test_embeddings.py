"""BEIR and MTEB: pytrec_eval is run, as they do; what they compute themselves stands here in plain Python.

Their own parts know nothing of idealrank. Read from source, not run.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import pytrec_eval

import idealrank as ir
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

CUTOFFS = (1, 3, 5, 10, 100)
SEEDS = range(1700, 1700 + tried(4))
BELOW = {"NDCG": "ndcg_cut", "MAP": "map_cut", "Recall": "recall", "P": "P"}
AT = {"ndcg_at": "ndcg_cut", "map_at": "map_cut", "recall_at": "recall", "precision_at": "P", "hit_rate_at": "success"}

PRINTED = 0.51e-5
"""Half of the last of five decimals."""

ByQuery = dict[str, float]
Hits = Callable[[Data, str], list[str]]


def made(seed: int, *, known: bool = False) -> Data:
    """Ties that only float32 sees, holes, missing queries; `known`: no results without judgments, as both demand."""
    data = random_data(seed, (-1, 0, 1, 2, 3), queries=25, depth=30, close=1e-9)
    return data.subset(data.both()) if known else data


def below(data: Data, measure: str, k: int) -> ByQuery:
    """What pytrec_eval returns, by query."""
    grades = {query: {doc: int(grade) for doc, grade in docs.items()} for query, docs in data.judgments.items()}
    scores = pytrec_eval.RelevanceEvaluator(grades, {f"{measure}.{k}"}).evaluate(data.results)
    return {query: found[f"{measure}_{k}"] for query, found in scores.items()}


def mean(found: ByQuery) -> float:
    """evaluation.py and parse_metrics_from_scores: the sum over the queries, to five decimals."""
    return round(sum(found.values()) / len(found), 5)


@pytest.mark.parametrize("seed", SEEDS)
def test_beir(seed: int, compare: Compare) -> None:
    """beir-cellar/beir, evaluation.py:79-115: four measures, over the queries of both."""
    data = made(seed)
    for name, measure in BELOW.items():
        for k in CUTOFFS:
            scores = ir.evaluate(data.judgments, data.results, [f"{name}@{k}"], convention="beir")
            oracle = below(data, measure, k)
            compare("BEIR over pytrec_eval", values(scores), oracle, f"{name}@{k}")
            compare(
                "BEIR over pytrec_eval", {"": scores[f"{name}@{k}"]}, {"": mean(oracle)}, f"mean {name}@{k}", PRINTED
            )


def as_given(data: Data, query: str) -> list[str]:
    """custom_metrics.py: sorted by score alone."""
    scores = data.results.get(query, {})
    return sorted(scores, key=lambda doc: scores[doc], reverse=True)


def relevant(data: Data, query: str) -> set[str]:
    """custom_metrics.py and retrieval_metrics.py: judged above 0."""
    return {doc for doc, grade in data.judgments[query].items() if grade > 0}


def reciprocal_rank(data: Data, query: str, k: int, order: Hits) -> float:
    """custom_metrics.py and retrieval_metrics.py, mrr."""
    good = relevant(data, query)
    return next((1.0 / rank for rank, doc in enumerate(order(data, query)[:k], 1) if doc in good), 0.0)


def recall_cap(data: Data, query: str, k: int) -> float:
    """custom_metrics.py, recall_cap: divided by min(R, k); not called here where that is 0."""
    good = relevant(data, query)
    return sum(doc in good for doc in as_given(data, query)[:k]) / min(len(good), k)


def top_k_accuracy(data: Data, query: str, k: int) -> float:
    """custom_metrics.py, top_k_accuracy."""
    return float(bool(relevant(data, query) & set(as_given(data, query)[:k])))


@pytest.mark.parametrize("seed", SEEDS)
def test_beir_custom(seed: int, compare: Compare) -> None:
    """custom_metrics.py: MRR and Accuracy, over all judged queries."""
    data = made(seed, known=True)
    for k in CUTOFFS:
        names = [f"MRR@{k}", f"Accuracy@{k}"]
        scores = ir.evaluate(data.judgments, data.results, names, convention="beir")
        ranks = {query: reciprocal_rank(data, query, k, as_given) for query in data.judgments}
        found = {query: top_k_accuracy(data, query, k) for query in data.judgments}
        for place, oracle in enumerate((ranks, found)):
            compare("BEIR (transcribed)", values(scores, place), oracle, names[place])
            compare(
                "BEIR (transcribed)", {"": scores[names[place]]}, {"": mean(oracle)}, f"mean {names[place]}", PRINTED
            )


@pytest.mark.parametrize("seed", SEEDS)
def test_beir_capped_recall(seed: int, compare: Compare) -> None:
    """custom_metrics.py: R_cap, which stops at a query without relevant documents."""
    data = made(seed, known=True)
    judgments = {query: docs for query, docs in data.judgments.items() if relevant(data, query)}
    for k in CUTOFFS:
        scores = ir.evaluate(judgments, data.results, [f"R_cap@{k}"], convention="beir")
        oracle = {query: recall_cap(data, query, k) for query in judgments}
        compare("BEIR (transcribed)", values(scores), oracle, f"R_cap@{k}")
        compare("BEIR (transcribed)", {"": scores[f"R_cap@{k}"]}, {"": mean(oracle)}, f"mean R_cap@{k}", PRINTED)


@pytest.mark.parametrize("seed", SEEDS)
def test_mteb(seed: int, compare: Compare) -> None:
    """embeddings-benchmark/mteb, retrieval_metrics.py, parse_metrics_from_scores and make_score_dict."""
    data = made(seed)
    for name, measure in AT.items():
        for k in CUTOFFS:
            scores = ir.evaluate(data.judgments, data.results, [f"{name}_{k}"], convention="mteb")
            oracle = below(data, measure, k)
            compare("MTEB over pytrec_eval", values(scores), oracle, f"{name}_{k}")
            compare(
                "MTEB over pytrec_eval", {"": scores[f"{name}_{k}"]}, {"": mean(oracle)}, f"mean {name}_{k}", PRINTED
            )
    accuracy = ir.evaluate(data.judgments, data.results, ["accuracy"], convention="mteb")
    compare("MTEB over pytrec_eval", values(accuracy), below(data, "recall", 1), "accuracy")


def by_document(data: Data, query: str) -> list[str]:
    """retrieval_metrics.py, mrr: sorted by score and document id, both falling."""
    scores = data.results.get(query, {})
    return sorted(scores, key=lambda doc: (scores[doc], doc), reverse=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_mteb_reciprocal_rank(seed: int, compare: Compare) -> None:
    """retrieval_metrics.py, mrr: over the queries of the run; its mean is not rounded."""
    data = made(seed, known=True)
    for k in CUTOFFS:
        scores = ir.evaluate(data.judgments, data.results, [f"mrr_at_{k}"], convention="mteb")
        oracle = {query: reciprocal_rank(data, query, k, by_document) for query in data.results}
        compare("MTEB (transcribed)", values(scores), oracle, f"mrr_at_{k}")
        exact = sum(oracle.values()) / len(oracle)
        compare("MTEB (transcribed)", {"": scores[f"mrr_at_{k}"]}, {"": exact}, f"mean mrr_at_{k}")
