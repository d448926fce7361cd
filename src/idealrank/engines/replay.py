"""replay: send every query to a search function, and keep the results."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from typing import Any

from idealrank.data.formats.messages import quoted
from idealrank.data.ids import id_text
from idealrank.data.queries import read_queries
from idealrank.data.read import read_results
from idealrank.data.results import Results
from idealrank.display.table import Table
from idealrank.engines.hits import hit
from idealrank.errors import DataError, plural, refuse_cutoff, visible_lines

Pairs = list[tuple[Any, float | None]]


@dataclass(frozen=True, eq=False)
class Replay(Results):
    """Results of a replay, with the outcome of each query.

    Attributes
    ----------
    account
        One row per query: state (answered, empty, failed), results, seconds, error.
    """

    account: Table = field(default_factory=lambda: Table({}))

    @property
    def failures(self) -> Table:
        """The queries whose call failed, with the error."""
        return self.account.take([i for i, state in enumerate(self.account["state"]) if state == "failed"])

    @property
    def line(self) -> str:
        """The account in one line."""
        states, seconds = self.account["state"], self.account["seconds"]
        counts = ", ".join(f"{states.count(state)} {state}" for state in ("answered", "empty", "failed"))
        slowest = self.account["query"][seconds.index(max(seconds))]
        return (
            f"{plural(len(states), 'query')}: {counts}; {math.fsum(seconds):.3f} s in all, "
            f"median {statistics.median(seconds):.3f} s, slowest {max(seconds):.3f} s ({slowest})"
        )

    def __repr__(self) -> str:
        return f"Replay({self.label!r}, {self.line})"


def replay(
    queries: Any,
    search: Callable[[str], Iterable[Any]],
    *,
    k: int = 50,
    name: str = "replay",
    progress: bool | None = None,
) -> Replay:
    """Call a search function for every query and collect its results.

    Parameters
    ----------
    queries
        The texts of the queries, which are then also their ids; ``{id: text}``; or a table of queries (a path,
        a dataframe, a dict of columns) with an id and a text.
    search
        Takes a text and returns document ids in rank order, or tuples that begin with the id and the score,
        or objects or dicts that have an `id`, else a `doc_id`, else one in their `metadata`; or ``{id: score}``,
        with the greatest score first. An exception counts as a failed search for this query and does not stop
        the others; `evaluate` and `compare` distinguish it from a search that found nothing.
    k
        Keep the first k results.
    name
        The system's name.
    progress
        Show a progress bar on standard error; None: when it is a terminal.

    Raises
    ------
    DataError
        If there is no query, a result has no text or whole number as its id, or a score is not finite.
    UsageError
        If k is not a whole number from 1 up.

    Examples
    --------
    >>> answers = replay(["shoes", "hats"], lambda text: ["d1", "d2"] if text == "shoes" else [])
    >>> answers.account["state"]
    ['answered', 'empty']
    """
    from idealrank.display.progress import tracked

    refuse_cutoff(k)
    texts = _texts(queries)
    rows: dict[str, list[Any]] = {"query_id": [], "query": [], "doc_id": [], "rank": [], "score": [], "error": []}
    account: dict[str, list[Any]] = {"query": [], "text": [], "state": [], "results": [], "seconds": [], "error": []}
    for key, text in tracked(texts.items(), len(texts), "replaying", progress):
        answer, seconds, error = _ask(search, key, text, k)
        state = "failed" if error else "answered" if answer else "empty"
        _append(account, (id_text(key), text, state, len(answer), seconds, error))
        # A query without results is a row without a document.
        for place, (doc, score) in enumerate(answer or [(None, None)], 1):
            _append(rows, (key, text, doc, place, score, error))
    if all(score is None for score in rows["score"]):
        del rows["score"]
    results = read_results(rows, name=name)
    columns = {item.name: getattr(results, item.name) for item in fields(Results)}
    return Replay(**columns, account=Table(account, "replay"))


def _append(columns: dict[str, list[Any]], row: tuple[Any, ...]) -> None:
    for column, value in zip(columns.values(), row, strict=True):
        column.append(value)


def _texts(queries: Any) -> dict[Any, str]:
    """Return ``{id: text}``; a DataError if there is no query."""
    if isinstance(queries, Mapping) and all(isinstance(text, str) for text in queries.values()):
        texts = dict(queries)
    elif isinstance(queries, (str, PathLike, Mapping)) or hasattr(queries, "__arrow_c_stream__"):
        texts = _from_table(queries)
    else:
        texts = {text: text for text in queries}
    if not texts:
        raise DataError("No queries to replay. Give at least one.")
    return texts


def _from_table(source: Any) -> dict[Any, str]:
    table = read_queries(source)
    if not table.text:
        raise DataError(f"{table.name}: no column with the queries' texts. Give one called query or text.")
    return {key: str(text) for key, text in table.attributes[table.text].items() if text is not None}


def _ask(search: Callable[[str], Iterable[Any]], key: Any, text: str, k: int) -> tuple[Pairs, float, str]:
    begin = time.perf_counter()
    try:
        answer = _pairs(search(text), k)
    except DataError as error:  # the results cannot be read, and neither could the next ones
        raise DataError(f"query {quoted(id_text(key))}, {error}") from None
    except Exception as error:  # the user's function may raise anything; the query is counted as failed
        return [], time.perf_counter() - begin, visible_lines(f"{type(error).__name__}: {error}")
    return answer, time.perf_counter() - begin, ""


def _pairs(answer: Any, k: int) -> Pairs:
    if isinstance(answer, (str, bytes)):
        raise TypeError(f"the search function returned the text {answer[:40]!r}, not a list of document ids")
    if isinstance(answer, Mapping) and any(isinstance(score, (Mapping, list)) for score in answer.values()):
        raise DataError(_WHOLE.format(", ".join(map(str, answer))[:40]))
    items = sorted(answer.items(), key=_by_score) if isinstance(answer, Mapping) else answer
    return [_hit(rank, item) for rank, item in zip(range(1, k + 1), items, strict=False)]


_WHOLE = (
    "the search function returned a dict with {}, which is not {{id: score}}. Return the documents of the response in "
    'rank order: for Elasticsearch and OpenSearch [(hit["_id"], hit["_score"]) for hit in response["hits"]["hits"]].'
)


def _hit(rank: int, item: Any) -> tuple[Any, float | None]:
    try:
        return hit(item)
    except DataError as error:
        raise DataError(f"rank {rank}: {error}") from None


def _by_score(item: tuple[Any, Any]) -> float:
    """Put the greatest score first, as in a dict of dicts, and NaN before it; equal scores keep their order."""
    score = float(item[1])
    return -math.inf if math.isnan(score) else -score
