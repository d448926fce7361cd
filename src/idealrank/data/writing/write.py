"""Rows are written to a file, or to the files of a folder, whole or not at all."""

from __future__ import annotations

import functools
import gzip
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.documents import Documents, documents_in, is_clear_title, read_documents
from idealrank.data.formats.messages import SECOND_FIELD
from idealrank.data.formats.sniff import foreign_formats
from idealrank.data.ids import Keyed
from idealrank.data.queries import Queries, read_queries
from idealrank.data.writing import WRITERS
from idealrank.data.writing.rows import RowsToWrite, columns_of, row_error
from idealrank.data.writing.writer import TABLE, Content, GradeLimit, WriteOptions, Writer, Written
from idealrank.display.files import write_file
from idealrank.errors import DataError, UsageError, either, listed, not_allowed, option, plural, unknown


def write(rows: RowsToWrite, path: str | os.PathLike[str], format_name: str, options: WriteOptions) -> Written:
    """Write judgments or results.

    Parameters
    ----------
    format_name
        The name of the format; "" for the one of the path's ending.

    Raises
    ------
    UsageError
        If there is no such format, or the ending says none, or the file cannot be written.
    DataError
        If the format cannot contain the rows; the message says what to do.
    """
    if options.formulas not in ("keep", "escape"):
        raise not_allowed("formulas", options.formulas, ("keep", "escape"))
    name = os.fspath(path)
    writer, notes = choose_writer(name, format_name, rows.kind), list[str]()
    rows = fit_to_format(rows, writer, options, notes)
    _save(name, writer.layouts[rows.kind](rows, options, notes))
    return Written(name, writer.name, writer.title, len(rows), tuple(notes))


def _save(path: str, content: Content) -> None:
    if not isinstance(content, Mapping):
        _save_file(path, content)
        return
    for name, text in content.items():
        file = Path(path, name)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{file.parent}: cannot be written: {error.strerror or error}. Give another path."
            ) from None
        _save_file(str(file), text)


def _save_file(path: str, content: str | bytes) -> None:
    if path.endswith(".gz"):
        # No time in the header: the same rows are the same bytes.
        content = gzip.compress(content.encode() if isinstance(content, str) else content, 6, mtime=0)
    write_file(path, content, "path")


def formats(kind: str = "") -> dict[str, Writer]:
    """Return the formats that judgments or results, or either, are written in, by name."""
    return {writer.name: writer for writer in WRITERS if not kind or kind in writer.layouts}


def choose_writer(path: str, format_name: str, kind: str = "") -> Writer:
    """Return the format that is named, or that the ending of the path says; one for a kind of rows, if it is given.

    Raises
    ------
    UsageError
        If there is no such format, or the ending says none.
    """
    known = formats()
    ending = _ending(path)
    if format_name not in known and (format_name or not any(ending in one.endings for one in known.values())):
        known |= _foreign_writers()
    if format_name and format_name not in known:
        raise unknown("format", format_name, known)
    writer = known[format_name] if format_name else next((one for one in known.values() if ending in one.endings), None)
    if writer is None:
        raise UsageError(f"{path}: the ending says no format. Name one: {_format_names(formats(kind))}.")
    if kind and kind not in writer.layouts:
        raise UsageError(
            f"{writer.title} has no place for {kind}. Choose another format: {_format_names(formats(kind))}."
        )
    return writer


def _foreign_writers() -> dict[str, Writer]:
    """Return the formats that other packages write."""
    return {
        name: Writer(
            name,
            f"the format {name}",
            tuple(getattr(known, "endings", ())),
            dict.fromkeys(("judgments", "results"), functools.partial(_foreign_content, known)),
            TABLE,
        )
        for name, known in foreign_formats().items()
        if hasattr(known, "write")
    }


