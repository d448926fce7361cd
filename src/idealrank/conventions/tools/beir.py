"""BEIR's EvaluateRetrieval: pytrec_eval for four measures, its own Python for the others."""

from idealrank.conventions.convention import Convention

_OWN = {"ties": "given", "score_precision": "float64", "no_results": "0"}
_SEEN = {
    "ties": "custom_metrics.py: sorted by score only, which keeps the order of the dict",
    "score_precision": "custom_metrics.py: Python floats",
    "no_results": "custom_metrics.py: divided by len(qrels)",
}

CONVENTIONS = (
    Convention(
        name="beir",
        tool="BEIR",
        version="2.2.0",
        about="NDCG, MAP, Recall and P from pytrec_eval; its own MRR, R_cap and Accuracy, which break ties "
        "differently.",
        answers={"order_by": "score", "score_precision": "float32", "no_results": "skip_missing", "systems": "one_run"},
        sources={
            "order_by": "dicts of scores",
            "score_precision": "float in pytrec_eval's C code",
            "no_results": "evaluation.py: divided by len(scores), the queries pytrec_eval returned",
            "systems": "evaluation.py: dicts of queries, documents and scores; one run",
        },
        by_measure={"RR": _OWN, "Success": _OWN},
        sources_by_measure={"RR": _SEEN, "Success": _SEEN},
        names={"R_cap": "R(recall_denominator=min(R,k), ties=given, score_precision=float64, no_results=0)"},
        faults=(
            "It prints five decimals.",
            "It first removes from the caller's dict every result whose document id equals its query id, unless "
            "ignore_identical_ids=False.",
            "MRR, R_cap and Accuracy stop with a KeyError at results for a query without judgments. R_cap stops with a "
            "ZeroDivisionError at a query that has results but no relevant documents; here that query counts 0.",
            "Hole@k is not Unjudged@k: a document judged for any query is not a hole there.",
        ),
        measures=frozenset({"nDCG", "AP", "R", "P", "RR", "Success"}),
    ),
)
