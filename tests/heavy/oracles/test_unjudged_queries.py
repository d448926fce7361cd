"""Results for a query nobody judged, in the means of tools that do not install here (formulas of `test_products`)."""

from __future__ import annotations

import math

import pytest

import idealrank as ir
from tests.amounts import tried
from tests.heavy.oracles.test_products import Formula, haystack_ndcg, in_order, opensearch_ndcg, quepid_ndcg
from tests.oracles.conftest import Compare
from tests.oracles.data import random_data

COUNTED = [
    ("Quepid nDCG", "quepid", quepid_ndcg, "nDCG@10"),
    ("OpenSearch nDCG", "opensearch", opensearch_ndcg, "nDCG@10"),
    ("Haystack NDCG", "haystack", haystack_ndcg, "nDCG"),
]
"""Tool, convention, formula, measure.

o19s/quepid, fetch_service.rb scores every query of a case and divides by them; deepset-ai/haystack,
document_ndcg.py: run() takes a list of ground truth for each query, which may be empty;
opensearch-project/search-relevance, EvaluationMetrics.java reports a value of each query.
"""


@pytest.mark.parametrize(("tool", "convention", "formula", "measure"), COUNTED)
@pytest.mark.parametrize("seed", range(tried(3)))
def test_counts_0(tool: str, convention: str, formula: Formula, measure: str, seed: int, compare: Compare) -> None:
    """It counts 0 in the mean, as does a query without results."""
    data = random_data(930 + seed, (0, 1, 2, 3), depth=30)
    every = {query: data.judgments.get(query, {}) for query in {**data.judgments, **data.results}}
    found = [formula(in_order(data, query), list(grades.values()), 10, 3) for query, grades in every.items()]
    mean = {"mean": math.fsum(value or 0.0 for value in found) / len(found)}
    scores = ir.evaluate(data.judgments, data.results, [measure], convention=convention)
    compare(f"{tool} (transcribed)", {"mean": scores[measure]}, mean, f"mean {measure}")
