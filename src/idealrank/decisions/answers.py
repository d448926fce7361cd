"""The decisions as typed keywords, for type checkers and editors.

Written by docs/generate.py from decisions/stages: change that, then run it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypedDict


class DecisionAnswers(TypedDict, total=False):
    """Answers to decisions, by the names in `Decisions`; `weights` is named where it is taken."""

    raters: Literal["median", "mean", "majority", "max", "min"]
    """Several ratings of one document: which grade?"""

    duplicates: Literal["error", "first", "last", "max", "mean", "median", "majority"]
    """One document twice for one query: which counts?"""

    order_by: Literal["auto", "score", "rank", "given"]
    """What orders the results?"""

    rank_gaps: Literal["close", "keep"]
    """Ranks 1, 2, 5: what of 3 and 4?"""

    ties: Literal["docid_desc", "docid_asc", "given", "average", "best", "worst"]
    """Equal scores, or equal ranks: which document comes first?"""

    score_precision: Literal["float64", "float32"]
    """When are two scores equal?"""

    gain: Literal["linear", "whole", "exp2"] | Mapping[int, float] | Mapping[float, float]
    """What is a grade worth?"""

    discount: Literal["log2", "ln", "reciprocal", "none"] | str
    """How much does a rank count?"""

    ideal: Literal["global", "returned", "local", "max"]
    """Measured against which best list?"""

    ideal_depth: Literal["cutoff", "returned", "all"]
    """How deep is the ideal list?"""

    max_grade: Literal["highest"] | float
    """What is the top of the grade scale?"""

    cutoff: Literal["at_most_k", "below_k"]
    """Does rank k count?"""

    unjudged: Literal["zero", "filter"] | float
    """A result nobody judged?"""

    negative: Literal["unjudged", "zero", "keep"]
    """A grade below zero?"""

    relevant_from: Literal["positive"] | float
    """From which grade is a document relevant, for binary measures?"""

    short_list: Literal["k", "returned", "judged"]
    """P@k when fewer than k results came back: divide by what?"""

    ap_denominator: Literal["R", "min(R,k)", "min(R,k,n)", "hits"]
    """AP is divided by what?"""

    recall_denominator: Literal["R", "min(R,k)", "min(R,k,n)", "hits"]
    """R@k is divided by what?"""

    recall_points: Literal["nearest", "up"]
    """How many relevant documents are a share of recall?"""

    no_relevant: Literal["0", "1", "skip", 0, 1]
    """A measure that is 0/0 for a query (no relevant document, an ideal of zero)?"""

    no_results: Literal["0", "skip", "skip_missing", "error", 0]
    """A judged query the system returned nothing for?"""

    failed: Literal["skip", "0", "refuse", 0]
    """A judged query whose search failed?"""

    no_judgments: Literal["skip", "0", 0]
    """Results for a query without judgments?"""

    average: Literal["arithmetic", "geometric", "median"]
    """How are the queries averaged?"""

    systems: Literal["auto", "separate", "one_run", "pooled"]
    """Several systems in one table?"""

    rounding: Literal["none"] | str | tuple[str, str, int]
    """Where is rounded before display?"""
