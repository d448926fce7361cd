"""XGBoost's ndcg, map and pre, on the documents of each group."""

from idealrank.conventions.convention import Convention

_BY_MEASURE = {"AP": {"ap_denominator": "min(R,k)"}, "P": {"short_list": "returned"}}
_SOURCES_BY_MEASURE = {
    "AP": {"ap_denominator": "seen: map@k is divided by min(relevant, k)"},
    "P": {"short_list": "seen: pre@k of fewer than k documents is divided by all of them"},
}
_MEASURES = frozenset({"nDCG", "AP", "P"})

CONVENTIONS = (
    Convention(
        name="xgboost",
        tool="XGBoost",
        version="3.2",
        about="ndcg@k with its default exponential gain, map@k and pre@k; ndcg and map of a group without relevant "
        "documents are 1.",
        answers={
            "order_by": "score",
            "ties": "given",
            "score_precision": "float32",
            "gain": "exp2",
            "ideal": "returned",
            "no_results": "skip",
            "no_relevant": "1",
        },
        sources={
            "order_by": "predictions",
            "ties": "ranking_utils.h: a stable sort",
            "score_precision": "predictions are float32",
            "gain": "rank_metric.cc:380-389, ndcg_exp_gain",
            "ideal": "rank_metric.cc:380-389: the labels of the group",
            "no_relevant": "rank_metric.cc:277-282",
            "no_results": "there is no such group",
        },
        faults=("With weights, a group without relevant documents adds 1, regardless of its weight.",),
        by_measure=_BY_MEASURE,
        sources_by_measure=_SOURCES_BY_MEASURE,
        names={"pre": "P"},
        measures=_MEASURES,
    ),
    Convention(
        name="xgboost-minus",
        tool="XGBoost",
        version="3.2",
        about="ndcg@k-, map@k- and pre@k-: a group without relevant documents counts 0.",
        answers={
            "order_by": "score",
            "ties": "given",
            "score_precision": "float32",
            "gain": "exp2",
            "ideal": "returned",
            "no_results": "skip",
        },
        sources={
            "order_by": "predictions",
            "ties": "ranking_utils.h: a stable sort",
            "score_precision": "predictions are float32",
            "gain": "rank_metric.cc:380-389, ndcg_exp_gain",
            "ideal": "rank_metric.cc:380-389: the labels of the group",
            "no_results": "there is no such group",
        },
        by_measure=_BY_MEASURE,
        sources_by_measure=_SOURCES_BY_MEASURE,
        names={"pre": "P"},
        measures=_MEASURES,
    ),
)
