"""The columns that say how long a search took: their names, units, and whether a name is surely about searches."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

Clock = Literal["latency", "took"]
"""Whose time it is: ``latency``, the wall time as the client saw it; ``took``, the engine's own."""

CLOCK_NAMES: dict[Clock, str] = {"latency": "latency", "took": "engine time"}

WHOSE: dict[Clock, str] = {"latency": "wall time", "took": "the engine's own time"}

PREFIX: dict[Clock, str] = {"latency": "", "took": "took "}
"""What stands before the names of quantiles in columns of tables."""

UNITS = {
    "ms": 1.0, "msec": 1.0, "msecs": 1.0, "millis": 1.0, "millisecond": 1.0, "milliseconds": 1.0,
    "s": 1000.0, "sec": 1000.0, "secs": 1000.0, "second": 1000.0, "seconds": 1000.0,
    "us": 1e-3, "µs": 1e-3, "μs": 1e-3, "usec": 1e-3, "usecs": 1e-3, "micros": 1e-3, "microsecond": 1e-3,
    "microseconds": 1e-3, "ns": 1e-6, "nsec": 1e-6, "nanos": 1e-6, "nanosecond": 1e-6, "nanoseconds": 1e-6,
    "minute": 60_000.0, "minutes": 60_000.0,
}  # fmt: skip
"""Milliseconds in each unit, by the ending of a name; a name without an ending is in milliseconds."""

STEMS: dict[Clock, tuple[str, ...]] = {
    "latency": (
        "latency", "response_time", "response", "query_time", "search_time", "wall_time", "wall", "rtt", "elapsed",
        "elapsed_time", "duration", "time",
    ),
    "took": ("took", "qtime", "engine_time", "engine"),
}  # fmt: skip
"""Accepted names before their unit. Case and separators do not matter."""

UNIT_NEEDED = frozenset({"wall", "engine", "response", "query_time", "search_time", "rtt", "time"})
"""Names that mean something else without a unit."""

UNSURE = frozenset({"took", "elapsed", "elapsed_time"})
"""Names that may be about something else unless they have a unit."""

ALWAYS_UNSURE = frozenset({"duration", "time"})
"""Names that may be about the documents, such as the length of a film, in any unit."""

_BEGINNINGS = tuple(stem.replace("_", "") for stems in STEMS.values() for stem in stems)
_SEPARATORS = r"[\s_\-.()\[\]]+"
_CAMEL = r"(?<=[a-z])(?=[A-Z])"
_UNIT = rf"(.+?)(?:_in)?_?({'|'.join(unit for unit in UNITS if len(unit) > 1)})|(.+?)(?:_in)?_(s)"


class LatencyColumn(NamedTuple):
    """A column of times.

    Attributes
    ----------
    place
        Its place in the table.
    milliseconds
        How many milliseconds one of its units is.
    sure
        Whether its name can only be about searches, so that a value that is no time is refused.
    """

    place: int
    milliseconds: float
    sure: bool


def latency_column(names: Sequence[str], clock: Clock) -> LatencyColumn | None:
    """Return the column of a clock by its name, or None: the first that is surely about searches, else the first."""
    return min(latency_columns(names, clock), key=lambda column: not column.sure, default=None)


def latency_columns(names: Sequence[str], clock: Clock) -> list[LatencyColumn]:
    """Return the columns that are, by their names, about a clock.

    Examples
    --------
    >>> latency_columns(["query", "latency_ms"], "latency")
    [LatencyColumn(place=1, milliseconds=1.0, sure=True)]
    >>> latency_columns(["Took (s)"], "took"), latency_columns(["engines", "wall"], "took")
    ([LatencyColumn(place=0, milliseconds=1000.0, sure=True)], [])
    """
    named: dict[str, list[tuple[int, str]]] = {}
    for place, (called, unit) in enumerate(map(_split_name, names)):
        named.setdefault(called, []).append((place, unit))
    found = []
    for stem in STEMS[clock]:
        for place, unit in named.get(stem.replace("_", ""), ()):
            if unit or stem not in UNIT_NEEDED:
                sure = stem not in ALWAYS_UNSURE and (bool(unit) or stem not in UNSURE)
                found.append(LatencyColumn(place, UNITS.get(unit, 1.0), sure))
    return found


def clock_columns(names: Sequence[str]) -> dict[str, str]:
    """Return the column of each clock that surely has one.

    Examples
    --------
    >>> clock_columns(["query", "elapsed", "qtime"])
    {'took': 'qtime'}
    """
    found = {clock: latency_column(names, clock) for clock in STEMS}
    return {clock: names[column.place] for clock, column in found.items() if column is not None and column.sure}


@functools.lru_cache(maxsize=1 << 16)  # each is asked about for either clock
def _split_name(name: str) -> tuple[str, str]:
    """Split a name that may be about a clock into what it is about, without separators, and its unit."""
    if not "".join(filter(str.isalnum, name)).lower().startswith(_BEGINNINGS):
        return "", ""  # most names
    folded = re.sub(_SEPARATORS, "_", re.sub(_CAMEL, "_", name.strip())).strip("_").lower()
    form = re.fullmatch(_UNIT, folded)
    stem, unit = (form[1] or form[3], form[2] or form[4]) if form else (folded, "")
    return stem.replace("_", ""), unit
