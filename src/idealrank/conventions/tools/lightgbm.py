"""LightGBM's ndcg and map, on the documents of each query."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="lightgbm",
        tool="LightGBM",
        version="4.7",
        about="ndcg@k with its default label_gain 2^g - 1, and map@k; a query without relevant documents counts 1.",
        answers={
            "order_by": "score",
            "ties": "given",
            "gain": "exp2",
            "ideal": "returned",
            "no_results": "skip",
            "no_relevant": "1",
        },
        sources={
            "order_by": "scores",
            "ties": "dcg_calculator.cpp:122: a stable sort",
            "gain": "dcg_calculator.cpp:33-52, label_gain",
            "ideal": "dcg_calculator.cpp:163: the labels of the query",
            "no_relevant": "rank_metric.hpp:98-102",
            "no_results": "there is no such query",
        },
        by_measure={"AP": {"ap_denominator": "min(R,k,n)", "relevant_from": "0.5000000000000001"}},
        sources_by_measure={
            "AP": {
                "ap_denominator": "seen: map@k is divided by min(relevant, k)",
                "relevant_from": "seen: a label of 0.5 is not relevant to map@k, one of 1 is",
            }
        },
        faults=("With weights, a query without relevant documents adds 1 regardless of weight (rank_metric.hpp:121).",),
        measures=frozenset({"nDCG", "AP"}),
    ),
)
