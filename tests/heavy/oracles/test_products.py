"""Tools that do not install here: their formulas in plain Python, each with the line of its source.

They know nothing of idealrank; the data is that of the other oracles. Read from source, not run.
"""

from __future__ import annotations

import math

import pytest

import idealrank as ir
from tests.amounts import tried
from tests.heavy.oracles.product_formulas import (
    Formula,
    best,
    cheat_ndcg,
    elasticsearch_dcg,
    elasticsearch_ndcg,
    elasticsearch_precision,
    elasticsearch_recall,
    elasticsearch_rr,
    gdeval_ndcg,
    group_ndcg,
    haystack_ndcg,
    opensearch_dcg,
    opensearch_ndcg,
    phoenix_ndcg,
    quepid_average_precision,
    quepid_ndcg,
    quepid_ndcg_cut,
    quepid_precision,
    rre_ndcg,
    share,
)
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

CUTOFFS = (1, 3, 5, 10, 100)


def in_order(data: Data, query: str) -> list[float]:
    """Grades of the results by score, equal ones as given."""
    grades, scores = data.judgments.get(query, {}), data.results.get(query, {})
    return [grades.get(doc, 0.0) for doc in sorted(scores, key=lambda doc: -scores[doc])]


def oracle(formula: Formula, data: Data, k: int, empty: bool = True) -> dict[str, float]:
    """The formula's value of every query it has one for; `empty`: a judged query without results counts 0."""
    top = max(grade for grades in data.judgments.values() for grade in grades.values())
    found = {q: formula(in_order(data, q), list(data.judgments[q].values()), k, top) for q in data.both()}
    nothing = [q for q in data.judgments if q not in data.results] if empty else []
    return {q: value for q, value in found.items() if value is not None} | dict.fromkeys(nothing, 0.0)


each = pytest.mark.parametrize(("seed", "k"), [(seed, k) for seed in range(tried(3)) for k in CUTOFFS])


def data_of(seed: int) -> Data:
    """Ties, holes, short lists, zero-only queries, queries missing either way."""
    return random_data(900 + seed, (0, 1, 2, 3), depth=30)


def all_judged(data: Data) -> Data:
    """The judged queries, with every result judged, and nothing else."""
    data = Data({q: {d: data.judgments[q].get(d, 0) for d in data.results[q]} for q in data.both()}, data.results)
    return data.subset(data.both())


@each
def test_quepid_ndcg(seed: int, k: int, compare: Compare) -> None:
    """The scorer nDCG@10, over all ratings."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}"], convention="quepid")
    compare("Quepid nDCG (transcribed)", values(scores), oracle(quepid_ndcg, data, k), f"nDCG@{k}")


@each
def test_quepid_ndcg_cut(seed: int, k: int, compare: Compare) -> None:
    """The scorer NDCG_CUT@10."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}"], convention="quepid, ideal_depth=cutoff")
    compare("Quepid cut nDCG (transcribed)", values(scores), oracle(quepid_ndcg_cut, data, k), f"nDCG@{k}")


@each
def test_quepid_precision(seed: int, k: int, compare: Compare) -> None:
    """The scorer P@10."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"P@{k}"], convention="quepid")
    compare("Quepid P (transcribed)", values(scores), oracle(quepid_precision, data, k), f"P@{k}")


@each
def test_quepid_average_precision(seed: int, k: int, compare: Compare) -> None:
    """The scorer AP@10."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"AP@{k}"], convention="quepid")
    compare("Quepid AP (transcribed)", values(scores), oracle(quepid_average_precision, data, k), f"AP@{k}")


@each
def test_quepid_browser(seed: int, k: int, compare: Compare) -> None:
    """In the browser, queries without results have no score."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}"], convention="quepid-browser")
    compare("Quepid browser nDCG (transcribed)", values(scores), oracle(quepid_ndcg, data, k, empty=False), f"nDCG@{k}")


@each
def test_opensearch(seed: int, k: int, compare: Compare) -> None:
    """NDCG, rounded to two decimals."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}"], convention="opensearch")
    compare("OpenSearch nDCG (transcribed)", values(scores), oracle(opensearch_ndcg, data, k), f"nDCG@{k}")
    scores = ir.evaluate(data.judgments, data.results, [f"DCG@{k}"], convention="opensearch")
    compare("OpenSearch DCG (transcribed)", values(scores), oracle(opensearch_dcg, data, k), f"DCG@{k}")


def test_opensearch_coverage() -> None:
    """EvaluationMetrics.java: documents with a rating, of all returned, to two decimals: 2 of 3 are 0.67."""
    judgments = {"q": {"a": 1, "b": 0, "c": -1, "m": 2}}
    results = {"q": {"a": 3.0, "b": 2.0, "x": 1.0}}
    assert ir.evaluate(judgments, results, ["Coverage"], convention="opensearch")["Coverage"] == 0.67
    below = {"q": {"c": 3.0, "x": 2.0}}
    assert ir.evaluate(judgments, below, ["Coverage"], convention="opensearch")["Coverage"] == 0.5


