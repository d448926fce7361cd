"""replay: send every query to one or several engines, and keep the results."""

from __future__ import annotations

import math
import statistics
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict, Unpack

from idealrank.data.ids import id_text
from idealrank.data.read import read_results
from idealrank.data.results import Results
from idealrank.decisions.decisions import refuse_others, value_or_keywords, with_keywords
from idealrank.display.table import Table
from idealrank.engines.address import Address
from idealrank.engines.engine import SearchOptions
from idealrank.engines.journal import SearchAnswer, SystemAnswers
from idealrank.engines.queries import read_replay_queries
from idealrank.engines.replay_files import COLUMNS, make_folders, result_rows
from idealrank.engines.run import ReplayRun
from idealrank.engines.scheduler import Limits
from idealrank.engines.systems import grid, make_systems
from idealrank.errors import UsageError, option, plural, refuse_count, refuse_cutoff

Search = Callable[..., Iterable[Any]]
Engines = str | Address | Search | Sequence[str | Address | Search]


@dataclass(frozen=True, eq=False)
class Replay(Results):
    """Results of a replay, with the outcome of each query.

    Attributes
    ----------
    account
        One row per query and system: system, query, text, state (answered, empty, failed), results, seconds, took
        (the engine's own seconds), error.
    documents
        ``{document id: {field: value}}`` of the fields that were asked for.
    notes
        What else to know: lists that all end at one length, an index that changed, ids that came back twice.
    """

    account: Table = field(default_factory=lambda: Table({}))
    documents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def failures(self) -> Table:
        """The queries whose call failed, with the error."""
        return self.account.take([i for i, state in enumerate(self.account["state"]) if state == "failed"])

    @property
    def line(self) -> str:
        """The account in one line."""
        states = self.account["state"]
        counts = ", ".join(f"{states.count(state)} {state}" for state in ("answered", "empty", "failed"))
        return f"{plural(len(states), 'query')}: {counts}{self._times_text()}"

    def _times_text(self) -> str:
        rows = zip(*(self.account[name] for name in ("seconds", "query", "state")), strict=True)
        known = [(seconds, query) for seconds, query, state in rows if seconds is not None and state != "failed"]
        if not known:
            return ""
        seconds = [second for second, _ in known]
        slowest, query = max(known, key=lambda one: one[0])
        return (
            f"; {math.fsum(seconds):.3f} s in all, median {statistics.median(seconds):.3f} s, "
            f"slowest {slowest:.3f} s ({query})"
        )

    def __repr__(self) -> str:
        return f"Replay({', '.join(map(repr, self.systems))}, {self.line})"


class ReplayKeywords(TypedDict, total=False):
    """The keywords of `replay` that are short for the fields of `Limits`."""

    concurrency: int
    """Requests at the same time."""

    rate: float | None
    """Requests per second at most."""

    retries: int
    """Further tries of what may succeed later."""

    stop_after: int
    """After how many failures in a row a system is asked no more."""

    batch: int
    """Queries in one request."""


