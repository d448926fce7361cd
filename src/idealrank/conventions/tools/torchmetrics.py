"""torchmetrics' retrieval metrics, on the documents of each query."""

from idealrank.conventions.convention import Convention

_SORTED = ("P", "R", "RR", "Success", "Fallout", "Rprec")
_AS_SORTED = "functional/retrieval: topk and argsort, which promise no order for tied scores"

CONVENTIONS = (
    Convention(
        name="torchmetrics",
        tool="torchmetrics",
        version="1.8",
        about="RetrievalNormalizedDCG: linear gain, tied scores averaged. The other metrics take targets of 0 and 1. "
        "Verified with 1.8.2, not with 1.9.",
        answers={
            "order_by": "score",
            "ties": "average",
            "score_precision": "float32",
            "ideal": "returned",
            "negative": "keep",
            "no_results": "skip",
        },
        sources={
            "order_by": "preds",
            "ties": "functional/retrieval/ndcg.py:34-68",
            "ideal": "functional/retrieval/ndcg.py:100-113",
            "score_precision": "tensors of float32",
            "negative": "functional/retrieval/ndcg.py: targets are used as they are",
            "no_results": "there is no such group",
        },
        by_measure={name: {"ties": "given"} for name in _SORTED} | {"AP": {"ties": "given", "ap_denominator": "hits"}},
        sources_by_measure={name: {"ties": _AS_SORTED} for name in _SORTED}
        | {
            "AP": {
                "ties": _AS_SORTED,
                "ap_denominator": "functional/retrieval/average_precision.py: the mean over the positions of hits",
            }
        },
        names={
            "retrieval_normalized_dcg": "nDCG",
            "retrieval_precision": "P",
            "retrieval_recall": "R",
            "retrieval_average_precision": "AP",
            "retrieval_reciprocal_rank": "RR",
            "retrieval_hit_rate": "Success",
            "retrieval_fall_out": "Fallout",
            "retrieval_r_precision": "Rprec",
        },
        faults=(
            "It also divides by an ideal below zero (targets -1, -2 and preds 1, 2 give 1.1632); here that is 0.",
            "All but NDCG leave tied scores in the order of PyTorch's sort; here they keep the order given.",
            "P, R, AP and RR treat a document with a prediction of 0 or below as not retrieved.",
            "RetrievalFallOut counts a list without a non-relevant document as 1, its function as 0, as here.",
            "It only knows the documents of the list; here judged ones that were not returned count in R and Rprec.",
        ),
        measures=frozenset({"nDCG", "AP", *_SORTED}),
    ),
)
