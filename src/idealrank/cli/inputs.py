"""The inputs of commands: from options to the tables, scores and settings that the library takes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click
from click.core import ParameterSource

from idealrank.cli.help import DEFAULTS, WORDS, Decorator, add_parameters, option
from idealrank.cli.options import ONLY_RESULTS, ColumnNames, Names, check_stdin, column_names, decision_answers
from idealrank.cli.output import check_ending, refuse_inputs
from idealrank.conventions import parse_convention
from idealrank.conventions.project import Project, project_defaults
from idealrank.errors import DataError, NoColumnError, UsageError, listed, quoted_option

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison
    from idealrank.data.documents import Documents
    from idealrank.data.formats.source import Source
    from idealrank.data.judgments import Judgments
    from idealrank.data.queries import Queries
    from idealrank.data.results import Results
    from idealrank.display.table import Table
    from idealrank.evaluation.scores import Scores

# From the options of a call to a comparison: what compare, report and plot share.


OWN: dict[str, Any] = {
    "baseline": None, "margin": 0.0, "rule": "better", "tolerance": 0.0, "level": 0.95, "looks": 1,
    "equivalence": None, "holes": "estimate", "unseen": 0, "guardrails": (), "test": "t", "interval": "student_t",
    "correction": None, "draws": 10_000, "seed": 0, "hold_out": 0.0,
}  # fmt: skip
"""The options that only a comparison reads, with their defaults."""


def evaluate_inputs(options: dict[str, Any], measures: tuple[str, ...]) -> tuple[Scores, list[str], Project]:
    """Read the files and evaluate them, in parts if they are too large; return also the names of the segments."""
    segments = split_segments(options)
    if (saved := saved_inputs(options, measures)) is not None:
        return saved, segments, Project()
    if (found := evaluate_in_parts(options, measures)) is not None:
        scores, project, columns = found
        return scores, columns + segments, project
    call, project = evaluate_arguments(options, measures)
    segments = call.pop("segments") + segments
    from idealrank.evaluation.evaluate import evaluate

    return evaluate(measures=list(measures or project.measures) or None, **call), segments, project


def saved_inputs(options: dict[str, Any], measures: Sequence[str]) -> Scores | None:
    """Return the scores in the files, where these are saved ones: several files have one system each.

    Raises
    ------
    UsageError
        If something is asked for that scores have already.
    """
    from idealrank.data.formats.head import is_saved_scores

    files = [file for file in (options["judgments"], *options["results"]) if file is not None]
    saved = [file for file in files if file != "-" and is_saved_scores(file)]
    if not saved:
        return None
    if others := [file for file in files if file not in saved]:
        _refuse_beside(saved[0], others)
    if len({os.path.realpath(file) for file in saved}) < len(saved):
        raise UsageError(f"{', '.join(saved)}: the same file is given twice. Give each once.")
    given = click.get_current_context().get_parameter_source
    inputs = ("convention", "queries_table", "weights", "only", "exclude", "memory")
    if typed := [name for name in (*inputs, *decision_answers(options)) if given(name) is ParameterSource.COMMANDLINE]:
        flags = ", ".join("--queries" if name == "only" else f"--{name.replace('_', '-')}" for name in typed)
        raise UsageError(
            f"{saved[0]}: saved scores have their measures and decisions already. Leave out {flags}, or give it when "
            "they are saved: idealrank evaluate JUDGMENTS RESULTS --save FILE."
        )
    from idealrank.comparison.compare import scores_from
    from idealrank.data.systems import system_names

    named = options.get("system") or ()
    chosen = [_read_chosen(file, measures, (named,) if isinstance(named, str) else named) for file in saved]
    for file, scores in zip(saved, chosen, strict=True) if len(saved) > 1 else ():
        if len(scores.systems) > 1:
            raise UsageError(
                f"{file} contains {len(scores.systems)} systems: {listed(scores.systems)}. Of several files, one "
                f"system each is compared. Choose it: {quoted_option('system', scores.systems[0])}."
            )
    every = dict(zip(system_names(saved), chosen, strict=True))
    return scores_from(every if len(every) > 1 else chosen[0], None, None, {})


def _refuse_beside(saved: str, others: Sequence[str]) -> NoReturn:
    """Refuse other files beside saved scores: those that are not there or are damaged as such, tables with a way."""
    from idealrank.data.formats.folders import path_or_content
    from idealrank.evaluation.scores import read_scores

    ending = os.path.splitext(saved)[1]
    for other in others:
        if other != "-" and ending and os.path.splitext(other)[1] == ending:
            path_or_content(other)
            read_scores(other)  # says what is wrong with it
    raise UsageError(
        f"{saved} contains saved scores, with their judgments and results, which are compared with saved scores alone. "
        f"Leave out {', '.join(others)}; to compare with new results, save their scores first: idealrank evaluate "
        "JUDGMENTS RESULTS --save FILE."
    )


def _read_chosen(file: str, measures: Sequence[str], systems: Sequence[str]) -> Scores:
    """Return the saved scores of the measures and systems named, or of all."""
    from idealrank.comparison.compare import with_measures
    from idealrank.evaluation.scores import read_scores

    scores = read_scores(file)
    if systems:
        places = list(map(scores.system_place, systems))
        scores = scores.select_systems(places, systems, values=scores.values[places], states=scores.states[places])
    return with_measures(scores, list(map(scores.place_of, measures))) if measures else scores


def split_segments(options: dict[str, Any]) -> list[str]:
    """Return the columns that are segments, and leave the tables of segments in the options."""
    names = options.get("segments") or ()
    segments = [name for name in names if not os.path.isfile(name)]
    for name in segments:
        if os.sep in name or os.path.splitext(name)[1]:
            raise click.UsageError(f"--segments {name}: no such file. Give a file, or the name of a column.")
    options["segment_tables"] = [name for name in names if os.path.isfile(name)]
    return segments


def is_baseline_by_name(options: dict[str, Any]) -> bool:
    """Whether the baseline is the first by name: the results are one folder, and no option says which it is."""
    in_one_folder = len(options["results"]) == 1 and os.path.isdir(options["results"][0])
    return in_one_folder and not (options["baseline"] or options["system"])


def compare_systems(scores: Scores, segments: list[str], options: dict[str, Any]) -> Comparison:
    """Compare the systems under the options given; long work says beforehand how long it takes, and shows a bar."""
    from idealrank.comparison.compare import compare, pair_systems
    from idealrank.comparison.contrasts import expected_seconds
    from idealrank.display.terminal import announce_seconds, progress_bar

    own = {name: options.get(name, default) for name, default in OWN.items()}
    pairing = pair_systems(scores, own["baseline"], own["tolerance"])
    announce_seconds(expected_seconds(pairing, own["correction"] or "max_t", own["draws"]))
    with progress_bar("resampling", "bounding what unjudged results could change") as progress:
        return compare(scores, segments=segments, progress=progress, **own)


def compare_calibrated(
    options: dict[str, Any], measures: tuple[str, ...], calibration: Mapping[str, Any]
) -> tuple[Comparison, Project]:
    """Compare by a judge calibrated on people; the files are read whole."""
    from idealrank.comparison.compare import compare

    for name in ("memory", "temporary"):
        if options.pop(name, None) is not None:
            raise UsageError(f"--{name}: not with --judge, which reads its files whole. Leave it out.")
    own = {name: options.get(name, default) for name, default in OWN.items()}
    call, project = evaluate_arguments(options, measures)
    segments = call.pop("segments", None) or None
    judgments, results = call.pop("judgments"), call.pop("results")
    asked = list(measures or project.measures) or None
    return compare(judgments, results, asked, segments=segments, **own, **calibration, **call), project


# Files larger than memory: divided into buckets, where `--memory` or an estimate says that they do not fit.


SMALL_FILES = 100_000_000
"""Bytes of files that are not worth an estimate."""

MEMORY_SHARE = 0.8
"""How much of the free memory is used."""

_TOPIC = "Files larger than memory"

memory_options = add_parameters(
    option(
        "--memory",
        metavar="SIZE",
        topic=_TOPIC,
        expert=True,
        help="Use about so much memory, as 4GB: larger files are divided by query, and evaluated part by part, with "
        "the same numbers; their rows are copied into a temporary file. Without: when an estimate says that they do "
        "not fit.",
    ),
    option(
        "--temporary",
        metavar="DIR",
        topic=_TOPIC,
        expert=True,
        type=click.Path(),
        help="Where the temporary files go [TMPDIR].",
    ),
)


def evaluate_in_parts(options: dict[str, Any], measures: Sequence[str]) -> tuple[Scores, Project, list[str]] | None:
    """Evaluate files that do not fit in memory part by part; None if they fit.

    The third is the names of the segments in the tables of segments.

    Raises
    ------
    UsageError
        If files that have to be divided cannot be.
    """
    memory, folder = options.pop("memory", None), options.pop("temporary", None)
    divided = _count_buckets(options, memory)
    if divided is None:
        return None
    from idealrank.display.terminal import progress_bar
    from idealrank.distributed.files import evaluate_files

    project = find_defaults(options, measures)
    names = column_names(options, project.columns)
    refuse_overwritten_inputs(options)
    take_queries_table(options, names)
    reader = TableReader(names)
    queries, segments = queries_and_segments(reader, options)
    weights = reader.weights(options.get("weights"), queries)
    # Closed at the end of the command: until then its output may need lists, and the files stay divided.
    keep = click.get_current_context().with_resource(contextlib.ExitStack())
    with progress_bar("evaluating") as bar:
        scores = evaluate_files(
            _files(options, names), list(measures or project.measures) or None, **divided, folder=folder,
            step_progress=_show_step, bucket_progress=bar, keep=keep, queries=queries, weights=weights,
            **_evaluation_options(options, project),
        )  # fmt: skip
    return scores, project, segments


def _count_buckets(options: dict[str, Any], memory: str | None) -> dict[str, Any] | None:
    """Return how many buckets make the files fit in how much memory; None if they fit as they are."""
    from idealrank.data.formats.folders import list_files

    limit = None if memory is None else _memory_size(memory)
    if not options["results"] or "-" in (options["judgments"], *options["results"]):
        if limit is None:
            return None
        raise UsageError("--memory: give files of judgments and of results; standard input cannot be divided.")
    files = list_files([options["judgments"], *_result_files(options)])
    if limit is None and sum(map(os.path.getsize, filter(os.path.isfile, files))) <= SMALL_FILES:
        return None
    from idealrank.distributed.memory import available_memory, number_of_buckets

    most = int(MEMORY_SHARE * available_memory()) if limit is None else limit
    buckets = number_of_buckets(files, most)
    return None if buckets == 1 else {"buckets": buckets, "memory": most}


def _memory_size(text: str) -> int:
    from idealrank.distributed.memory import memory_size

    return memory_size(text)


def _result_files(options: dict[str, Any]) -> list[str]:
    """Return the files of results, one per system; a folder or a pattern may be several."""
    from idealrank.data.formats.reader import system_files

    return [file for name in options["results"] for file in system_files(name)]


def _files(options: dict[str, Any], names: ColumnNames) -> Any:
    from idealrank.distributed.files import Files

    if names.files:
        file = next(iter(names.files))
        raise UsageError(f"{file}: columns of single files cannot be named where files are divided. Name those of all.")
    return Files(options["judgments"], _result_files(options), names.judgments, names.results)


def _evaluation_options(options: dict[str, Any], project: Project) -> dict[str, Any]:
    return {
        "convention": options.get("convention") or project.convention or "idealrank-1",
        **decision_answers(options), "only": check_query_file(options.get("only")),
        "exclude": options.get("exclude"), "system": options.get("system") or None,
    }  # fmt: skip


@contextlib.contextmanager
def _show_step(step: str, counter: Any) -> Iterator[None]:
    """Show how far reading or dividing a file is."""
    from idealrank.display.terminal import byte_progress

    with byte_progress(step, counter):
        yield


# From the options of a call to the tables and settings `evaluate` takes.


def evaluate_arguments(
    options: dict[str, Any], measures: Sequence[str] = (), opened: list[OpenedTable] | None = None
) -> tuple[dict[str, Any], Project]:
    """Return the keyword arguments for `evaluate` and the project's defaults that went into them.

    Names are looked up first, so that a wrong one is refused before large files are read. The files are read while
    NumPy is imported, so a command imports what needs NumPy after this call.

    Parameters
    ----------
    opened
        Every table that is read is added, with how it was: a command that keeps tables reads them no other way.
    """
    from idealrank.data.formats.folders import explain_stray_file
    from idealrank.data.formats.reader import system_files

    folders = [name for name in options["results"] if os.path.isdir(name)]
    options["results"] = tuple(file for name in options["results"] for file in system_files(name))
    refuse_overwritten_inputs(options)
    params = click.get_current_context().params
    if "form" in params:  # a command without one writes no table
        check_ending(params["form"], params.get("output"))
    ahead = _begin_reading(options)
    from idealrank.evaluation.requested_measures import measures_under

    project = find_defaults(options, measures)
    convention = options.get("convention") or project.convention or "idealrank-1"
    answers = decision_answers(options)
    measures_under(parse_convention(convention, answers), list(measures or project.measures) or None)
    names = column_names(options, project.columns)
    take_queries_table(options, names)
    with explain_stray_file(folders):
        call: dict[str, Any] = {**_read_tables(options, TableReader(names, ahead, opened))}
    call |= {"convention": convention, **answers}
    system = options.get("system")
    return call | {"system": None if system == () else system, "only": check_query_file(options.get("only"))}, project


def explain_inputs(options: dict[str, Any], measure: str) -> dict[str, Any]:
    """Return judgments, results of one file, the system and the answers given, for what compares conventions."""
    call, _ = evaluate_arguments({**options, "results": (options["results"],)}, [measure])
    left_out = ("queries", "weights", "only", "convention")
    return {key: value for key, value in call.items() if key not in left_out} | {"results": call["results"][0]}


def find_defaults(options: dict[str, Any], measures: Sequence[str]) -> Project:
    """Return the project's defaults that nothing typed replaces, and keep them for messages about the call."""
    project = without_typed(project_defaults(), options, measures)
    click.get_current_context().meta[DEFAULTS] = project
    return project


