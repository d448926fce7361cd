"""Judgments of a project: what was read, and what raters said here, joined."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.errors import DataError
from idealrank.labels.ratings import Ratings
from idealrank.studio.store import Rating

RESOLVER = "resolved"
"""The rater whose grade alone counts for a pair: it is given where others disagree."""

Pair = tuple[str, str]
"""A query and a document."""

_COLUMNS = ("query", "doc", "rater", "grade", "comment")


def join_ratings(read: Ratings | None, ratings: Iterable[Rating], without: str = "") -> Judgments:
    """Return what was read and what was said here as judgments, one row per rating.

    What a rater says here counts instead of what the file says of the same rater. Of a pair that was resolved, only the
    resolving grade counts.

    Parameters
    ----------
    without
        A rater of the file who is left out.

    Raises
    ------
    DataError
        If there is no grade at all.
    """
    said = [one for one in ratings if one.grade is not None]
    resolved = {(one.query, one.doc) for one in said if one.rater == RESOLVER}
    said = [one for one in said if one.rater == RESOLVER or (one.query, one.doc) not in resolved]
    columns: dict[str, list[Any]] = {name: [getattr(one, name) for one in said] for name in _COLUMNS}
    if read is not None:
        kept = _kept(read, said, resolved, without)
        columns = {name: [*before, *columns[name]] for name, before in zip(_COLUMNS, _rows(read, kept), strict=True)}
    if not columns["query"]:
        raise DataError("The project has no judgments: add a file of them, or grade.")
    if not any(columns["comment"]):
        del columns["comment"]
    return read_judgments(columns)


def _kept(read: Ratings, said: Sequence[Rating], resolved: Collection[Pair], without: str) -> Any:
    """(N,) the ratings that were read and that nothing said here takes the place of."""
    kept = np.array([rater != without for rater in read.raters])[read.rater]
    here = {(one.query, one.doc, one.rater) for one in said}
    touched = {query for query, *_ in here}  # of these queries alone rows are looked at one by one
    places = np.flatnonzero([query in touched for query in read.queries])
    for row in np.flatnonzero(np.isin(read.query, places)).tolist():
        query, doc, rater = read.queries[read.query[row]], read.docs[read.doc[row]], read.raters[read.rater[row]]
        kept[row] &= (query, doc) not in resolved and (query, doc, rater) not in here
    return kept


def _rows(read: Ratings, kept: Any) -> list[list[Any]]:
    """Return query, document, rater, grade and comment of some ratings."""
    names = ((read.queries, read.query), (read.docs, read.doc), (read.raters, read.rater))
    ids = [np.array(known, object)[place[kept]].tolist() for known, place in names]
    comments = np.array([*read.comments, ""], object)
    said = comments[read.comment[kept]].tolist() if len(read.comment) else [""] * int(kept.sum())
    return [*ids, read.grade[kept].tolist(), said]
