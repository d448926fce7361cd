"""The scheduler: every query is sent to every system, no faster than an engine bears, and its outcome is passed on."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from idealrank.data.formats.messages import quoted
from idealrank.data.ids import id_text
from idealrank.engines.engine import Engine, RateLimit, SearchError, SearchHits, Values, backoff
from idealrank.engines.systems import System
from idealrank.errors import DataError, UsageError, option, refuse_count

T = TypeVar("T")


class SearchJob(NamedTuple):
    """A search: which system is asked which query, for the first time (0) or again."""

    system: int
    place: int
    again: int


@dataclass(frozen=True)
class Limits:
    """How an engine is spared.

    Attributes
    ----------
    concurrency
        The number of requests at the same time.
    rate
        Requests per second at most; None for no limit.
    retries
        How often a request is sent again that may succeed later.
    stop_after
        After how many failures in a row a system is asked no more.
    batch
        The number of queries in one request.

    Raises
    ------
    UsageError
        If one of them is no number that makes sense.
    """

    concurrency: int = 4
    rate: float | None = None
    retries: int = 3
    stop_after: int = 10
    batch: int = 1

    def __post_init__(self) -> None:
        refuse_count("concurrency", self.concurrency)
        refuse_count("retries", self.retries, least=0)
        refuse_count("stop_after", self.stop_after)
        refuse_count("batch", self.batch)
        if self.rate is not None and not (isinstance(self.rate, (int, float)) and 0 < self.rate < math.inf):
            raise UsageError(
                f"{option('rate', str(self.rate))}: not a number of requests per second. Give one above 0."
            )


class ReplayStopped(NamedTuple):
    """Why a system is asked no more: its last failure, and whether every query would fail so."""

    error: SearchError
    hopeless: bool


OutcomeCallback = Callable[[SearchJob, SearchHits | SearchError, int], None]
"""Takes each outcome, with the number of requests it took."""

ValuesOf = Callable[[SearchJob], Values]

StartCallback = Callable[[int, Mapping[str, Any]], None]
"""Takes a system, and what its engine says about itself, before it is asked anything."""

_FETCHED = 100
"""Documents in one request for documents by their ids."""


def jobs(
    systems: Sequence[int], queries: int, repeat: int, batch: int, answered: Callable[[SearchJob], bool]
) -> Iterator[list[SearchJob]]:
    """Yield the searches in batches of one system each: query by query, each asked of all systems in turn.

    Which system is asked first changes from query to query, so that none always finds the caches warm.
    """
    for again in range(repeat):
        for begin in range(0, queries, batch):
            places = range(begin, min(begin + batch, queries))
            for turn in range(len(systems)):
                system = systems[(turn + begin // batch) % len(systems)]
                mine = [job for place in places if not answered(job := SearchJob(system, place, again))]
                if mine:
                    yield mine


class Scheduler:
    """A run over the searches.

    Parameters
    ----------
    answered
        The systems that answered an earlier run: what fails now is no reason to think that everything would.

    Attributes
    ----------
    stopped
        By system: why it is asked no more.
    about
        By system: what its engine says about itself.
    after
        By system: the same once all queries were asked, as far as it still answers.
    """

    def __init__(
        self, systems: Sequence[System], limits: Limits, values: ValuesOf, on_outcome: OutcomeCallback,
        begun: StartCallback, answered: Iterable[int] = (),
    ) -> None:  # fmt: skip
        self.stopped: dict[int, ReplayStopped] = {}
        self.about: dict[int, Mapping[str, Any]] = {}
        self.after: dict[int, Mapping[str, Any]] = {}
        self._systems, self._limits, self._values = systems, limits, values
        self._on_outcome, self._begun = on_outcome, begun
        self._failed = [0] * len(systems)
        self._answered = set(answered)
        self._pace = RateLimit(limits.rate)

    def run(self, left: Callable[[Sequence[int]], Iterator[list[SearchJob]]]) -> None:
        """Ask them all: engines within this process apart, since they would hold up the answers of the others.

        Parameters
        ----------
        left
            Returns the searches that are left, of some systems.
        """
        alone = [place for place, system in enumerate(self._systems) if system.engine.alone]
        others = [place for place, system in enumerate(self._systems) if not system.engine.alone]
        if others:
            _run_to_end(self._side_by_side(others, left(others)))
        if alone:
            run_without_waiting(self._one_by_one(alone, left(alone)))

    async def _one_by_one(self, places: Sequence[int], batches: Iterator[list[SearchJob]]) -> None:
        """Ask engines within this process, one query after the other, in the caller's thread."""
        async with self._open(places):
            for batch in batches:
                await self._work(batch)

    async def _side_by_side(self, places: Sequence[int], batches: Iterator[list[SearchJob]]) -> None:
        async def work() -> None:
            for batch in batches:
                await self._work(batch)

        async with self._open(places), asyncio.TaskGroup() as tasks:
            for _ in range(self._limits.concurrency):
                tasks.create_task(work())

    @contextlib.asynccontextmanager
    async def _open(self, places: Sequence[int]) -> Any:
        engines = {id(engine): engine for engine in (self._systems[place].engine for place in places)}
        async with contextlib.AsyncExitStack() as stack:
            described = {}
            for name, engine in engines.items():
                stack.push_async_callback(engine.close)
                described[name] = await _open_engine(engine)
            self.about |= {place: described[id(self._systems[place].engine)] for place in places}
            for place in places:
                self._begun(place, self.about[place])
            yield
            for name in {id(self._systems[place].engine) for place in places if place not in self.stopped}:
                with contextlib.suppress(SearchError):
                    described[name] = await engines[name].about()
            self.after |= {place: described[id(self._systems[place].engine)] for place in places}

    def fetch(self, engine: Engine, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        """Return documents by their ids, a hundred in one request after the other, as politely as queries are asked.

        Raises
        ------
        SearchError
            If the engine does not answer.
        """
        found = self._fetch_all(engine, ids)
        return run_without_waiting(found) if engine.alone else _run_to_end(found)

    async def _fetch_all(self, engine: Engine, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        found: dict[str, Mapping[str, Any]] = {}
        async with contextlib.AsyncExitStack() as stack:
            if not engine.alone:  # opening SQLite would index its documents once more
                stack.push_async_callback(engine.close)
                await engine.open()
            for begin in range(0, len(ids), _FETCHED):
                found |= await self._fetch_with_retries(engine, ids[begin : begin + _FETCHED])
        return found

    async def _fetch_with_retries(self, engine: Engine, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        """Ask for some documents as often as it is worth it."""
        for attempt in range(self._limits.retries + 1):
            if not engine.alone:
                await self._pace.turn()
            try:
                return await engine.documents(ids)
            except SearchError as error:
                if not error.again or attempt == self._limits.retries:
                    raise
                await self._wait([error], attempt + 1)
        raise AssertionError("the last attempt returns or raises")

    async def _work(self, batch: list[SearchJob]) -> None:
        system = batch[0].system
        if system in self.stopped:
            return
        outcomes = await self._outcomes(self._systems[system].engine, batch)
        self._count(system, [outcome for outcome, _ in outcomes])
        for job, (outcome, tries) in zip(batch, outcomes, strict=True):
            self._on_outcome(job, outcome, tries)

    def _count(self, system: int, outcomes: Sequence[SearchHits | SearchError]) -> None:
        """Count failures in a row; those of one request are one."""
        failures = [outcome for outcome in outcomes if isinstance(outcome, SearchError)]
        if len(failures) < len(outcomes):
            self._answered.add(system)
            self._failed[system] = 0
            return
        hopeless = failures[-1].hopeless and system not in self._answered
        if self._systems[system].engine.alone and not hopeless:
            return  # a function that fails for some queries is no server that is down
        self._failed[system] += 1
        if hopeless or self._failed[system] >= self._limits.stop_after:
            self.stopped.setdefault(system, ReplayStopped(failures[-1], hopeless))

    async def _outcomes(self, engine: Engine, batch: Sequence[SearchJob]) -> list[tuple[SearchHits | SearchError, int]]:
        """Return the outcome of each search, after as many tries as are worth it."""
        done: dict[SearchJob, tuple[SearchHits | SearchError, int]] = {}
        for attempt in range(self._limits.retries + 1):
            left = [job for job in batch if job not in done or _is_worth_retrying(done[job][0])]
            if not left:
                break
            if attempt:
                await self._wait([done[job][0] for job in left], attempt)
            for job, outcome in zip(left, await self._send(engine, left), strict=True):
                done[job] = (outcome, attempt + 1)
        return [done[job] for job in batch]

    async def _wait(self, failures: Sequence[SearchHits | SearchError], attempt: int) -> None:
        asked = [error.after for error in failures if isinstance(error, SearchError) and error.after is not None]
        if asked:
            self._pace.pause(max(asked))
        else:
            await asyncio.sleep(backoff(attempt - 1))

    async def _send(self, engine: Engine, batch: Sequence[SearchJob]) -> Sequence[SearchHits | SearchError]:
        if not engine.alone:
            await self._pace.turn()
        values = [self._values(job) for job in batch]
        try:
            if self._limits.batch > 1 and engine.batches:
                return await engine.ask_many(values)
            return [await self._ask(engine, one) for one in values]
        except SearchError as error:
            return [error] * len(batch)

    async def _ask(self, engine: Engine, values: Values) -> SearchHits:
        try:
            return await engine.ask(values)
        except DataError as error:  # the results cannot be read, and neither could the next ones
            raise DataError(f"query {quoted(id_text(values['query_id']))}, {error}") from None


async def _open_engine(engine: Engine) -> Mapping[str, Any]:
    """Connect to an engine and return what it says about itself."""
    try:
        await engine.open()
        return await engine.about()
    except SearchError as error:
        message = engine.without_secrets(f"{engine.address}: {error}")
        raise DataError(f"{message}. Is it running, and may you ask it?") from None


def _is_worth_retrying(outcome: SearchHits | SearchError) -> bool:
    return isinstance(outcome, SearchError) and outcome.again


def run_without_waiting(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns that waits for nothing.

    Not by an event loop: a notebook has one running, and a user's function is to be called in the caller's thread.
    """
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("an engine that is alone waits for something")


def _run_to_end(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns, also where an event loop runs already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _raise_first(asyncio.run, coroutine)
    with ThreadPoolExecutor(1) as pool:
        return _raise_first(lambda c: pool.submit(asyncio.run, c).result(), coroutine)


def _raise_first(run: Callable[[Coroutine[Any, Any, T]], T], coroutine: Coroutine[Any, Any, T]) -> T:
    """Return a result; of errors of several tasks, the first counts."""
    try:
        return run(coroutine)
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
