"""Where the judged lists of an evaluation are: in memory as one bucket, or in many buckets that are read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

from idealrank.errors import UsageError

if TYPE_CHECKING:
    from idealrank.judged_lists.join import Join


Made = TypeVar("Made")


class Lists(Protocol):
    """The judged lists of an evaluation."""

    @property
    def in_memory(self) -> bool:
        """Whether all lists are one bucket in memory, so that values computed from them may be cached with them."""
        ...

    @property
    def keeps_order(self) -> bool:
        """Whether the systems of a table are in the order of its rows; otherwise they are sorted by name."""
        ...

    @property
    def all_meetings(self) -> list[Join]:
        """The meetings of the systems with the lists of all queries; refused if these are not in memory."""
        ...

    def open(self) -> AbstractContextManager[object]:
        """Prepare the buckets once for every call until it is closed; otherwise each call prepares them anew."""
        ...

    def map_buckets(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Call a function, which can be pickled, with the meetings of each bucket in turn, and return its results."""
        ...

    def fetch(self, queries: Sequence[str]) -> list[Join]:
        """Return meetings that contain the lists of some judged queries, and possibly of others."""
        ...

    def fetch_query(self, query: str) -> list[Join]:
        """Return meetings that have the lists of a judged query."""
        ...

    def select_systems(self, places: Sequence[int]) -> Lists:
        """Return the lists of some of the systems."""
        ...


@dataclass(frozen=True)
class InMemory:
    """All lists in memory: they are one bucket."""

    all_meetings: list[Join]
    in_memory = keeps_order = True

    def open(self) -> AbstractContextManager[object]:
        """Prepare nothing."""
        return nullcontext()

    def map_buckets(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Call a function with the meetings, and return its result as the only one."""
        return [work(self.all_meetings)]

    def fetch(self, _: Sequence[str]) -> list[Join]:
        """Return the meetings."""
        return self.all_meetings

    def fetch_query(self, _: str) -> list[Join]:
        """Return the meetings."""
        return self.all_meetings

    def select_systems(self, places: Sequence[int]) -> InMemory:
        """Return the lists of some of the systems."""
        return InMemory([self.all_meetings[s] for s in places])


@dataclass(frozen=True)
class NoLists:
    """The lists of scores that were saved without them: what needs lists is refused.

    Attributes
    ----------
    file
        The file of the scores.
    """

    file: str
    in_memory = False
    keeps_order = True

    @property
    def all_meetings(self) -> NoReturn:
        """Refuse to have lists."""
        raise UsageError(
            f"{self.file}: these scores were saved without the lists of their documents, and this needs them. Save "
            "them with their lists (scores.save(path)), or evaluate again."
        )

    def open(self) -> AbstractContextManager[object]:
        """Prepare nothing."""
        return nullcontext()

    def map_buckets(self, _: Callable[[list[Join]], Any]) -> list[Any]:
        """Refuse to have lists."""
        return self.all_meetings

    def fetch(self, _: Sequence[str]) -> list[Join]:
        """Refuse to have lists."""
        return self.all_meetings

    fetch_query = fetch

    def select_systems(self, _: Sequence[int]) -> NoLists:
        """Return none."""
        return self


def lists_in_parts_error() -> UsageError:
    """Build the error for what needs the lists of all queries at once."""
    return UsageError(
        "This needs the lists of all queries in memory, and these scores were computed in parts. Evaluate the "
        "queries in question alone (only=[…] in Python, --queries on the command line), and systems that are to be "
        "compared together."
    )


class BucketAccess(Protocol):
    """Reads the rows of an evaluation in parts again, from files or from Spark."""

    def open(self) -> AbstractContextManager[object]:
        """Prepare the buckets once for every call until it is closed."""
        ...

    def meetings(self, queries: Sequence[str]) -> list[Join]:
        """Return the meetings of the systems with the lists of some judged queries, all fetched at once."""
        ...

    def map_buckets(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Call a function, which can be pickled, with the meetings of each bucket in turn, and return its results."""
        ...


@dataclass(frozen=True)
class Partitioned:
    """Lists in buckets, which are read again where they are needed.

    Attributes
    ----------
    rows
        Reads the rows again.
    keeps_order
        Whether the systems of a table are in the order of its rows.
    places
        The places of the systems among those of the rows; None: all of them.
    fetched
        The meetings of the queries whose lists were fetched before, by query.
    """

    rows: BucketAccess
    keeps_order: bool = True
    places: tuple[int, ...] | None = None
    fetched: dict[str, list[Join]] = field(default_factory=dict, repr=False)

    in_memory = False

    @property
    def all_meetings(self) -> list[Join]:
        """Refuse to have the lists of all queries at once.

        A caller that needs them cannot work bucket by bucket. An example is comparing the scores of two evaluations:
        each divided its files by itself, so their buckets have different queries.
        """
        raise lists_in_parts_error()

    def open(self) -> AbstractContextManager[object]:
        """Prepare the buckets once for every call until it is closed."""
        return self.rows.open()

    def map_buckets(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Call a function, which can be pickled, with the meetings of each bucket, and return its results."""
        return self.rows.map_buckets(
            work if self.places is None else partial(_work_on_places, work=work, places=self.places)
        )

    def fetch(self, queries: Sequence[str]) -> list[Join]:
        """Fetch the lists of some judged queries at once, and keep them for `fetch_query`."""
        meetings = self.rows.meetings(queries)
        meetings = meetings if self.places is None else [meetings[s] for s in self.places]
        self.fetched.update(dict.fromkeys(queries, meetings))
        return meetings

    def fetch_query(self, query: str) -> list[Join]:
        """Return the meetings of the systems that have the lists of a judged query."""
        return self.fetched.get(query) or self.fetch([query])

    def select_systems(self, places: Sequence[int]) -> Partitioned:
        """Return the lists of some of the systems."""
        before = self.places
        return replace(self, places=tuple(s if before is None else before[s] for s in places), fetched={})


def _work_on_places(meetings: list[Join], work: Callable[[list[Join]], Made], places: Sequence[int]) -> Made:
    return work([meetings[s] for s in places])
