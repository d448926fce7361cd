"""Failures: the queries whose search failed, from a status or error column in a table of results."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from idealrank._core import Column
from idealrank.arrays import Ints, Mask
from idealrank.data.formats.messages import bad_cell
from idealrank.data.formats.source import Source
from idealrank.data.ids import codes, id_text, missing_system, present_ids
from idealrank.data.roles import fold
from idealrank.errors import DataError, listed

FAILED_WORDS = (
    "fail", "error", "timeout", "timed out", "exception", "abort", "cancel", "refused", "denied", "unavailable",
    "too many requests",
)  # fmt: skip
"""Words, or their beginnings, in the status of a failed search; an HTTP code from 400 to 599 is one, too."""

_WORDS = "|".join(FAILED_WORDS).replace(" ", r"[\s_-]*")
_NONE_OF_IT = rf"\b(?:no|not|without|0)[\s_-]*(?:{_WORDS})[^\W_]*"

FINE = frozenset({"", "ok", "fine", "success", "succeeded", "answered", "empty", "done", "complete", "completed"})
"""Statuses of a search that was answered, even with nothing; a number from 100 to 399 is one, too."""

NO_ERROR = frozenset({"", "none", "null", "nan", "no", "false", "ok", "-", "noerror", "noerrors"})
"""Values of an error column that mean no error, folded."""

PARTIAL = {
    "timed_out": "the engine's own time was up: the answer is only a part (timed_out)",
    "shards_failed": "some shards failed: the answer is only a part (_shards.failed)",
    "clusters_skipped": "some clusters were skipped: the answer is only a part (_clusters.skipped)",
    "clusters_failed": "some clusters failed: the answer is only a part (_clusters.failed)",
    "clusters_partial": "some clusters answered in part: the answer is only a part (_clusters.partial)",
    "is_partial": "the answer is only a part (is_partial)",
    "is_running": "the search was still running: the answer is only a part (is_running)",
    "partial_results": "the answer is only a part (partialResults)",
    "degraded": "the answer is only a part (coverage degraded)",
    "engine_error": "the engine reported an error (root.errors)",
}
"""Columns of engines' answers that say an answer is only a part, and what to say then."""

COMPLETE = {
    "full": "the answer is only a part (coverage.full is false)",
    "answered": "the answer has no hits.hits",
    "docs_answered": "the answer has no response.docs",
    "logged": "the log does not say what it returned (query_response_hit_ids)",
}
"""Columns of engines' answers that say an answer is whole, and what to say where they are false or missing."""

Place = Callable[[int], str]


@dataclass(frozen=True)
class Failures:
    """The failures in a table of results.

    Attributes
    ----------
    queries
        By system (its place; 0 if the table contains one): the failed queries, each with its message.
    rows
        (N,) which rows belong to a failed query of their system; they are not results.
    """

    queries: dict[int, dict[str, str]] = field(default_factory=dict)
    rows: Mask = field(default_factory=lambda: np.zeros(0, np.bool_))

    def of_system(self, system: int | None) -> dict[str, str]:
        """Return the failed queries of a system, or of all systems for None."""
        if system is not None:
            return self.queries.get(system, {})
        return {query: message for queries in self.queries.values() for query, message in queries.items()}


def partial_columns(source: Source) -> dict[str, Column]:
    """Return the columns of `PARTIAL` and `COMPLETE` in a document of an engine."""
    names = source.frame.names if source.tables else []
    known = (
        *PARTIAL,
        *(COMPLETE if source.what else ()),
    )  # in documents of nobody in particular, "full" may be anything
    return {name: source.frame.column(names.index(name)) for name in known if name in names}


def find_failures(
    states: Column | None, errors: Column | None, query: Column, doc: Column, system: Column | None, place: Place,
    parts: Mapping[str, Column] = MappingProxyType({}),
) -> Failures:  # fmt: skip
    """Return the failed queries of each system, and their rows.

    Parameters
    ----------
    states, errors
        The status column (failed, timeout, 503 …) and the error column (a message, or nothing).
    system
        The system column; None if the table contains one system.
    place
        Returns a row's location.
    parts
        The columns that say whether an answer is only a part, by their name in `PARTIAL` or `COMPLETE`.

    Raises
    ------
    DataError
        If a status is neither failed nor fine, in a row without a document or among others that are. A column
        without any known word, in a table whose rows all have a document, is about something else. Also if a
        failed row names no query, or none of several systems.
    """
    reasons = dict.fromkeys(
        _texts_where(*_text_codes(parts.get("full")), lambda text: not _is_true(text)), COMPLETE["full"]
    )
    # A later reason replaces an earlier one: what a table says itself tells more than that an answer is only a part.
    for name, why in PARTIAL.items():
        if name in parts:
            reasons |= dict.fromkeys(_texts_where(*_text_codes(parts[name]), _is_true), why)
    for name in ("answered", "docs_answered"):
        if (answered := parts.get(name)) is not None and answered.missing:
            reasons |= dict.fromkeys(np.flatnonzero(answered.codes()[0] < 0).tolist(), COMPLETE[name])
    if (logged := parts.get("logged")) is not None and logged.missing:
        # The events of a query are in the same log, so one line that says what it returned is enough.
        code, is_logged = query.codes()[0], logged.codes()[0] >= 0
        lost = ~np.isin(code, code[is_logged]) & (code >= 0)
        reasons |= dict.fromkeys(np.flatnonzero(lost).tolist(), COMPLETE["logged"])
    reasons |= _failed_rows(states, errors, doc, place)
    if not reasons:
        return Failures()
    rows = np.array(sorted(reasons), np.int64)
    _refuse_unattributed(rows, query, system, place)
    of = np.zeros(len(query), np.int64) if system is None else codes(system)
    code, ids = query.codes()
    group = (of + 1) * (len(ids) + 1) + code + 1
    queries: dict[int, dict[str, str]] = {}
    for row, key in zip(rows.tolist(), query.to_list(rows), strict=True):
        queries.setdefault(int(of[row]), {}).setdefault(id_text(key), reasons[row])
    return Failures(queries, np.isin(group, group[rows]))


