"""Arize Phoenix's retrieval metrics."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="phoenix",
        tool="Phoenix",
        version="20.26.1",
        about="The ideal is the retrieved list in its best order, so missed documents cost nothing. Every result must "
        "be judged.",
        answers={"ties": "given", "ideal": "returned", "relevant_from": "positive", "no_results": "skip"},
        sources={
            "ties": "documents as retrieved",
            "ideal": "retrieval_metrics.py, ndcg: the scores of the retrieved documents, sorted",
            "relevant_from": "retrieval_metrics.py: a score that is not 0",
            "no_results": "a query without documents has no row",
        },
        faults=(
            "A list with an unjudged result has no NDCG and no precision there and is left out of the mean "
            "(retrieval_metrics.py: has_nan), and no reciprocal rank if that result comes before the first relevant "
            "one; here the result counts as grade 0. To match, judge it or leave the query out.",
            "A grade below zero is refused there by ndcg, and counts as relevant in precision, reciprocal_rank and "
            "hit; here it counts as unjudged.",
        ),
        measures=frozenset({"nDCG", "P", "RR", "Success"}),
    ),
)
