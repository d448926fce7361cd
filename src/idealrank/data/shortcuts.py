"""Judgments and results from simple inputs: grades in rank order, a ranking, groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from idealrank.data.formats.messages import with_article
from idealrank.data.formats.nested import NO_ORDER
from idealrank.data.formats.objects import is_single_value
from idealrank.data.ids import ONE_QUERY
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments, read_results
from idealrank.data.results import Results
from idealrank.errors import DataError


def from_grades(
    grades: Sequence[float | None], *, also_judged: Sequence[float] = (), query: str = ONE_QUERY
) -> tuple[Judgments, Results]:
    """Make judgments and results for one query from the grades in rank order.

    Parameters
    ----------
    grades
        Grade at rank 1, 2 …; None for an unjudged result. Documents are called d1, d2 …
    also_judged
        Grades of judged documents that were not returned.
    query
        Id of the query.

    Raises
    ------
    DataError
        If there is no grade at all.

    Examples
    --------
    >>> import idealrank as ir
    >>> ir.evaluate(*from_grades([3, 2, 3, 0, 1, 2]), ["CG"])["CG"]
    11.0
    """
    docs = [f"d{i}" for i in range(1, len(grades) + len(also_judged) + 1)]
    judgments = _columns(query, docs, grade=[*grades, *also_judged])
    return read_judgments(judgments), _ranked_results(query, docs[: len(grades)])


def from_ranking(
    ranking: Sequence[object] | Mapping[Any, float],
    grades: Mapping[Any, float] | Iterable[object],
    *,
    query: str = ONE_QUERY,
) -> tuple[Judgments, Results]:
    """Make judgments and results for one query from what was returned and what was judged.

    Parameters
    ----------
    ranking
        Ids of the returned documents, best first, or ``{document: score}``; empty if nothing was returned.
    grades
        ``{document: grade}`` of the judged documents, returned or not; or the ids of those that are relevant, which
        have grade 1.
    query
        Id of the query.

    Raises
    ------
    DataError
        If the ranking has no order, or either is no list of ids.

    Examples
    --------
    >>> import idealrank as ir
    >>> ir.evaluate(*from_ranking(["d4", "d2"], {"d2": 2}), ["RR"])["RR"]
    0.5
    >>> ir.evaluate(*from_ranking({"d4": 0.5, "d2": 0.9}, ["d2"]), ["RR"])["RR"]
    1.0
    """
    if isinstance(ranking, (set, frozenset)):
        raise DataError(f"ranking: {NO_ORDER}")
    judged = _by_document(grades) if _has_numbers(grades) else dict.fromkeys(_relevant_ids(grades, ranking), 1)
    judgments = read_judgments(_columns(query, judged, grade=list(judged.values())))
    if not _has_numbers(ranking):
        return judgments, _ranked_results(query, _ids(ranking, "ranking"))
    scores = _by_document(ranking)
    return judgments, read_results(_columns(query, scores or [None], score=list(scores.values()) or [None]))


def _has_numbers(given: Any) -> bool:
    """Whether these are numbers by document: a dict, or a Series that is no column of ids."""
    if not hasattr(given, "items") or not hasattr(given, "index"):
        return hasattr(given, "items")
    return given.index.dtype.kind not in "iu" or not all(isinstance(one, str) for one in given)


def _relevant_ids(given: Any, ranking: Any) -> list[Any]:
    """Return the ids of relevant documents; refuse grades in the order of the ranking, whose numbers repeat."""
    ids = _ids(given, "grades")
    numbers = all(isinstance(one, (int, float)) for one in ids) and len({*ids}) < len(ids)
    if numbers and {*ids}.isdisjoint(one for one in ranking if isinstance(one, (int, float))):
        raise DataError(
            "grades: a list names the relevant documents, and these numbers repeat. Grades in the order of the "
            "results: ir.evaluate(*ir.from_grades([3, 0, 1])); of documents: {document: grade}."
        )
    return ids


def _by_document(given: Any) -> dict[Any, Any]:
    """Return numbers by document; refuse a table, whose items are columns."""
    if hasattr(given, "columns"):
        raise DataError("from_ranking takes one query. Give a table as it is: ir.evaluate(judgments, results).")
    return dict(given.items())


def _ids(given: Any, what: str) -> list[Any]:
    """Return a list of ids; refuse what is none."""
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)) or hasattr(given, "columns"):
        kind = "None" if given is None else with_article(type(given).__name__)
        raise DataError(f"{what}: {kind} is no list of ids. Give the ids of documents, or {{document: number}}.")
    found = given.tolist() if hasattr(given, "tolist") else list(given)
    for one in found:
        if not (isinstance(one, (str, int, float)) or is_single_value(one)):
            raise DataError(
                f"{what}: {with_article(type(one).__name__)} is no id of a document. Give ids as text or whole numbers."
            )
    return [str(one) if is_single_value(one) else one for one in found]


def from_groups(
    grades: Iterable[Any], scores: Iterable[Any], groups: Iterable[object] | None = None
) -> tuple[Judgments, Results]:
    """Make judgments and results from the arrays that ranking libraries take: one entry per document.

    Parameters
    ----------
    grades, scores
        Grade and predicted score of each document; without groups also a row of them for each query, as scikit-learn
        takes them. The queries are then called 1, 2 …
    groups
        Query id of each document, or the number of documents of each query, as LightGBM and XGBoost take
        them (the queries are then called 1, 2 …), or None if all belong to one query, or each row to one.

    Raises
    ------
    DataError
        If the lengths differ, or there is no document.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = from_groups([1, 0, 1], [0.3, 0.2, 0.1], ["a", "a", "b"])
    >>> ir.evaluate(judgments, results, ["RR"])["RR"]
    1.0
    >>> ir.evaluate(*from_groups([0, 1, 1], [0.3, 0.2, 0.1], [2, 1]), ["RR"])["RR"]
    0.75
    >>> ir.evaluate(*from_groups([[0, 1], [1]], [[0.3, 0.2], [0.1]]), ["RR"])["RR"]
    0.75
    """
    worth, predicted = _as_array_or_list(grades), _as_array_or_list(scores)
    if groups is None and (sizes := _row_sizes(worth)) and sizes == _row_sizes(predicted):
        worth, predicted, groups = [*chain(*worth)], [*chain(*predicted)], np.repeat([*range(1, len(sizes) + 1)], sizes)
    if any(isinstance(value, Iterable) for column in (worth, predicted) for value in islice(column, 1)):
        raise DataError(
            "Grades and scores must be one number per document: in one list, with groups, or in a row for each query, "
            "which has one document or more, and as many scores as grades."
        )
    keys = [ONE_QUERY] * len(worth) if groups is None else _expand_sizes(_as_array_or_list(groups), len(worth))
    if not len(worth) == len(predicted) == len(keys):
        raise DataError(
            f"{len(worth)} grades, {len(predicted)} scores and {len(keys)} groups. Give one of each per document, or "
            "as groups the number of documents of each query, which must add up to all documents."
        )
    docs = _document_ids(len(worth))
    judgments = {"query_id": keys, "doc_id": docs, "grade": worth}
    return read_judgments(judgments), read_results({"query_id": keys, "doc_id": docs, "score": predicted})


def _row_sizes(table: Any) -> list[int]:
    """Return the number of documents of each query in rows of them; none for one list of numbers, and for empty rows.

    A query of which neither a grade nor a score is given could not be told from one that was never asked.
    """
    are_rows = all(hasattr(row, "__len__") and not isinstance(row, str) and len(row) for row in table)
    return [len(row) for row in table] if are_rows else []


def _expand_sizes(groups: Any, count: int) -> Any:
    """Return the query of each document if `groups` says how many documents each query has, else `groups`."""
    sizes = np.asarray(groups)
    if len(sizes) == count or sizes.dtype.kind not in "iu" or sizes.min(initial=1) < 1 or sizes.sum() != count:
        return groups
    return np.repeat(np.arange(1, len(sizes) + 1), sizes)


def _as_array_or_list(values: Iterable[Any]) -> Any:
    return values if hasattr(values, "dtype") else list(values)


def _document_ids(count: int) -> Any:
    """(count,) ids d01, d02 …, in the same order as text; made at once, because models call this each round."""
    width = len(str(count))
    digits = np.arange(1, count + 1)[:, None] // 10 ** np.arange(width)[::-1] % 10
    letters = np.insert(digits + ord("0"), 0, ord("d"), axis=1).astype(np.uint32)
    return letters.view(f"U{width + 1}").ravel()


def _ranked_results(query: str, docs: Sequence[object]) -> Results:
    # A query that returned nothing is one row without a document.
    rows = list(docs) or [None]
    # Scores fall with the rank, for conventions that order by score.
    ranks = range(1, len(rows) + 1)
    return read_results(_columns(query, rows, rank=list(ranks), score=list(reversed(ranks))))


def _columns(query: str, docs: Iterable[object], **column: list[Any]) -> dict[str, list[Any]]:
    named = list(docs)
    return {"query_id": [query] * len(named), "doc_id": named, **column}
