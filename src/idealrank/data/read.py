"""read_judgments and read_results: anything becomes a table with known roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from idealrank._core import from_columns
from idealrank.arrays import Ints
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.nested_plan import OUTER, UBI
from idealrank.data.formats.reader import read_frame
from idealrank.data.formats.source import Source
from idealrank.data.grades import MOST_LABELS, are_labels, scale_of
from idealrank.data.ids import Keyed, codes, could_be_numbers, id_text
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries, distinguishing_column, join_query_columns, suggest_query_columns
from idealrank.data.results import Results
from idealrank.data.roles import ALIASES, ChosenColumns, Roles, fold
from idealrank.decisions.fields import AS_RETURNED
from idealrank.decisions.question import UnitMap
from idealrank.errors import (
    NOBODY_JUDGED,
    DataError,
    NoColumnError,
    either,
    listed,
    option,
    plural,
    quoted_option,
    unknown as unknown_name,
)

Table = TypeVar("Table", Judgments, Results)


class Tables(NamedTuple):
    """What an evaluation reads: judgments, results, attributes of queries, and which queries were asked for."""

    judgments: Judgments
    results: list[Results]
    queries: Queries
    only: Any


_ORDER = "Give judgments first, then results."
_RANKED_WAY = (
    " If the fields are query, document, rank and score, add a first line that names them so, and separate all fields "
    "by tabs."
)
_KINDS = {"learning-to-rank": "learning-to-rank lines (judgments)"}


def read_judgments(
    source: Any,
    *,
    query: str | Sequence[str] | None = None,
    doc: str | None = None,
    grade: str | Sequence[str] | None = None,
    rater: str | None = None,
    subtopic: str | None = None,
    step: str | None = None,
    system: str | None = None,
    text: str | None = None,
    begin: str | None = None,
    end: str | None = None,
    grades: str | Mapping[str, float] | None = None,
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
        list of dicts or named tuples. A `Judgments` value is returned as it is.
    query, doc, grade, rater, subtopic, step, system, text, begin, end
        Names of the columns, if they are not found automatically. A list of grade columns means one per rater; a
        list of query columns names queries by all of them together, such as a language and a text. A column, or a
        list in a document, that contains lists of documents may be named as `doc`.
        TREC text and dicts of dicts have none, except ``subtopic="iteration"``: the second field of qrels,
        if it is not the same in all lines. The offsets begin and end are read with ``unit="spans"``.
    grades
        What labels are worth, if the grades are words: ``{"Exact": 2, "Partial": 1, "Irrelevant": 0}``,
        the same as text, or the name of a known scale: esci, wands or ntcir.
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
    columns: ChosenColumns = {
        "query": _one_or_several(query),
        "doc": doc,
        "grade": _one_or_several(grade),
        "rater": rater,
        "subtopic": subtopic,
        "step": step,
        "system": system,
        "text": text,
        "begin": begin,
        "end": end,
    }
    _refuse_unknown(unknown, [*columns, "grades"])
    if isinstance(source, Judgments) and grades is None:
        return source
    scale = scale_of(grades)
    table = read_frame(source.source if isinstance(source, Keyed) else source, "judgments", progress, doc or "")
    if table.headerless_form == "predictions":
        raise DataError(
            f"{table.name}: these are predictions (one number per line), not judgments. {_ORDER} {NOBODY_JUDGED}"
        )
    if table.frame.format == "trec-run":
        raise DataError(f"{table.name}: this is a TREC run (results), not judgments. {_ORDER} {NOBODY_JUDGED}")
    if subtopic is None:
        refuse_odd_qrels(table)
    table, columns = join_query_columns(table, columns)
    if table.frame.format != "dicts" and not table.frame.format.startswith("trec-"):
        from idealrank.data.table_checks import check_columns

        table, columns = check_columns(table, columns)
    roles = _table_roles(table, columns, "grade", hint=_dict_hint(source, "grade"))
    table, graded = _grade_columns(table, roles, scale is None)
    if graded is None:
        _refuse_ranks(roles)
    roles.require("doc", *(["grade"] if graded is None else []))
    judgments = Judgments(table, roles, graded or (), roles.required("doc"), scale=scale).checked()
    return _refuse_objects_without_ids(judgments)


def _refuse_objects_without_ids(table: Table) -> Table:
    """Return a table, unless an object of the document that it was read from has no id where the others have theirs."""
    if table.source.plan is None:
        return table
    from idealrank.data.table_checks import refuse_objects_without_ids

    return refuse_objects_without_ids(table)


def read_judgments_of_units(source: Any, unit: str | UnitMap) -> Judgments:
    """Read judgments, whose documents may be in the column of the unit.

    Raises
    ------
    DataError
        If they cannot be read.
    """
    try:
        return read_judgments(source)
    except NoColumnError as error:
        if not isinstance(unit, str) or "(" in unit or unit == AS_RETURNED:
            raise
        try:
            return read_judgments(source, doc=unit)
        except DataError:
            raise error from None


def read_results(
    source: Any,
    *,
    query: str | Sequence[str] | None = None,
    doc: str | None = None,
    rank: str | None = None,
    score: str | None = None,
    system: str | None = None,
    step: str | None = None,
    text: str | None = None,
    begin: str | None = None,
    end: str | None = None,
    name: str = "",
    judgments: Judgments | None = None,
    progress: Any = None,
    **unknown: Any,
) -> Results:
    """Read results (a run) from a file or an object in memory.

    Parameters
    ----------
    source
        A path to a TREC run, CSV, TSV, JSONL, Parquet or Arrow; a dataframe; a dict
        ``{query: {document: score}}``; or anything else that `read_judgments` reads. Judgments: their table contains
        the results, too.
    query, doc, rank, score, system, step, text, begin, end
        Names of the columns, if they are not found automatically; several for the query and lists of documents as for
        `read_judgments`. TREC text and dicts of dicts have none. The offsets
        begin and end are read with ``unit="spans"``.
    name
        The system's name, if the table contains one system.
    judgments
        The judgments whose rows a file of predictions (one number per line) is about.
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
    >>> read_results({"q1": {"d1": 2.5, "d7": 1.0}}, name="bm25")
    Results('results bm25', 2 rows, systems: bm25)
    """
    columns: dict[str, str | tuple[str, ...] | None] = {
        "query": _one_or_several(query),
        "doc": doc,
        "rank": rank,
        "score": score,
        "system": system,
        "step": step,
        "text": text,
    }
    columns |= {"begin": begin, "end": end}
    _refuse_unknown(unknown, [*columns, "name", "judgments"])
    if isinstance(source, Results):
        return source
    if isinstance(source, Judgments):
        return _results_among_judgments(source, columns, name)
    table = read_frame(source, " ".join(f"results {name}".split()), progress, doc or "")
    if table.frame.format == "trec-qrels":
        way = _RANKED_WAY if "iteration" in table.frame.names else ""
        raise DataError(
            f"{table.name}: these are {_KINDS.get(table.headerless_form, 'TREC judgments (4 fields)')}, not results. "
            f"{_ORDER}{way}"
        )
    table = join_predictions(table, judgments) if table.headerless_form == "predictions" else table
    table, columns = join_query_columns(table, columns)
    roles = _table_roles(table, columns, "score", hint=_dict_hint(source, "score"))
    results = _refuse_objects_without_ids(Results(table, roles, table.system or name, roles.required("doc")).checked())
    return refuse_queries_run_together(refuse_repeated_lists(refuse_doubtful_systems(results)))


def _results_among_judgments(judgments: Judgments, columns: ChosenColumns, name: str) -> Results:
    """Read the results from the table of the judgments."""
    table = judgments.source
    if (part := table.part("results")) is not None:
        part, columns = join_query_columns(part, columns)
        roles = _table_roles(part, columns, "score")
        results = _refuse_objects_without_ids(Results(part, roles, name, roles.required("doc")).checked())
        return refuse_repeated_lists(results)
    if "judgments" in table.tables:
        table.table_of("results")
    if not judgments.grades:
        raise DataError(
            f"{table.name}: no results given, and this table has no grade column, so its rows are the relevant "
            "documents. Give the results as the second argument."
        )
    if judgments.form:
        form = _ONE_NUMBER.get(judgments.form, f"{judgments.form} have")
        raise DataError(
            f"{table.name}: no results given, and {form} one number per document, the grade. "
            "Give the results as the second argument."
        )
    try:
        # A column read as the grade is not also the score of the same table unless the caller says so.
        table, columns = join_query_columns(table, columns)
        roles = _table_roles(table, columns, "score", judgments.grades)
        return Results(table, roles, name, roles.required("doc"), shared=True).checked()
    except NoColumnError as error:
        what = either(str(error), error.typed)
        raise NoColumnError(f"{what} No results were given, so they were looked for in the judgments' table.") from None


_ONE_NUMBER = {"TREC judgments": "TREC judgments have", "dict of dicts": "a dict of dicts has"}


def empty_results(name: str) -> Results:
    """Return the results of a system that returned nothing.

    Examples
    --------
    >>> empty_results("b")
    Results('results b', 0 rows, systems: b)
    """
    from idealrank._core import from_dicts

    table = Source(f"results {name}", from_dicts({}))
    roles = _table_roles(table, {}, "score")
    return Results(table, roles, name, roles.required("doc"))


def _dict_hint(source: Any, value: str) -> str:
    """Name the dict to give instead of one of columns; "" for sources that are not dicts."""
    return f"{{query: {{document: {value}}}}}" if isinstance(source, Mapping) else ""


def _one_or_several(names: str | Sequence[str] | None) -> str | tuple[str, ...] | None:
    """Return one name as text, several as a tuple."""
    if names is None or isinstance(names, str):
        return names
    return names[0] if len(names) == 1 else tuple(names) or None


def _refuse_unknown(keywords: Iterable[str], own: Iterable[str]) -> None:
    """Refuse a keyword that is not a role's column, and suggest the nearest one."""
    for name in keywords:
        raise unknown_name("keyword", name, [*own, "progress"])


