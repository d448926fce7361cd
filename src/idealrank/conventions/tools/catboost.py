"""CatBoost's ranking metrics (catboost.utils.eval_metric), on the returned documents of each group."""

from collections.abc import Mapping
from typing import Any

from idealrank.conventions.convention import Convention

_ANSWERS = {
    "order_by": "score",
    "ties": "worst",
    "ideal": "returned",
    "negative": "keep",
    "no_relevant": "1",
    "no_results": "skip",
    "relevant_from": "0.5000000000000001",
}
_SOURCES = {
    "order_by": "approx, highest first",
    "ties": "dcg.cpp: equal approx, lowest target first",
    "ideal": "dcg.cpp: the group's targets sorted",
    "negative": "targets are used as they are",
    "no_relevant": "NDCG and RecallAt of a group without relevant documents are 1 (0 in older releases)",
    "no_results": "a group without documents is not a group",
    "relevant_from": "the binary metrics count targets above border=0.5, so from the next number on",
}
_BY_MEASURE: Mapping[str, Mapping[str, Any]] = {
    "P": {"short_list": "returned", "no_relevant": "0"},
    "AP": {"ap_denominator": "min(R,k)", "no_relevant": "0"},
    "LinearERR": {"max_grade": 1},
}
_SOURCES_BY_MEASURE = {
    "P": {
        "short_list": "seen: PrecisionAt:top=k of a group with fewer than k documents is the share of all of them",
        "no_relevant": "seen: PrecisionAt of a group without relevant documents is 0",
    },
    "AP": {
        "ap_denominator": "seen: MAP:top=k with more than k relevant documents is divided by k",
        "no_relevant": "seen: MAP of a group without relevant documents is 0",
    },
    "LinearERR": {"max_grade": "seen: ERR takes the targets as the probabilities of stopping"},
}
_NAMES = {"PrecisionAt": "P", "RecallAt": "R", "ERR": "LinearERR"}
_MEASURES = frozenset({"nDCG", "DCG", "P", "R", "RR", "AP", "LinearERR"})
_FAULTS = (
    "ERR also takes targets above 1 and below 0 as probabilities: a target of 3 at rank 1 adds 3, and the probability "
    "of reading on is -2. Here a grade above 1 is refused, and one below 0 never satisfies. For labels from 0 to 4, "
    "max_grade=4 gives the tool's ERR of the labels divided by 4.",
)

CONVENTIONS = (
    Convention(
        name="catboost",
        tool="CatBoost",
        version="1.2",
        about="NDCG and DCG with type=Base, its default (linear gain); the binary metrics with border 0.5.",
        answers=_ANSWERS,
        sources=_SOURCES,
        by_measure=_BY_MEASURE,
        sources_by_measure=_SOURCES_BY_MEASURE,
        names=_NAMES,
        measures=_MEASURES,
        faults=_FAULTS,
    ),
    Convention(
        name="catboost-exp",
        tool="CatBoost",
        version="1.2",
        about="NDCG and DCG with type=Exp (gain 2^grade - 1).",
        answers=_ANSWERS | {"gain": "exp2"},
        sources=_SOURCES | {"gain": "type=Exp"},
        by_measure=_BY_MEASURE,
        sources_by_measure=_SOURCES_BY_MEASURE,
        names=_NAMES,
        measures=_MEASURES,
        faults=_FAULTS,
    ),
)
