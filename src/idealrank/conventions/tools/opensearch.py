"""OpenSearch's search relevance workbench."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="opensearch",
        tool="OpenSearch search-relevance",
        version="3.8",
        about="DCG@k, NDCG@k and Coverage are rounded to two decimals per query, then averaged. Taken from the tool's "
        "source code; of running it, the NDCG of its class Evaluation in 3.1 is compared.",
        answers={
            "ties": "given",
            "gain": "exp2",
            "negative": "keep",
            "no_judgments": "0",
            "rounding": "query,half_up,2",
        },
        sources={
            "ties": "the engine's order",
            "gain": "Evaluation.java:72-109",
            "negative": "Evaluation.java:72-109: ratings are taken as they are; an ideal of 0 or less gives 0",
            "no_judgments": "Evaluation.java:72-109: without ratings the value is 0 and is reported",
            "rounding": "Evaluation.java:35-36: two decimals, half up",
        },
        by_measure={"Judged": {"short_list": "returned"}},
        sources_by_measure={
            "Judged": {"short_list": "EvaluationMetrics.java, coverage: divided by all documents returned"}
        },
        faults=(
            "Values above 1 were reported there (search-relevance issue 191); here there are none.",
            "Precision, Recall, MAP and MRR have a separate relevance level per query: the greater of half its highest "
            "grade and the 90th percentile of its grades (JudgmentThresholdCalculator.java). No decision covers this, "
            "so they are not supported here. With one level for all queries, use P, R, AP and RR under idealrank-1 "
            "with relevant_from=NUMBER.",
        ),
        measures=frozenset({"nDCG", "DCG", "Judged"}),
    ),
)
