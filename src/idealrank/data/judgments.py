"""Judgments: who judged which document for which query how."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from idealrank.arrays import Floats, Ints, Kept
from idealrank.data.duplicates import Rows, clash_of, count_clashes, one_grade
from idealrank.data.formats import Source, read_frame
from idealrank.data.formats.messages import quoted
from idealrank.data.ids import Keyed, codes, id_text
from idealrank.data.raters import combine
from idealrank.data.roles import ALIASES, Roles, fold
from idealrank.errors import DataError, NoColumnError, option, plural
from idealrank.errors import unknown as unknown_name

if TYPE_CHECKING:
    from idealrank._core import Column, Frame, Pool
    from idealrank.data.subtopics import Subtopics

Given = Mapping[str, str | tuple[str, ...] | None]
"""The column names given, by role; several for the grade."""


@dataclass(frozen=True, eq=False)
class Judgments(Keyed):
    """Who judged which document for which query how: one row a judgment.

    Made by `read_judgments`; everything that takes judgments also takes what that takes.
    """

    grades: tuple[int, ...]
    doc: int
    kept: Kept = field(default_factory=Kept, repr=False)

    def pool(self, raters: str, duplicates: str) -> Pool:
        """Group the judgments by query; built once for each setting.

        Raises
        ------
        DataError
            If a row cannot be used: with its line; if nothing is judged.
        """
        return self.kept.once(("pool", raters, duplicates), lambda: self._pool(raters, duplicates))

    def dropped(self, raters: str, duplicates: str) -> int:
        """Count the rows dropped as duplicates; a judgment given once a rater, system or subtopic is none."""
        rows = self._repeated(raters)
        return self.pool(raters, duplicates).dropped if rows is None else count_clashes(rows)

    @property
    def like_results(self) -> str:
        """What makes the table look like results, where a column called score was taken for the grade; else ""."""
        found = self.roles.given.get("grade") is None and len(self.grades) == 1
        if not found or fold(self.roles.names[self.grades[0]]) not in ALIASES["grade"][-1]:
            return ""
        if self.roles.find("rank") is not None:
            return "ranks"
        return "fractions" if (np.nan_to_num(self._ratings) % 1 != 0).any() else ""

    @functools.cached_property
    def columns(self) -> dict[str, str]:
        """Which column plays which role; empty for forms that name no columns."""
        several = "system" if self.systems_column() is not None else ""
        found = named_columns(self, "query", "text", "doc", "rater", "subtopic", several)
        return found | {"grade": ",".join(self.roles.names[i] for i in self.grades)} if found else {}

    @property
    def form(self) -> str:
        """What a form without names of columns is called."""
        return FORMS.get(self.source.frame.format, "")

    def missing_ratings(self) -> int:
        """Count the ratings not given of documents that have others."""
        if len(self.grades) > 1:
            return int(np.isnan(self._ratings[~np.isnan(self._ratings).all(axis=1)]).sum())
        rows = self._repeated("max")
        if rows is None or self.roles.find("rater") is None:
            return 0
        return int((np.isnan(rows.grade) & ~np.isnan(one_grade(rows, "max", "max"))).sum())

    def _pool(self, raters: str, duplicates: str) -> Pool:
        from idealrank._core import BadRow, Pool

        grade, rows = self._grade(raters), self._repeated(raters)
        rule = cast("Literal['error', 'first', 'last', 'max']", duplicates)
        if rows is not None:
            if duplicates == "error" and (clash := clash_of(rows)) is not None:
                raise self._twice(*clash)
            grade, rule = _column(self._highest(one_grade(rows, raters, duplicates))), "first"
        try:
            pool = Pool(self.keys.query, self.source.ids(self.doc), grade, rule)
        except BadRow as bad:
            kind, row, *_, other = bad.args
            raise self._twice(row, other) if kind == "duplicate" else self.source.bad_row(*bad.args) from None
        if len(pool.grade) == 0:
            raise DataError(
                f"{self.name}: no grade in any of {plural(self.source.frame.rows, 'row')}. Give at least one."
            )
        return pool

    def _twice(self, row: int, first: int) -> DataError:
        where = np.array([row, first], np.int64)
        new, old = self._grade("median").floats()[where]
        said = f", again with grade {old:g}" if new == old else f", with grade {new:g} after {old:g}"
        query, doc = (id_text(c.to_list(where)[0]) for c in (self.keys.query, self.source.ids(self.doc)))
        if self.roles.find("subtopic") is not None:
            (subtopic,) = self.source.ids(self.roles.the("subtopic")).to_list(where[:1])
            said = f" and subtopic {quoted(id_text(subtopic))}{said}" if subtopic is not None else said
        by_line = self.source.frame.names[-1:] == ["iteration"] and self.roles.find("subtopic") is None
        hint = (
            f" If the second field is a subtopic: {option('subtopic', 'iteration', 'subtopic-col')}." if by_line else ""
        )
        return self.source.twice("is judged", query, doc, row, first, said, hint)

    @functools.cached_property
    def _ratings(self) -> Floats:
        """(N, raters) the ratings of a row, NaN where there is none."""
        columns = [self.source.number(index) for index in self.grades]
        return np.column_stack([column.floats() for column in columns if column is not None])

    def _grade(self, raters: str) -> Column:
        if len(self.grades) == 1 and (column := self.source.number(self.grades[0])) is not None:
            return column
        return self.kept.once(("grade", raters), lambda: _column(combine(self._ratings, raters)))

    def _repeated(self, raters: str) -> Rows | None:
        """The rows of a table that may judge a document once a rater, system or subtopic; None for others."""
        return self.kept.once(("rows", raters), lambda: self._rows(raters))

    def _rows(self, raters: str) -> Rows | None:
        rater = self.column("rater") if len(self.grades) == 1 else None
        system, subtopic = self.systems_column(), self.column("subtopic")
        if rater is None and system is None and subtopic is None:
            return None
        same = np.zeros(self.source.frame.rows, np.int64)
        return Rows(
            self._pairs if subtopic is None else self._by_subtopic,
            same if rater is None else codes(rater) + 1,
            same if system is None else codes(system) + 1,
            self._grade(raters).floats(),
        )

    @functools.cached_property
    def _pairs(self) -> Ints:
        """(N,) a number for each query and document."""
        return self.pairs(self.doc)

    @functools.cached_property
    def _subtopic(self) -> Ints:
        """(N,) a number for each subtopic, -1 where there is none."""
        return codes(self.source.ids(self.roles.the("subtopic")))

    @property
    def _by_subtopic(self) -> Ints:
        """(N,) a number for each query, document and subtopic."""
        from idealrank.data.subtopics import within  # only where there are any

        return within(self._pairs, self._subtopic)

    def _highest(self, grade: Floats) -> Floats:
        """(N,) the highest grade of each row's document under any subtopic."""
        if self.roles.find("subtopic") is None:
            return grade
        from idealrank.data.subtopics import highest

        return highest(self._pairs, grade)

    def subtopics(self, raters: str, duplicates: str) -> Subtopics | None:
        """Return the subtopics of the documents in the pool of a setting; None where the table has none."""
        if self.roles.find("subtopic") is None:
            return None
        return self.kept.once(("subtopics", raters, duplicates), lambda: self._subtopics(raters, duplicates))

    def _subtopics(self, raters: str, duplicates: str) -> Subtopics:
        from idealrank.data.subtopics import subtopics_of

        rows, pool = self._repeated(raters), self.pool(raters, duplicates)
        assert rows is not None
        grade = one_grade(rows, raters, duplicates)
        return subtopics_of(self._pairs, self._subtopic, grade, pool.row, lambda: pool.docs(np.arange(len(pool.row))))

    def __repr__(self) -> str:
        return f"Judgments({self.name!r}, {plural(self.source.frame.rows, 'row')})"


