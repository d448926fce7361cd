"""Where the judged lists of an evaluation are: in memory as one bucket, or in many buckets that are read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from idealrank.errors import UsageError

if TYPE_CHECKING:
    from idealrank.judged_lists.join import Join


Made = TypeVar("Made")


class Lists:
    """The judged lists of an evaluation, of which one place or another has all, or some queries.

    Attributes
    ----------
    in_memory
        Whether all lists are one bucket in memory, so that values computed from them may be cached with them.
    keeps_order
        Whether the systems of a table are in the order of its rows; otherwise they are sorted by name.
    at_hand
        Whether they can be had at all.
    """

    in_memory = False
    keeps_order = True
    at_hand = True

    @property
    def all_joins(self) -> list[Join]:
        """The joins of the systems with the lists of all queries; refused if these are not in memory.

        A caller that needs them cannot work bucket by bucket. An example is comparing the scores of two evaluations:
        each divided its files by itself, so their buckets have different queries.
        """
        raise UsageError(
            "This needs the lists of all queries in memory, and these scores were computed in parts. Evaluate the "
            "queries in question alone (only=[…] in Python, --queries on the command line), and systems that are to "
            "be compared together."
        )

    def open(self) -> AbstractContextManager[object]:
        """Prepare the buckets once for every call until it is closed; otherwise each call prepares them anew."""
        return nullcontext()

    def map_buckets(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Call a function, which can be pickled, with the joins of each bucket in turn, and return its results."""
        return [work(self.all_joins)]

    def fetch(self, _: Sequence[str]) -> list[Join]:
        """Return joins that contain the lists of some judged queries, and possibly of others."""
        return self.all_joins

    def fetch_query(self, query: str) -> list[Join]:
        """Return joins that have the lists of a judged query."""
        return self.fetch([query])

    def select_systems(self, places: Sequence[int]) -> Lists:
        """Return the lists of some of the systems."""
        return SomeSystems(self, tuple(places))


@dataclass(frozen=True)
class InMemory(Lists):
    """All lists in memory: they are one bucket."""

    joins: list[Join]
    in_memory = True

    @property
    def all_joins(self) -> list[Join]:
        """The joins."""
        return self.joins

    def select_systems(self, places: Sequence[int]) -> Lists:
        """Return the lists of some of the systems."""
        return InMemory([self.joins[s] for s in places])


@dataclass(frozen=True)
class NoLists(Lists):
    """The lists of scores that were saved without them: what needs lists is refused.

    Attributes
    ----------
    file
        The file of the scores.
    """

    file: str
    at_hand = False

    @property
    def all_joins(self) -> list[Join]:
        """Refuse to have lists."""
        raise UsageError(
            f"{self.file}: these scores were saved without the lists of their documents, and this needs them. Save "
            "them with their lists (scores.save(path)), or evaluate again."
        )


@dataclass(frozen=True)
class SomeSystems(Lists):
    """The lists of some of the systems of others, which are not all in memory."""

    lists: Lists
    places: tuple[int, ...]

    @property
    def all_joins(self) -> list[Join]:
        """Refuse to have them, as the lists of all systems do."""
        return self.lists.all_joins

    @property
    def at_hand(self) -> bool:  # type: ignore[override]
        """As the lists of all systems."""
        return self.lists.at_hand

    @property
    def keeps_order(self) -> bool:  # type: ignore[override]
        """As the lists of all systems."""
        return self.lists.keeps_order

    def open(self) -> AbstractContextManager[object]:
        """Prepare the buckets once for every call until it is closed."""
        return self.lists.open()

    def map_buckets(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Call a function with the joins of each bucket, and return its results."""
        return self.lists.map_buckets(partial(_work_on_places, work=work, places=self.places))

    def fetch(self, queries: Sequence[str]) -> list[Join]:
        """Return joins that contain the lists of some judged queries."""
        joins = self.lists.fetch(queries)
        return [joins[s] for s in self.places]

    def fetch_query(self, query: str) -> list[Join]:
        """Return joins that have the lists of a judged query."""
        joins = self.lists.fetch_query(query)
        return [joins[s] for s in self.places]


def _work_on_places(joins: list[Join], work: Callable[[list[Join]], Made], places: Sequence[int]) -> Made:
    return work([joins[s] for s in places])


@dataclass(frozen=True, kw_only=True)
class Partitioned(Lists):
    """Lists in buckets, which are read again where they are needed: from files, or from Spark.

    Attributes
    ----------
    fetched
        The joins of the queries whose lists were fetched before, by query.
    """

    fetched: dict[str, list[Join]] = field(default_factory=dict, repr=False)

    def read(self, queries: Sequence[str]) -> list[Join]:
        """Return the joins of the systems with the lists of some judged queries, all read at once."""
        raise NotImplementedError

    def map_buckets(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Call a function, which can be pickled, with the joins of each bucket in turn, and return its results."""
        raise NotImplementedError

    def fetch(self, queries: Sequence[str]) -> list[Join]:
        """Read the lists of some judged queries at once, and keep them for `fetch_query`."""
        joins = self.read(queries)
        self.fetched.update(dict.fromkeys(queries, joins))
        return joins

    def fetch_query(self, query: str) -> list[Join]:
        """Return the joins of the systems that have the lists of a judged query."""
        return self.fetched.get(query) or self.fetch([query])