@each
def test_elasticsearch_ndcg(seed: int, k: int, compare: Compare) -> None:
    """What _rank_eval gives for nDCG."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}"], convention="elasticsearch")
    compare("Elasticsearch nDCG (transcribed)", values(scores), oracle(elasticsearch_ndcg, data, k), f"nDCG@{k}")


@each
def test_elasticsearch_dcg(seed: int, k: int, compare: Compare) -> None:
    """What _rank_eval gives for DCG."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"DCG@{k}"], convention="elasticsearch")
    compare("Elasticsearch DCG (transcribed)", values(scores), oracle(elasticsearch_dcg, data, k), f"DCG@{k}")


@each
def test_elasticsearch_precision(seed: int, k: int, compare: Compare) -> None:
    """What _rank_eval gives for P."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"P@{k}"], convention="elasticsearch")
    compare("Elasticsearch P (transcribed)", values(scores), oracle(elasticsearch_precision, data, k), f"P@{k}")


@each
def test_elasticsearch_recall(seed: int, k: int, compare: Compare) -> None:
    """What _rank_eval gives for R."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"R@{k}"], convention="elasticsearch")
    compare("Elasticsearch R (transcribed)", values(scores), oracle(elasticsearch_recall, data, k), f"R@{k}")


@each
def test_elasticsearch_rr(seed: int, k: int, compare: Compare) -> None:
    """What _rank_eval gives for RR."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"RR@{k}"], convention="elasticsearch")
    compare("Elasticsearch RR (transcribed)", values(scores), oracle(elasticsearch_rr, data, k), f"RR@{k}")


@each
def test_rre(seed: int, k: int, compare: Compare) -> None:
    """NDCG, cut off after two decimals at every step."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}"], convention="rre")
    compare("RRE nDCG (transcribed)", values(scores), oracle(rre_ndcg, data, k), f"nDCG@{k}")


@each
def test_phoenix(seed: int, k: int, compare: Compare) -> None:
    """NDCG over the retrieved documents, where each is judged."""
    data = all_judged(data_of(seed))
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}"], convention="phoenix")
    compare("Phoenix nDCG (transcribed)", values(scores), oracle(phoenix_ndcg, data, k, empty=False), f"nDCG@{k}")


@each
def test_cheat_at_search(seed: int, k: int, compare: Compare) -> None:
    """NDCG against top grades in every place; a query without results has no row, search.py: run_strategy."""
    data = data_of(seed)
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}"], convention="cheat-at-search")
    compare("cheat-at-search nDCG (transcribed)", values(scores), oracle(cheat_ndcg, data, k, empty=False), f"nDCG@{k}")


@each
def test_rax(seed: int, k: int, compare: Compare) -> None:
    """NDCG of the items of a list; a list without relevant items counts 0."""
    data = all_judged(data_of(seed))
    scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}"], convention="rax")
    compare("rax nDCG (transcribed)", values(scores), oracle(group_ndcg(0.0), data, k, empty=False), f"nDCG@{k}")


@pytest.mark.parametrize("seed", range(tried(3)))
def test_haystack(seed: int, compare: Compare) -> None:
    """DocumentNDCGEvaluator has no cutoff."""
    data = random_data(930 + seed, (0, 1, 2, 3), depth=30)
    scores = ir.evaluate(data.judgments, data.results, ["nDCG"], convention="haystack")
    compare("Haystack NDCG (transcribed)", values(scores), oracle(haystack_ndcg, data, 0), "Haystack NDCG")


@pytest.mark.parametrize("seed", range(tried(3)))
def test_gdeval(seed: int, compare: Compare) -> None:
    """Topics without a relevant document, and those without results, are left out."""
    data = random_data(940 + seed, (0, 1, 2, 4), depth=30, close=0.0)
    untied = Data(data.judgments, {q: {d: -float(i) for i, d in enumerate(docs)} for q, docs in data.results.items()})
    for k in CUTOFFS:
        scores = ir.evaluate(untied.judgments, untied.results, [f"nDCG@{k}"], convention="gdeval")
        compare(
            "gdeval.pl nDCG (transcribed)", values(scores), oracle(gdeval_ndcg, untied, k, empty=False), f"gdeval@{k}"
        )


@pytest.mark.parametrize("seed", range(tried(3)))
def test_torchmetrics(seed: int, compare: Compare) -> None:
    """functional/retrieval/ndcg.py:34-68: equal predictions share the mean of their gains, the ideal does not."""
    data = random_data(950 + seed, (0, 1, 2, 3), depth=30)
    for k in CUTOFFS:
        scores = ir.evaluate(data.judgments, data.results, [f"nDCG@{k}"], convention="torchmetrics")
        wanted = {}
        for query in data.both():
            found = in_order(data, query)
            levels = sorted(data.results[query].values(), reverse=True)
            discounts = [1 / math.log2(rank + 1) if rank <= k else 0.0 for rank in range(1, len(found) + 1)]
            spread = [
                sum(d for d, s in zip(discounts, levels, strict=True) if s == level) / levels.count(level)
                for level in levels
            ]
            ideal = sum(g * d for g, d in zip(best(found), discounts, strict=True))
            wanted[query] = share(sum(g * d for g, d in zip(found, spread, strict=True)), ideal)
        compare("torchmetrics NDCG (transcribed)", values(scores), wanted, f"torchmetrics@{k}")
