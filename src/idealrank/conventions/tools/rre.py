"""Sease's Rated Ranking Evaluator."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="rre",
        tool="RRE",
        version="2021-10",
        about="Discounted terms of NDCG are cut off after two decimals, and so is the quotient. From source, not run.",
        answers={"ties": "given", "gain": "exp2", "negative": "keep", "rounding": "term,floor,2+query,floor,2"},
        sources={
            "ties": "the engine's order",
            "gain": "NDCGAtK.java",
            "negative": "NDCGAtK.java: gains are taken as they are",
            "rounding": "NDCGAtK.java: RoundingMode.FLOOR, scale 2",
        },
        faults=(
            "The term of the first result is not cut off (NDCGAtK.java: rank == 1), which shows with "
            "fractional grades and those below -2; that of the first place of the ideal is.",
            "It divides by an ideal below zero, too, and stops at one of zero; here both are 0.",
            "A query without results and without relevant documents counts 1; here it has no judgments.",
        ),
        measures=frozenset({"nDCG"}),
    ),
)
