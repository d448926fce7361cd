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
        by_measure={"Judged": {"short_list": "returned"}},
        sources_by_measure={"Judged": {"short_list": "judged_provider.py: divided by the results within k"}},
        faults=(
            "nDCG with gains= and nDCG without, asked for in one call, share one run of trec_eval: which gains hold "
            "for both is drawn by chance (pytrec_eval_provider.py:83-97).",
            "Of a tie, its providers take different documents first: the greater id (nDCG, AP, P), the smaller "
            "(RR@k, Judged, Compat) or the one given (SDCG, INST).",
        ),
    ),
)
