"""LlamaIndex's retrieval metrics, on the ids of each query's relevant documents and of its results.

It has no cutoff: `top_k=3` stands for a retriever that returns three. A query without either is refused.
"""

import given
from llama_index.core.evaluation.retrieval import metrics

KINDS = {
    **{name: metrics.METRIC_REGISTRY[name] for name in ("hit_rate", "mrr", "precision", "recall", "ap", "ndcg")},
    "granular_hit_rate": lambda: metrics.HitRate(use_granular_hit_rate=True),
}


def scores(lists):
    """Every metric of every query, with all its results and with the first few."""
    for query, (expected, found) in lists.items():
        for name, metric in KINDS.items():
            for k in (None, *given.CUTOFFS) if expected and found else ():
                said = name if k is None else f"{name} top_k={k}"
                yield said, query, metric().compute(expected_ids=expected, retrieved_ids=found[:k]).score


def rows():
    """The lists of the files, then those with repeated results."""
    yield from (("fraction", "score", *row) for row in scores(given.listed()))
    yield from (("repeated", "repeated", *row) for row in scores(given.REPEATED))


given.write("llama_index", "llama-index-core", rows())
