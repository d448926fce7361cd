"""cheat-at-search's NDCG, which divides by top grades in every place."""

from idealrank.conventions.definition import Convention

CONVENTIONS = (
    Convention(
        name="cheat-at-search",
        tool="cheat-at-search",
        version="2026-03",
        about="The discount log2(2^r) is the rank itself, and the ideal is the top grade k times. From "
        "source, not run.",
        answers={"ties": "given", "gain": "exp2", "discount": "reciprocal", "ideal": "max"},
        sources={
            "ties": "rows as they stand",
            "gain": "eval.py:5-38",
            "discount": "eval.py:5-38: log2(2**rank)",
            "ideal": "eval.py:5-38: the highest grade in each of k places",
        },
        measures=frozenset({"DCG", "nDCG"}),
    ),
)