def _table_roles(
    table: Source, columns: ChosenColumns, value: str, taken: tuple[int, ...] = (), hint: str = ""
) -> Roles:
    """Return the roles of a table's columns; the numbers of a dict of dicts are the grade or the score (`value`)."""
    frame = table.frame
    if frame.format == "dicts":
        return Roles(table.name, ["query_id", "doc_id", value], {})
    if table.headerless_form == "headerless":
        from idealrank.data.formats.headerless import unnamed_roles

        return Roles(table.name, unnamed_roles(table, value), {})
    if frame.format.startswith("trec-"):
        subtopic = columns.get("subtopic") if frame.format == "trec-qrels" else None
        if subtopic is not None and subtopic not in frame.names:
            raise NoColumnError(
                f"{table.name}: no subtopics. TREC judgments have them in the second field, which must not be the same "
                f"in every line. Choose it as iteration: {option('subtopic', 'iteration', 'subtopic-col')}."
            )
        return Roles(table.name, ["query_id", *frame.names[1:]], {"subtopic": subtopic} if subtopic else {})
    names = list(frame.names)
    if table.query_columns:
        names[table.query_columns[-1]] = str(columns["query"])
    roles = Roles(table.name, names, columns, taken, hint, _READERS[value], table)
    place = None if roles.chosen.get("doc") is not None or table.is_part else roles.find("doc")
    if place is None or fold(names[place]) != "id":
        return roles
    from idealrank.data.table_checks import without_row_numbers

    return without_row_numbers(table, roles, place)


