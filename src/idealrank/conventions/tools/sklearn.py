"""scikit-learn's ndcg_score and dcg_score, on the returned documents of each query."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="sklearn",
        tool="scikit-learn",
        version="1.9",
        about="One row per query, only returned documents, ties averaged. The gain is linear, despite claims "
        "elsewhere.",
        answers={"order_by": "score", "ties": "average", "ideal": "returned", "negative": "keep", "no_results": "skip"},
        sources={
            "order_by": "y_score is the only order there is",
            "ties": "_ranking.py, _tie_averaged_dcg (McSherry and Najork 2008); ignore_ties=True has no answer here: "
            "it reverses NumPy's argsort, which promises no order for ties; a few put the last given first",
            "ideal": "_ranking.py, _ndcg_sample_scores: y_true sorted, so missed documents cost nothing",
            "negative": "dcg_score sums them; ndcg_score refuses them",
            "no_results": "a query without documents has no row",
        },
        names={"ndcg_score": "nDCG", "dcg_score": "DCG"},
        faults=("ndcg_score refuses grades below zero; here its quotient is computed.",),
        measures=frozenset({"nDCG", "DCG"}),
    ),
)
