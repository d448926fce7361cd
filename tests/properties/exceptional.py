"""Where a measure's promise does not hold under one answer of one decision, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from idealrank.measures import Definition


class Exceptional(NamedTuple):
    """One promise that some measures do not keep under some answers; each has a counterexample.

    Attributes
    ----------
    promise
        Which of the sweep's questions.
    measures, answers
        Where: names, or groups of `GROUPS`, to which a new measure belongs by what it declares;
        ``*`` stands for every answer.
    reason
        Why, in words.
    instead
        For ``undefined``: when it is 0/0 there; tested in the promise's place.
    """

    promise: str
    measures: str
    answers: tuple[str, ...]
    reason: str
    instead: str = ""


ORDER_FREE = ("SetAP", "Utility")
"""Measures of what was returned, in whatever order."""

SIMPLE = "prefs_simp prefs_simp_imp prefs_simp_ret prefs_pair prefs_pair_imp prefs_pair_ret"
BY_GROUP = "prefs_avgjg prefs_avgjg_imp prefs_avgjg_ret"
FULFILLED = "prefs_num_prefs_ful prefs_num_prefs_ful_ret"
OF_HALVES = ("OPA", "AUC", *SIMPLE.split(), *FULFILLED.split())
"""Measures whose terms are whole numbers and halves, which rounding to tenths leaves alone."""

GROUPS: dict[str, Callable[[Definition], bool]] = {
    "(relevant or not, best at the ideal order)": lambda d: (
        "relevant_from" in d.reads and d.properties.at_ideal == "best" and d.name not in ORDER_FREE
    ),
    "(the order matters, higher is better)": lambda d: (
        d.properties.direction == "higher" and d.name not in ORDER_FREE + OF_HALVES
    ),
}
"""Measures by what they declare."""


def covers(measures: str, definition: Definition) -> bool:
    """Whether a row's measures, by name or by group, hold this one."""
    plain = measures
    for group in GROUPS:
        plain = plain.replace(group, "")
    return definition.name in plain.split() or any(g in measures and has(definition) for g, has in GROUPS.items())


TERM = ("rounding=term,round,1", "rounding=term,floor,1")
QUERY = ("rounding=query,round,1", "rounding=query,floor,1")