def without_typed(project: Project, options: dict[str, Any], measures: Sequence[str]) -> Project:
    """Leave out the defaults that something typed replaces."""
    convention = None if options.get("convention") else project.convention
    return project._replace(convention=convention, measures=() if measures else project.measures)


def _read_tables(options: dict[str, Any], reader: TableReader) -> dict[str, Any]:
    """Read the tables of a call; judgments may be missing where a command allows it, and results then are not in it."""
    from idealrank.data.formats.folders import refuse_answers_as_systems

    file, files, names = options["judgments"], options["results"], reader.names
    check_stdin([file, *files])
    one = {"system": names.results["system"]} if not files and "system" in names.results else {}
    judgments = None if file is None else reader.judgments(file, one)
    results = [reader.results(*each, judgments) for each in zip(files, _system_names(files), strict=True)]
    refuse_answers_as_systems([each.source for each in results])
    if not results and judgments is not None:
        results = [reader.shared(judgments, file, options.get("order_by"))]
    results = _without(results, options.get("exclude"))
    queries, segments = queries_and_segments(reader, options)
    weights = reader.weights(options.get("weights"), queries)
    if options.get("text_col"):  # what a project fixes need not be in every call's tables
        reader.refuse_absent_text()
    tables = {"judgments": judgments, "results": results, "queries": queries, "weights": weights}
    return tables | ({"segments": segments} if "segment_tables" in options else {})