_READERS = {"grade": "read_judgments", "score": "read_results"}
"""The function that reads a table, by the value it needs."""


def _refuse_ranks(roles: Roles) -> None:
    """Refuse results given as judgments."""
    if roles.find("rank") is not None and roles.find("doc") is not None:
        way = option("grade", flag="grade-col")
        raise NoColumnError(
            f"{roles.source}: no grade column, but ranks: these look like results. {roles.columns}. Give judgments "
            f"first, then results. If a column contains grades, name it: {way}. {NOBODY_JUDGED}"
        )


def _grade_columns(table: Source, roles: Roles, numbers: bool) -> tuple[Source, tuple[int, ...] | None]:
    """Return the columns of grades: one, or one per rater, or () if every row is relevant; None if one is missing.

    The table is returned with what was found about them; `numbers`: the grades are numbers.
    """
    proper = not roles.several and roles.find("grade", slice(1)) is not None
    if not proper and (ratings := roles.ratings()):
        from idealrank.data.raters import rater_columns

        roles.refuse_final(ratings)
        return rater_columns(table, roles, ratings, numbers)
    if (place := roles.find("grade")) is not None:
        return table, (place,)
    if ratings := roles.numbered_ratings():
        return table, tuple(ratings)
    return table, () if only_positives(table, roles) else None


# Judgments without a grade column: a list of the relevant documents, each with grade 1.


_COUNTING = ("id", "index", "page", "line", "number", "year", "date", "time", "timestamp", "unnamed:0")
"""Endings of names of columns whose numbers are no grades."""


