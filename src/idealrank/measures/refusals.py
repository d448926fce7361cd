"""Lists that a measure cannot be computed on: what they lack, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idealrank.errors import UsageError, option

if TYPE_CHECKING:
    from idealrank.judged_lists.lists import JudgedLists
    from idealrank.measures.definition import Definition


def refuse_lists(definition: Definition, name: str, lists: JudgedLists) -> None:
    """Refuse lists without the subtopics, spans, single ranks or exact ranks that a measure needs.

    Raises
    ------
    UsageError
        With what is missing and what to do.
    """
    if definition.by_subtopic and lists.read_subtopics() is None:
        raise UsageError(
            f"{name} reads judgments by subtopic, and these name no subtopics. Give a table with a column "
            f"subtopic and one row per query, subtopic and document. If the column has another name: "
            f"{option('subtopic', flag='subtopic-col')}."
        )
    if definition.by_span and lists.spans is None:
        raise UsageError(
            f"{name} compares characters, so it needs judged spans, and chunks with columns for their begin and end. "
            f"Give such tables, and {option('unit', 'spans')}."
        )
    if lists.spans is not None and not definition.shared_ranks and not lists.opens_rank.all():
        raise UsageError(
            f"{name} counts one result per rank, and under counts=returned a chunk that hits several spans has all of "
            f"them at its rank. Use {option('counts', 'units')}, or a measure of what was found: R, RR, CharR."
        )
    if lists.ranks == "averaged" and definition.properties.average != "exact":
        raise UsageError(
            f"ties=average: the average of {definition.name} over all orders is not computed. "
            f"Use {option('ties', 'docid_desc')}, or see how much the order matters: best and worst."
        )
