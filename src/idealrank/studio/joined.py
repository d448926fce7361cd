"""Judgments of a project: what was read, and what raters said here, joined."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
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


class ReadRows:
    """The ratings of a file as lines of CSV, so that those given here are added without all of them being written anew.

    A table of text is read by the core; one of Python's lists is read ten times slower.
    """

    def __init__(self, read: Ratings) -> None:
        self.read = read
        known = ((read.queries, read.query), (read.docs, read.doc), (read.raters, read.rater))
        ids = [np.array([_cell(name) for name in names], object)[place] for names, place in known]
        comments = np.array([_cell(text) for text in (*read.comments, "")], object)
        texts = comments[read.comment] if len(read.comment) else np.full(len(read.query), "", object)
        grades = [repr(grade) for grade in read.grade.tolist()]
        self.lines = np.array([",".join(row) for row in zip(*ids, grades, texts, strict=True)], object)


def _cell(text: str) -> str:
    return f'"{text.replace(chr(34), chr(34) * 2)}"'


def join_ratings(read: ReadRows | None, ratings: Iterable[Rating], file: Path, without: str = "") -> Judgments:
    """Return what was read and what was said here as judgments, one row per rating.

    What a rater says here counts instead of what the file says of the same rater. Of a pair that was resolved, only the
    resolving grade counts.

    Parameters
    ----------
    file
        Where the rows are written, to be read.
    without
        A rater of the file who is left out.

    Raises
    ------
    DataError
        If there is no grade at all.
    """
    graded = [one for one in ratings if one.grade is not None]
    resolved = {(one.query, one.doc) for one in graded if one.rater == RESOLVER}
    graded = [one for one in graded if one.rater == RESOLVER or (one.query, one.doc) not in resolved]
    lines = [] if read is None else read.lines[_kept(read.read, graded, resolved, without)].tolist()
    for one in graded:
        cells = (_cell(text) for text in (one.query, one.doc, one.rater, repr(one.grade), one.comment))
        lines.append(",".join(cells))
    if not lines:
        raise DataError("The project has no judgments: add a file of them, or grade.")
    file.write_text("\n".join([_HEAD, *lines, ""]), "utf-8", "surrogatepass")
    return read_judgments(file)


_HEAD = "query,doc,rater,grade,comment"


def _kept(read: Ratings, graded: Sequence[Rating], resolved: Collection[Pair], without: str) -> Any:
    """(N,) the ratings that were read and that nothing said here takes the place of."""
    kept = np.array([rater != without for rater in read.raters])[read.rater]
    here = {(one.query, one.doc, one.rater) for one in graded}
    touched = {query for query, *_ in here}  # of these queries alone rows are looked at one by one
    places = np.flatnonzero([query in touched for query in read.queries])
    for row in np.flatnonzero(np.isin(read.query, places)).tolist():
        query, doc, rater = read.queries[read.query[row]], read.docs[read.doc[row]], read.raters[read.rater[row]]
        kept[row] &= (query, doc) not in resolved and (query, doc, rater) not in here
    return kept
