"""Arize Phoenix's retrieval metrics."""

from idealrank.conventions.definition import Convention

CONVENTIONS = (
    Convention(
        name="phoenix",
        tool="Phoenix",
        version="2026",
        about="The ideal is the retrieved list in its best order: what was missed costs nothing. From source, not run.",
        answers={"ties": "given", "ideal": "returned", "no_results": "skip"},
        sources={
            "ties": "documents as retrieved",
            "ideal": "ndcg_score of scikit-learn over the retrieved documents",
            "no_results": "a query without documents has no row",
        },
        measures=frozenset({"nDCG"}),
    ),
)
