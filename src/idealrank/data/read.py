"""read_judgments and read_results: anything becomes a table with known roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idealrank.data.formats.reader import read_frame
from idealrank.data.formats.source import Source
from idealrank.data.ids import Keyed
from idealrank.data.judgments import Judgments
from idealrank.data.labels import scale_of
from idealrank.data.objects_without_ids import refuse_objects_without_ids
from idealrank.data.positives import only_positives
from idealrank.data.predictions import results_of_rows
from idealrank.data.queries_together import by_columns_together
from idealrank.data.ratings_question import refuse_ratings
from idealrank.data.repeated_lists import refuse_doubtful_systems, refuse_queries_run_together, refuse_repeated_lists
from idealrank.data.results import Results
from idealrank.data.roles import ChosenColumns, Roles
from idealrank.data.row_numbers import without_row_numbers
from idealrank.data.unnamed import unnamed_roles
from idealrank.errors import DataError, NoColumnError, either, option, unknown as unknown_name

_ORDER = "Give judgments first, then results."
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
    columns = {
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
    if table.form == "predictions":
        raise DataError(f"{table.name}: these are predictions (one number per line), not judgments. {_ORDER}")
    if table.frame.format == "trec-run":
        raise DataError(f"{table.name}: this is a TREC run (results), not judgments. {_ORDER}")
    if subtopic is None:
        refuse_ratings(table)
    table, columns = by_columns_together(table, columns)
    roles = _roles(table, columns, "grade", hint=_dict_hint(source, "grade"))
    graded = _grade_columns(table, roles)
    if graded is None:
        _refuse_ranks(roles)
    roles.need("doc", *(["grade"] if graded is None else []))
    judgments = Judgments(table, roles, graded or (), roles.the("doc"), scale=scale).checked()
    return refuse_objects_without_ids(judgments)


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
        return _shared(source, columns, name)
    table = read_frame(source, " ".join(f"results {name}".split()), progress, doc or "")
    if table.frame.format == "trec-qrels":
        raise DataError(
            f"{table.name}: these are {_KINDS.get(table.form, 'TREC judgments (4 fields)')}, not results. {_ORDER}"
        )
    table = results_of_rows(table, judgments) if table.form == "predictions" else table
    table, columns = by_columns_together(table, columns)
    roles = _roles(table, columns, "score", hint=_dict_hint(source, "score"))
    results = refuse_objects_without_ids(Results(table, roles, table.system or name, roles.the("doc")).checked())
    return refuse_queries_run_together(refuse_repeated_lists(refuse_doubtful_systems(results)))


def _shared(judgments: Judgments, columns: ChosenColumns, name: str) -> Results:
    """Read the results from the table of the judgments."""
    table = judgments.source
    if (part := table.part("results")) is not None:
        part, columns = by_columns_together(part, columns)
        roles = _roles(part, columns, "score")
        results = refuse_objects_without_ids(Results(part, roles, name, roles.the("doc")).checked())
        return refuse_repeated_lists(results)
    if "judgments" in table.tables:
        table.of("results")
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
        table, columns = by_columns_together(table, columns)
        roles = _roles(table, columns, "score", judgments.grades)
        return Results(table, roles, name, roles.the("doc"), shared=True).checked()
    except NoColumnError as error:
        what = either(str(error), error.typed)
        raise NoColumnError(f"{what} No results were given, so they were looked for in the judgments' table.") from None


_ONE_NUMBER = {"TREC judgments": "TREC judgments have", "dict of dicts": "a dict of dicts has"}


def no_results(name: str) -> Results:
    """Return the results of a system that returned nothing.

    Examples
    --------
    >>> no_results("b")
    Results('results b', 0 rows, systems: b)
    """
    from idealrank._core import from_dicts

    table = Source(f"results {name}", from_dicts({}))
    roles = _roles(table, {}, "score")
    return Results(table, roles, name, roles.the("doc"))


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


def _roles(table: Source, columns: ChosenColumns, value: str, taken: tuple[int, ...] = (), hint: str = "") -> Roles:
    """Name the columns; a dict of dicts has a value column that is the grade or the score."""
    frame = table.frame
    if frame.format == "dicts":
        return Roles(table.name, ["query_id", "doc_id", value], {})
    if table.form == "headerless":
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
    if table.together:
        names[table.together[-1]] = str(columns["query"])
    return without_row_numbers(table, Roles(table.name, names, columns, taken, hint, _READERS[value], table))


_READERS = {"grade": "read_judgments", "score": "read_results"}
"""The function that reads a table, by the value it needs."""


def _refuse_ranks(roles: Roles) -> None:
    """Refuse results given as judgments."""
    if roles.find("rank") is not None and roles.find("doc") is not None:
        way = option("grade", flag="grade-col")
        raise NoColumnError(
            f"{roles.source}: no grade column, but ranks: these look like results. {roles.columns}. Give judgments "
            f"first, then results. If a column contains grades, name it: {way}."
        )


def _grade_columns(table: Source, roles: Roles) -> tuple[int, ...] | None:
    """Return the columns of grades: one, or one per rater, or () if every row is relevant; None if one is missing."""
    proper = not roles.several and roles.find("grade", slice(1)) is not None
    if not proper and (ratings := roles.ratings()):
        return tuple(ratings)
    if (place := roles.find("grade")) is not None:
        return (place,)
    if ratings := roles.numbered_ratings():
        return tuple(ratings)
    return () if only_positives(table, roles) else None
