"""Ratings: who gave which grade to which document of which query, one row per rating."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.chosen_labels import pairs_chosen_for
from idealrank.data.duplicates import first_equal
from idealrank.data.ids import id_text, natural_order
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.data.roles import fold
from idealrank.errors import DataError, NoColumnError, UsageError, either, listed, nearest, option, plural
from idealrank.labels.times import rating_times


class Repeats(NamedTuple):
    """Pairs of a query and a document that one rater rated again: how many, and how many with the same grade."""

    ratings: int
    same: int


@dataclass(frozen=True, eq=False)
class Ratings:
    """Who gave which grade to which document of which query.

    A rater's first rating of a document counts, by time where the table says when; later ones are in `repeats`. Rows
    are in the order of query, document and rater, whatever order they were read in.

    Attributes
    ----------
    name
        Where they were read from.
    queries, docs, raters
        The ids and the names, in natural order.
    query, doc, rater
        (N,) the place of each rating's query, document and rater.
    grade
        (N,) the grades.
    withheld
        How many ratings say ``cannot tell`` or ``later`` instead of a grade: documents a rater looked at and did not
        grade later, each once.
    withheld_by
        The same by the place of the rater.
    repeats
        What each rater rated twice, by the place of the rater.
    segment
        (N,) the place of each rating's segment; empty if none was asked for.
    segments
        Their names.
    time
        (N,) seconds since 1970, NaN where a rating has no time; empty if no table says when.
    comment
        (N,) the place of each rating's comment, -1 if it has none; empty if no table has any.
    comments
        The comments.
    chosen
        (N,) the place of the pair of systems that each label was chosen for, -1 for none; empty if no table says so.
    pairs
        What the tables say in the column `chosen for`.
    out_of_order
        How many ratings of a document by the rater's own time came before one that stands above it.
    group
        (R,) the place of each rater's group, such as people or models; empty if there are none.
    groups
        Their names.
    """

    name: str
    queries: tuple[str, ...]
    docs: tuple[str, ...]
    raters: tuple[str, ...]
    query: Ints
    doc: Ints
    rater: Ints
    grade: Floats
    withheld: Mapping[str, int] = field(default_factory=dict)
    repeats: Mapping[int, Repeats] = field(default_factory=dict)
    segment: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    segments: tuple[str, ...] = ()
    withheld_by: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    time: Floats = field(default_factory=lambda: np.zeros(0))
    comment: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    comments: tuple[str, ...] = ()
    chosen: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    pairs: tuple[str, ...] = ()
    out_of_order: int = 0
    group: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    groups: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.grade)

    @functools.cached_property
    def unit(self) -> Ints:
        """(N,) the number of each rating's query and document, in their order."""
        units: Ints = np.unique(self.query * (len(self.docs) + 1) + self.doc, return_inverse=True)[1]
        return units

    @functools.cached_property
    def first_of_unit(self) -> Ints:
        """(U,) the row of the first rating of each unit."""
        rows: Ints = np.unique(self.unit, return_index=True)[1]
        return rows

    def take(self, rows: Ints) -> Ratings:
        """Return some of the ratings; queries, documents and raters keep their places."""
        parts = {name: getattr(self, name) for name in ("segment", "time", "comment", "chosen")}
        return replace(
            self, query=self.query[rows], doc=self.doc[rows], rater=self.rater[rows], grade=self.grade[rows],
            withheld={}, repeats={}, withheld_by={}, out_of_order=0,
            **{name: values[rows] if len(values) else values for name, values in parts.items()},
        )  # fmt: skip

    def describe(self, row: int) -> str:
        """Say who gave which grade, with the comment if there is one."""
        text = f"{self.raters[self.rater[row]]} {self.grade[row]:g}"
        place = int(self.comment[row]) if len(self.comment) else -1
        return text if place < 0 else f"{text} ({self.comments[place]})"

    def __repr__(self) -> str:
        return f"Ratings({self.name!r}, {plural(len(self), 'rating')} by {plural(len(self.raters), 'rater')})"