def queries_and_segments(reader: TableReader, options: dict[str, Any]) -> tuple[Queries | None, list[str]]:
    """Read the table of queries, with the columns of tables of segments; return also which of these make segments."""
    from idealrank.data.queries import add_segments

    table = options.get("queries_table")
    queries = reader.queries(table) if table else None
    tables = [reader.queries(name, f"segments {name}") for name in options.get("segment_tables") or ()]
    return add_segments(queries, tables)


def _without(results: list[Results], exclude: str | None) -> list[Results]:
    """Leave out the results on the list to exclude, if there is one."""
    if exclude is None:
        return results
    from idealrank.data.filters import exclude_results, read_excluded

    excluded = read_excluded(exclude)
    return [exclude_results(each, excluded) for each in results]


def _system_names(files: Sequence[str]) -> list[str]:
    from idealrank.data.systems import system_names

    return system_names(files)


def refuse_overwritten_inputs(options: dict[str, Any]) -> None:
    """Refuse to write over a file that this very call reads."""
    names = ("judgments", "queries_table", "weights", "only", "documents", "exclude")
    read = [*map(options.get, names), *options["results"], *(options.get("segment_tables") or ())]
    refuse_inputs(click.get_current_context().params.get("output"), read)


def check_query_file(text: str | None) -> str | None:
    """Refuse a file of ids that is not there: its name is no list of ids."""
    if text is not None and os.sep in text and not os.path.exists(text):
        from idealrank.data.formats.folders import suggest_file

        near = suggest_file(text)
        raise UsageError(
            f"--queries {text}: no such file.{near} Give 1..50, ids joined by commas, a file of ids, or a table."
        )
    return text


