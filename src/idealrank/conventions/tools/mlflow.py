"""MLflow's metrics of retrievers."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="mlflow",
        tool="MLflow",
        version="3.17.2",
        about="precision_at_k, recall_at_k and ndcg_at_k on ids; there are no grades. Precision and the ideal list are "
        "as short as the results: a retriever that returns one relevant document has nDCG@10 of 1.",
        answers={
            "ties": "given",
            "duplicates": "first",
            "rank_gaps": "keep",
            "relevant_from": "positive",
            "ideal_depth": "returned",
            "short_list": "returned",
            "no_judgments": "0",
        },
        sources={
            "ties": "ids as retrieved",
            "duplicates": "metric_definitions.py, _recall_at_k_eval_fn: set(prediction[:k])",
            "rank_gaps": "metric_definitions.py: prediction[:k], so a repeated id takes up a rank",
            "relevant_from": "every id of the targets",
            "ideal_depth": "metric_definitions.py, _ndcg_at_k_eval_fn: ndcg_score(…, k=len(retrieved[:k]))",
            "short_list": "metric_definitions.py, _precision_at_k_eval_fn: len(retrieved)",
            "no_judgments": "metric_definitions.py: without targets a row counts 0 if something was retrieved",
        },
        names={"precision_at": "P", "recall_at": "R", "ndcg_at": "BinaryNDCG", "nDCG": "BinaryNDCG"},
        measures=frozenset({"P", "R", "BinaryNDCG"}),
        faults=(
            "A document returned twice is counted twice in precision_at_k, and is two relevant documents in ndcg_at_k: "
            "for the relevant documents A and B and the results [A, A, X], precision is 0.67 and nDCG 0.77. Here it "
            "counts once: precision is 0.33 and nDCG 0.61.",
            "A query without targets and without results counts 1 in recall_at_k and ndcg_at_k, and 0 in "
            "precision_at_k; here it counts 0.",
            "If any row of the table is not a list of ids, the metric is not computed; only a warning says so.",
        ),
    ),
)
