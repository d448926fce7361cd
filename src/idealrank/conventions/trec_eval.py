"""trec_eval, the reference of the field (NIST), without -c, -J and -l: those are overrides."""

from idealrank.conventions.definition import Convention

_ANSWERS = {"order_by": "score", "no_results": "skip"}
_SOURCES = {
    "order_by": "form_res_rels.c: the rank column is never read",
    "no_results": "the mean is over the topics of both files; -c is no_results=0",
}

CONVENTIONS = (
    Convention(
        name="trec_eval-9.0.8",
        tool="trec_eval",
        version="9.0.8",
        about="The version behind pytrec_eval. Grades are integers there; fractional ones are kept here.",
        answers=_ANSWERS | {"score_precision": "float32", "recall_points": "up"},
        sources=_SOURCES
        | {
            "score_precision": "trec_format.h: float sim; 0.123456789 equals 0.123456788",
            "recall_points": "m_iprec_at_recall.c: (long) (cutoff * num_rel + 0.9)",
        },
    ),
    Convention(
        name="trec_eval-10.0",
        tool="trec_eval",
        version="10.0",
        about="The version of 2026: double scores; without -c it stops at a topic the run lacks.",
        answers=_ANSWERS,
        sources=_SOURCES,
    ),
)
