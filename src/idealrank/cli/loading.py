"""From the options of a call to the tables and settings `evaluate` takes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.column_names import ColumnNames, Names, column_names
from idealrank.cli.files import refuse_inputs
from idealrank.cli.help import DEFAULTS
from idealrank.cli.options import ONLY_RESULTS, check_stdin, decision_answers
from idealrank.cli.output import agreed
from idealrank.cli.queries_table import take_queries_table
from idealrank.conventions import parse_convention
from idealrank.conventions.project import Project, project_defaults
from idealrank.errors import NoColumnError, UsageError

if TYPE_CHECKING:
    from idealrank.data.formats.source import Source
    from idealrank.data.judgments import Judgments
    from idealrank.data.queries import Queries
    from idealrank.data.results import Results


def call_of(options: dict[str, Any], measures: Sequence[str] = ()) -> tuple[dict[str, Any], Project]:
    """Return the keyword arguments for `evaluate` and the project's defaults that went into them.

    Names are looked up first: a wrong one is said before large files are read. The files are read
    while NumPy is imported: a command imports what needs NumPy after this call.
    """
    from idealrank.data.formats.reader import systems_in
    from idealrank.data.formats.strays import strays

    folders = [name for name in options["results"] if os.path.isdir(name)]
    options["results"] = tuple(file for name in options["results"] for file in systems_in(name))
    keep_inputs(options)
    params = click.get_current_context().params
    if "form" in params:  # a command without one writes no table
        agreed(params["form"], params.get("output"))
    ahead = _begin(options)
    from idealrank.evaluation.measure_names import measures_under

    project = defaults_of(options, measures)
    convention = options.get("convention") or project.convention or "idealrank-1"
    answers = decision_answers(options)
    measures_under(parse_convention(convention, answers), list(measures or project.measures) or None)
    names = column_names(options, project.columns)
    take_queries_table(options, names)
    with strays(folders):
        call: dict[str, Any] = {**_tables(options, names, ahead)}
    call |= {"convention": convention, **answers}
    system = options.get("system")
    return call | {"system": None if system == () else system, "only": only_of(options.get("only"))}, project


def ground_of(options: dict[str, Any], measure: str) -> dict[str, Any]:
    """Return judgments, results of one file, the system and the answers given, for what compares conventions."""
    call, _ = call_of({**options, "results": (options["results"],)}, [measure])
    left_out = ("queries", "weights", "only", "convention")
    return {key: value for key, value in call.items() if key not in left_out} | {"results": call["results"][0]}


def defaults_of(options: dict[str, Any], measures: Sequence[str]) -> Project:
    """Return the project's defaults, and keep them for what is said about the call; what was typed goes before them."""
    project = untyped(project_defaults(), options, measures)
    click.get_current_context().meta[DEFAULTS] = project
    return project


def untyped(project: Project, options: dict[str, Any], measures: Sequence[str]) -> Project:
    """Leave out the defaults that what was typed goes before."""
    convention = None if options.get("convention") else project.convention
    return project._replace(convention=convention, measures=() if measures else project.measures)


def _tables(options: dict[str, Any], names: ColumnNames, ahead: Mapping[str, Any]) -> dict[str, Any]:
    from idealrank.data.formats.answers import refuse_apart

    file, files = options["judgments"], options["results"]
    check_stdin([file, *files])
    reader = Reader(names, ahead)
    one = {"system": names.results["system"]} if not files and "system" in names.results else {}
    judgments = reader.judgments(file, one)
    results = [reader.results(*each, judgments) for each in zip(files, _names_of(files), strict=True)]
    refuse_apart([each.source for each in results])
    results = _without(results or [reader.shared(judgments, options.get("order_by"))], options.get("exclude"))
    queries, segments = queries_and_segments(reader, options)
    weights = reader.weights(options.get("weights"), queries)
    if options.get("text_col"):  # what a project fixes need not be in every call's tables
        reader.refuse_absent_text()
    tables = {"judgments": judgments, "results": results, "queries": queries, "weights": weights}
    return tables | ({"segments": segments} if "segment_tables" in options else {})