@with_keywords(ReplayKeywords)
def replay(
    queries: Any,
    engine: Engines,
    *,
    k: int = 50,
    name: str | None = None,
    output: str | PathLike[str] | None = None,
    settings: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]] | None = None,
    fields: Sequence[str] = (),
    limits: Limits | None = None,
    timeout: float = 30.0,
    repeat: int = 1,
    raw: bool = False,
    headers: Mapping[str, str] | None = None,
    user: str | None = None,
    tls: str = "verified",
    anew: bool = False,
    judgments: Any = None,
    explain: bool = False,
    progress: bool | None = None,
    **keywords: Unpack[ReplayKeywords],
) -> Replay:
    """Ask one or several engines every query and collect their results.

    Parameters
    ----------
    queries
        The texts of the queries, which are then also their ids; ``{id: text}``; or a table of queries (a path,
        a dataframe, a dict of columns) with an id and a text. Templates may name its other columns.
    engine
        The address of an engine, a search function, or several of them:
        ``opensearch+http://HOST:9200/INDEX?template=query.json``, ``elasticsearch+…``, ``solr+…``, ``vespa+…``,
        ``postgresql://…?template=query.sql``, ``http+https://…``, ``sqlite:documents.csv``, ``python:module:function``.
        A name and = before it name the system. A search function takes a text and returns document ids in rank order,
        or tuples that begin with the id and the score, or objects or dicts that have an `id`, else a `doc_id`, else
        one in their `metadata`; or ``{id: score}``, with the greatest score first. It is given `k` and the settings
        that its signature names. An exception counts as a failed search for this query and does not stop the others;
        `evaluate` and `compare` distinguish it from a search that found nothing.
    k
        Keep the first k results.
    name
        The system's name, if there is one engine.
    output
        A folder for a table of results per system, records of what was asked, and a journal, with which an
        interrupted run goes on where it stopped. Without: nothing is written.
    settings
        ``{name: values}`` for the templates: every combination is a system. Or a list of ``{name: value}``.
    fields
        Fields of the documents that come along.
    limits
        `Limits`: how an engine is spared; None: they are made of `keywords`.
    timeout
        Seconds for a request.
    repeat
        How often each query is asked; its times are then medians, and its list is the first one.
    raw
        Also write the answers as they came.
    headers, user
        Sent along. ``${NAME}`` stands for a variable of the environment; a name and a password are also found in the
        netrc.
    tls
        ``verified``, ``unverified``, or a file of certificates to trust.
    anew
        Start over where an earlier run into the same folder was interrupted.
    judgments
        Judgments (anything `read_judgments` takes): the `fields` of judged documents that no system returned are
        fetched by their ids, so that a report shows them too. OpenSearch, Elasticsearch, Solr and ``sqlite:``.
    explain
        Let the engine say how each score came about, and write it to NAME.explain.jsonl. OpenSearch, Elasticsearch
        and Solr. It makes searches slower.
    progress
        Show a progress bar; None: on a terminal, and below the cell of a notebook.
    **keywords
        Short for the fields of `Limits`: ``concurrency`` [4]: requests at the same time. A search function is called
        once at a time, unless it is a coroutine function, and after the other engines; ``rate``, ``timeout``,
        ``retries`` and ``stop_after`` are not for it. ``rate``: requests per second at most. ``retries`` [3]: how often
        a request is sent again that was refused for the time being (429, 500, 502, 503, 504, no connection), with
        growing waits, or as long as the engine asks for (Retry-After). ``stop_after`` [10]: after how many failures in
        a row a system is asked no more. ``batch`` [1]: queries in one request, for engines with batches (``_msearch``);
        they have no wall time of their own.

    Raises
    ------
    DataError
        If there is no query, an engine cannot be reached or fails too often, a result has no text or whole number
        as its id, or a score is not finite.
    UsageError
        If an address, a template or an option cannot be used.

    Examples
    --------
    >>> answers = replay(["shoes", "hats"], lambda text: ["d1", "d2"] if text == "shoes" else [])
    >>> answers.account["state"]
    ['answered', 'empty']
    """
    refuse_cutoff(k)
    limits = value_or_keywords(Limits, "limits", limits, refuse_others(keywords, replay))
    _refuse_texts(fields, settings)
    refuse_timeout(timeout)
    wishes = SearchOptions(k, tuple(fields), timeout, dict(headers or {}), user or "", tls, explain)
    refuse_count("repeat", repeat)
    engines = [engine] if isinstance(engine, str | Address) or callable(engine) else list(engine)
    points = grid(settings) if isinstance(settings, Mapping) else list(settings or [])
    systems = make_systems(engines, name or "", wishes, points)
    if raw and output is None:
        raise UsageError("raw=True writes the answers as they came. Say where: output=FOLDER.")
    if explain and output is None:
        raise UsageError("explain=True writes how the scores came about. Say where: output=FOLDER.")
    run = ReplayRun(systems, read_replay_queries(queries), wishes, limits, repeat, raw, anew, output is not None)
    with tempfile.TemporaryDirectory() if output is None else nullcontext(str(output)) as folder:
        beside = make_folders(Path(folder))
        with run.ask(beside, progress) as every:
            more = run.fetch_judged(every, beside, judgments)
            found = _make_replay(every, more.documents) if every else None
            accounts = run.write(Path(folder), beside, every, more.documents)
            notes = [f"{a.system.name}: {note}" for a, of in zip(every, accounts, strict=True) for note in of.notes]
    assert found is not None, "where every system was stopped, that was said"
    return replace(found, notes=(*notes, *filter(None, [more.text])))


def _refuse_texts(fields: Any, settings: Any) -> None:
    """Refuse a text where several names or values are asked for: its letters would be taken for them."""
    if isinstance(fields, str):
        raise UsageError(f"fields={fields!r}: give the names in a list: fields=[{fields!r}].")
    if isinstance(settings, Mapping):
        wrong = next((name for name, values in settings.items() if isinstance(values, str)), None)
        if wrong is not None:
            raise UsageError(f"settings: give the values of {wrong} in a list: {{{wrong!r}: [{settings[wrong]!r}]}}.")


def refuse_timeout(timeout: float) -> None:
    """Refuse a timeout that is no time.

    Raises
    ------
    UsageError
        If it is not above 0.
    """
    if not 0 < timeout < math.inf:
        raise UsageError(f"{option('timeout', f'{timeout:g}')}: not a number of seconds. Give one above 0.")


def _make_replay(every: Sequence[SystemAnswers], more: Mapping[str, Mapping[str, Any]]) -> Replay:
    rows: dict[str, list[Any]] = {column: [] for column in ("system", *COLUMNS)}
    account: dict[str, list[Any]] = {
        column: [] for column in ("system", "query", "text", "state", "results", "seconds", "took", "error")
    }
    for answers in every:
        for answer in answers:
            _append_row(account, (answers.system.name, *_account_row(answer)))
            for row in result_rows(answer):
                _append_row(rows, (answers.system.name, *row))
    for column in ("score", "latency_ms", "took_ms"):
        if all(value is None for value in rows[column]):
            del rows[column]
    if len(every) == 1:
        del rows["system"]
    results = read_results(rows, name=every[0].system.name if len(every) == 1 else "replay")
    columns = {item.name: getattr(results, item.name) for item in fields(Results)}
    documents = {id_text(key): dict(found) for answers in every for key, found in answers.documents()}
    documents |= {key: dict(found) for key, found in more.items()}
    return Replay(**columns, account=Table(account, "replay"), documents=documents)


def _account_row(answer: SearchAnswer) -> tuple[Any, ...]:
    times = (None if time is None else time / 1000 for time in (answer.latency, answer.took))
    return id_text(answer.key), answer.text, answer.state, len(answer.hits), *times, answer.error


def _append_row(columns: dict[str, list[Any]], row: tuple[Any, ...]) -> None:
    for column, value in zip(columns.values(), row, strict=True):
        column.append(value)
