"""Random and small judgments with results in which everything occurs that a ledger accounts for."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import settings, strategies as st

from idealrank.conventions import CONVENTIONS
from idealrank.measures import DEFINITIONS
from tests.amounts import tried

RANDOMLY = settings(deadline=None, max_examples=tried(40))
"""How random tests run: no single one is timed, the machine may be busy."""

PLAIN = [definition for definition in DEFINITIONS if definition.is_plain]
"""The measures of judgments that name no subtopics."""

Nested = dict[str, dict[str, float]]

DOCS = [f"d{i}" for i in range(8)]
QUERIES = [f"q{i}" for i in range(6)]

# Two queries by hand: discounts 1, 0.6309, 0.5 at ranks 1, 2, 3.
#   q1: grades 3, –, 1 in rank order; judged besides: d4 with 2.   DCG 3.5, ideal 3 + 2·0.6309 + 0.5 = 4.7619
#   q2: grade 1 at rank 2 of 2.                                     DCG 0.6309, ideal 1
#   q3: judged, nothing returned; q9: returned, not judged.
JUDGMENTS: Nested = {"q1": {"d1": 3, "d3": 1, "d4": 2}, "q2": {"d1": 1}, "q3": {"d1": 2}}
RESULTS: Nested = {"q1": {"d1": 9, "d2": 8, "d3": 7}, "q2": {"d7": 2, "d1": 1}, "q9": {"d1": 1}}
HALF = 1 / math.log2(3)
NDCG = {"q1": 3.5 / (3 + 2 * HALF + 0.5), "q2": HALF, "q3": 0.0}


def nested(values: Any) -> st.SearchStrategy[Nested]:
    """Generate ``{query: {document: value}}``, not empty."""
    row = st.dictionaries(st.sampled_from(DOCS), values, min_size=1, max_size=len(DOCS))
    return st.dictionaries(st.sampled_from(QUERIES), row, min_size=1, max_size=len(QUERIES))


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Nested, Nested]:
    """Generate judgments and results with ties, holes, negative and fractional grades, queries missing either way.

    At least one document is judged, relevant and returned, so that nothing is refused.
    """
    judgments = draw(nested(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0])))
    results = draw(nested(st.sampled_from([1.0, 2.0, 3.0, 4.0])))
    judgments.setdefault("q0", {})["d0"] = 3.0
    results.setdefault("q0", {})["d0"] = draw(st.sampled_from([1.0, 2.0]))
    return judgments, results


def several(results: Nested) -> dict[str, list[Any]]:
    """Make a table of two systems: the results, and the same upside down."""
    columns: dict[str, list[Any]] = {name: [] for name in ("system", "query", "doc", "score")}
    for system, sign in (("up", 1), ("down", -1)):
        for query, row in results.items():
            for doc, score in row.items():
                for name, value in zip(columns, (system, query, doc, sign * score), strict=True):
                    columns[name].append(value)
    return columns


NAMES = [d.name + at for d in PLAIN for at in ("", "@3") if not (at and d.cutoff == "none")]
"""Those measures as they are asked for, whole and at a cutoff."""

ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        "ties": st.sampled_from(["docid_asc", "given", "average", "best", "worst"]),
        "gain": st.sampled_from(["exp2", "{-1:0, 0:0.5, 0.5:1, 1:2, 2:1, 3:4, 4:5}"]),
        "discount": st.sampled_from(["ln", "reciprocal", "log(2)", "none"]),
        "ideal": st.sampled_from(["returned", "local", "max"]),
        "ideal_depth": st.just("returned"),
        "unjudged": st.sampled_from(["filter", "1"]),
        "negative": st.sampled_from(["zero", "keep"]),
        "no_relevant": st.sampled_from(["1", "skip"]),
        "no_results": st.just("skip"),
        "relevant_from": st.just("positive"),
        "rounding": st.sampled_from(["term,round,2", "query,floor,2", "query,round,1", "query,floor,3+query,floor,1"]),
        "cutoff": st.just("below_k"),
    },
)
"""Answers to some of the decisions, or to none."""


def supported(convention: str) -> list[str]:
    """Return the measures a convention has of those compared here, which need no subtopics."""
    known = CONVENTIONS[convention].measures
    return [name for name in NAMES if known is None or name.partition("@")[0] in known]
