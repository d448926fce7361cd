"""OpenSearch's search relevance workbench."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="opensearch",
        tool="OpenSearch search-relevance",
        version="3.8",
        about="NDCG@k of a query is rounded to two decimals before it is averaged. From source, not run.",
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
            "no_judgments": "Evaluation.java:72-109: without ratings the value is 0, and is reported",
            "rounding": "Evaluation.java:35-36: two decimals, half up",
        },
        faults=("Values above 1 were reported (search-relevance issue 191); here none is.",),
        measures=frozenset({"nDCG"}),
    ),
)
