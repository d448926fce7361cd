"""torchmetrics' retrieval metrics, on the documents of each query."""

from idealrank.conventions.definition import Convention

CONVENTIONS = (
    Convention(
        name="torchmetrics",
        tool="torchmetrics",
        version="1.8",
        about="RetrievalNormalizedDCG: linear gain, tied scores averaged, float32. From source, not run.",
        answers={"order_by": "score", "ties": "average", "ideal": "returned", "no_results": "skip"},
        sources={
            "order_by": "preds",
            "ties": "functional/retrieval/ndcg.py:34-68",
            "ideal": "functional/retrieval/ndcg.py:100-113",
            "no_results": "no group",
        },
        measures=frozenset({"nDCG"}),
    ),
)
