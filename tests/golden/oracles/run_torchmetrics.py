"""torchmetrics: float32; NDCG takes graded lists with ties, the others binary ones, whose ties PyTorch sorts at will.

A result nobody judged is given 0, a binary target is 1 from grade 1 on. The mean is that of its class.
"""

import given
import torch
from torchmetrics import retrieval
from torchmetrics.functional import retrieval as functional

BINARY = {
    "precision": retrieval.RetrievalPrecision,
    "recall": retrieval.RetrievalRecall,
    "average_precision": retrieval.RetrievalMAP,
    "reciprocal_rank": retrieval.RetrievalMRR,
    "hit_rate": retrieval.RetrievalHitRate,
    "fall_out": retrieval.RetrievalFallOut,
}


def rows():
    """Every list by itself, then the mean of all."""
    for grades in ("grade", "fraction"):
        graded = [(q, [g or 0 for g in gs], ss) for q, _, gs, ss in given.ranked(grades, "score")]
        for k in given.CUTOFFS:
            name, mean = f"retrieval_normalized_dcg(top_k={k})", retrieval.RetrievalNormalizedDCG(top_k=k)
            yield from together(grades, "score", name, functional.retrieval_normalized_dcg, graded, k, mean)
    binary = [(q, [int((g or 0) >= 1) for g in gs], ss) for q, _, gs, ss in given.ranked("grade", "untied")]
    for k in given.CUTOFFS:
        for word, metric in BINARY.items():
            function = getattr(functional, f"retrieval_{word}")
            yield from together("grade", "untied", f"retrieval_{word}(top_k={k})", function, binary, k, metric(top_k=k))
    rprec = functional.retrieval_r_precision
    for query, targets, scores in binary:
        yield "grade", "untied", "retrieval_r_precision", query, rprec(torch.tensor(scores), torch.tensor(targets))


def together(grades, kind, name, function, lists, k, metric):
    """The values of one metric."""
    for place, (query, targets, scores) in enumerate(lists):
        yield grades, kind, name, query, function(torch.tensor(scores), torch.tensor(targets), top_k=k)
        metric.update(torch.tensor(scores), torch.tensor(targets), indexes=torch.full((len(scores),), place))
    yield grades, kind, name, "all", metric.compute()


given.write("torchmetrics", "torchmetrics torch", rows())
