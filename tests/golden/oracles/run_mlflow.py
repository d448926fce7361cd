"""MLflow's metrics of retrievers, on the ids of each query's relevant documents and of its results."""

import given
import pandas
from mlflow.metrics import ndcg_at_k, precision_at_k, recall_at_k

KINDS = {"precision_at_k": precision_at_k, "recall_at_k": recall_at_k, "ndcg_at_k": ndcg_at_k}


def scores(lists):
    """Every query, then the mean."""
    targets = pandas.Series([expected for expected, _ in lists.values()])
    predictions = pandas.Series([found for _, found in lists.values()])
    for name, metric in KINDS.items():
        for k in given.CUTOFFS:
            said, value = name.replace("_k", f"_{k}"), metric(k).eval_fn(predictions, targets)
            yield from ((said, query, score) for query, score in zip(lists, value.scores, strict=True))
            yield said, "all", value.aggregate_results["mean"]


def rows():
    """The lists of the files, then those with repeated results."""
    yield from (("fraction", "score", *row) for row in scores(given.listed()))
    yield from (("repeated", "repeated", *row) for row in scores(given.REPEATED))


given.write("mlflow", "mlflow scikit-learn", rows())
