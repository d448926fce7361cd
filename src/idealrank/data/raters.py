"""Columns of raters, those beside them that no rater filled, such as averages, and who gave which grade."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from idealrank.arrays import Floats
from idealrank.data.grades import without_withheld
from idealrank.errors import DataError, either, listed, quoted_option

if TYPE_CHECKING:
    from idealrank.data.formats.source import Source
    from idealrank.data.judgments import Judgments
    from idealrank.data.roles import Roles

LEAST_ROWS = 5
"""Rows that a column needs before it is taken for an average of the others."""

LEAST_DIFFERING = 3
"""Rows of these in which the others must differ: raters who agree are each other's average."""

_DECIMALS = (0, 1, 2, 3)


def rater_columns(table: Source, roles: Roles, ratings: Sequence[int], numbers: bool) -> tuple[Source, tuple[int, ...]]:
    """Return the columns that raters filled, and the table with a note on each of the others.

    Parameters
    ----------
    ratings
        The columns that are called like those of raters.
    numbers
        Whether the grades are numbers, so that averages of them can be told.
    """
    made = [name for name in roles.made_of_ratings() if roles.names.index(name) not in ratings]
    if numbers and not table.is_part and not roles.several:
        called_max = _called_max(roles, [*ratings, *map(roles.names.index, made)])
        people = {place for place in called_max if not _is_highest(table, place, set(ratings) - {*called_max})}
        ratings = sorted({*ratings, *people} - ({*called_max} - people))
        made = [name for name in made if roles.names.index(name) not in people]
        made += [roles.names[place] for place in called_max if place not in people and roles.names[place] not in made]
    if made:
        table = replace(table, notes=(*table.notes, f"no raters: {listed(made, len(made))}"))
    kept = list(ratings)
    # A part of a file cannot know what is true of every row. One column at a time: the mean of the raters is not the
    # mean of the raters and their median.
    while numbers and not roles.several and not table.is_part and (found := _find_average(table, kept)) is not None:
        place, what = found
        kept.remove(place)
        name, every = roles.names[place], [roles.names[i] for i in ratings]
        way = either(
            f"ir.read_judgments(table, grade={every!r})", " ".join(quoted_option("grade-col", one) for one in every)
        )
        warning = (
            f"{name!r} is the {what} of the other raters' grades in every row, so it is no rater's; if it is: {way}"
        )
        table = replace(table, warnings=(*table.warnings, warning))
    return table, tuple(kept)


def _called_max(roles: Roles, places: Sequence[int]) -> list[int]:
    """Return the columns called rating_max: the highest of the ratings, or those of a person called Max."""
    return [place for place in places if "max" in re.split(r"[\s_\-.]+", roles.names[place].strip().lower())]


def _is_highest(table: Source, place: int, ratings: Collection[int]) -> bool:
    """Whether a column is the highest of the others in every row; what cannot be read is taken as if it were."""
    try:
        grades = np.column_stack([_column_floats(table, other) for other in ratings] or [np.zeros((0, 1))])
        own = _column_floats(table, place)
    except DataError:
        return True
    if len(grades) != len(own) or not len(own):
        return True
    highest = np.where(np.isnan(grades), -np.inf, grades).max(axis=1)
    return bool((np.where(np.isnan(own), -np.inf, own) == highest).all())


def _find_average(table: Source, ratings: Sequence[int]) -> tuple[int, str] | None:
    """Return the last column that is the mean or the median of the others in every row, and which of them; or None."""
    if len(ratings) < 3 or table.frame.rows < LEAST_ROWS:
        return None
    try:
        grades = np.column_stack([_column_floats(table, place) for place in ratings])
    except DataError:  # words, or a cell that is no number: whoever reads the grades says so
        return None
    for at in range(len(ratings) - 1, -1, -1):
        others, own = np.delete(grades, at, axis=1), grades[:, at]
        rated = ~np.isnan(others).all(axis=1)
        if rated.sum() < LEAST_ROWS or (np.isnan(own) == rated).any():
            continue
        others, own = others[rated], own[rated]
        if (np.nanmax(others, axis=1) != np.nanmin(others, axis=1)).sum() < LEAST_DIFFERING:
            continue
        for what, average in (("mean", np.nanmean(others, axis=1)), ("median", np.nanmedian(others, axis=1))):
            if _is_rounded_average(own, average):
                return ratings[at], what
    return None


def _is_rounded_average(own: Floats, average: Floats) -> bool:
    """Whether values are these averages, possibly rounded to one, two or three decimals."""
    if np.allclose(own, average, rtol=0, atol=1e-9):
        return True
    decimals = next((d for d in _DECIMALS if np.allclose(own, own.round(d), rtol=0, atol=1e-9)), 0)
    return decimals > 0 and np.allclose(own, average, rtol=0, atol=0.5 * 10**-decimals + 1e-9)


def _column_floats(table: Source, place: int) -> Floats:
    name = table.frame.names[place]
    graded = without_withheld(table.frame.column(place), name)
    column = table.number(place) if graded is None else table.number_of(graded, name)
    assert column is not None
    return column.floats()


# Who gave which grade to a document.

MOST_RATINGS_WRITTEN = 12
"""Most ratings of a document that are written out."""


class DocumentRatings(NamedTuple):
    """The ratings of one document: in words, with comments, and whether they differ."""

    text: str
    differ: bool


def ratings_of(table: Judgments, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], DocumentRatings]:
    """Return who gave which grade to some documents of queries, of those that several raters rated."""
    from idealrank.data.ids import id_text

    if len(table.raters) < 2:
        return {}
    rows = table.rows_to_count()
    wanted = list(dict.fromkeys(wanted))
    place_of = {id_text(key): place for place, key in enumerate(rows.queries.to_list())}
    asked = [place_of[query] for query, _ in wanted if query in place_of]
    few = np.isin(np.arange(len(place_of)), asked)[rows.query] & (rows.doc >= 0)
    # Of millions of documents only those of these queries are read as texts.
    docs = np.unique(rows.doc[few])
    doc_of = {id_text(key): place for place, key in zip(docs.tolist(), rows.docs.to_list(docs), strict=True)}
    many = len(rows.docs)
    units = {
        place_of[query] * many + doc_of[doc]: (query, doc)
        for query, doc in wanted
        if query in place_of and doc in doc_of
    }
    who, raters = table.rater_cells()
    unit = rows.query * many + rows.doc
    few &= (who >= 0) & ~np.isnan(rows.grade)
    kept = np.flatnonzero(few)[np.isin(unit[few], list(units))]
    comments = table.comments()
    several = len(rows) // max(table.source.frame.rows, 1)
    given: dict[int, dict[str, tuple[float, str]]] = {}
    for row in kept.tolist():
        comment = comments[row // several] if comments else ""
        given.setdefault(int(unit[row]), {}).setdefault(raters[who[row]], (float(rows.grade[row]), comment))
    return {units[place]: _in_words(each) for place, each in given.items() if len(each) > 1}


def _in_words(given: Mapping[str, tuple[float, str]]) -> DocumentRatings:
    texts = [
        f"{name} {grade:g}{f' ({comment})' if comment else ''}" for name, (grade, comment) in sorted(given.items())
    ]
    more = f", and {len(texts) - MOST_RATINGS_WRITTEN} more" if len(texts) > MOST_RATINGS_WRITTEN else ""
    return DocumentRatings(
        ", ".join(texts[:MOST_RATINGS_WRITTEN]) + more, len({grade for grade, _ in given.values()}) > 1
    )
