"""rax's ndcg_metric and dcg_metric, on the items of each list."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="rax",
        tool="rax",
        version="0.4",
        about="Gain 2^g - 1, even for grades below 0; a list without relevant items counts 0.",
        answers={
            "order_by": "score",
            "ties": "given",
            "score_precision": "float32",
            "gain": "exp2",
            "ideal": "returned",
            "negative": "keep",
            "no_results": "skip",
        },
        sources={
            "order_by": "scores",
            "ties": "as sorted",
            "score_precision": "arrays of float32",
            "gain": "_src/metrics.py:137-145, default_gain_fn",
            "ideal": "_src/metrics.py:137-145: the labels of the list",
            "negative": "_src/metrics.py:137-145: labels are used as they are",
            "no_results": "there is no such list",
        },
        names={"ndcg_metric": "nDCG", "dcg_metric": "DCG"},
        measures=frozenset({"nDCG", "DCG"}),
    ),
)
