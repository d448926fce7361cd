"""Waiting: how long until a request is sent, so that an engine is not asked more than it can bear."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST = 300.0
"""Seconds that an engine may ask to be left alone; a longer time is cut to it."""

_FIRST, _MOST = 0.25, 30.0


class Pace:
    """When the next request may be sent.

    Parameters
    ----------
    rate
        Requests per second; None for no limit.
    """

    def __init__(self, rate: float | None) -> None:
        self._between = 0.0 if rate is None else 1 / rate
        self._next = self._resumed = 0.0

    async def turn(self) -> None:
        """Wait for a turn."""
        while True:
            now = time.monotonic()
            at = max(now, self._next, self._resumed)
            self._next = at + self._between if self._between else self._next
            if at > now:
                await asyncio.sleep(at - now)
            if self._resumed <= time.monotonic():
                return

    def pause(self, seconds: float) -> None:
        """Send nothing for a while: the engine asked for it."""
        self._resumed = max(self._resumed, time.monotonic() + min(seconds, LONGEST))


def backoff(attempt: int) -> float:
    """Return the seconds to wait after a failed attempt, 0 for the first: doubled each time, by chance up to twice."""
    return float(min(_FIRST * 2**attempt, _MOST) * random.uniform(1, 2))


def retry_after(header: str) -> float | None:
    """Return the seconds of a Retry-After header, which is a number or a date; None if it is neither.

    Source: RFC 9110, section 10.2.3.

    Examples
    --------
    >>> retry_after("120"), retry_after("soon"), retry_after("Wed, 21 Oct 2015 07:28:00 GMT")
    (120.0, None, 0.0)
    """
    if header.strip().isdecimal() and header.isascii():
        return float(header)
    with contextlib.suppress(ValueError, TypeError):
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    return None
