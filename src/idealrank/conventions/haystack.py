"""Haystack's DocumentNDCGEvaluator."""

from idealrank.conventions.definition import Convention

CONVENTIONS = (
    Convention(
        name="haystack",
        tool="Haystack DocumentNDCGEvaluator",
        version="2",
        about="Linear gain, without a cutoff: ask for nDCG. From source, not run.",
        answers={"ties": "given"},
        sources={"ties": "documents as retrieved"},
        measures=frozenset({"nDCG"}),
    ),
)
