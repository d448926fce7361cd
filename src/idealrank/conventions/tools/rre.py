"""Sease's Rated Ranking Evaluator."""

from idealrank.conventions.convention import FROM_SOURCE, Convention

CONVENTIONS = (
    Convention(
        name="rre",
        tool="RRE",
        version="2021-10",
        about=f"The discounted terms of NDCG and the quotient are truncated to two decimals. {FROM_SOURCE}",
        answers={"ties": "given", "gain": "exp2", "negative": "keep", "rounding": "term,floor,2+query,floor,2"},
        sources={
            "ties": "the engine's order",
            "gain": "NDCGAtK.java",
            "negative": "NDCGAtK.java: gains are taken as they are",
            "rounding": "NDCGAtK.java: RoundingMode.FLOOR, scale 2",
        },
        faults=(
            "The term of the first result is not truncated (NDCGAtK.java: rank == 1), which matters for fractional "
            "grades and those below -2; the term of the ideal's first place is.",
            "It also divides by an ideal below zero, and stops at an ideal of zero; here both give 0.",
            "A query without results and without relevant documents counts 1; here it has no judgments.",
        ),
        measures=frozenset({"nDCG"}),
    ),
)