def read_ratings(
    source: Any, by: str | None = None, groups: str | Mapping[str, Sequence[str]] | None = None
) -> Ratings:
    """Read ratings: a table with a column of raters or a column for each, or judgments by rater.

    Parameters
    ----------
    source
        Anything `read_judgments` reads; or several of these, each of which is one rater unless it names its own:
        a list of files, called by their names, or ``{rater: judgments}``.
    by
        The column of the segments of the ratings, such as a language.
    groups
        Groups of raters, such as people and models: ``{group: [raters]}``, or the column that says it.

    Raises
    ------
    DataError
        If nothing tells raters apart, a time cannot be one, a rater is in two groups, or no grade is there.
    UsageError
        If a group names a rater there is not.
    """
    if isinstance(source, Ratings):
        return source if groups is None or isinstance(groups, str) else _grouped(source, groups)
    column, by_name = (groups, None) if isinstance(groups, str) else (None, groups)
    parts = [_read_part(table, name, by, column) for name, table in _tables(source)]
    found = _join_parts(parts)
    if not len(found):
        raise DataError(f"{found.name}: no grade. Give at least one rating.")
    if column is not None:
        return _grouped(found, _groups_by_column(parts, column))
    return found if by_name is None else _grouped(found, by_name)


def _tables(source: Any) -> list[tuple[str, Judgments]]:
    """Return the tables, each with the rater it is of; "" where the table says who rated."""
    if isinstance(source, Mapping) and source and all(_is_table(one) for one in source.values()):
        return [(str(name), read_judgments(one)) for name, one in source.items()]
    if not isinstance(source, Judgments) and isinstance(source, Sequence) and not isinstance(source, str):
        tables = [read_judgments(one) for one in source] if source and all(map(_is_table, source)) else []
        if tables:
            return [("" if table.raters else table.name, table) for table in tables]
    table = read_judgments(source)
    if not table.raters:
        raise DataError(
            f"{table.name}: nothing says who rated. Name the column of raters: {option('rater', flag='rater-col')}; "
            f"give each rater a column of grades, {either('grade=[…]', '--grade-col A --grade-col B')}; or each rater "
            "a file."
        )
    return [("", table)]


def _is_table(one: Any) -> bool:
    """Whether it is judgments, and not a row of them or the grades of a query."""
    if isinstance(one, Mapping):
        return all(isinstance(inner, Mapping | Sequence) and not isinstance(inner, str) for inner in one.values())
    tabular = ("__fspath__", "columns", "__arrow_c_stream__")
    return isinstance(one, str | Judgments) or any(hasattr(one, name) for name in tabular)


class _RatedTable(NamedTuple):
    """The ratings of one table: codes and their names, −1 where there is none."""

    name: str
    queries: list[str]
    docs: list[str]
    raters: list[str]
    segments: list[str]
    query: Ints
    doc: Ints
    rater: Ints
    segment: Ints
    grade: Floats
    withheld: Ints
    words: list[str]
    time: Floats
    comment: Ints
    comments: list[str]
    chosen: Ints
    pairs: list[str]
    group: Ints
    groups: list[str]


def _read_part(table: Judgments, rater: str, by: str | None, groups: str | None) -> _RatedTable:
    if not table.grades:
        columns = listed(table.source.frame.names, 20)
        raise DataError(
            f"{table.name}: no column of grades, so each row would be a grade of 1. Name it, "
            f"{option('grade', flag='grade-col')}, or add a column grade. Columns: {columns}."
        )
    rows = table.rows_to_count()
    query, doc, grade = rows.query, rows.doc, rows.grade
    several = max(len(table.grades), 1)
    segment, segments = _segments(table, by)
    group, group_names = _segments(table, groups)
    comment, comments = _texts(table, table.comments())
    chosen, pairs = _texts(table, pairs_chosen_for(table))
    withheld, words = table.withheld_cells()
    if table.raters:
        who, names = table.rater_cells()
        _refuse_nameless(table, who, grade)
    else:
        names, who = [rater], np.zeros(len(query), np.int64)
    queries = [id_text(name) for name in rows.queries.to_list()]
    docs = [id_text(name) for name in rows.docs.to_list()]
    segment, comment, chosen, group = (np.repeat(column, several) for column in (segment, comment, chosen, group))
    time: Floats = np.repeat(rating_times(table), several)
    return _RatedTable(
        table.name, queries, docs, names, segments, query, doc, who, segment, grade, withheld, words, time, comment,
        comments, chosen, pairs, group, group_names,
    )  # fmt: skip