def _foreign_content(known: Any, rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> Content:
    """Have another package write rows; its columns are lists."""
    content: Content = known.write(rows.kind, {name: list(values) for name, values in columns_of(rows).items()})
    return content


def _format_names(writers: Mapping[str, Writer]) -> str:
    names = list(writers)
    return f"{option('format', names[0], 'to')}, {', '.join(names[1:-1])} or {names[-1]}"


def _ending(path: str) -> str:
    if path.endswith(("/", os.sep)) or os.path.isdir(path):
        return "/"
    return Path(path.removesuffix(".gz")).suffix.lower()


def with_texts(rows: RowsToWrite, table: Keyed, queries: Any, documents: Any) -> RowsToWrite:
    """Add the texts of queries, and the titles and texts of documents: those of the table itself, then those given.

    A table keeps the title of each row, unless a table of documents is given.
    """
    known = [one for one in (documents_in([table]), _documents(documents)) if one is not None]
    titles = {key: title for one in known for key, title in one.titles.items() if title}
    passages = {key: text for one in known for key, text in one.texts().items()}
    others = {name: v for name, v in rows.others.items() if documents is None or not is_clear_title(name)}
    source = queries if queries is not None else table.source.part("queries")
    texts = _query_texts(read_queries(source)) if source is not None else {}
    return replace(rows, texts={**rows.texts, **texts}, titles=titles, passages=passages, others=others)


def _documents(documents: Any) -> Documents | None:
    return None if documents is None else read_documents(documents, duplicates="first")


def _query_texts(table: Queries) -> dict[str, str]:
    texts = table.attributes[table.text] if table.text else {}
    return {key: str(text) for key, text in texts.items() if text not in (None, "")}


# Rows are fitted to a format: what it has no place for is refused, or left out and named.


_FACTORS = (2, 3, 4, 5, 6, 10, 12, 20, 60, 100, 1000)
_SAME = 1e-9

_COLLAPSED = {"rater": "several ratings of a document", "system": "one judgment per system"}


def fit_to_format(rows: RowsToWrite, writer: Writer, options: WriteOptions, notes: list[str]) -> RowsToWrite:
    """Return rows that a format can contain.

    Raises
    ------
    DataError
        If it has no place for something that must not be left out; the message says what to do.
    """
    rows = dedupe_documents(rows, options.duplicates, notes)
    dropped = list(_name_dropped(rows, writer))
    if "step" in rows.words and "others" not in writer.supports:
        _refuse_searches(rows, writer)
    rows = (
        _fit_judgments(rows, writer, options, notes) if rows.kind == "judgments" else _fit_results(rows, writer, notes)
    )
    if "duplicates" not in writer.supports:
        _refuse_duplicates(rows, writer)
    if dropped:
        notes.append(f"{writer.title} has no place for {listed(dropped)}")
    return rows


def _name_dropped(rows: RowsToWrite, writer: Writer) -> Iterator[str]:
    """Name what the rows contain and the format has no place for."""
    if "iteration" in rows.words and "subtopic" not in writer.supports:
        yield "the second field of TREC judgments"
    if "step" in rows.words and "others" not in writer.supports:
        yield "steps"
    if rows.texts and "texts" not in writer.supports:
        yield "the texts of queries"
    if rows.titles and "titles" not in writer.supports:
        yield "the titles of documents"
    if "others" not in writer.supports:
        yield from (f"the column {name}" for name in rows.others if not (rows.titles and is_clear_title(name)))
    yield from (f"the column {name}, which contains lists or objects" for name in rows.nested)


def _fit_judgments(rows: RowsToWrite, writer: Writer, options: WriteOptions, notes: list[str]) -> RowsToWrite:
    for role, what in _COLLAPSED.items():
        if role in rows.words and (
            role not in writer.supports or (role == "system" and "duplicates" not in writer.supports)
        ):
            raise DataError(
                f"{rows.name}: {what}, and {writer.title} has a place for one grade. Make it one: "
                f"{option('raters', 'median')}, mean, majority, max or min; or write a table, such as CSV."
            )
    if "subtopic" in rows.words and "subtopic" not in writer.supports:
        raise DataError(f"{rows.name}: {writer.title} has no place for subtopics. Write TREC text or CSV.")
    rows = rows if "unanswered" in writer.supports else _drop_empty_rows(rows, writer, "judgments", notes)
    rows = rows if "ungraded" in writer.supports else _drop_ungraded(rows, notes)
    rows = _scale_grades(rows, options.scale_grades)
    if "fractions" not in writer.supports:
        _refuse_fractions(rows, writer)
    return rows if writer.grade_limit is None else _drop_low_grades(rows, writer.grade_limit, notes)


def _drop_low_grades(rows: RowsToWrite, above: GradeLimit, notes: list[str]) -> RowsToWrite:
    """Leave out the judgments of low grades, and name the queries without others."""
    kept = rows.at(np.flatnonzero(rows.grade > above.grade))
    if left_out := len(rows) - len(kept):
        notes.append(f"{plural(left_out, 'judgment')} of grade {above.grade:g} or less left out: {above.why}")
    if lost := _lost_queries(rows, kept):
        notes.append(f"{plural(len(lost), 'query')} without a relevant document left out: {listed(lost)}")
    return kept


def _lost_queries(rows: RowsToWrite, kept: RowsToWrite) -> list[str]:
    """Return the queries that have no row left."""
    there = set(kept.query)
    return [query for query in dict.fromkeys(rows.query) if query not in there]


def _drop_ungraded(rows: RowsToWrite, notes: list[str]) -> RowsToWrite:
    missing = np.isnan(rows.grade)
    if missing.any():
        notes.append(f"{plural(int(missing.sum()), 'row')} without a grade left out")
    return rows.at(np.flatnonzero(~missing)) if missing.any() else rows


def _scale_grades(rows: RowsToWrite, factor: float) -> RowsToWrite:
    """Multiply the grades; what is almost a whole number is one, as 3 times 0.1 is no exact 0.3."""
    if factor == 1:
        return rows
    if not (np.isfinite(factor) and factor > 0):
        raise UsageError(f"{option('scale_grades', str(factor))}: give a number above 0, such as 10.")
    grade = rows.grade * factor
    whole = np.round(grade)
    return replace(rows, numbers={**rows.numbers, "grade": np.where(np.abs(grade - whole) < _SAME, whole, grade)})


def _refuse_fractions(rows: RowsToWrite, writer: Writer) -> None:
    fractions = np.flatnonzero(rows.grade % 1 != 0)
    if len(fractions) == 0:
        return
    factor = next((by for by in _FACTORS if _has_whole_grades(rows, by)), None)
    by = "Round the grades" if factor is None else f"Scale the grades: {option('scale_grades', str(factor))}"
    what = f"the grade {rows.grade[fractions[0]]:g} is a fraction, and {writer.title} has whole numbers"
    raise row_error(rows, int(fractions[0]), what, f"{by}; or write a table, such as CSV.")


def _has_whole_grades(rows: RowsToWrite, factor: float) -> bool:
    grade = rows.grade * factor
    return bool((np.abs(grade - np.round(grade)) < _SAME).all())


def _fit_results(rows: RowsToWrite, writer: Writer, notes: list[str]) -> RowsToWrite:
    systems = list(dict.fromkeys(rows.words.get("system", ())))
    if len(systems) > 1 and "system" not in writer.supports:
        raise DataError(
            f"{rows.name}: {plural(len(systems), 'system')}, and {writer.title} has a place for one. Choose it: "
            f"{option('system', systems[0])}."
        )
    if "unanswered" in writer.supports:
        return _drop_ranks(rows, notes)
    return _drop_empty_rows(rows, writer, "results", notes)


def _refuse_searches(rows: RowsToWrite, writer: Writer) -> None:
    """Refuse results of several searches per query, which would become one list."""
    system = [rows.words["system"]] if "system" in rows.words else []
    lists, searches = (rows.codes(rows.query, *system, *more) for more in ((), (rows.words["step"],)))
    if rows.kind == "results" and len(np.unique(searches)) > len(np.unique(lists)):
        raise DataError(
            f"{rows.name}: there are several steps per query, and {writer.title} has a place for one list. "
            "Write a table, such as CSV."
        )


def _drop_empty_rows(rows: RowsToWrite, writer: Writer, noun: str, notes: list[str]) -> RowsToWrite:
    """Leave out the rows that only say that a query has no documents, or that its search failed."""
    errors = rows.words.get("error", [""] * len(rows))
    there = [bool(doc) and not error for doc, error in zip(rows.doc, errors, strict=True)]
    if all(there):
        return rows
    kept = rows.at(np.flatnonzero(there))
    if lost := _lost_queries(rows, kept):
        notes.append(f"{writer.title} has no place for {plural(len(lost), 'query')} without {noun}: {listed(lost)}")
    return kept


def _drop_ranks(rows: RowsToWrite, notes: list[str]) -> RowsToWrite:
    """Leave out the ranks of results that go by score, since a table with both goes by rank."""
    if rows.order != "score" or "rank" not in rows.numbers:
        return rows
    notes.append("the ranks are left out: these results go by score, and a table with both goes by rank")
    return replace(rows, numbers={"score": rows.numbers["score"]})


_ONE = either("Remove one.", "Remove one, or keep one: --duplicates first, last or max.")


def _refuse_duplicates(rows: RowsToWrite, writer: Writer) -> None:
    roles = ("subtopic", "system", "rater", *(["iteration"] if "subtopic" in writer.supports else []))
    parts = [rows.words[role] for role in roles if role in rows.words]
    pairs = rows.codes(rows.query, rows.doc, *parts)
    _, first = np.unique(pairs, return_index=True)
    if len(first) < len(pairs):
        place = int(np.setdiff1d(np.arange(len(pairs)), first)[0])
        what = f"a document comes twice, and {writer.title} has a place for one"
        raise row_error(rows, place, what, f"{_ONE} {SECOND_FIELD if 'iteration' in rows.words else ''}".strip())


# Rows of which a document has several for one query: one of them is kept.


KEPT = ("error", "first", "last", "max")
"""Answers to what is kept; error leaves the rows as they are, and formats with one place refuse them."""


def dedupe_documents(rows: RowsToWrite, keep: str, notes: list[str]) -> RowsToWrite:
    """Return rows with one for each document of a query, rater, subtopic, system and step.

    Raises
    ------
    UsageError
        If the answer is not known, or the highest score is to be kept and there are no scores.
    """
    if keep not in KEPT:
        raise not_allowed("duplicates", keep, KEPT)
    if keep == "error":
        return rows
    roles = ("rater", "subtopic", "iteration", "system", "step")
    pairs = rows.codes(rows.query, rows.doc, *(rows.words[role] for role in roles if role in rows.words))
    order = _by_preference(rows, keep)
    _, first = np.unique(pairs[order], return_index=True)
    kept = np.sort(order[first])
    if len(kept) < len(rows):
        notes.append(f"{plural(len(rows) - len(kept), 'row')} left out: the document comes twice (duplicates={keep})")
    return rows.at(kept)


def _by_preference(rows: RowsToWrite, keep: str) -> Ints:
    """(N,) places of the rows, the one to keep first among those of one document."""
    places = np.arange(len(rows))
    if keep != "max":
        return places if keep == "first" else places[::-1]
    worth = rows.numbers.get("grade" if rows.kind == "judgments" else "score")
    if worth is None:
        raise UsageError(f"{rows.name}: no score, so none is the highest. Use {option('duplicates', 'first')} or last.")
    return np.argsort(-worth, kind="stable")
