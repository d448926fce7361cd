"""recommenders' python_evaluation: every item a user rated is relevant, regardless of the rating."""

from idealrank.conventions.convention import EVERY_ROW, Convention

_ANSWERS = {
    "order_by": "score",
    "ties": "given",
    "discount": "ln",
    "negative": "keep",
    "relevant_from": EVERY_ROW,
    "no_results": "skip",
}
_SOURCES = {
    "order_by": "col_prediction",
    "ties": "get_top_k_items: sort_values by user and prediction, which is stable",
    "discount": 'ndcg_at_k: discfun_type="loge", its default',
    "negative": "merge_ranking_true_pred: ratings are ignored",
    "relevant_from": "merge_ranking_true_pred: every row of rating_true",
    "no_results": "merge_ranking_true_pred: the users of both",
}
_ALL = {"no_results": "0"}
_ALL_SEEN = {"no_results": "ndcg_at_k: an outer merge with rating_true keeps its users"}
_GRADED = {**_ALL, "no_relevant": "skip"}
_GRADED_SEEN = {**_ALL_SEEN, "no_relevant": "ndcg_at_k: 0/0 is NaN, which pandas' mean leaves out"}
_NAMES = {"precision_at": "P", "recall_at": "R", "map_at": "AP(ap_denominator=min(R,k))"}
_FAULTS = (
    "r_precision_at_k averages only over users with a hit among their first R results, and is not supported.",
    'relevancy_method="by_threshold" takes the threshold as k.',
)


def _graded_convention(name: str, gain: str, score_type: str) -> Convention:
    return Convention(
        name=name,
        tool="recommenders",
        version="1.2.1",
        about=f'ndcg_at_k with score_type="{score_type}"; the other measures are as under recommenders.',
        answers={**_ANSWERS, "gain": gain},
        sources={**_SOURCES, "gain": f'ndcg_at_k: score_type="{score_type}"'},
        by_measure={"nDCG": _GRADED},
        sources_by_measure={"nDCG": _GRADED_SEEN},
        names={**_NAMES, "ndcg_at": "nDCG"},
        faults=(
            *_FAULTS,
            "A user without predictions whose ratings are all 0 is left out of the mean there, and counts 0 here.",
        ),
        measures=frozenset({"nDCG", "P", "R", "AP"}),
    )


CONVENTIONS = (
    Convention(
        name="recommenders",
        tool="recommenders",
        version="1.2.1",
        about="Its defaults: nDCG ignores grades and averages over all users; P, R and AP over the users in both.",
        answers=_ANSWERS,
        sources=_SOURCES,
        by_measure={"BinaryNDCG": _ALL},
        sources_by_measure={"BinaryNDCG": _ALL_SEEN},
        names={**_NAMES, "ndcg_at": "BinaryNDCG", "nDCG": "BinaryNDCG"},
        faults=_FAULTS,
        measures=frozenset({"BinaryNDCG", "P", "R", "AP"}),
    ),
    _graded_convention("recommenders-raw", "linear", "raw"),
    _graded_convention("recommenders-exp", "exp2", "exp"),
)
