"""Sease's Rated Ranking Evaluator."""

from idealrank.conventions.definition import Convention

CONVENTIONS = (
    Convention(
        name="rre",
        tool="RRE",
        version="2021-10",
        about="Every discounted term of NDCG is cut off after two decimals, and so is the quotient. From "
        "source, not run.",
        answers={"ties": "given", "gain": "exp2", "rounding": "term,floor,2+query,floor,2"},
        sources={
            "ties": "the engine's order",
            "gain": "NDCGAtK.java",
            "rounding": "NDCGAtK.java: RoundingMode.FLOOR, scale 2",
        },
        measures=frozenset({"nDCG"}),
    ),
)
