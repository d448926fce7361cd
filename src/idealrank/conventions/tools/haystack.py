"""Haystack's DocumentNDCGEvaluator."""

from idealrank.conventions.convention import FROM_SOURCE, Convention

CONVENTIONS = (
    Convention(
        name="haystack",
        tool="Haystack DocumentNDCGEvaluator",
        version="2",
        about=f"Linear gain and no cutoff, so ask for nDCG. {FROM_SOURCE}",
        answers={"ties": "given", "negative": "keep", "no_judgments": "0"},
        sources={
            "ties": "documents as retrieved",
            "negative": "document_ndcg.py: scores are summed as they are; an ideal of 0 or less gives 0",
            "no_judgments": "document_ndcg.py, run: an empty list of ground truth gives 0, and counts in the divisor",
        },
        measures=frozenset({"nDCG"}),
    ),
)
