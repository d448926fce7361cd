"""TruLens: GroundTruthAgreement on golden chunks with scores; the text of a chunk is its id here.

What is no number is left out; results are given in their order, so without scores.
"""

import math

import given
from trulens.feedback.groundtruth import GroundTruthAgreement

NAMES = ("ndcg_at_k", "precision_at_k", "recall_at_k", "ir_hit_rate", "mrr")


def agreement(golden):
    """What compares results with golden chunks and their scores."""
    chunks = {query: [{"text": doc, "expect_score": g} for doc, g in docs.items()] for query, docs in golden.items()}
    truth = [{"query": query, "expected_response": "", "expected_chunks": found} for query, found in chunks.items()]
    return GroundTruthAgreement.model_construct(ground_truth=truth, ground_truth_imp=None)


def scores(golden, lists):
    """Every query, at some depths and at that of the list."""
    agreed = agreement(golden)
    for query, (_, found) in lists.items():
        for name in NAMES:
            for k in (None, *given.CUTOFFS) if name != "mrr" else (None,):
                value = getattr(agreed, name)(query, found, **({} if k is None else {"k": k}))
                if not math.isnan(value):
                    yield name if k is None else f"{name} k={k}", query, value


def rows():
    """Golden chunks that are relevant, golden chunks with a score of 0 among them, and repeated results."""
    judged, lists = given.judgments("fraction"), given.listed()
    above = {query: {doc: g for doc, g in docs.items() if g > 0} for query, docs in judged.items()}
    every = {query: {doc: g for doc, g in docs.items() if g >= 0} for query, docs in judged.items()}
    ones = {query: dict.fromkeys(expected, 1) for query, (expected, _) in given.REPEATED.items()}
    yield from (("fraction", "score", *row) for row in scores(above, lists))
    yield from (("zero", "score", *row) for row in scores(every, lists))
    yield from (("repeated", "repeated", *row) for row in scores(ones, given.REPEATED))


given.write("trulens", "trulens-feedback", rows())
