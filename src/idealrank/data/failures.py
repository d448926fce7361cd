"""Failures: the queries whose search failed, as a table of results says in a column of states or of errors."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from idealrank._core import Column
from idealrank.arrays import Ints, Mask
from idealrank.data.ids import id_text
from idealrank.data.roles import fold
from idealrank.errors import DataError, listed, plural

FAILED = re.compile(
    r"fail|error|timeout|timed[\s_-]*out|exception|abort|cancel|refused|denied|unavailable|too[\s_-]*many[\s_-]*requests",
    re.IGNORECASE,
)
"""Words in the state of a search that failed; a number from 400 to 599, as HTTP has it, is one, too."""

FAILED_WORDS = "failed, error, timeout, exception, aborted, cancelled, refused, denied, unavailable"
"""The same as a message names them."""

FINE = frozenset({"", "ok", "fine", "success", "succeeded", "answered", "empty", "done", "complete", "completed"})
"""States of a search that was answered, be it with nothing; a number from 100 to 399 is one, too."""

_NONE_OF_IT = re.compile(
    r"\b(?:no|not|without|0)[\s_-]*(?:errors?|failures?|failed|fail|timeouts?|exceptions?|aborted|cancelled)\b",
    re.IGNORECASE,
)

NO_ERROR = frozenset({"", "none", "null", "nan", "no", "false", "ok", "-", "noerror", "noerrors"})
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


def failed_rows(
    states: Column | None, errors: Column | None, without_document: Mask, place: Callable[[int], str]
) -> dict[int, str]:
    """Return the rows that say their search failed, each with what it says.

    Parameters
    ----------
    states, errors
        The columns of states (failed, timeout, 503 …) and of errors (a message, or nothing).
    without_document
        (N,) which rows name no document.
    place
        Says where a row stands.

    Raises
    ------
    DataError
        If a state is neither failed nor fine, in a row without a document or among others that are: a column of which
        no word is known, and all rows have a document, is about something else.
    """
    said = {row: text for row, text in _texts(errors) if _failed(text) or _is_error(text)}
    unknown: list[tuple[int, str]] = []
    known = False
    for row, text in _texts(states):
        if _failed(text):
            said.setdefault(row, text)
        elif not _fine(text):
            unknown.append((row, text))
        known |= bool(text) and (_failed(text) or _fine(text))
    for row, text in unknown:
        if known or without_document[row]:
            raise DataError(
                f"{place(row)}: the state {text!r} is neither failed nor fine. Failed is what holds one of "
                f"{FAILED_WORDS}, or a number from 400 to 599; fine is {', '.join(sorted(FINE - {''}))}, a number "
                "below 400, or nothing. A column about something else needs another name."
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


def first_error(failed: Mapping[str, str]) -> str:
    """Say how many queries failed, which, and what the first says.

    Examples
    --------
    >>> first_error({"q1": "failed", "q4": "TimeoutError: 5 s"})
    '2 queries (q1, q4; q4 says: TimeoutError: 5 s)'
    """
    telling = ((query, text) for query, text in failed.items() if not text.isalpha())
    query, text = next(telling, ("", ""))
    more = f"; {query} says: {' '.join(text.split())[:80]}" if text else ""
    return f"{plural(len(failed), 'query')} ({listed(list(failed))}{more})"


def _texts(column: Column | None) -> list[tuple[int, str]]:
    values = [] if column is None else column.to_list(None)
    return [(row, str(value).strip()) for row, value in enumerate(values) if value is not None]


def _failed(text: str) -> bool:
    return bool(FAILED.search(_NONE_OF_IT.sub("", text))) or any(400 <= code < 600 for code in _codes(text))


def _fine(text: str) -> bool:
    return fold(text) in FINE or any(100 <= code < 400 for code in _codes(text))


def _codes(text: str) -> list[int]:
    """Return the whole numbers of three digits in a text: codes of HTTP."""
    return [int(code) for code in re.findall(r"(?<![\d.])\d{3}(?![\d]|\.[1-9])", text)]


def _is_error(text: str) -> bool:
    """Whether a column of errors says that something went wrong: any words but those for nothing."""
    return fold(text) not in NO_ERROR and not re.fullmatch(r"[-+\d.eE]+", text)