def _column(values: Floats) -> Column:
    from idealrank._core import from_columns

    return from_columns(["grade"], [values]).column(0)


def read_judgments(
    source: Any,
    *,
    query: str | None = None,
    doc: str | None = None,
    grade: str | Sequence[str] | None = None,
    rater: str | None = None,
    subtopic: str | None = None,
    system: str | None = None,
    text: str | None = None,
    progress: Any = None,
    **unknown: Any,
) -> Judgments:
    """Read judgments from a file or an object in memory.

    Parameters
    ----------
    source
        A path (``-``: standard input) to TREC qrels, CSV, TSV, JSONL, Parquet or Arrow, plain or
        compressed with gz or zst; a pandas, polars or pyarrow table, a DuckDB relation, anything
        with ``__arrow_c_stream__``; a dict of columns; a dict ``{query: {document: grade}}``; a
        list of dicts or named tuples. Judgments are returned as they are.
    query, doc, grade, rater, subtopic, system, text
        Names of the columns, where they are not found by themselves; a list of grade columns is one a rater.
        TREC text and dicts of dicts have none, but for ``subtopic="iteration"``: the second field of qrels,
        where it is not the same in all lines.
    progress
        Told how many bytes were read (a core ``Progress``).
    **unknown
        Refused, with the nearest name.

    Raises
    ------
    DataError
        If it cannot be read, or a column is missing or ambiguous.

    Examples
    --------
    >>> read_judgments({"q1": {"d1": 3, "d2": 0}})
    Judgments('judgments', 2 rows)
    """
    given = {
        "query": query,
        "doc": doc,
        "grade": _one_or_several(grade),
        "rater": rater,
        "subtopic": subtopic,
        "system": system,
        "text": text,
    }
    refuse_unknown_columns(unknown, given)
    if isinstance(source, Judgments):
        return source
    table = read_frame(source.source if isinstance(source, Keyed) else source, "judgments", progress)
    if table.frame.format == "trec-run":
        raise DataError(f"{table.name}: a TREC run (results), not judgments. Judgments come first, then results.")
    roles = roles_of(table, given, "grade", hint=dict_hint(source, "grade"))
    ratings = _rating_columns(roles)
    roles.need("doc", *([] if ratings else ["grade"]))
    return Judgments(table, roles, ratings or (roles.the("grade"),), roles.the("doc")).checked()


