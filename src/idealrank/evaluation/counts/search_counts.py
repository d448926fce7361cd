"""What was counted of queries that were searched for several times: what was asked for, and what came back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

Pair = tuple[str, str]
"""A task and a document."""


@dataclass(frozen=True, kw_only=True)
class SearchCounts:
    """How many searches a system made, and which relevant documents these did not return.

    Attributes
    ----------
    apart
        Whether every search is a query of its own.
    searches, tasks, most
        Searches, tasks searched for, and the most searches for one.
    missed, never_asked
        Relevant documents that were asked for and did not come back, and those nobody asked for.
    never_found
        By measure, the queries that a number of searches counts as never found.
    """

    apart: Annotated[bool, "any"]
    searches: Annotated[int, "sum"]
    tasks: Annotated[int, "sum"]
    most: Annotated[int, "most"]
    missed: Annotated[tuple[Pair, ...], "joined"] = ()
    never_asked: Annotated[tuple[Pair, ...], "joined"] = ()
    never_found: Annotated[dict[str, tuple[str, ...]], "chained"] = field(default_factory=dict)