def _refuse_nameless(table: Judgments, who: Ints, grade: Floats) -> None:
    bad = np.flatnonzero((who < 0) & ~np.isnan(grade))
    if len(bad):
        raise DataError(
            f"{table.source.place(int(bad[0]))}: a grade without a rater. Say who rated in each of the "
            f"{plural(len(bad), 'row')}, or leave them out."
        )


def _segments(table: Judgments, by: str | None) -> tuple[Ints, list[str]]:
    """(N,) the segment of each row of a table, and their names."""
    if by is None:
        return np.zeros(table.source.frame.rows, np.int64), [""]
    names = table.source.frame.names
    place = next((i for i, name in enumerate(names) if fold(name) == fold(by)), None)
    if place is None:
        raise NoColumnError(f"{table.name}: no column called {by!r}.{nearest(by, names)} {table.roles.columns}.")
    code, distinct = table.source.frame.column(place).codes()
    segments = [id_text(name) for name in distinct.to_list()]
    return np.where(code < 0, len(segments), code), [*segments, "(none)"]


def _texts(table: Judgments, texts: Sequence[str]) -> tuple[Ints, list[str]]:
    """(N,) the place of each row's text, -1 if it has none, and the texts."""
    known = [text for text in dict.fromkeys(texts) if text]
    place = {text: i for i, text in enumerate(known)}
    code = [place.get(text, -1) for text in texts]
    return (np.array(code, np.int64) if texts else np.full(table.source.frame.rows, -1)), known


def _join_parts(parts: Sequence[_RatedTable]) -> Ratings:
    """Put tables together: the same ids are the same queries, documents and raters."""
    queries, docs, raters = (
        natural_order(sorted({one for part in parts for one in getattr(part, name) if one}))[1]
        for name in ("queries", "docs", "raters")
    )
    segments = sorted({one for part in parts for one in part.segments})
    columns = [
        np.concatenate([_recode(getattr(part, codes), getattr(part, names), known) for part in parts])
        for codes, names, known in (
            ("query", "queries", queries),
            ("doc", "docs", docs),
            ("rater", "raters", raters),
            ("segment", "segments", segments),
        )
    ]
    query, doc, rater, segment = columns
    grade, time = (np.concatenate([getattr(part, name) for part in parts]) for name in ("grade", "time"))
    words = sorted({word for part in parts for word in part.words})
    withheld = np.concatenate([_recode(part.withheld, part.words, words) for part in parts])
    comments = list(dict.fromkeys(text for part in parts for text in part.comments))
    comment = np.concatenate([_recode(part.comment, part.comments, comments) for part in parts])
    pairs = list(dict.fromkeys(text for part in parts for text in part.pairs))
    chosen = np.concatenate([_recode(part.chosen, part.pairs, pairs) for part in parts])
    voice = (query * (len(docs) + 1) + doc) * (len(raters) + 1) + rater
    there = np.flatnonzero(~np.isnan(grade))
    timed = not np.isnan(time).all()
    # The first rating counts: by time where it is known, else by row; a rating without a time comes after the others.
    order = there[np.lexsort([*([time[there]] if timed else []), voice[there]])]
    first = first_equal(voice[order])
    again = first != np.arange(len(order))
    repeats = {
        int(place): Repeats(
            int(many), int(((grade[order] == grade[order][first]) & again & (rater[order] == place)).sum())
        )
        for place, many in zip(*np.unique(rater[order][again], return_counts=True), strict=True)
    }
    kept = order[~again]
    by_rater = _count_withheld(np.flatnonzero(withheld >= 0), voice, rater, withheld, words, set(voice[kept].tolist()))
    total: Counter[str] = Counter()
    for counts in by_rater.values():
        total.update(counts)
    return Ratings(
        ", ".join(dict.fromkeys(part.name for part in parts)), tuple(queries), tuple(docs), tuple(raters),
        query[kept], doc[kept], rater[kept], grade[kept], dict(sorted(total.items())), repeats, segment[kept],
        tuple(segments), {place: counts for place, counts in by_rater.items() if place >= 0},
        time[kept] if timed else np.zeros(0), comment[kept] if comments else np.zeros(0, np.int64), tuple(comments),
        chosen[kept] if pairs else np.zeros(0, np.int64), tuple(pairs),
        int((np.diff(order)[again[1:]] < 0).sum()),
    )  # fmt: skip


