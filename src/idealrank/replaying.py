"""replay: ask a search function every query, and keep what came back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from idealrank.errors import DataError
from idealrank.table import Table
from idealrank.tables import Results, read_results


@dataclass(frozen=True, eq=False)
class Replay(Results):
    """Results of a replay, with what happened to each query.

    Attributes
    ----------
    account
        One row a query: state (answered, empty, failed), results, seconds, error.
    """

    account: Table = field(default_factory=lambda: Table({}))

    @property
    def failures(self) -> Table:
        """The queries whose call failed, with the error."""
        return self.account.take([i for i, state in enumerate(self.account["state"]) if state == "failed"])


def replay(
    queries: Iterable[str] | Mapping[Any, str],
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
        The queries' texts, which are then their ids, or ``{id: text}``.
    search
        Takes a text and returns document ids in rank order, or (id, score) pairs. An exception is
        counted as a failure of this query and does not stop the others.
    k
        Keep the first k results.
    progress
        Show a progress bar on standard error; None: when it is a terminal.

    Examples
    --------
    >>> found = replay(["shoes", "hats"], lambda text: ["d1", "d2"] if text == "shoes" else [])
    >>> found.account["state"]
    ['answered', 'empty']
    """
    from idealrank.report.progress import tracked

    asked = dict(queries) if isinstance(queries, Mapping) else {text: text for text in queries}
    if not asked:
        raise DataError("No queries to replay. Give at least one.")
    rows: dict[str, list[Any]] = {"query_id": [], "doc_id": [], "rank": [], "score": []}
    account: dict[str, list[Any]] = {"query": [], "text": [], "state": [], "results": [], "seconds": [], "error": []}
    for key, text in tracked(asked.items(), len(asked), "replaying", progress):
        answer, seconds, error = _ask(search, text, k)
        state = "failed" if error else "answered" if answer else "empty"
        for column, value in zip(account.values(), (str(key), text, state, len(answer), seconds, error), strict=True):
            column.append(value)
        for place, (doc, score) in enumerate(answer or [(None, None)], 1):
            for column, value in zip(rows.values(), (key, doc, place, score), strict=True):
                column.append(value)
    if all(score is None for score in rows["score"]):
        del rows["score"]
    found = read_results(rows, name=name)
    return Replay(found.source, found.roles, found.doc, name, account=Table(account, "replay"))


def _ask(
    search: Callable[[str], Iterable[Any]], text: str, k: int
) -> tuple[list[tuple[Any, float | None]], float, str]:
    begin = time.perf_counter()
    try:
        answer = [_pair(item) for _, item in zip(range(k), search(text), strict=False)]
    except Exception as error:  # the user's function may raise anything; the query is counted as failed
        return [], time.perf_counter() - begin, f"{type(error).__name__}: {error}"
    return answer, time.perf_counter() - begin, ""


def _pair(item: Any) -> tuple[Any, float | None]:
    return (item[0], float(item[1])) if isinstance(item, (tuple, list)) else (item, None)