def _begin_reading(options: dict[str, Any]) -> dict[str, Any]:
    """Begin to read the files while NumPy and the rest are imported, except those that show a bar."""
    from idealrank.data.formats.reader import read_ahead
    from idealrank.display.terminal import has_terminal

    if options.get("doc_col"):  # which list of a document is read depends on it
        return {}
    files = [(options["judgments"], "judgments"), *((file, "results") for file in options["results"])]
    return {file: read_ahead(file, kind) for file, kind in files if file not in (None, "-") and not has_terminal(file)}


class OpenedTable(NamedTuple):
    """A table of a call that was read: what it is of, its file, and how the library's reader was called for it.

    `name` is what a system is called, else what the table is there for.
    """

    role: str
    file: str
    name: str
    columns: Mapping[str, Any]
    table: Any


class TableReader:
    """Reads the tables of a call, each with the column names that are meant for it.

    Parameters
    ----------
    ahead
        What is being read in the background, by file.
    opened
        Every table that is read is added.
    """

    def __init__(
        self, names: ColumnNames, ahead: Mapping[str, Any] | None = None, opened: list[OpenedTable] | None = None
    ) -> None:
        self.names = names
        self.ahead = ahead or {}
        self.seen: list[str] = []
        self._opened = [] if opened is None else opened

    def frame(self, file: str, kind: str, docs: object = "") -> Source:
        """Read a file, with a progress bar if it is large; `docs` is the name given for its documents."""
        from idealrank.data.formats.reader import read_frame
        from idealrank.display.terminal import reading_progress

        with reading_progress(file) as counter:
            table = read_frame((not docs and self.ahead.get(file)) or file, kind, counter, str(docs))
        self.seen += table.frame.names
        return table

    def judgments(self, file: str, also: Names) -> Judgments:
        """Read the judgments."""
        from idealrank.data.read import read_judgments

        source = self.frame(file, "judgments", self.names.judgments.get("doc", ""))
        with self._remedy(source, self.names.judgments, "results"):
            columns = {**also, **self._with_text(source, self.names.judgments)}
            read = read_judgments(source, **columns)
        self._opened.append(OpenedTable("judgments", file, "", columns, read))
        return read

    def weights(self, given: str | None, queries: Queries | None) -> str | Queries | None:
        """Read the table of weights; the name of a column of the queries is returned as it is."""
        if given and os.path.exists(given) and not (queries and queries.column_called(given)):
            return self.queries(given, "weights")
        return given

    def results(self, file: str, name: str = "", judgments: Judgments | None = None) -> Results:
        """Read the results of a file; a system without a name is called so, or after the file."""
        from idealrank.data.read import read_results
        from idealrank.data.systems import system_name

        names = self.names.of_results(file)
        source = self.frame(file, "results", names.get("doc", ""))
        with self._remedy(source, names, "judgments"):
            label, columns = name or system_name(file), self._with_text(source, names)
            read = read_results(source, name=label, judgments=judgments, **columns)
        self._opened.append(OpenedTable("results", file, label, columns, read))
        return read

    def shared(self, judgments: Judgments, file: str, order: str | None) -> Results:
        """Read the results of a table that contains judgments too; one that ranks nothing contains none."""
        from idealrank.data.read import read_results

        columns = self._with_text(judgments.source, self.names.results)
        results = read_results(judgments, **columns)
        if order != "given" and results.rank is None and results.score is None:
            raise NoColumnError(
                f"{judgments.name}: no results given, and this table has neither rank nor score. "
                f"{results.roles.columns}. Give a file of results after it, or name the column: --rank-col NAME. "
                "If its rows are the results in their order: --order-by given."
            )
        self._opened.append(OpenedTable("results", file, results.label, columns, results))
        return results

    def queries(self, file: str, purpose: str = "queries") -> Queries:
        """Read a table about queries."""
        from idealrank.data.queries import read_queries
        from idealrank.data.roles import Roles, has_columns

        source, names = self.frame(file, "queries"), self.names.queries
        columns = source.frame.names
        for role in names:
            if role not in self.names.everywhere and not has_columns(columns, names[role]):
                listing = Roles(source.name, columns, {}).columns
                raise NoColumnError(f"{source.name}: no column called {names[role]!r} for the {role}. {listing}.")
        key_names = (names.get("query"), self.names.judgments.get("query"), self.names.results.get("query"))
        key = next((name for name in key_names if name and has_columns(columns, name)), None)
        text = names.get("text", self.names.text)
        columns_named: dict[str, Any] = {"query": key, "text": None if text is None else str(text)}
        read = read_queries(source, **columns_named)
        self._opened.append(OpenedTable("queries", file, purpose, columns_named, read))
        return read

    def refuse_absent_text(self) -> None:
        """Refuse a text column that no table has."""
        from idealrank.data.roles import has_column

        if self.names.text is not None and not has_column(self.seen, self.names.text):
            columns = ", ".join(dict.fromkeys(self.seen))
            raise NoColumnError(f"--text-col {self.names.text}: no table has such a column. Found: {columns}.")

    @contextlib.contextmanager
    def _remedy(self, source: Source, columns: Names, other: str) -> Iterator[None]:
        """Say how to name columns of the other table alone, where names given for every table are missing in this."""
        from idealrank.data.roles import has_columns

        try:
            yield
        except NoColumnError as error:
            shared = [role for role in columns if role in self.names.everywhere and role in ("query", "doc")]
            missing = [role for role in shared if not has_columns(source.frame.names, columns[role])]
            if missing and (other == "results" or any(table.role == other for table in self._opened)):
                typed = " ".join(quoted_option(f"{role}-col", f"{other}:{columns[role]}") for role in missing)
                raise NoColumnError(f"{error.typed} If the {other} alone have it: {typed}.") from None
            for role in self.names.everywhere.intersection(ONLY_RESULTS, columns):
                if not has_columns(source.frame.names, columns[role]):
                    way = f"Name the column of this file alone: --{role}-col {source.name}:NAME."
                    raise NoColumnError(f"{error.typed} {way}") from None
            if error.offered and (call := self._whole_call(error)):
                raise NoColumnError(f"{error.typed} The whole call: {call}") from None
            raise

    def _whole_call(self, error: NoColumnError) -> str:
        """Return what was typed with the columns that are offered for all of its tables; "" if one remains open."""
        import shlex

        context = click.get_current_context(silent=True)
        words = context.meta.get(WORDS) if context is not None else None
        if context is None or not words or "-" in words or not context.params.get("results"):
            return ""
        offers = {"judgments": error.offered} if error.table == "judgments" else {}
        for file in _result_files(context.params):
            found = self._offers_of_results(file)
            if found is None:
                return ""
            offers |= {file: found} if found else {}
        of_results = [found for table, found in offers.items() if table != "judgments"]
        if all(found == of_results[0] for found in of_results):
            offers = {table if table == "judgments" else "results": found for table, found in offers.items()}
        named = (f"--{role}-col={table}:{name}" for table, found in offers.items() for role, name in found.items())
        return shlex.join(["idealrank", str(context.info_name), *words, *named])

    def _offers_of_results(self, file: str) -> Mapping[str, str] | None:
        """Return the columns to offer for a file of results, none if it needs none; None if that cannot be told."""
        from idealrank.data.read import read_results

        names = self.names.of_results(file)
        try:
            source = self.frame(file, "results", names.get("doc", ""))
            read_results(source, **self._with_text(source, names))
        except NoColumnError as other:
            return other.offered or None
        except DataError:
            return None
        return {}

    def _with_text(self, source: Source, columns: Names) -> dict[str, Any]:
        from idealrank.data.roles import has_column

        there = has_column(source.frame.names, self.names.text) and "text" not in columns
        return {**columns, "text": self.names.text} if there else dict(columns)


