"""What a table contains: judgments, results, queries or documents, told by its format and its columns."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from idealrank.data.documents import Documents, is_title, read_documents
from idealrank.data.formats.headerless import NUMBER
from idealrank.data.formats.source import Source
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries, read_queries
from idealrank.data.read import read_judgments, read_results
from idealrank.data.recognition.baselines import BASELINE
from idealrank.data.results import Results
from idealrank.data.roles import Roles, fold
from idealrank.data.unnamed import MOST_GRADES, like_grades
from idealrank.errors import IdealrankError

TABLES = ("judgments", "results", "queries", "documents")
"""The kinds of tables."""

KINDS = (*TABLES, BASELINE)
"""What a file may be taken for; a baseline is one of `idealrank gate`."""

_OF_FORMAT = {"trec-qrels": ("judgments",), "trec-run": ("results",)}


@dataclass(frozen=True, eq=False)
class Contents:
    """What a source contains; None for what it does not, or what cannot be read.

    Attributes
    ----------
    kinds
        What it was taken for, some of `KINDS`.
    faults
        Why something could not be read.
    """

    kinds: tuple[str, ...] = ()
    judgments: Judgments | None = None
    results: Results | None = None
    queries: Queries | None = None
    documents: Documents | None = None
    faults: tuple[IdealrankError, ...] = field(default_factory=tuple)


def contents_of(source: Source, name: str, judgments: Judgments | None) -> Contents:
    """Read whatever a source contains.

    Parameters
    ----------
    name
        The name of its system, if it contains results of one.
    judgments
        The judgments of an earlier source, whose rows predictions are about.
    """
    faults: list[IdealrankError] = []
    kinds = _attempt(lambda: kinds_of(source), faults) or ()
    found: dict[str, Any] = {}
    for kind in kinds:
        found[kind] = _attempt(functools.partial(_READERS[kind], source, {"": judgments, **found}, name), faults)
    return Contents(tuple(kinds), **found, faults=tuple(faults))


def _attempt(call: Callable[[], Any], faults: list[IdealrankError]) -> Any:
    try:
        return call()
    except IdealrankError as error:
        faults.append(error)
        return None


def _results(source: Source, found: Mapping[str, Any], name: str) -> Results:
    """Read results; one table with both is read as it is where it is evaluated."""
    judgments = found.get("judgments")
    shared = judgments is not None and not source.tables
    return read_results(judgments if shared else source, name=name, judgments=found[""])


_READERS: dict[str, Callable[[Source, Mapping[str, Any], str], Any]] = {
    "judgments": lambda source, found, name: read_judgments(source),
    "results": _results,
    "queries": lambda source, found, name: read_queries(source),
    "documents": lambda source, found, name: read_documents(source, duplicates="first"),
}


def kinds_of(source: Source) -> tuple[str, ...]:
    """Return what a source contains: some of judgments, results, queries and documents.

    Raises
    ------
    NoColumnError
        If columns are ambiguous.
    """
    if named := tuple(kind for kind in _READERS if kind in source.tables):
        return named
    frame = source.of("judgments").frame
    if source.form in ("predictions", "headerless"):
        graded = source.form == "headerless" and (NUMBER not in frame.names or like_grades(source))
        return ("judgments",) if graded else ("results",)
    if frame.format == "dicts":
        return ("judgments",) if _like_grades(source.of("judgments"), 2) else ("results",)
    return _OF_FORMAT.get(frame.format) or _kinds_by_columns(source.of("judgments"))


def _kinds_by_columns(source: Source) -> tuple[str, ...]:
    roles = Roles(source.name, source.frame.names, {}, unread=source)
    if _about_documents(roles):
        return ("documents",)
    if _about_queries(source, roles):
        return ("queries",)
    if roles.find("doc") is None:
        return ("queries",) if (roles.find("query"), roles.find("text")) != (None, None) else ("judgments",)
    graded = roles.find("grade", slice(2)) is not None or bool(roles.ratings())
    rank, score = roles.find("rank"), roles.find("score")
    if graded:
        return ("judgments",) if rank is None and score is None else ("judgments", "results")
    if rank is not None or score is not None:
        return ("judgments",) if rank is None and score is not None and _like_grades(source, score) else ("results",)
    return ("judgments",)


def _about_documents(roles: Roles) -> bool:
    """Whether a table has titles, but neither queries nor grades, ranks or scores."""
    others = ("query", "text", "grade", "rank", "score")
    return any(map(is_title, roles.names)) and not roles.ratings() and all(roles.find(role) is None for role in others)


def _about_queries(source: Source, roles: Roles) -> bool:
    """Whether a table begins with a column id, different in every row, has queries, and no grade, rank or score."""
    if (
        fold(roles.names[0]) != "id"
        or roles.find("doc") != 0
        or (roles.find("query"), roles.find("text")) == (None,) * 2
    ):
        return False
    plain = not roles.ratings() and all(roles.find(role) is None for role in ("grade", "rank", "score"))
    rows = source.frame.rows
    return plain and len(source.frame.column(0).distinct(rows + 1)) == rows


def _like_grades(source: Source, place: int) -> bool:
    """Whether a column contains a few different whole numbers."""
    column = source.number(place)
    assert column is not None
    distinct = column.distinct(MOST_GRADES + 1)
    return len(distinct) <= MOST_GRADES and bool((np.array(distinct, np.float64) % 1 == 0).all())
