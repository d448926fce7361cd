"""Failures: the queries whose search failed, as a table of results says in a column of states or of errors."""

from dataclasses import dataclass, field

import numpy as np

from idealrank._core import Column
from idealrank.arrays import Ints, Mask
from idealrank.data.ids import id_text
from idealrank.data.roles import fold
from idealrank.errors import DataError, listed, plural

FAILED = frozenset(
    {"failed", "failure", "error", "errored", "timeout", "timedout", "exception", "cancelled", "aborted"}
)
"""States of a search that failed, folded; a number from 400 up, as HTTP has it, is one, too."""

FINE = frozenset({"", "ok", "fine", "success", "succeeded", "answered", "empty", "done", "complete", "completed"})
"""States of a search that was answered, be it with nothing; a number below 400 is one, too."""

NO_ERROR = frozenset({"", "none", "null", "nan", "no", "false", "ok", "-"})
"""What stands in a column of errors where there is none, folded."""


@dataclass(frozen=True)
class Failures:
    """What failed in a table of results.

    Attributes
    ----------
    queries
        By system (its place; 0 where the table holds one): the failed queries, each with what is said of it.
    rows
        (N,) which rows belong to a failed query of their system; they are no results.
    """

    queries: dict[int, dict[str, str]] = field(default_factory=dict)
    rows: Mask = field(default_factory=lambda: np.zeros(0, np.bool_))

    def of(self, system: int | None) -> dict[str, str]:
        """Return the failed queries of a system; of every one for None."""
        if system is not None:
            return self.queries.get(system, {})
        return {query: said for queries in self.queries.values() for query, said in queries.items()}


def failed_rows(states: Column | None, errors: Column | None, without_document: Mask, name: str) -> dict[int, str]:
    """Return the rows that say their search failed, each with what it says.

    Parameters
    ----------
    states, errors
        The columns of states (failed, timeout, 503 …) and of errors (a message, or nothing).
    without_document
        (N,) which rows name no document: only there a state must be a known word.

    Raises
    ------
    DataError
        If such a row has a state that is neither failed nor fine.
    """
    said: dict[int, str] = {}
    for row, text in _texts(errors):
        if _failed(text) or (not _is_number(text) and fold(text) not in NO_ERROR):
            said[row] = text
    for row, text in _texts(states):
        if _failed(text):
            said.setdefault(row, text)
        elif without_document[row] and fold(text) not in FINE and not _is_number(text):
            raise DataError(
                f"{name} row {row}: the state {text!r} is neither failed nor fine. "
                f"Failed is one of {listed(sorted(FAILED))}, or a number from 400 up; "
                f"fine is one of {listed(sorted(FINE - {''}))}, or empty."
            )
    return said


def failures_in(said: dict[int, str], query: Column, system: Ints) -> Failures:
    """Return the failed queries of each system, and their rows.

    Parameters
    ----------
    said
        By row: what it says failed.
    system
        (N,) place of each row's system.
    """
    code, ids = query.codes()
    group = system * (code.max(initial=0) + 1) + code
    queries: dict[int, dict[str, str]] = {}
    for row in sorted(said):
        (key,) = ids.to_list(np.array([code[row]]))
        queries.setdefault(int(system[row]), {}).setdefault(id_text(key), said[row])
    return Failures(queries, np.isin(group, group[list(said)]))


def first_error(failed: dict[str, str]) -> str:
    """Say how many queries failed, which, and what the first says.

    Examples
    --------
    >>> first_error({"q1": "TimeoutError: 5 s", "q4": "failed"})
    '2 queries (q1, q4; the first says: TimeoutError: 5 s)'
    """
    said = next((text for text in failed.values() if fold(text) not in FAILED), "")
    more = f"; the first says: {' '.join(said.split())[:80]}" if said else ""
    return f"{plural(len(failed), 'query')} ({listed(list(failed))}{more})"


def _texts(column: Column | None) -> list[tuple[int, str]]:
    values = [] if column is None else column.to_list(None)
    return [(row, str(value).strip()) for row, value in enumerate(values) if value is not None]


def _failed(text: str) -> bool:
    return fold(text) in FAILED or (_is_number(text) and float(text) >= 400)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