def read_judgment_files(files: Sequence[str], names: ColumnNames, grades: str | None = None) -> list[Judgments]:
    """Read judgments alone; `grades` says what their words mean."""
    reader = TableReader(names)
    also: Names = {} if grades is None else {"grades": grades}
    judgments = [reader.judgments(file, also) for file in files]
    reader.refuse_absent_text()
    return judgments


def read_ratings(files: Sequence[str], options: Mapping[str, Any]) -> Judgments | list[Judgments]:
    """Read what raters gave: one table that has all of them, or one for each."""
    check_stdin(files)
    params = click.get_current_context().params
    refuse_inputs(params["output"], (*files, *params.get("results", ())))
    tables = read_judgment_files(files, column_names({**options, "results": ()}, ()), options["grades"])
    return tables if len(tables) > 1 else tables[0]


def read_files(files: Sequence[str], names: ColumnNames) -> list[Results]:
    """Read results alone."""
    reader = TableReader(names)
    results = [reader.results(file) for file in files]
    reader.refuse_absent_text()
    return results


def pool_files(files: Sequence[str], options: Mapping[str, Any], **texts_and_depth: Any) -> Table:
    """Pool files of results; a folder has a file for each system. What is not given, `pool` has its own default for."""
    from idealrank.data.formats.reader import system_files
    from idealrank.labels.pool import pool

    results = tuple(file for name in files for file in system_files(name))
    check_stdin(results)
    tables = read_files(results, column_names({**options, "results": results}, ()))
    return pool(tables, **{name: value for name, value in texts_and_depth.items() if value is not None})


