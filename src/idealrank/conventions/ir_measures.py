"""ir_measures over its pytrec_eval provider."""

from idealrank.conventions.definition import Convention

CONVENTIONS = (
    Convention(
        name="ir_measures",
        tool="ir_measures",
        version="0.4.3",
        about="Every judged query counts, as with trec_eval -c.",
        answers={"order_by": "score", "score_precision": "float32", "recall_points": "up"},
        sources={
            "order_by": "scores",
            "score_precision": "its pytrec_eval provider",
            "recall_points": "its pytrec_eval provider",
        },
        by_measure={
            "Judged": {"short_list": "returned"},
            "AUC": {"ties": "given", "score_precision": "float64", "no_relevant": "skip", "no_results": "skip"},
        },
        sources_by_measure={
            "Judged": {"short_list": "judged_provider.py: divided by the results within k"},
            "AUC": {
                "ties": "util.py: sorted by score, in the order given",
                "score_precision": "sorted by Python's floats",
                "no_relevant": "accuracy_provider.py: no value without a relevant result",
                "no_results": "accuracy_provider.py: queries of the run",
            },
        },
        names={"Accuracy": "AUC", "SetF": "set_F"},
        faults=(
            "Accuracy divides by zero where only relevant documents came back; such a query is left out.",
            "Accuracy@k is refused: AUC has no cutoff.",
        ),
    ),
)
