"""rax's ndcg_metric, on the items of each list."""

from idealrank.conventions.definition import Convention

CONVENTIONS = (
    Convention(
        name="rax",
        tool="rax",
        version="0.4",
        about="Gain 2^g - 1; a list without relevant items counts 0. From source, not run.",
        answers={"order_by": "score", "ties": "given", "gain": "exp2", "ideal": "returned", "no_results": "skip"},
        sources={
            "order_by": "scores",
            "ties": "as sorted",
            "gain": "_src/metrics.py:137-145, default_gain_fn",
            "ideal": "_src/metrics.py:137-145: the labels of the list",
            "no_results": "no list",
        },
        measures=frozenset({"nDCG"}),
    ),
)
