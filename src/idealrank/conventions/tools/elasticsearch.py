"""Elasticsearch's _rank_eval."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="elasticsearch",
        tool="Elasticsearch _rank_eval",
        version="9",
        about="dcg with normalize=true: the ideal is as long as the list of hits. Precision is divided by the number "
        "of hits. Confirmed by 69 real responses (precision and recall) and by the figures of its own tests (dcg).",
        answers={
            "ties": "given",
            "gain": "exp2",
            "ideal_depth": "returned",
            "negative": "keep",
            "short_list": "returned",
        },
        sources={
            "ties": "the engine's order",
            "gain": "DiscountedCumulativeGain.evaluate",
            "ideal_depth": "DiscountedCumulativeGain.evaluate: cut at the number of hits; reported there as a fault "
            "(pull request 154362); the fix would make it ideal_depth=cutoff",
            "negative": "DiscountedCumulativeGain.computeDCG: ratings are taken as they are",
            "short_list": "PrecisionAtK.evaluate: divided by the hits returned",
        },
        faults=("It also divides by an ideal below zero; here that is 0.",),
        measures=frozenset({"RR", "P", "DCG", "nDCG", "R"}),
    ),
)
