"""MTEB's retrieval tasks: pytrec_eval, and its own MRR."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="mteb",
        tool="MTEB",
        version="2.26",
        about="The scores of a retrieval task: pytrec_eval's with five decimals, except its own mrr_at_k.",
        answers={"order_by": "score", "score_precision": "float32", "no_results": "skip_missing", "systems": "one_run"},
        sources={
            "order_by": "dicts of scores",
            "score_precision": "float in pytrec_eval's C code",
            "no_results": "retrieval_metrics.py, parse_metrics_from_scores: divided by len(scores), as in pytrec_eval",
            "systems": "dicts of queries, documents and scores; one run",
        },
        by_measure={"RR": {"score_precision": "float64"}},
        sources_by_measure={
            "RR": {"score_precision": "retrieval_metrics.py, mrr: sorted by (score, document id), Python floats"}
        },
        names={
            "ndcg_at": "nDCG",
            "map_at": "AP",
            "recall_at": "R",
            "precision_at": "P",
            "hit_rate_at": "Success",
            "mrr_at": "RR",
            "accuracy": "R@1",
        },
        faults=(
            "Before the fix of issue 5092 (2026), mrr_at_k left equal scores in the order of the dict, as BEIR does. "
            "For that, use ties=given.",
            "Results for a query without judgments stop the evaluation with a KeyError.",
            "nAUC, p-MRR, paired accuracy and robustness combine several queries or runs and are not supported.",
        ),
        measures=frozenset({"nDCG", "AP", "R", "P", "RR", "Success"}),
    ),
)
