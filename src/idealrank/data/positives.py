"""Judgments without a grade column: a list of the relevant documents, each with grade 1."""

from __future__ import annotations

from idealrank.data.formats.source import Source
from idealrank.data.ids import could_be_numbers
from idealrank.data.labels import MOST, has_labels
from idealrank.data.roles import ALIASES, Roles, fold

_COUNTING = ("id", "index", "page", "line", "number", "year", "date", "time", "timestamp", "unnamed:0")
"""Endings of names of columns whose numbers are no grades."""


def only_positives(source: Source, roles: Roles) -> bool:
    """Whether a table lists relevant documents: query and document, nothing that orders them, and no grade.

    A column of numbers, or of words such as yes and no, may be a grade under a name that is not known.
    """
    chosen = roles.chosen.get("grade") is not None or bool(roles.several)
    # A list of relevant documents is one even if its rows name a system, whose results are beside it.
    others = ("grade", "rank", "score", *(() if source.part("judgments") else ("system",)))
    if chosen or any(roles.find(role) is not None for role in others):
        return False
    if roles.find("doc") is None or roles.key is None or source.doubtful:
        return False
    return not any(_may_grade(source, roles, index) for index in range(len(roles.names)))


def _may_grade(source: Source, roles: Roles, index: int) -> bool:
    """Whether a column could contain grades under a name that is not known."""
    name = fold(roles.names[index])
    if not name or name.endswith(_COUNTING) or index in roles.chosen.values() or name in _WITH_A_ROLE:
        return False
    column = source.frame.column(index)
    if source.plan is not None and roles.names[index] in source.plan.around:
        return False
    if source.frame.nested(index) is not None or roles.names[index] in source.unfit or not column.distinct(1):
        return False
    return could_be_numbers(column, roles.names[index]) or has_labels(column.distinct(MOST + 1))


_WITH_A_ROLE = frozenset().union(*(tier for tiers in ALIASES.values() for tier in tiers))
