"""Arize Phoenix's retrieval metrics."""

from idealrank.conventions.convention import FROM_SOURCE, Convention

CONVENTIONS = (
    Convention(
        name="phoenix",
        tool="Phoenix",
        version="2026",
        about="The ideal is the retrieved list in its best order, so missed documents cost nothing. Every result must "
        f"be judged. {FROM_SOURCE}",
        answers={"ties": "given", "ideal": "returned", "no_results": "skip"},
        sources={
            "ties": "documents as retrieved",
            "ideal": "ndcg_score of scikit-learn over the retrieved documents",
            "no_results": "a query without documents has no row",
        },
        faults=(
            "A list with an unjudged result has no NDCG there and is left out of the mean "
            "(retrieval_metrics.py: has_nan); here the result counts as grade 0. To match, judge it or leave the query "
            "out.",
            "A grade below zero is refused there by scikit-learn's ndcg_score; here it counts as unjudged.",
        ),
        measures=frozenset({"nDCG"}),
    ),
)
