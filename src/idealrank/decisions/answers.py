"""The decisions as typed keywords, for type checkers and editors.

Written by docs/generate.py from decisions/stages: change that, then run it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypedDict


class DecisionAnswers(TypedDict, total=False):
    """Answers to decisions, by the names in `Decisions`; `weights` is named where it is taken."""

    raters: Literal["median", "mean", "majority", "max", "min"]
    """Which grade does a document get if it has several ratings?"""

    duplicates: Literal["error", "first", "last", "max", "mean", "median", "majority"]
    """Which row counts if a document appears twice for one query?"""

    unit: Literal["as_returned", "spans"] | str | Mapping[str, str]
    """What is judged: each result as it was returned, the document or source it is a part of, or a span of text?"""

    unit_grade: Literal["max", "raters"]
    """Which grade does a unit get if several of its parts are judged?"""

    order_by: Literal["auto", "score", "rank", "given"]
    """What orders the results?"""

    rank_gaps: Literal["close", "keep"]
    """If the ranks are 1, 2, 5, what happens to 3 and 4?"""

    roll_up: Literal["first", "max", "sum"] | str
    """Which rank does a unit have if several of its parts were returned?"""

    overlap: Literal["any"] | str
    """When does a chunk hit a judged span of the same document?"""

    counts: Literal["units", "returned"]
    """What has a rank, and so counts towards k?"""

    steps: Literal["one", "union", "last", "each"]
    """If a query was searched for several times, as agents do, which list counts?"""

    ties: Literal["docid_desc", "docid_asc", "given", "average", "best", "worst"]
    """Which document comes first if scores, or ranks, are equal?"""

    score_precision: Literal["float64", "float32"]
    """When are two scores equal?"""

    gain: Literal["linear", "whole", "exp2"] | Mapping[int, float] | Mapping[float, float]
    """How much is a grade worth?"""

    discount: Literal["log2", "ln", "reciprocal", "none"] | str
    """How much does a rank count?"""

    ideal: Literal["global", "returned", "local", "max"]
    """What is the ideal list?"""

    ideal_depth: Literal["cutoff", "returned", "all"]
    """How deep is the ideal list?"""

    max_grade: Literal["highest"] | float
    """What is the highest grade on the scale?"""

    cutoff: Literal["at_most_k", "below_k"]
    """Does rank k count?"""

    unjudged: Literal["zero", "filter", "complete"] | float
    """What happens to a result nobody judged?"""

    negative: Literal["unjudged", "zero", "keep"]
    """What does a grade below zero mean?"""

    relevant_from: Literal["positive"] | float
    """From which grade on is a document relevant, for binary measures?"""

    short_list: Literal["k", "returned", "judged"]
    """What is P@k divided by if fewer than k results came back?"""

    ap_denominator: Literal["R", "min(R,k)", "min(R,k,n)", "hits"]
    """What is AP divided by?"""

    recall_denominator: Literal["R", "min(R,k)", "min(R,k,n)", "hits"]
    """What is R@k divided by?"""

    recall_points: Literal["nearest", "up"]
    """How many relevant documents make up a level of recall?"""

    no_relevant: Literal["0", "1", "skip", 0, 1]
    """What if a measure is 0/0 for a query (no relevant document, or an ideal of zero)?"""

    no_results: Literal["0", "skip", "skip_missing", "error", 0]
    """What if the system returned nothing for a judged query?"""

    failed: Literal["skip", "0", "refuse", 0]
    """What if the search failed for a judged query?"""

    no_judgments: Literal["skip", "0", 0]
    """What if a query has results but no judgments?"""

    average: Literal["arithmetic", "geometric", "median"]
    """How are the queries averaged?"""

    systems: Literal["auto", "separate", "one_run", "pooled"]
    """What if one table has several systems?"""

    rounding: Literal["none"] | str | tuple[str, str, int]
    """Where are numbers rounded before display?"""