def read_queries_file(file: str, names: ColumnNames) -> Queries:
    """Read a table about queries alone."""
    return TableReader(names).queries(file)


# A queries table that was given to --queries, or that is beside the judgments.


def take_queries_table(options: dict[str, Any], names: ColumnNames) -> None:
    """Move a table that was given to --queries to --queries-table: it describes queries, and chooses none.

    Raises
    ------
    UsageError
        If --queries-table gives another.
    """
    file, other = options.get("only"), options.get("queries_table")
    if file is None or not os.path.isfile(file) or not _is_queries_table(file, names):
        return
    if other is not None and not (os.path.exists(other) and os.path.samefile(file, other)):
        raise UsageError(
            f"--queries {file}: a table about queries, and --queries-table {other} is another. Give one of them; "
            "to choose queries, give a range, ids, or a file of ids."
        )
    options |= {"only": None, "queries_table": file}


def name_queries_table(message: str, judgments: str) -> str:
    """Name the queries table beside the judgments, in a message that asks for one."""
    import shlex
    from pathlib import Path

    beside = sorted(Path(judgments).parent.glob("queries.*"))
    file = shlex.quote(str(beside[0])) if beside else "FILE"
    return message.replace("--queries-table FILE", f"--queries-table {file}")


def _is_queries_table(file: str, names: ColumnNames) -> bool:
    """Whether a file names columns: one of queries, and another."""
    from idealrank.data.formats.reader import file_columns
    from idealrank.data.roles import ALIASES, fold

    columns = {fold(name) for name in file_columns(file, "queries")}
    key_names = {"id"}.union(*ALIASES["query"], *ALIASES["text"])
    given = (table.get("query", ()) for table in (names.queries, names.judgments, names.results))
    named = [name for one in given for name in ([one] if isinstance(one, str) else one)]
    return len(columns) > 1 and not columns.isdisjoint({*key_names, *(fold(str(name)) for name in named if name)})


