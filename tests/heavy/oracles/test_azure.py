"""Azure's DocumentRetrievalEvaluator, which asks for an account: its formulas, with the functions of its source.

They know nothing of idealrank. Read from source (azure-ai-evaluation 1.18, _document_retrieval.py), not run.
"""

from __future__ import annotations

import math

import pytest

import idealrank as ir
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

SEEDS = range(1900, 1900 + tried(6))


def labels(data: Data, query: str) -> list[float]:
    """_do_eval: labels of the results by relevance_score, those without one 0."""
    scores = data.results.get(query, {})
    ordered = sorted(scores.items(), key=lambda item: item[1], reverse=True)
    return [data.judgments[query].get(doc, 0) for doc, _ in ordered]


def dcg(found: list[float]) -> float:
    """_compute_ndcg, calculate_dcg: 2^label - 1 over log2(rank + 1), three ranks."""
    return sum((2**label - 1) / math.log2(rank + 1) for rank, label in enumerate(found[:3], 1))


def ndcg(data: Data, query: str) -> float:
    """_do_eval, _compute_ndcg: 0 where no result has a label above 0."""
    found = labels(data, query)
    return dcg(found) / dcg(sorted(data.judgments[query].values(), reverse=True)) if any(found) else 0.0


def xdcg(data: Data, query: str) -> float:
    """_compute_xdcg: 25 x label x 0.6^(rank - 1), over 0.6^(rank - 1), of three ranks."""
    got = sum(25 * label * 0.6 ** (rank - 1) for rank, label in enumerate(labels(data, query)[:3], 1))
    return float(got / sum(0.6 ** (rank - 1) for rank in (1, 2, 3)))


def top1(data: Data, query: str) -> float:
    """_do_eval: top1_relevance, the label of the first result."""
    return float(next(iter(labels(data, query)), 0))


def holes(data: Data, query: str) -> float:
    """_compute_holes, over the number of results; 0 without results."""
    found = data.results.get(query, {})
    return sum(doc not in data.judgments[query] for doc in found) / len(found) if found else 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_measures(seed: int, compare: Compare) -> None:
    """ndcg@3, xdcg@3, top1_relevance and holes_ratio of every query that has ground truth."""
    data = random_data(seed, (0, 1, 2, 3, 4), queries=25, depth=30)
    names = {"ndcg@3": ndcg, "xdcg@3": xdcg, "top1_relevance": top1, "holes_ratio": holes}
    scores = ir.evaluate(data.judgments, data.results, list(names), convention="azure")
    for place, (name, formula) in enumerate(names.items()):
        oracle = {query: formula(data, query) for query in data.judgments}
        compare("Azure (transcribed)", values(scores, place), oracle, name)
