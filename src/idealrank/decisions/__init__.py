"""A caller's settings go in, one frozen `Decisions` comes out: a documented field for each question.

It may import errors.
"""

from idealrank.decisions.decisions import DEFAULT, Decisions, questions
from idealrank.decisions.question import (
    GainTable,
    Question,
    Rounding,
    Stage,
    UnitMap,
    answer_text,
    parse_answers,
    split_outside,
)

__all__ = [
    "DEFAULT",
    "Decisions",
    "GainTable",
    "Question",
    "Rounding",
    "Stage",
    "UnitMap",
    "answer_text",
    "parse_answers",
    "questions",
    "split_outside",
]
