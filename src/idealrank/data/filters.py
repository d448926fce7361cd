"""What is left out on request: queries that were not asked for, and results that must not be counted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank._core import Column
from idealrank.arrays import Cache, Ints, Mask
from idealrank.data.formats.folders import suggest_file
from idealrank.data.formats.reader import read_frame
from idealrank.data.ids import id_text, plain_ids
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments, read_results
from idealrank.data.results import Results
from idealrank.errors import DataError, UsageError, named, some

# The queries asked for: a range, ids, or a file of ids.


def requested_queries(only: Any) -> str | tuple[str, ...] | None:
    """Return the queries asked for: a range as written, else their ids; None for all.

    Parameters
    ----------
    only
        None, ``"1..50"`` (a range of numbers), ids joined by commas, a file of ids (one per line;
        anything after a tab is ignored), one id, or several.

    Raises
    ------
    DataError
        If the file cannot be read.

    Examples
    --------
    >>> requested_queries("1..50"), requested_queries("a, b"), requested_queries([3, 4.0]), requested_queries(7)
    ('1..50', ('a', 'b'), ('3', '4'), ('7',))
    """
    if only is None or (isinstance(only, str) and parse_range(only) is not None):
        return only
    if isinstance(only, os.PathLike) or (isinstance(only, str) and os.path.isfile(only)):
        return _read_ids(os.fspath(only))
    if isinstance(only, str):
        return plain_ids(part.strip() for part in only.split(","))
    return plain_ids(only if isinstance(only, Iterable) else [only])


def _read_ids(path: str) -> tuple[str, ...]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise DataError(f"{path}: cannot be read as a file of query ids: {why}.") from None
    ids = plain_ids(key for line in lines if (key := line.split("\t")[0].strip()))
    if not ids:
        raise DataError(f"{path}: contains no ids. Give query ids, one per line.")
    return ids


def query_mask(only: Any, ids: Sequence[str], least: int = 1) -> Mask:
    """(Q,) which queries to keep.

    Parameters
    ----------
    only
        Anything `requested_queries` takes.
    least
        How many must be left.

    Raises
    ------
    UsageError
        If fewer are left.
    """
    wanted = requested_queries(only)
    if wanted is None:
        return np.ones(len(ids), np.bool_)
    keep = np.array(list(map(_selector(wanted), ids)), np.bool_)
    if keep.sum() < least:
        what = repr(wanted) if isinstance(wanted, str) else some(wanted, 3)
        if isinstance(wanted, tuple) and len(wanted) == 1 and os.path.splitext(wanted[0])[1]:
            raise UsageError(
                f"{named('only', wanted[0], 'queries')}: no such file, and no judged query has this id."
                f"{suggest_file(wanted[0])} Ids of judged queries: {some(ids, 3)}."
            )
        raise UsageError(f"No judged query matches {what}. Ids of judged queries: {some(ids, 3)}.")
    return keep


def missing_ids(only: Any, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the ids asked for that are not among these.

    Examples
    --------
    >>> missing_ids(["a", "b"], ["a"])
    ('b',)
    """
    wanted = requested_queries(only)
    if not isinstance(wanted, tuple):
        return ()
    there = set(ids)
    return tuple(key for key in wanted if key not in there)


def _selector(selection: str | tuple[str, ...]) -> Callable[[str], bool]:
    if isinstance(selection, tuple):
        return frozenset(selection).__contains__
    low, high = parse_range(selection) or (0, 0)
    return lambda key: key.lstrip("-").isdigit() and low <= int(key) <= high


def parse_range(text: str) -> tuple[int, int] | None:
    """Read ``1..50`` as the numbers from 1 to 50, both included; None if it is not a range.

    Examples
    --------
    >>> parse_range("1..50"), parse_range("a..b")
    ((1, 50), None)
    """
    low, dots, high = text.partition("..")
    if dots and low.strip().lstrip("-").isdigit() and high.strip().lstrip("-").isdigit():
        return int(low), int(high)
    return None


# Results that must not be counted: a list of queries and documents to exclude.


def read_excluded(source: Any) -> Judgments | Results:
    """Read the queries and documents to exclude: a table with both, TREC judgments, or ``{query: {document: 1}}``.

    Examples
    --------
    >>> read_excluded({"q1": {"d1": 1}})
    Results('results to exclude', 1 row, systems: results)
    """
    if isinstance(source, (Judgments, Results)):
        return source
    table = read_frame(source, "results to exclude")
    return read_judgments(table) if table.frame.format == "trec-qrels" else read_results(table)


def exclude_results(results: Results, excluded: Judgments | Results) -> Results:
    """Leave out the results on a list; results below them move up.

    Examples
    --------
    >>> run = read_results({"q1": {"d1": 2.0, "d2": 1.0}})
    >>> exclude_results(run, read_excluded({"q1": {"d1": 1}, "q2": {"d2": 1}})).left_out
    array([0])
    """
    rows = excluded_rows(results, excluded)
    return replace(results, left_out=rows, kept=Cache()) if len(rows) else results


def excluded_rows(results: Results, excluded: Judgments | Results) -> Ints:
    """Return the rows of results whose query and document are on a list."""
    query, asked = _id_codes(results.keys.query)
    doc, named = _id_codes(results.source.ids(results.doc))
    documents = _id_texts(excluded.source.ids(excluded.doc))
    pairs, wanted = set(zip(_id_texts(excluded.keys.query), documents, strict=True)), set(documents)
    # Only rows whose document is on the list for some query are compared one by one: the lists are short.
    known = np.isin(doc, [i for i, name in enumerate(named) if name in wanted])
    rows = np.flatnonzero(known & (query >= 0))
    return np.array([row for row in rows.tolist() if (asked[query[row]], named[doc[row]]) in pairs], np.int64)


def _id_codes(column: Column) -> tuple[Ints, list[str]]:
    code, distinct = column.codes()
    return code, [id_text(name) for name in distinct.to_list()]


def _id_texts(column: Column) -> list[str]:
    return [id_text(name) for name in column.to_list()]