def _count_withheld(
    rows: Ints, voice: Ints, rater: Ints, word: Ints, words: Sequence[str], graded: set[int]
) -> dict[int, dict[str, int]]:
    """Count by rater the documents that were looked at and not graded, each once, by its last word."""
    last = {int(voice[row]): row for row in rows.tolist() if int(voice[row]) not in graded}
    counts: dict[int, dict[str, int]] = {}
    for row in last.values():
        by_word = counts.setdefault(int(rater[row]), {})
        by_word[words[word[row]]] = by_word.get(words[word[row]], 0) + 1
    return {place: dict(sorted(counts[place].items())) for place in sorted(counts)}


def _groups_by_column(parts: Sequence[_RatedTable], column: str) -> dict[str, list[str]]:
    """Return the raters of each group that a column names."""
    groups: dict[str, str] = {}
    for part in parts:
        pairs = np.unique(np.column_stack([part.rater, part.group])[part.rater >= 0], axis=0)
        for rater, group in pairs.tolist():
            name, known = part.groups[group], groups.setdefault(part.raters[rater], part.groups[group])
            if known != name:
                raise DataError(
                    f"{part.name}: {part.raters[rater]} is in two groups by the column {column}, {known} and {name}. "
                    f"Give each rater one, or say so: {GROUPS_WAY}."
                )
    found: dict[str, list[str]] = {}
    for rater_name, group_name in sorted(groups.items(), key=lambda pair: pair[::-1]):
        found.setdefault(group_name, []).append(rater_name)
    return found


GROUPS_WAY = either(
    "groups={'people': ['ana', 'ben'], 'models': ['gpt']}", "--groups people=ana,ben --groups models=gpt"
)
"""How groups of raters are said."""


def _grouped(found: Ratings, groups: Mapping[str, Sequence[str]]) -> Ratings:
    """Return ratings whose raters are in groups."""
    group: dict[str, str] = {}
    for name, members in groups.items():
        for member in [members] if isinstance(members, str) else members:
            if member not in found.raters:
                raise UsageError(
                    f"groups: no rater called {member!r}.{nearest(member, found.raters)} Found: "
                    f"{listed(found.raters, 20)}."
                )
            if group.setdefault(member, name) != name:
                raise UsageError(f"groups: {member} is in {group[member]} and in {name}. Give each rater one group.")
    missing = [name for name in found.raters if name not in group]
    if missing:
        raise UsageError(f"groups: {listed(missing, 20)} in none. Give each rater one: {GROUPS_WAY}.")
    names = tuple(groups)
    return replace(found, group=np.array([names.index(group[name]) for name in found.raters]), groups=names)


def _recode(codes: Ints, names: Sequence[str], known: Sequence[str]) -> Ints:
    """(N,) the place of each code's name among known ones; −1 stays."""
    place = {name: i for i, name in enumerate(known)}
    return np.array([*(place.get(name, -1) for name in names), -1], np.int64)[codes]
