"""BEIR: five decimals; NDCG, MAP, Recall and P over pytrec_eval, the others its own.

A query without judgments is refused: there is none.
"""

import copy

import given
from beir.retrieval.evaluation import EvaluateRetrieval

CUSTOM = ("mrr", "recall_cap", "hole", "top_k_accuracy")
JUDGED = given.judgments()
FOUND = {query: docs for query, docs in given.results().items() if query in JUDGED}


def measured(qrels, results):
    """Every number of BEIR for some judgments and results; capped recall where each query has a relevant document."""
    found = {}
    for table in EvaluateRetrieval.evaluate(copy.deepcopy(qrels), copy.deepcopy(results), list(given.CUTOFFS)):
        found |= table
    for name in CUSTOM:
        if name != "recall_cap" or all(max(qrels[query].values()) > 0 for query in results):
            found |= EvaluateRetrieval.evaluate_custom(qrels, results, list(given.CUTOFFS), name)
    return found


def rows():
    """Every query by itself, then the mean of all."""
    for query, docs in FOUND.items():
        for name, value in measured({query: JUDGED[query]}, {query: docs}).items():
            yield "grade", "score", name, query, value
    for name, value in measured(JUDGED, FOUND).items():
        yield "grade", "score", name, "all", value


given.write("beir", "beir pytrec-eval-terrier", rows())
