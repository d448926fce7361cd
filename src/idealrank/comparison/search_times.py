"""The times of two systems' searches, which queries have none, and what these could make of a limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from idealrank.comparison.pairing import Pair
from idealrank.data.latency_columns import Clock
from idealrank.errors import listed, plural
from idealrank.evaluation.latency import failed_of, search_times, searched_of
from idealrank.evaluation.values import Values

SLOWEST = 1e12
"""Milliseconds of a search without a time at its worst: more than any limit."""


class SearchTimes(NamedTuple):
    """How long the searches of a baseline and of a newcomer took.

    Attributes
    ----------
    before, after
        Milliseconds by query, of the baseline and of the newcomer.
    own
        The queries that the newcomer was searched for.
    asked
        Those that either was searched for.
    failed
        Those whose search failed, of each.
    """

    before: Mapping[str, float]
    after: Mapping[str, float]
    own: tuple[str, ...]
    asked: tuple[str, ...]
    failed: tuple[tuple[str, ...], tuple[str, ...]]

    def unknown(self, relative: bool) -> tuple[str, ...]:
        """Return the queries without a time: in the newcomer, or where a limit is relative in either."""
        if not relative:
            return tuple(query for query in self.own if query not in self.after)
        return tuple(query for query in self.asked if query not in self.before or query not in self.after)

    def filled(self, relative: bool, before: float, after: float) -> SearchTimes:
        """Return the times with those that are not known."""
        unknown = self.unknown(relative)
        return self._replace(
            before=dict.fromkeys(unknown, before) | {**self.before},
            after=dict.fromkeys(unknown, after) | {**self.after},
        )

    def ends(self, relative: bool) -> dict[str, SearchTimes]:
        """Return the times where unknown ones are as bad, and as good, for the newcomer as can be; {} without any."""
        if not self.unknown(relative):
            return {}
        return {"slowest": self.filled(relative, 0.0, SLOWEST), "fastest": self.filled(relative, SLOWEST, 0.0)}

    def why(self, relative: bool, names: int = 0) -> str:
        """Say how many searches failed and how many queries have no time; some by name, if asked for.

        Examples
        --------
        >>> times = SearchTimes({}, {"a": 1.0}, ("a", "b", "c"), ("a", "b", "c"), ((), ("b",)))
        >>> times.why(relative=False), times.why(relative=False, names=3)
        ('1 search failed and 1 query has no time', '1 search failed (b) and 1 query has no time (c)')
        """
        unknown = self.unknown(relative)
        every = {*self.failed[1], *(self.failed[0] if relative else ())}
        failed, rest = ([q for q in unknown if (q in every) == side] for side in (True, False))
        said = [f"{len(failed):,} {'search' if len(failed) == 1 else 'searches'} failed{_named(failed, names)}"]
        no_time = f"{plural(len(rest), 'query')} {'has' if len(rest) == 1 else 'have'} no time{_named(rest, names)}"
        return " and ".join(said * bool(failed) + [no_time] * bool(rest))


def _named(queries: list[str], most: int) -> str:
    return f" ({listed(queries, most)})" if most else ""


def pair_times(scores: Values, pair: Pair, clock: Clock) -> SearchTimes:
    """Return the times of two systems."""
    before, after = (search_times(scores, s, clock) for s in pair)
    first, own = (searched_of(scores, s) for s in pair)
    asked = tuple(dict.fromkeys((*first, *own)))
    return SearchTimes(before, after, own, asked, (failed_of(scores, pair.baseline), failed_of(scores, pair.system)))
