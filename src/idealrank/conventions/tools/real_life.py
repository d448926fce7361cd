"""The "real-life NDCG" of notebook 000."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="real-life",
        tool="Real-life NDCG notebook",
        version="2024-10-19",
        about="DCG-f and NDCG-f: unjudged results are removed. NDCG-fl, -fg and -fm are ideal=local, global, max.",
        answers={
            "order_by": "rank",
            "gain": "exp2",
            "discount": "ln",
            "unjudged": "filter",
            "cutoff": "below_k",
            "no_results": "skip",
        },
        sources={
            "order_by": "cell 4 reads the rank column",
            "gain": "cell 4",
            "discount": "cell 4: the natural logarithm",
            "unjudged": "cells 7 and 8; DCG-z is unjudged=zero",
            "cutoff": "cell 22: rank < AT, while the ideal of cell 21 has AT places",
            "no_results": "group by the returned queries",
        },
        measures=frozenset({"DCG", "nDCG"}),
    ),
)