def _refuse_unattributed(failed: Ints, query: Column, system: Column | None, place: Place) -> None:
    lost = failed[~present_ids(query, failed)]
    if len(lost):
        raise bad_cell(place(int(lost[0])), "missing_id", "query", "")
    if system is not None and len(lost := failed[~present_ids(system, failed)]):
        raise missing_system(place(int(lost[0])), system)


def _failed_rows(states: Column | None, errors: Column | None, doc: Column, place: Place) -> dict[int, str]:
    """Return the rows that say their search failed, each with its message."""
    code, texts = _text_codes(states)
    known = [_is_failed(text) or _is_fine(text) for text in texts]
    odd = _rows_where(code, [not fits for fits in known])
    # Without any known word the column is probably not about searches, but a row without a document still asks why.
    if not any(text and fits for text, fits in zip(texts, known, strict=True)):
        odd = odd[~present_ids(doc, odd)]
    if len(odd):
        raise DataError(
            f"{place(int(odd[0]))}: the status {texts[code[odd[0]]]!r} means neither failed nor fine. A failed status "
            f"contains one of {', '.join(FAILED_WORDS)}, or a number from 400 to 599; a fine one is "
            f"{', '.join(sorted(FINE - {''}))}, a number below 400, or nothing. "
            "If the column is about something else, rename it."
        )
    return _texts_where(code, texts, _is_failed) | _texts_where(
        *_text_codes(errors), lambda text: _is_failed(text) or _is_error(text)
    )


def list_failed(failed: Mapping[str, str]) -> str:
    """Say which queries failed, first one that has a message, with it.

    Examples
    --------
    >>> list_failed({"q1": "failed", "q4": "TimeoutError: 5 s"})
    'q4 (TimeoutError: 5 s), q1'
    """
    telling = next((query for query, text in failed.items() if not text.isalpha()), None)
    if telling is None:
        return listed(failed)
    message = " ".join(failed[telling].split())[:80]
    return listed([f"{telling} ({message})", *(query for query in failed if query != telling)])


def _text_codes(column: Column | None) -> tuple[Ints, list[str]]:
    """Return (N,) a number for each row's text, -1 if it has none; and the distinct texts."""
    if column is None:
        return np.zeros(0, np.int64), []
    code, values = column.codes()
    return code, [str(value).strip() for value in values.to_list(None)]


def _rows_where(code: Ints, chosen: list[bool]) -> Ints:
    """Return the rows whose value is chosen."""
    return np.flatnonzero(np.array([*chosen, False])[code])


def _texts_where(code: Ints, texts: list[str], says: Callable[[str], bool]) -> dict[int, str]:
    rows = _rows_where(code, [says(text) for text in texts])
    return {row: texts[place] for row, place in zip(rows.tolist(), code[rows].tolist(), strict=True)}


def _is_true(text: str) -> bool:
    return text.lower() not in ("", "0", "0.0", "false")


def _is_failed(text: str) -> bool:
    return _says_failed(text) or any(400 <= code < 600 for code in _status_codes(text))


def _says_failed(text: str) -> bool:
    return re.search(_WORDS, re.sub(_NONE_OF_IT, "", text, flags=re.I), re.I) is not None


def _is_fine(text: str) -> bool:
    return fold(text) in FINE or any(100 <= code < 400 for code in _status_codes(text))


def _status_codes(text: str) -> list[int]:
    """Return the three-digit numbers in a text: HTTP codes."""
    # 503.0 is one, as dataframes write whole numbers beside missing values; 0.503, 12503 and 503.5 are none.
    return [int(code) for code in re.findall(r"(?<![\d.])\d{3}(?![\d]|\.[1-9])", text)]


def _is_error(text: str) -> bool:
    """Whether an error column says that something went wrong: any words except those for no error."""
    return fold(text) not in NO_ERROR and not re.fullmatch(r"[-+\d.eE]+", text)
