"""pytrec_eval, which contains trec_eval 9.0.8."""

from idealrank.conventions.convention import Convention
from idealrank.conventions.tools.trec_eval import QRELS

CONVENTIONS = (
    Convention(
        name="pytrec_eval",
        tool="pytrec_eval-terrier",
        version="0.5.11",
        about="trec_eval 9.0.8 on dicts; the caller averages over the queries in both.",
        answers={
            "order_by": "score",
            "score_precision": "float32",
            "recall_points": "up",
            "no_results": "skip_missing",
            "systems": "one_run",
        },
        sources={
            "order_by": "dicts of scores",
            "score_precision": "float in the C code",
            "recall_points": "m_iprec_at_recall.c",
            "no_results": "a query that is not in the dict is not in its output; one with an empty dict is 0",
            "systems": "parse_run: the tag of a line is not kept",
        },
        measures=QRELS,
        faults=("A fractional grade is an error there.", "It sorts NaN scores arbitrarily."),
    ),
)