def only_positives(source: Source, roles: Roles) -> bool:
    """Whether a table lists relevant documents: query and document, nothing that orders them, and no grade.

    A column of numbers, or of words such as yes and no, may be a grade under a name that is not known.
    """
    chosen = roles.chosen.get("grade") is not None or bool(roles.several)
    # A list of relevant documents is one even if its rows name a system, whose results are beside it.
    others = ("grade", "rank", "score", *(() if source.part("judgments") else ("system",)))
    if chosen or any(roles.find(role) is not None for role in others):
        return False
    if roles.find("doc") is None or roles.key is None or source.doubtful or source.names_below():
        return False
    return not any(_could_be_grades(source, roles, index) for index in range(len(roles.names)))


def _could_be_grades(source: Source, roles: Roles, index: int) -> bool:
    """Whether a column could contain grades under a name that is not known."""
    name = fold(roles.names[index])
    # A column without a name is an index of rows if it is the first.
    if (not name and index == 0) or name.endswith(_COUNTING) or index in roles.chosen.values() or name in _WITH_A_ROLE:
        return False
    column = source.frame.column(index)
    if source.plan is not None and roles.names[index] in source.plan.shared_columns:
        return False
    if source.frame.nested(index) is not None or roles.names[index] in source.unfit or not column.distinct(1):
        return False
    return could_be_numbers(column, roles.names[index]) or are_labels(column.distinct(MOST_LABELS + 1))


_WITH_A_ROLE = frozenset().union(*(tier for tiers in ALIASES.values() for tier in tiers))


# A file of predictions, one number per line, becomes results for the rows of the judgments.


def join_predictions(table: Source, judgments: Judgments | None) -> Source:
    """Return a table with the query and the document of each row of the judgments beside the predictions.

    Raises
    ------
    DataError
        If there are no judgments, or they have another number of rows.
    """
    if judgments is None:
        raise DataError(
            f"{table.name}: one number per line, which are predictions for the rows of judgments. Give these "
            "judgments first, such as the SVMlight file that was ranked."
        )
    rows, predictions = judgments.source.frame.rows, table.frame.rows
    if rows != predictions:
        raise DataError(
            f"{table.name}: {predictions:,} predictions, but {judgments.name} has {rows:,} rows. Give one prediction "
            "per row, in the same order."
        )
    score = table.number(0)
    assert score is not None
    columns = [judgments.keys.query, judgments.source.ids(judgments.doc), score]
    return replace(table, frame=from_columns(["query_id", "doc_id", "score"], columns))


# Four columns that may be TREC judgments, or ratings with their times, or judgments with a system in front.


SUBTOPICS = 100
"""Numbers of subtopics are below this."""

HIGHEST = 1000
"""Grades above this are taken as times."""


def refuse_odd_qrels(table: Source) -> None:
    """Ask what four columns are, if those of TREC judgments would be odd.

    The first is the same in every line and the second is not, or all are numbers, of which the second has more values
    than the third or the last is a time.

    Raises
    ------
    DataError
        The message says how to have them read either way.
    """
    frame = table.frame
    if frame.format != "trec-qrels" or "iteration" not in frame.names:
        return
    _refuse_one_query(table)
    second, third, last = (frame.column(frame.names.index(name)) for name in ("iteration", "doc", "grade"))
    if not (could_be_numbers(second, "") and could_be_numbers(third, "") and could_be_numbers(last, "")):
        return
    if len(second.codes()[1]) <= len(third.codes()[1]) and last.number("grade", True).floats().max() <= HIGHEST:
        return
    raise DataError(
        f"{table.name} {table.where(0)}: four numbers per line, which may be user, item, rating and time. If they are "
        "ratings, add a first line that names the columns: query, doc, grade, time, with the same separator. If they "
        "are TREC judgments, write 0 as the second field of every line, or, if it is a subtopic, choose: "
        f"{option('subtopic', 'iteration', 'subtopic-col')}."
    )


def _refuse_one_query(table: Source) -> None:
    """Ask whether the second of four columns is the query: unlike the first, it is not the same in all lines."""
    frame = table.frame
    first, second = frame.column(0).codes()[1], frame.column(frame.names.index("iteration")).codes()[1]
    if len(first) > 1 or table.is_part:
        return
    (name,), others = first.to_list(None), second.to_list(None)
    # Subtopics are numbered; a first field without a digit is rather the name of a system.
    if any(map(str.isdigit, str(name))) and all(str(one).isdigit() and int(one) < SUBTOPICS for one in others):
        return
    raise DataError(
        f"{table.name} {table.where(0)}: as TREC judgments ('query 0 document grade') this file has one query, "
        f"{quoted(str(name))}, and {len(second):,} values in the second field, the first {quoted(str(others[0]))}. If "
        "the second field is the query, add a first line that names the columns, such as system, query, doc and grade, "
        "and separate all fields by tabs. If it is a subtopic of the one query, choose: "
        f"{option('subtopic', 'iteration', 'subtopic-col')}; else write 0 in its place."
    )


