"""cheat-at-search's NDCG, which divides by the DCG of the highest grade in every place."""

from idealrank.conventions.convention import FROM_SOURCE, Convention

CONVENTIONS = (
    Convention(
        name="cheat-at-search",
        tool="cheat-at-search",
        version="2026-03",
        about=f"The discount log2(2^r) is the rank itself, and the ideal is the highest grade k times. {FROM_SOURCE}",
        answers={
            "ties": "given",
            "gain": "exp2",
            "discount": "reciprocal",
            "ideal": "max",
            "negative": "keep",
            "no_results": "skip",
        },
        sources={
            "ties": "rows as given",
            "gain": "eval.py:5-38",
            "discount": "eval.py:5-38: log2(2**rank)",
            "ideal": "eval.py:5-38: the highest grade in each of k places",
            "negative": "eval.py, grade_results: 2**grade - 1 for every grade",
            "no_results": "search.py, run_strategy: the rows of the results are grouped by query",
        },
        faults=("If the highest grade of all is 0 or below, it divides by zero or less; here that is 0.",),
        measures=frozenset({"DCG", "nDCG"}),
    ),
)
