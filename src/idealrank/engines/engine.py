"""Engines: what every engine does for a replay: it answers a query, shows its request, and says what it is."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

from idealrank.engines.credentials import hide
from idealrank.errors import IdealrankError

T = TypeVar("T")

Values = Mapping[str, Any]
"""The values of one query by name: query, query_id, k, the columns of the queries, the settings of the system."""

Document = Mapping[str, Any]


@dataclass(frozen=True)
class SearchHits:
    """What an engine answered to a query.

    Attributes
    ----------
    hits
        The id and the score of each document, in rank order.
    documents
        The fields of those documents that were asked for, by id.
    latency
        Milliseconds from the request to the end of the answer; None if it cannot be told, as for one of a batch.
    took
        Milliseconds the engine says it took; None if it does not.
    raw
        The answer as it came.
    explained
        How the score of each document came about, as the engine says it, by id.
    cut
        Whether the engine says that it stopped before it had looked at everything, because it was asked to.
    """

    hits: Sequence[tuple[Any, float | None]]
    documents: Mapping[Any, Document] = field(default_factory=dict)
    latency: float | None = None
    took: float | None = None
    raw: str = ""
    explained: Mapping[Any, Any] = field(default_factory=dict)
    cut: bool = False


class SearchError(IdealrankError):
    """A search that was not answered.

    Parameters
    ----------
    again
        Whether the same request may succeed later.
    after
        Seconds the engine asks to be left alone.
    hopeless
        Whether every query would fail in the same way, unless one was answered before.
    raw
        The answer, if there was one.
    latency
        Milliseconds until it failed, if they are known.
    status
        The status of HTTP; None if there was none.
    timed_out
        Whether it had begun, and time was up.
    """

    def __init__(
        self,
        message: str,
        *,
        again: bool = False,
        after: float | None = None,
        hopeless: bool = False,
        raw: str = "",
        latency: float | None = None,
        status: int | None = None,
        timed_out: bool = False,
    ) -> None:
        super().__init__(message)
        self.again, self.after, self.hopeless, self.raw = again, after, hopeless, raw
        self.latency, self.status, self.timed_out = latency, status, timed_out


@dataclass(frozen=True)
class SearchOptions:
    """What is asked of every engine.

    Attributes
    ----------
    k
        The number of results wanted.
    fields
        Fields of the documents that come along.
    timeout
        Seconds a request may take in all.
    headers
        ``{name: value}`` sent along; ``${NAME}`` stands for a variable of the environment.
    user
        ``name:${PASSWORD}``, for engines that ask for a name and a password.
    tls
        ``verified``, ``unverified``, or a file of certificates to trust.
    explain
        Whether the engine is to say how each score came about.
    secrets
        Whether variables of the environment, the netrc and the proxies of the environment are used at all.
    """

    k: int = 50
    fields: tuple[str, ...] = ()
    timeout: float = 30.0
    headers: Mapping[str, str] = field(default_factory=dict)
    user: str = ""
    tls: str = "verified"
    explain: bool = False
    secrets: bool = True


class Engine(ABC):
    """An engine with one template: a system."""

    kind = ""
    """Which engine it is, as the first word of its address."""

    template = ""
    """The text of its template."""

    origin = ""
    """The file of the template; "" for the engine's own."""

    content = ""
    """A hash of the documents, of an engine that indexes them itself."""

    address = ""
    """Where it is, without anything secret."""

    batches = False
    """Whether it answers several queries in one request."""

    alone = False
    """Whether it answers within this process, one query after the other."""

    explains = False
    """Whether it can say how the score of a document came about."""

    fetches = False
    """Whether it returns documents by their ids."""

    @property
    @abstractmethod
    def names(self) -> frozenset[str]:
        """Names of the values that its template needs."""

    @property
    def takes(self) -> frozenset[str]:
        """Names of the values that it is given where there are any: those it needs, and those it can do without."""
        return self.names

    @abstractmethod
    def describe_request(self, values: Values) -> str:
        """Return the request for a query as text, without anything secret."""

    async def open(self) -> None:  # noqa: B027 - most engines within this process have nothing to open
        """Connect."""

    async def close(self) -> None:  # noqa: B027
        """Let go of what `open` took."""

    async def about(self) -> dict[str, Any]:
        """Return what the engine says about itself: version, index, documents, as far as it does.

        What tells one state of the index from another is its ``uuid`` and the ``index_version`` of its contents.

        Raises
        ------
        SearchError
            If it cannot be reached at all.
        """
        return {}

    @abstractmethod
    async def ask(self, values: Values) -> SearchHits:
        """Answer a query.

        Raises
        ------
        SearchError
            If it was not answered.
        """

    async def ask_many(self, batch: Sequence[Values]) -> list[SearchHits | SearchError]:
        """Answer several queries in one request, each with its answer or its failure."""
        raise NotImplementedError(f"{self.kind} has no batches")

    async def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return the fields that were asked for of some documents; those that are not there are left out.

        Raises
        ------
        SearchError
            If it was not answered.
        """
        raise NotImplementedError(f"{self.kind} returns no documents by id")

    @property
    def secrets(self) -> frozenset[str]:
        """Passwords, tokens and keys, which must not be seen."""
        return frozenset()

    def without_secrets(self, value: T) -> T:
        """Return a text, or a value of JSON, without passwords and tokens in any of its texts."""
        hidden: T = hide(value, self.secrets)
        return hidden


# Waiting.


LONGEST = 300.0
"""Seconds that an engine may ask to be left alone; a longer time is cut to it."""

_FIRST, _MOST = 0.25, 30.0
"""Seconds to wait after the first failure, and at most."""


class RateLimit:
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
    # By chance, so that requests that failed together are not sent together again.
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
