"""Lists that a measure cannot be computed on: what they lack, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idealrank.errors import UsageError, option

if TYPE_CHECKING:
    from idealrank.judged_lists.lists import JudgedLists


def refuse_without_subtopics(lists: JudgedLists, name: str) -> None:
    """Refuse judgments without subtopics, for a measure that reads them.

    Raises
    ------
    UsageError
        With what to give.
    """
    if lists.read_subtopics() is None:
        raise UsageError(
            f"{name} reads judgments by subtopic, and these name no subtopics. Give a table with a column "
            f"subtopic and one row per query, subtopic and document. If the column has another name: "
            f"{option('subtopic', flag='subtopic-col')}."
        )


def refuse_without_spans(lists: JudgedLists, name: str) -> None:
    """Refuse lists of whole documents, for a measure over characters.

    Raises
    ------
    UsageError
        With what to give.
    """
    if lists.spans is None:
        raise UsageError(
            f"{name} compares characters, so it needs judged spans, and chunks with columns for their begin and end. "
            f"Give such tables, and {option('unit', 'spans')}."
        )


def refuse_shared_ranks(lists: JudgedLists, name: str) -> None:
    """Refuse lists with several spans at one rank, for a measure that counts one result per rank.

    Raises
    ------
    UsageError
        With what to answer.
    """
    if lists.spans is not None and not lists.opens_rank.all():
        raise UsageError(
            f"{name} counts one result per rank, and under counts=returned a chunk that hits several spans has all of "
            f"them at its rank. Use {option('counts', 'units')}, or a measure of what was found: R, RR, CharR."
        )


def refuse_averaged(lists: JudgedLists, name: str) -> None:
    """Refuse lists under ``ties=average``, for a measure whose average over all orders is not computed.

    Raises
    ------
    UsageError
        With what to answer.
    """
    if lists.ranks == "averaged":
        raise UsageError(
            f"ties=average: the average of {name} over all orders is not computed. "
            f"Use {option('ties', 'docid_desc')}, or see how much the order matters: best and worst."
        )
