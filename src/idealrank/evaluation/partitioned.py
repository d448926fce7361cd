"""The judged lists of an evaluation, bucket by bucket: one bucket in memory, or many that are fetched again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from idealrank.arrays import Ints
from idealrank.errors import UsageError
from idealrank.evaluation.ledger.counts import JudgmentCounts, ResultCounts

if TYPE_CHECKING:
    from idealrank.judged_lists.join import Join


Made = TypeVar("Made")


class BucketAccess(Protocol):
    """Goes to the rows of an evaluation in parts again, where they lie."""

    def meetings(self, queries: Sequence[str]) -> list[Join]:
        """Return the meetings of the systems with the lists of some judged queries, all fetched at once."""
        ...

    def each(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Return what a function, which can be pickled, makes of the meetings of every part, one after the other."""
        ...


class Lists(Protocol):
    """The judged lists of an evaluation."""

    @property
    def at_hand(self) -> list[Join]:
        """The meetings of the systems with the lists of all queries; refused where these are not in memory."""
        ...

    def each(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Return what a function, which can be pickled, makes of the meetings of every bucket, one after the other."""
        ...

    def fetch(self, queries: Sequence[str]) -> list[Join]:
        """Return meetings that have the lists of some judged queries, and perhaps of others."""
        ...

    def of_query(self, query: str) -> list[Join]:
        """Return meetings that have the lists of a judged query."""
        ...

    def of_systems(self, places: Sequence[int]) -> Lists:
        """Return the lists of some of the systems."""
        ...


@dataclass(frozen=True)
class InMemory:
    """All lists in memory: they are one bucket."""

    at_hand: list[Join]

    def each(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Return what a function makes of the meetings."""
        return [work(self.at_hand)]

    def fetch(self, _: Sequence[str]) -> list[Join]:
        """Return the meetings."""
        return self.at_hand

    def of_query(self, _: str) -> list[Join]:
        """Return the meetings."""
        return self.at_hand

    def of_systems(self, places: Sequence[int]) -> InMemory:
        """Return the lists of some of the systems."""
        return InMemory([self.at_hand[s] for s in places])


@dataclass(frozen=True)
class Partitioned:
    """Lists in buckets, which are fetched where they are needed, with what was counted in all of them.

    Attributes
    ----------
    judged, returned
        Counts of the judgments, and of the results of each system.
    texts
        Texts of the queries, by id, where any table has them.
    rows
        Goes to the rows again.
    lengths
        (S, Q) how many results each system returned.
    table_rows
        How many rows there are of the judgments, and of the table of each system.
    by_name
        Whether systems of one table stand in the order of their names, since Spark keeps no order of rows.
    places
        The places of the systems among those of the rows; None: all of them.
    fetched
        The meetings of the queries whose lists were fetched before, by query.
    """

    judged: JudgmentCounts
    returned: tuple[ResultCounts, ...]
    texts: Mapping[str, str]
    rows: BucketAccess
    lengths: Ints
    table_rows: tuple[int, ...]
    by_name: bool = False
    places: tuple[int, ...] | None = None
    fetched: dict[str, list[Join]] = field(default_factory=dict, repr=False)

    @property
    def at_hand(self) -> list[Join]:
        """Refuse to have the lists of all queries at once."""
        raise gone()

    def each(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Return what a function, which can be pickled, makes of the meetings of every bucket."""
        return self.rows.each(work if self.places is None else partial(_of_places, work=work, places=self.places))

    def fetch(self, queries: Sequence[str]) -> list[Join]:
        """Fetch the lists of some judged queries at once, and keep them for `of_query`."""
        meetings = self._of_systems(self.rows.meetings(queries))
        self.fetched.update(dict.fromkeys(queries, meetings))
        return meetings

    def of_query(self, query: str) -> list[Join]:
        """Return the meetings of the systems that have the lists of a judged query."""
        return self.fetched.get(query) or self.fetch([query])

    def of_systems(self, places: Sequence[int]) -> Partitioned:
        """Return what is known of some of the systems."""
        return Partitioned(
            self.judged, tuple(self.returned[s] for s in places), self.texts, self.rows, self.lengths[list(places)],
            (self.table_rows[0], *(self.table_rows[1 + s] for s in places)), self.by_name,
            tuple(self.place_of(s) for s in places),
        )  # fmt: skip

    def place_of(self, s: int) -> int:
        """Return the place of a system among those of the rows."""
        return s if self.places is None else self.places[s]

    def _of_systems(self, meetings: list[Join]) -> list[Join]:
        return meetings if self.places is None else [meetings[s] for s in self.places]


def _of_places(meetings: list[Join], work: Callable[[list[Join]], Made], places: Sequence[int]) -> Made:
    return work([meetings[s] for s in places])


def gone() -> UsageError:
    """Build the error for a question that only the judged lists could answer."""
    return UsageError(
        "This needs the lists of all queries at once, and these scores were computed in parts, so that only the lists "
        "of single queries are there. Evaluate the queries in question alone: only=[…] in Python, --queries on the "
        "command line."
    )