# A documents table that was given to --documents, and the column that segments are made of.


def by_document_option(topic: str, text: str) -> Decorator:
    """Add --by-document."""
    return option("--by-document", metavar="COLUMN", topic=topic, help=text)


def read_documents_option(
    options: dict[str, Any], duplicates: str = "error", opened: list[OpenedTable] | None = None
) -> Documents | None:
    """Read the documents; a name of the id column that is given for every table need not be in this one.

    Parameters
    ----------
    duplicates
        Which title counts if a document has several, where no decision says so.
    opened
        The table is added.

    Raises
    ------
    UsageError
        If a column is named and there is no table.
    """
    file, column = options["documents"], options["by_document"]
    if file is None and column is not None:
        raise click.UsageError(f"--by-document {column}: a column of which table? Give --documents FILE.")
    if file is None:
        return None
    from idealrank.data.documents import read_documents
    from idealrank.data.formats.reader import read_frame
    from idealrank.data.roles import has_column

    names, table = column_names(options, project_defaults().columns), read_frame(file, "documents")
    named = names.documents if "doc" not in names.everywhere or has_column(table.frame.names, names.documents) else None
    read = read_documents(table, doc=named or None, duplicates=options.get("duplicates") or duplicates, column=column)
    if opened is not None:
        opened.append(OpenedTable("documents", file, "", {"doc": named or None}, read))
    return read
