"""Judged lists go in, the steps of a score come out: one folder per family, and the only list of them here.

It may import judged_lists and the rooms below it.
"""

from __future__ import annotations

import functools

from idealrank.errors import UsageError
from idealrank.measures import binary, counts, diversity, graded, learning, preferences, trec, user_models
from idealrank.measures.definition import Definition, Measure
from idealrank.measures.grammar import by_name, parse_with
from idealrank.measures.parameters import Parameter
from idealrank.measures.properties import Properties
from idealrank.measures.spellings import written

__all__ = ["DEFAULT_MEASURES", "DEFINITIONS", "Definition", "Measure", "Parameter", "Properties", "measure", "parse"]

DEFAULT_MEASURES = ("nDCG@10", "P@10", "R@100", "RR", "AP")

FAMILIES = (graded, binary, counts, trec, preferences, user_models, learning, diversity)
DEFINITIONS: tuple[Definition, ...] = tuple(one for family in FAMILIES for one in family.DEFINITIONS)


def measure(text: str) -> Measure:
    """Read one measure: a name such as ``nDCG@10``, or a fingerprint, which states every decision.

    Parameters
    ----------
    text
        The name with one cutoff, or the fingerprint.

    Raises
    ------
    UsageError
        If the measure is unknown, or several cutoffs make it several measures.

    Examples
    --------
    >>> one = measure("nDCG(gain=exp2)@10")
    >>> measure(one.fingerprint).fingerprint == one.fingerprint
    True
    """
    measures = parse(written(text))
    if len(measures) != 1:
        raise UsageError(f"{text!r} is {len(measures)} measures. Give one cutoff.")
    return measures[0]


parse = functools.partial(parse_with, by_name(DEFINITIONS))
"""Read measure names; see `idealrank.measures.grammar.parse_with`."""
