"""Judgments: the grade of each document for each query, and who gave it."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from idealrank._core import BadRow, Column, Pool, from_columns
from idealrank.arrays import Cache, Floats, Ints, Mask
from idealrank.data.duplicates import COMBINING, JudgmentRows, combined_grades, count_clashes, first_clash
from idealrank.data.formats.head import NUMBER
from idealrank.data.formats.messages import SECOND_FIELD, quoted
from idealrank.data.grades import (
    UNGRADED,
    Scale,
    combine_ratings,
    grades_of_labels,
    hint_at_withheld,
    refuse_labels,
    withheld_words,
    without_withheld,
)
from idealrank.data.ids import codes, id_text, present_ids
from idealrank.data.queries import suggest_for_repeated
from idealrank.data.roles import ALIASES, fold, rater_names
from idealrank.data.writable import WritableJudgments
from idealrank.errors import DataError, plural

if TYPE_CHECKING:
    from idealrank.data.rows_to_count import RowsToCount as CountedRows
    from idealrank.data.subtopics import Subtopics
    from idealrank.data.table_facts import JudgmentFacts
    from idealrank.data.writing.rows import RowsToWrite as WrittenRows


COMMENTS = frozenset({"comment", "comments", "note", "notes", "reason", "rationale", "explanation", "justification"})
"""Names of the column, folded, in which a rater says why."""


@dataclass(frozen=True, eq=False)
class Judgments(WritableJudgments):
    """The grade of each document for each query, and who gave it: one row per judgment.

    Made by `read_judgments`. Functions that take judgments also take everything that `read_judgments` reads.

    Attributes
    ----------
    grades
        The columns of the grades, one per rater; none if every row has grade 1.
    scale
        What each label is worth, if the grades are words.
    units_by
        The rule on ids that leaves these documents whole, as they are the units of the results; "" if none does.
    whole
        What is true of all judgments, if these are those of some queries; they may be none.
    """

    grades: tuple[int, ...]
    doc: int
    kept: Cache = field(default_factory=Cache, repr=False)
    scale: Scale | None = None
    units_by: str = ""
    whole: JudgmentFacts | None = None

    def pool(self, raters: str, duplicates: str) -> Pool:
        """Group the judgments by query; built once for each setting.

        Raises
        ------
        DataError
            If a row cannot be used (the message gives its line), or if nothing is judged.
        """
        return self.kept.once(("pool", raters, duplicates), lambda: self._build_pool(raters, duplicates))

    def dropped(self, raters: str, duplicates: str) -> int:
        """Count the rows dropped as duplicates, not counting one judgment per rater, system or subtopic."""
        if duplicates == "error":
            return 0
        rows = self._repeatable_rows(raters)
        return self.pool(raters, duplicates).dropped if rows is None else count_clashes(rows)

    @property
    def like_results(self) -> str:
        """Why the table looks like results, if a column called score, or none by name, was taken as the grade."""
        if NUMBER in self.source.frame.names and self.source.headerless_form:
            from idealrank.data.formats.headerless import why_not_grades

            return why_not_grades(self.source)
        if not self.score_column:
            return ""
        if self.roles.find("rank") is not None:
            return "ranks"
        return "fractions" if (np.nan_to_num(self.ratings) % 1 != 0).any() else ""

    @property
    def score_column(self) -> str:
        """The name of the column called score that was taken as the grade, as none is called grade; "" if none was."""
        if self.roles.chosen.get("grade") is not None or len(self.grades) != 1:
            return ""
        name = self.roles.names[self.grades[0]]
        return name if fold(name) in ALIASES["grade"][-1] else ""

    @functools.cached_property
    def columns(self) -> dict[str, str]:
        """The column of each role; empty for forms without column names."""
        several = "system" if self.systems_column() is not None else ""
        names = self._column_names("query", "text", "doc", "rater", "subtopic", several)
        grades = ",".join(self.roles.names[i] for i in self.grades)
        return names | ({"grade": grades} if names and grades else {})

    @property
    def raters(self) -> tuple[str, ...]:
        """Who rated, by the names of their columns or in the column of raters; none where that is not said."""
        if len(self.grades) > 1:
            return rater_names([self.roles.names[index] for index in self.grades])
        column = self.column("rater") if self.grades else None
        return () if column is None else tuple(id_text(name) for name in column.codes()[1].to_list())

    def rater_cells(self) -> tuple[Ints, list[str]]:
        """(N x raters,) who rated, row by row: the place among the names that follow, -1 where that is not said."""
        if len(self.grades) > 1:
            return np.tile(np.arange(len(self.grades)), self.source.frame.rows), list(self.raters)
        column = self.column("rater")
        if column is None:
            return np.full(self.source.frame.rows, -1), []
        who, distinct = column.codes()
        names = [id_text(name) for name in distinct.to_list()]
        return (np.where(who == names.index(""), -1, who) if "" in names else who), names

    def withheld(self) -> dict[str, int]:
        """Count what raters wrote instead of a grade, ``cannot tell`` or ``later``, and why a model gave none."""
        code, words = self.withheld_cells()
        counts = Counter(code[code >= 0].tolist())
        return {words[place]: many for place, many in counts.items()}

    def withheld_cells(self) -> tuple[Ints, list[str]]:
        """(N x raters,) what each cell says instead of a grade, row by row: its place among the words, -1 for none."""
        columns = [self.source.frame.column(index) for index in self.grades]
        names = self.source.frame.names
        states = len(columns) == 1 and "state" in names
        if not states and all(column.kind != "text" for column in columns):
            return np.full(self.source.frame.rows * len(columns), -1), []
        withheld = [withheld_words(column) for column in columns]
        if states:
            state_of = self.source.frame.column(names.index("state")).to_list()
            cells = zip(state_of, columns[0].to_list(), withheld[0], strict=True)
            withheld = [[word if grade is not None or word else UNGRADED.get(state) for state, grade, word in cells]]
        words = list(dict.fromkeys(word for row in zip(*withheld, strict=True) for word in row if word))
        place = {word: i for i, word in enumerate(words)}
        by_column = [
            np.array([place.get(word, -1) if word else -1 for word in column], np.int64) for column in withheld
        ]
        return (np.column_stack(by_column).ravel() if by_column else np.zeros(0, np.int64)), words

    def comments(self) -> list[str]:
        """(N,) what a rater wrote beside the grade of each row; empty if no column is called so."""
        names = self.source.frame.names
        place = next((i for i, name in enumerate(names) if fold(name) in COMMENTS and i not in self.grades), None)
        if place is None or self.source.frame.column(place).kind != "text":
            return []
        return [str(text or "").strip() for text in self.source.frame.column(place).to_list()]

    def missing_ratings(self) -> int:
        """Count the missing ratings of documents that have other ratings."""
        if len(self.grades) > 1:
            return int(np.isnan(self.ratings[~np.isnan(self.ratings).all(axis=1)]).sum())
        rows = self._repeatable_rows("max")
        if rows is None or self.roles.find("rater") is None:
            return 0
        return int((np.isnan(rows.grade) & ~np.isnan(combined_grades(rows, "max", "max"))).sum())

    def _build_pool(self, raters: str, duplicates: str) -> Pool:
        grade, rows = self._combine_raters(raters), self._repeatable_rows(raters)
        in_lists = self.source.part("judgments") is not None
        rows = (
            self._plain_rows(grade)
            if rows is None and (duplicates in COMBINING or (in_lists and duplicates == "error"))
            else rows
        )
        rule = cast("Literal['error', 'first', 'last', 'max']", duplicates)
        if rows is not None:
            # From here on every row of a document has the same grade, so the first stands for all of them.
            if duplicates == "error" and (clash := first_clash(rows, again=in_lists)) is not None:
                raise self._duplicate_error(*clash)
            grade, rule = _grade_column(self._highest_of_subtopics(combined_grades(rows, raters, duplicates))), "first"
        try:
            pool = Pool(self.keys.query, self.source.ids(self.doc), grade, rule)
        except BadRow as bad:
            kind, row, *_, other = bad.args
            raise self._duplicate_error(row, other) if kind == "duplicate" else self.source.bad_row(*bad.args) from None
        if len(pool.grade) == 0 and self.whole is None:
            raise DataError(f"{self.name}: {self._why_no_grade}. Give at least one.")
        return pool

    @property
    def _why_no_grade(self) -> str:
        rows = self.source.frame.rows
        if not rows:
            return "there are columns but no rows"
        names = [self.roles.names[index] for index in self.grades if self.roles.names]
        where = f" in the column {names[0]}" if len(names) == 1 and not self.form else ""
        return f"nobody has graded anything yet: {plural(rows, 'row')}, but no grade{where}"

    def _plain_rows(self, grade: Column) -> JudgmentRows:
        """Return the rows of a table without raters and systems."""
        same = np.zeros(self.source.frame.rows, np.int64)
        return JudgmentRows(self._pair_codes, same, same, grade.floats())

    def _duplicate_error(self, row: int, first: int) -> DataError:
        where = np.array([row, first], np.int64)
        new, old = self._combine_raters("median").floats()[where]
        what = f", again with grade {old:g}" if new == old else f", with grade {new:g} after {old:g}"
        query, doc = (id_text(c.to_list(where)[0]) for c in (self.keys.query, self.source.ids(self.doc)))
        if self.roles.find("subtopic") is not None:
            (subtopic,) = self.source.ids(self.roles.required("subtopic")).to_list(where[:1])
            what = f" and subtopic {quoted(id_text(subtopic))}{what}" if subtopic is not None else what
        hint = self.roles.suggest_spans() if self.iteration is None else f" {SECOND_FIELD}"
        if not hint:
            hint = suggest_for_repeated(self, self._pair_codes, judged=True)
        return self.source.duplicate_error("is judged", query, doc, row, first, what, hint, ("max", *COMBINING))

    @functools.cached_property
    def ratings(self) -> Floats:
        """(N, raters) the ratings of a row, NaN if there is none."""
        return np.column_stack(
            [self._read_grades(index) for index in self.grades] or [np.where(self._has_document, 1.0, np.nan)]
        )

    @property
    def _has_document(self) -> Mask:
        """(N,) which rows name a document; others only name a query."""
        return present_ids(self.source.ids(self.doc), np.arange(self.source.frame.rows))

    def _read_grades(self, index: int) -> Floats:
        if self.scale is not None:
            return grades_of_labels(self.source, index, self.scale)
        return self._read_numbers(index).floats()

    def _read_numbers(self, index: int) -> Column:
        """Return a column of numbers; words are refused with what to say about them."""
        try:
            column = self.source.number(index)
        except DataError as error:
            cells, name = self.source.frame.column(index), self.source.frame.names[index]
            graded = without_withheld(cells, name)
            if graded is None:
                refuse_labels(self.source, index)
                raise hint_at_withheld(error, cells) from None
            try:
                return self.source.number_of(graded, name)
            except DataError as other:
                raise hint_at_withheld(other, cells) from None
        assert column is not None
        return column

    def _combine_raters(self, raters: str) -> Column:
        if len(self.grades) == 1 and self.scale is None:
            return self._read_numbers(self.grades[0])
        return self.kept.once(("grade", raters), lambda: _grade_column(combine_ratings(self.ratings, raters)))

    def _repeatable_rows(self, raters: str) -> JudgmentRows | None:
        """Return the rows of a table that may judge a document once per rater, system or subtopic; None for others."""
        return self.kept.once(("rows", raters), lambda: self._build_rows(raters))

    def _build_rows(self, raters: str) -> JudgmentRows | None:
        rater = self.column("rater") if len(self.grades) <= 1 else None
        system, subtopic = self.systems_column(), self.column("subtopic")
        if rater is None and system is None and subtopic is None:
            return None
        same = np.zeros(self.source.frame.rows, np.int64)
        return JudgmentRows(
            self._pair_codes if subtopic is None else self._subtopic_pair_codes,
            same if rater is None else codes(rater) + 1,
            same if system is None else codes(system) + 1,
            self._combine_raters(raters).floats(),
        )

    @functools.cached_property
    def _pair_codes(self) -> Ints:
        """(N,) a number for each query and document."""
        return self.pairs(self.doc)

    @functools.cached_property
    def _subtopic_codes(self) -> Ints:
        """(N,) a number for each subtopic, in the order of their names; -1 if there is none."""
        code, names = self.source.ids(self.roles.required("subtopic")).codes()
        ids = list(map(id_text, names.to_list()))
        place = np.full(len(ids) + 1, -1)
        place[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        return place[code]

    @property
    def _subtopic_pair_codes(self) -> Ints:
        """(N,) a number for each query, document and subtopic."""
        from idealrank.data.subtopics import subtopic_codes

        return subtopic_codes(self._pair_codes, self._subtopic_codes)

    def _highest_of_subtopics(self, grade: Floats) -> Floats:
        """(N,) the highest grade of each row's document under any subtopic."""
        if self.roles.find("subtopic") is None:
            return grade
        from idealrank.data.subtopics import highest_grades

        return highest_grades(self._pair_codes, grade)

    def subtopics(self, raters: str, duplicates: str) -> Subtopics | None:
        """Return the subtopics of the documents in the pool of a setting; None if the table has none."""
        if self.roles.find("subtopic") is None:
            return None
        return self.kept.once(("subtopics", raters, duplicates), lambda: self._build_subtopics(raters, duplicates))

    def _build_subtopics(self, raters: str, duplicates: str) -> Subtopics:
        rows, pool = self._repeatable_rows(raters), self.pool(raters, duplicates)
        assert rows is not None
        grade = combined_grades(rows, raters, duplicates)
        from idealrank.data.subtopics import subtopics_of

        return subtopics_of(
            self._pair_codes, self._subtopic_codes, grade, pool.row, lambda: pool.docs(np.arange(len(pool.row)))
        )

    def rows_to_write(self, raters: str | None = None, duplicates: str = "error") -> WrittenRows:
        """Return one row per judgment; with an answer to `raters`, one per query and document."""
        from idealrank.data.writing.rows import rows_of

        self._refuse_grade_without_document()
        if raters is not None:
            pool, rows = self.pool(raters, duplicates), rows_of(self, "judgments", self.doc, ())
            return replace(rows.at(pool.row), numbers={"grade": pool.grade})
        roles = [role for role in ("rater", "subtopic", "step") if self.roles.find(role) is not None]
        several = ["system"] if self.systems_column() is not None else []
        rows = rows_of(self, "judgments", self.doc, [*roles, *several])
        if len(self.grades) > 1:
            return rows.by_rater([self.roles.names[index] for index in self.grades], self.ratings)
        return replace(rows, numbers={"grade": self.ratings[:, 0]})

    def rows_to_count(self) -> CountedRows:
        """Return the ids of the rows of `rows_to_write`, as numbers."""
        from idealrank.data.rows_to_count import ids_to_count, names_in_order

        self._refuse_grade_without_document()
        ids, many = ids_to_count(self, self.doc), len(self.grades)
        rater = self.column("rater")
        raters = () if rater is None else names_in_order(rater)
        if many > 1:
            ids = replace(ids, query=np.repeat(ids.query, many), doc=np.repeat(ids.doc, many))
            named = tuple(filter(None, (self.roles.names[index] for index in self.grades))) if len(ids) else ()
            raters = tuple(dict.fromkeys(named)) if rater is None else raters
        return replace(ids, grade=self.ratings.ravel() if many > 1 else self.ratings[:, 0], raters=raters)

    def _refuse_grade_without_document(self) -> None:
        """Refuse a grade without a document; a row with neither says that a query has no judgments."""
        lost = np.flatnonzero(~self._has_document)
        lost = lost[~np.isnan(self.ratings[lost]).all(axis=1)] if len(lost) else lost
        if len(lost):
            raise self.source.bad_row("missing_id", int(lost[0]), "doc", "", "", -1)

    def __repr__(self) -> str:
        return f"Judgments({self.name!r}, {plural(self.source.frame.rows, 'row')})"


def _grade_column(values: Floats) -> Column:
    return from_columns(["grade"], [values]).column(0)