def dict_hint(source: Any, value: str) -> str:
    """Say what dict to give instead of one of columns; "" for sources that are no dict."""
    return f"{{query: {{document: {value}}}}}" if isinstance(source, Mapping) else ""


def _one_or_several(names: str | Sequence[str] | None) -> str | tuple[str, ...] | None:
    """Return one name as text, several as a tuple."""
    if names is None or isinstance(names, str):
        return names
    return names[0] if len(names) == 1 else tuple(names) or None


def refuse_unknown_columns(unknown: Iterable[str], own: Iterable[str]) -> None:
    """Refuse a keyword that names the column of no role.

    Raises
    ------
    UsageError
        With the nearest one.
    """
    for name in unknown:
        raise unknown_name("keyword", name, [*own, "progress"])


def roles_of(
    source: Source,
    given: Given,
    value: str,
    taken: tuple[int, ...] = (),
    hint: str = "",
) -> Roles:
    """Name the columns; a dict of dicts has a value column that is the grade or the score."""
    frame: Frame = source.frame
    if frame.format == "dicts":
        return Roles(source.name, ["query_id", "doc_id", value], {})
    if frame.format.startswith("trec-"):
        subtopic = given.get("subtopic") if frame.format == "trec-qrels" else None
        if subtopic is not None and subtopic not in frame.names:
            raise NoColumnError(
                f"{source.name}: no subtopics: TREC judgments have them in the second field, which is to differ from "
                f"line to line. It is then called iteration: {option('subtopic', 'iteration', 'subtopic-col')}."
            )
        return Roles(source.name, ["query_id", *frame.names[1:]], {"subtopic": subtopic} if subtopic else {})
    return Roles(source.name, frame.names, given, taken, hint)


FORMS = {"trec-qrels": "TREC judgments", "trec-run": "TREC run", "dicts": "dict of dicts"}
"""Forms whose columns have no names."""


def named_columns(table: Keyed, *roles: str) -> dict[str, str]:
    """Return which column plays each of these roles; empty for forms without names of columns."""
    if table.source.frame.format in FORMS:
        return {}
    key = table.roles.find("query")
    key = table.roles.find("text") if key is None else key
    places = {role: table.roles.find(role) for role in roles if role}
    if key is not None:
        places |= {"query": key, "text": table.roles.find("text", but=key)}
    return {role: table.roles.names[place] for role, place in places.items() if place is not None}


def _rating_columns(roles: Roles) -> tuple[int, ...]:
    """Return the columns of single raters, of a table in which no column is properly the grade."""
    proper = not roles.several and roles.find("grade", slice(1)) is not None
    return () if proper else tuple(roles.ratings())
