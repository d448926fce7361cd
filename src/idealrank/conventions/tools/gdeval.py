"""gdeval.pl of the TREC web tracks."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="gdeval",
        tool="gdeval.pl",
        version="1.3",
        about="Topics without a relevant document are left out. It prints five decimals.",
        answers={
            "order_by": "score",
            "gain": "exp2",
            "no_relevant": "skip",
            "no_results": "skip",
            "max_grade": 4,
            "systems": "one_run",
        },
        sources={
            "order_by": "gdeval.pl:146-182: score, then docno, both falling",
            "gain": "gdeval.pl:146-182",
            "no_relevant": "gdeval.pl:146-182: only topics with a judgment above 0 are seen",
            "no_results": "a topic without results is not printed",
            "max_grade": "gdeval.pl:16",
            "systems": "gdeval.pl: a file is one run, whose name is printed",
        },
        faults=(
            "It also leaves a topic without a relevant document out of the mean ERR; here its ERR is 0. To match, "
            "leave the topic out of the judgments.",
        ),
        measures=frozenset({"ERR", "nDCG"}),
    ),
)