def queries_and_segments(reader: Reader, options: dict[str, Any]) -> tuple[Queries | None, list[str]]:
    """Read the table of queries with the columns of the tables of segments, and which of these segments go by."""
    table = options.get("queries_table")
    queries = reader.queries(table) if table else None
    return _with_segments(queries, [reader.queries(name) for name in options.get("segment_tables") or ()])


def _without(results: list[Results], exclude: str | None) -> list[Results]:
    """Leave out the results on the list to exclude, if there is one."""
    if exclude is None:
        return results
    from idealrank.data.exclusion import read_excluded, without

    excluded = read_excluded(exclude)
    return [without(each, excluded) for each in results]


def _names_of(files: Sequence[str]) -> list[str]:
    from idealrank.data.systems import system_names

    return system_names(files)


def _with_segments(queries: Queries | None, tables: Sequence[Queries]) -> tuple[Queries | None, list[str]]:
    """Add the columns of tables of segments to the queries, and return which of them segments go by.

    That is the column called segment; without one, all but the texts and the frequencies.
    """
    from dataclasses import replace

    names: list[str] = []
    for table in tables:
        columns = [table.named("segment")] if table.named("segment") else _plain_columns(table)
        if not columns:
            others = ", ".join(table.attributes) or "only ids"
            raise NoColumnError(f"{table.name}: no column to make segments of ({others}). Call one segment.")
        names += columns
        queries = (
            table
            if queries is None
            else replace(
                queries, attributes={**table.attributes, **queries.attributes}, tables=(*queries.tables, *table.tables)
            )
        )
    return queries, names


def _plain_columns(table: Queries) -> list[str]:
    from idealrank.data.roles import ALIASES, fold

    frequencies = frozenset[str]().union(*ALIASES["weight"])
    return [name for name in table.attributes if name != table.text and fold(name) not in frequencies]


def keep_inputs(options: dict[str, Any]) -> None:
    """Refuse to write over a file that this very call reads."""
    names = ("judgments", "queries_table", "weights", "only", "documents", "exclude")
    read = [*map(options.get, names), *options["results"], *(options.get("segment_tables") or ())]
    refuse_inputs(click.get_current_context().params.get("output"), read)


def only_of(text: str | None) -> str | None:
    """Refuse a file of ids that is not there: its name is no list of ids."""
    if text is not None and os.sep in text and not os.path.exists(text):
        from idealrank.data.formats.paths import near_file

        near = near_file(text)
        raise UsageError(
            f"--queries {text}: no such file.{near} Give 1..50, ids joined by commas, a file of ids, or a table."
        )
    return text


def _begin(options: dict[str, Any]) -> dict[str, Any]:
    """Begin to read the files while NumPy and the rest are imported, but for those that show a bar."""
    from idealrank.data.formats.reader import read_ahead
    from idealrank.display.progress import shows

    if options.get("doc_col"):  # which list of a document is read depends on it
        return {}
    files = [(options["judgments"], "judgments"), *((file, "results") for file in options["results"])]
    return {file: read_ahead(file, kind) for file, kind in files if file != "-" and not shows(file)}


