"""What a system's results say of how long its searches took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from idealrank.data.latency_columns import Clock


@dataclass(frozen=True, kw_only=True)
class TimeCounts:
    """How long searches took.

    Attributes
    ----------
    times
        By clock, the milliseconds of each query whose time is known.
    searched, failed
        The queries that were searched for, and those whose search failed.
    unread
        By clock, why a column that may be about something else was not read.
    """

    times: Annotated[Mapping[Clock, dict[str, float]], "nested"] = field(default_factory=dict)
    searched: Annotated[tuple[str, ...], "joined"] = ()
    failed: Annotated[tuple[str, ...], "joined"] = ()
    unread: Annotated[Mapping[Clock, str], "said"] = field(default_factory=dict)
