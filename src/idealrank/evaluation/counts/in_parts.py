"""What is known of an evaluation that was made in parts, whose judged lists are gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Never

from idealrank.errors import UsageError
from idealrank.evaluation.counts.judgment_counts import JudgmentCounts
from idealrank.evaluation.counts.result_counts import ResultCounts

if TYPE_CHECKING:
    from idealrank.judged_lists.meeting import Meeting


@dataclass(frozen=True)
class InParts:
    """What was counted in all parts.

    Attributes
    ----------
    judged, returned
        Counts of the judgments, and of the results of each system.
    texts
        Texts of the queries, by id, where any table has them.
    look
        Returns the meetings of the systems that have the lists of a query, and its index in them; None where its rows
        are not at hand any more.
    """

    judged: JudgmentCounts
    returned: tuple[ResultCounts, ...]
    texts: Mapping[str, str]
    look: Callable[[str], tuple[list[Meeting], int]] | None = None

    def lists_of(self, query: str) -> tuple[list[Meeting], int]:
        """Return the meetings of the systems that have the lists of a query, and its index in them.

        Raises
        ------
        UsageError
            If its rows are not at hand any more.
        """
        if self.look is None:
            raise gone()
        return self.look(query)


class NoLists(list["Meeting"]):
    """Stands where the judged lists of an evaluation stand: asking for one says why there are none."""

    def __getitem__(self, place: object) -> Never:
        raise gone()

    def __iter__(self) -> Never:
        raise gone()


def gone() -> UsageError:
    """Build the error for a question that only the judged lists could answer."""
    return UsageError(
        "This needs the lists of results, and these scores were computed in parts, whose lists are gone. Evaluate the "
        "queries in question alone: only=[…] in Python, --queries on the command line."
    )


def depth_unknown(depth: int | None, counted: Sequence[int | None]) -> UsageError:
    """Build the error for a depth to which unjudged results were not counted."""
    known = ", ".join(str(each) for each in counted if each is not None)
    return UsageError(
        f"Unjudged results in the top {depth} were not counted when these scores were computed in parts, only in the "
        f"top {known}, and in all results. Ask for a measure with this cutoff, too."
    )