class Reader:
    """Reads the tables of a call, each with the column names that are meant for it."""

    def __init__(self, names: ColumnNames, ahead: Mapping[str, Any] | None = None) -> None:
        self.names = names
        self.ahead = ahead or {}
        self.seen: list[str] = []

    def frame(self, file: str, kind: str, docs: object = "") -> Source:
        """Read a file, with a progress bar if it is large; `docs` is the name given for its documents."""
        from idealrank.data.formats.reader import read_frame
        from idealrank.display.progress import reading

        with reading(file) as counter:
            table = read_frame((not docs and self.ahead.get(file)) or file, kind, counter, str(docs))
        self.seen += table.frame.names
        return table

    def judgments(self, file: str, also: Names) -> Judgments:
        """Read the judgments."""
        from idealrank.data.read import read_judgments

        source = self.frame(file, "judgments", self.names.judgments.get("doc", ""))
        with self._remedy(source, self.names.judgments):
            return read_judgments(source, **{**also, **self._with_text(source, self.names.judgments)})

    def weights(self, given: str | None, queries: Queries | None) -> str | Queries | None:
        """Read the table of weights; the name of a column of the queries is returned as it is."""
        if given and os.path.exists(given) and not (queries and queries.named(given)):
            return self.queries(given)
        return given

    def results(self, file: str, name: str = "", judgments: Judgments | None = None) -> Results:
        """Read the results of a file; a system without a name is called so, or after the file."""
        from idealrank.data.read import read_results
        from idealrank.data.systems import system_name

        names = self.names.of_results(file)
        source = self.frame(file, "results", names.get("doc", ""))
        with self._remedy(source, names):
            called = name or system_name(file)
            return read_results(source, name=called, judgments=judgments, **self._with_text(source, names))

    def shared(self, judgments: Judgments, order: str | None) -> Results:
        """Read the results of a table that contains judgments too; one that ranks nothing contains none."""
        from idealrank.data.read import read_results

        results = read_results(judgments, **self._with_text(judgments.source, self.names.results))
        if order != "given" and results.rank is None and results.score is None:
            raise NoColumnError(
                f"{judgments.name}: no results given, and this table has neither rank nor score. "
                f"{results.roles.columns}. Give a file of results after it, or name the column: --rank-col NAME. "
                "If its rows are the results in their order: --order-by given."
            )
        return results

    def queries(self, file: str) -> Queries:
        """Read a table about queries."""
        from idealrank.data.queries import read_queries
        from idealrank.data.roles import Roles, has_all

        source, names = self.frame(file, "queries"), self.names.queries
        columns = source.frame.names
        for role in names:
            if role not in self.names.everywhere and not has_all(columns, names[role]):
                listing = Roles(source.name, columns, {}).columns
                raise NoColumnError(f"{source.name}: no column called {names[role]!r} for the {role}. {listing}.")
        key_names = (names.get("query"), self.names.judgments.get("query"), self.names.results.get("query"))
        key = next((name for name in key_names if name and has_all(columns, name)), None)
        text = names.get("text") or self.names.text or None
        return read_queries(source, query=key, text=None if text is None else str(text))

    def refuse_absent_text(self) -> None:
        """Refuse a text column that no table has."""
        from idealrank.data.roles import has

        if self.names.text and not has(self.seen, self.names.text):
            columns = ", ".join(dict.fromkeys(self.seen))
            raise NoColumnError(f"--text-col {self.names.text}: no table has such a column. Found: {columns}.")

    @contextlib.contextmanager
    def _remedy(self, source: Source, columns: Names) -> Iterator[None]:
        """Say how to name a column of one table, where a name given for every table is missing in this one."""
        from idealrank.data.roles import has_all

        try:
            yield
        except NoColumnError as error:
            shared = [role for role in columns if role in self.names.everywhere and role in ("query", "doc")]
            for role in shared:
                if not has_all(source.frame.names, columns[role]):
                    way = f"Does one table alone have it? --{role}-col judgments:NAME or results:NAME."
                    raise NoColumnError(f"{error.typed} {way}") from None
            for role in self.names.everywhere.intersection(ONLY_RESULTS, columns):
                if not has_all(source.frame.names, columns[role]):
                    way = f"Name the column of this file alone: --{role}-col {source.name}:NAME."
                    raise NoColumnError(f"{error.typed} {way}") from None
            raise

    def _with_text(self, source: Source, columns: Names) -> dict[str, Any]:
        from idealrank.data.roles import has

        there = has(source.frame.names, self.names.text) and "text" not in columns
        return {**columns, "text": self.names.text} if there else dict(columns)


def read_judgment_files(files: Sequence[str], names: ColumnNames) -> list[Judgments]:
    """Read judgments alone."""
    reader = Reader(names)
    judgments = [reader.judgments(file, {}) for file in files]
    reader.refuse_absent_text()
    return judgments


def read_files(files: Sequence[str], names: ColumnNames) -> list[Results]:
    """Read results alone."""
    reader = Reader(names)
    results = [reader.results(file) for file in files]
    reader.refuse_absent_text()
    return results


def read_queries_file(file: str, names: ColumnNames) -> Queries:
    """Read a table about queries alone."""
    return Reader(names).queries(file)
