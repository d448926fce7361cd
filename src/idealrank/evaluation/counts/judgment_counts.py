"""What was counted in the judgments: all that the ledger says of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated


@dataclass(frozen=True, kw_only=True)
class JudgmentCounts:
    """What was counted in the judgments, or in a part of them.

    Attributes
    ----------
    name, columns, form, read_as, scale
        What the table is, and what it was read as.
    graded, named_relevant
        Whether there is a column of grades; whether a list or a column is named as that of relevant documents.
    rated
        Rows with a rating.
    lowest, highest
        The lowest and the highest grade; infinite where there is none.
    below_zero, low
        Grades below zero; by measure and level, grades above 0 that do not reach it.
    tops
        By measure that reads it, the top of the scale.
    ungraded, ungraded_queries
        Rows without a grade; queries that have rows but no grade.
    one_query, dropped, several, missing_ratings
        Whether there is no column of queries; repeats; documents under several subtopics; ratings that are missing.
    merged, units
        Judgments merged with others of their unit; what is judged after that.
    fractional, ranked
        Whether it looks like results, since its score has fractions, or since it counts ranks.
    inflated, score_graded
        Whether every judged document was returned as it is the same table; whether its score is also the grade.
    differing
        Ids of queries whose texts differ.
    """

    name: Annotated[str, "first"] = ""
    columns: Annotated[dict[str, str], "fullest"] = field(default_factory=dict)
    form: Annotated[str, "first"] = ""
    read_as: Annotated[str, "fullest"] = ""
    scale: Annotated[dict[str, float], "first"] = field(default_factory=dict)
    graded: Annotated[bool, "any"]
    named_relevant: Annotated[bool, "any"] = False
    rated: Annotated[int, "sum"]
    lowest: Annotated[float, "least"]
    highest: Annotated[float, "most"]
    below_zero: Annotated[int, "sum"]
    low: Annotated[dict[tuple[str, float], int], "added"] = field(default_factory=dict)
    tops: Annotated[dict[str, float], "united"] = field(default_factory=dict)
    ungraded: Annotated[int, "sum"]
    ungraded_queries: Annotated[tuple[str, ...], "joined"] = ()
    one_query: Annotated[bool, "any"]
    dropped: Annotated[int, "sum"]
    several: Annotated[int, "sum"]
    missing_ratings: Annotated[int, "sum"]
    merged: Annotated[int, "sum"]
    units: Annotated[int, "sum"]
    fractional: Annotated[bool, "any"]
    ranked: Annotated[bool, "all"]
    inflated: Annotated[bool, "any"]
    score_graded: Annotated[bool, "any"]
    differing: Annotated[tuple[str, ...], "joined"] = ()

    def of_nothing(self) -> JudgmentCounts:
        """Return the counts of a part without rows, which does not know what the table is."""
        return replace(
            self, name="", columns={}, form="", read_as="", scale={}, graded=False, tops={}, one_query=False,
            fractional=False, ranked=True, inflated=False, score_graded=False,
        )  # fmt: skip