# Several lists of results for one query, which must not be run together, and names that may be no systems.


_UBI_WAY = ": write its query_response_id as its query_id, or keep the last line of each query_id"


def refuse_doubtful_systems(results: Results) -> Results:
    """Return results whose systems are systems, even if they are only names around the queries of a document.

    Raises
    ------
    DataError
        If no query has results under two of them: they may as well be groups of queries.
    """
    column = results.column("system") if OUTER in results.source.notes else None
    if column is None:
        return results
    of, query = codes(column), codes(results.keys.query)
    systems = np.unique(of[of >= 0])
    pairs = np.unique(np.column_stack((query, of))[of >= 0], axis=0)
    if len(systems) > 1 and len(np.unique(pairs[:, 0])) == len(pairs):
        raise DataError(
            f"{results.name}: the queries lie under {plural(len(systems), 'name')} "
            f"({listed([id_text(name) for name in column.distinct(5)])}), and no query is under two of them. Are the "
            "names systems, or groups of queries? Give the results of a system as {query: [documents]}, one file per "
            "system; or rows with the columns query, doc, rank and system."
        )
    return results


def refuse_repeated_lists(results: Results) -> Results:
    """Return results whose documents contain one list for each query.

    Raises
    ------
    DataError
        If a query has several lists, as a log does in which it was asked twice; the message names the query.
    """
    if not results.source.tables or results.rank is None:
        return results
    first = np.flatnonzero(results.rank.floats() == 1)
    systems = results.systems_column()
    lists = np.column_stack((codes(results.keys.query)[first], codes(systems)[first] if systems else first * 0))
    _, place, counts = np.unique(lists, axis=0, return_index=True, return_counts=True)
    if (counts > 1).any():
        earliest = min(np.flatnonzero(counts > 1), key=lambda group: place[group])
        row, times = int(first[place[earliest]]), int(counts[earliest])
        (key,) = results.keys.query.to_list(np.array([row], np.int64))
        raise DataError(
            f"{results.name}: {times} lists of results for query {quoted(id_text(key))} (first: "
            f"{results.source.where(row)}), as if it was asked {times} times. Keep one list per query, or "
            f"give each search an id of its own{_UBI_WAY if results.source.what == UBI else ''}."
        )
    return results


def refuse_queries_run_together(results: Results) -> Results:
    """Return results in which no rank is there twice for each value of a column that may be part of the query.

    Raises
    ------
    DataError
        If a query has several documents at a rank, and another column tells them apart; the message names it.
    """
    if results.form or results.rank is None or results.roles.chosen.get("query") is not None:
        return results
    systems = results.systems_column()
    ranks = results.rank.floats()
    found = [codes(results.keys.query), codes(systems) if systems else np.zeros(len(ranks), np.int64), ranks]
    rows = np.flatnonzero((found[0] >= 0) & ~np.isnan(ranks))
    lists = np.unique(np.column_stack(found)[rows], axis=0, return_inverse=True)[1]
    if len(rows) == 0 or lists.max() + 1 == len(rows):
        return results
    if results.searches("") is not None or not (column := distinguishing_column(results, lists.ravel(), rows)):
        return results
    row, before = _first_repeat(lists.ravel(), rows)
    query = id_text(results.keys.query.to_list(np.array([row], np.int64))[0])
    raise DataError(
        f"{results.source.place(row)}: query {query!r} has rank {ranks[row]:g} a second time (first: "
        f"{results.source.where(before)}), with another {column}."
        f"{suggest_query_columns(results, column)} If it names the system: "
        f"{either(f'system={column!r}', quoted_option('system-col', column))}."
    )


def _first_repeat(group: Ints, rows: Ints) -> tuple[int, int]:
    """Return the first row whose group an earlier one has, and that one."""
    first = np.unique(group, return_index=True)[1][group]
    again = int(np.flatnonzero(first != np.arange(len(group)))[0])
    return int(rows[again]), int(rows[first[again]])
