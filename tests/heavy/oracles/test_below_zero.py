"""Grades below zero, as tools that do not install here take them: their formulas of `test_products`."""

from __future__ import annotations

import pytest

import idealrank as ir
from tests.amounts import tried
from tests.heavy.oracles.test_products import (
    CUTOFFS,
    Formula,
    cheat_ndcg,
    elasticsearch_dcg,
    elasticsearch_ndcg,
    haystack_ndcg,
    opensearch_ndcg,
    oracle,
    quepid_ndcg,
    quepid_precision,
    rre_ndcg,
)
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

PAIR = Data({"q": {"x": -1, "y": 1}}, {"q": {"x": 2.0, "y": 1.0}})

BELOW_ZERO = [
    ("Quepid nDCG", "quepid", quepid_ndcg, "nDCG@{k}", 0.1913),
    ("Quepid P", "quepid", quepid_precision, "P@{k}", 0.5),
    ("Quepid browser nDCG", "quepid-browser", quepid_ndcg, "nDCG@{k}", 0.1913),
    ("OpenSearch nDCG", "opensearch", opensearch_ndcg, "nDCG@{k}", 0.19),
    ("Elasticsearch nDCG", "elasticsearch", elasticsearch_ndcg, "nDCG@{k}", 0.1913),
    ("Elasticsearch DCG", "elasticsearch", elasticsearch_dcg, "DCG@{k}", 0.1309),
    ("RRE nDCG", "rre", rre_ndcg, "nDCG@{k}", 0.19),
    ("Haystack NDCG", "haystack", haystack_ndcg, "nDCG", -1.0),
    ("cheat-at-search nDCG", "cheat-at-search", cheat_ndcg, "nDCG@{k}", 0.0),
]
"""Tool, convention, formula, measure, and by hand its value of a list of grades -1 and 1."""


@pytest.mark.parametrize(("tool", "convention", "formula", "measure", "by_hand"), BELOW_ZERO)
@pytest.mark.parametrize("seed", range(tried(2)))
def test_grades_below_zero(
    tool: str, convention: str, formula: Formula, measure: str, by_hand: float, seed: int, compare: Compare
) -> None:
    """These tools take grades below zero as they are, in the list and in its ideal, where the ideal is above zero."""
    drawn = random_data(980 + seed, (0, -1, 1, 2, -2), depth=30)
    good = {q: grades | {f"G{i}": 3 for i in range(5)} for q, grades in drawn.judgments.items()}
    for data, k in [(PAIR, 2), *((Data(good, drawn.results), k) for k in CUTOFFS)]:
        name = measure.format(k=k)
        scores = ir.evaluate(data.judgments, data.results, [name], convention=convention)
        skipped = scores.measures[0].decisions.no_results == "skip"
        wanted = oracle(formula, data, k, empty=not skipped)
        compare(f"{tool} (transcribed)", values(scores), wanted, f"{name}, grades below zero")
        assert data is not PAIR or wanted["q"] == pytest.approx(by_hand, abs=5e-5)
