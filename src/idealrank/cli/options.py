"""Options that several commands share; the flags for decisions come from the dataclass itself."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import click

from idealrank.cli.help import ENDINGS, TEXT_ENDINGS, Body, Decorator, add_parameters, option
from idealrank.cli.output import OutputFile
from idealrank.conventions import CONVENTIONS
from idealrank.decisions.decisions import DEFAULT, questions
from idealrank.decisions.question import Question
from idealrank.errors import UsageError

ROLES = ("query", "doc", "grade", "rank", "score", "system", "step", "rater", "subtopic", "text", "begin", "end")

_HINTS = {"query": ", queries:NAME", "doc": ", documents:NAME", "grade": "; several are several raters"}

ONLY_JUDGMENTS = ("grade", "rater", "subtopic")
ONLY_RESULTS = ("rank", "score", "system")

_COLUMNS = "Columns not found by themselves"
_LABELS = 'What each label is worth, if grades are words: "Exact=2,Partial=1,Irrelevant=0", or esci, wands, ntcir.'
_DECISIONS = "Decisions (in brackets the answer of idealrank-1)"


def input_options(command: Body) -> Body:
    """Add the files, the queries, the column names, the convention and a flag for every decision."""
    return input_options_reading(questions())(command)


def input_options_of_systems(command: Body) -> Body:
    """Add the input options, where several systems of the files may be chosen."""
    return input_options_reading(questions(), _SYSTEMS)(command)


def input_options_of_every_system(command: Body) -> Body:
    """Add the input options, where every system of the files is taken: there is none to choose."""
    return input_options_reading(questions(), None)(command)


_TOPIC = "Queries and systems"
_SYSTEM = option("--system", metavar="NAME", topic=_TOPIC, help="Use only this system.")
_SYSTEMS = option(
    "--system",
    metavar="NAME",
    multiple=True,
    topic=_TOPIC,
    help="Use only this system; may be repeated, and sets the order.",
)


def input_options_reading(names: Iterable[str], systems: Decorator | None = _SYSTEM) -> Decorator:
    """Add the input options, where only some decisions are read: the other flags are hidden, and refused in words.

    Parameters
    ----------
    systems
        The option that chooses systems, if any may be chosen.
    """
    files = (
        click.argument("judgments", type=click.Path(allow_dash=True)),
        click.argument("results", nargs=-1, type=click.Path(allow_dash=True)),
    )
    others = [name for name in questions() if name not in tuple(names)]
    flags = [*decision_options(names), *decision_options(others, hidden=True)]
    return add_parameters(
        *files, *([systems] if systems else []), *_query_options(), *column_options(ROLES), convention_option, *flags
    )


def one_system_options(command: Body) -> Body:
    """Add the column names, the system and a flag for every decision; the files are the command's own."""
    which = option("--system", metavar="NAME", topic="Queries and systems", help="Use this one of several systems.")
    return add_parameters(which, *column_options(ROLES), *decision_options(questions()))(command)


def _query_options() -> list[Any]:
    topic = _TOPIC
    return [
        option("--queries", "only", metavar="1..50|IDS|FILE", topic=topic, type=click.Path(), help=_QUERIES),
        option("--queries-table", metavar="FILE", topic=topic, type=click.Path(), help=_TABLE),
        option("--exclude", metavar="FILE", topic=topic, type=click.Path(), help=_EXCLUDE),
        weights_option(topic),
    ]


def weights_option(topic: str) -> Decorator:
    """Add --weights."""
    return option("--weights", metavar="FILE|COLUMN", topic=topic, type=click.Path(), help=_WEIGHTS)


_QUERIES = (
    "Use only these queries: a range, ids joined by commas, or a file of ids. A file with a line of column names is a "
    "--queries-table, and chooses none."
)
_EXCLUDE = "Leave out results that must not be counted: a table of queries and documents, or TREC judgments."
_TABLE = "Query attributes: id, text, segment, frequency."
_WEIGHTS = "Weight the queries in the means: a file, or a column of --queries-table."

_OWN_HELP = {
    "text": "The text column, of every table that has it; or judgments:NAME, results:NAME, queries:NAME.",
    "step": "The column that numbers the searches for a query (results; or judgments:NAME; or FILE:NAME for one file "
    "of results).",
}
"""What the columns of some roles are, in words of their own."""


def column_options(roles: Iterable[str]) -> list[Any]:
    """Return an option for the column of each role."""

    def column_option(role: str) -> Any:
        if role in _OWN_HELP:
            return option(
                f"--{role}-col", multiple=True, metavar="NAME", topic=_COLUMNS, expert=True, help=_OWN_HELP[role]
            )
        which = "judgments" if role in ONLY_JUDGMENTS else "results" if role in ONLY_RESULTS else "both tables"
        hint = "" if role in (*ONLY_JUDGMENTS, *ONLY_RESULTS) else "; or judgments:NAME, results:NAME"
        hint += "" if role in ONLY_JUDGMENTS else "; or FILE:NAME for one file of results"
        hint += _HINTS.get(role, "")
        text = f"The {role} column ({which}{hint})."
        return option(f"--{role}-col", multiple=True, metavar="NAME", topic=_COLUMNS, expert=True, help=text)

    return [*map(column_option, roles), *([_GRADES_OPTION] if "grade" in roles else [])]


_GRADES_OPTION = option("--grades", metavar="SCALE", topic=_COLUMNS, expert=True, help=_LABELS)

ratings_columns = add_parameters(*column_options(("query", "doc", "grade", "rater", "text")))
"""Adds the columns of the tables that `read_ratings` reads."""


def complete_conventions(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the conventions whose name begins so."""
    return [name for name in CONVENTIONS if name.startswith(incomplete.lower())]


convention_option = option(
    "--as",
    "--convention",
    "convention",
    metavar="NAME",
    topic=_DECISIONS,
    shell_complete=complete_conventions,
    help='The convention to start from, with overrides: "trec_eval-9.0.8, ties=average".',
)


def decision_options(names: Iterable[str], hidden: bool = False) -> list[Any]:
    """Return a flag for each decision; weights are given by --weights."""
    return [_decision_option(name, questions()[name], hidden) for name in names if name != "weights"]


def _decision_option(name: str, question: Question, hidden: bool) -> Any:
    words = [*question.answers, *(["NUMBER"] if question.number else [])]

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        return [word for word in question.answers if word.lower().startswith(incomplete.lower())]

    return option(
        f"--{name.replace('_', '-')}",
        name,
        metavar="|".join(words),
        topic=_DECISIONS,
        expert=True,
        hidden=hidden,
        help=f"{question.asks} [{DEFAULT.text(name)}]",
        shell_complete=complete,
    )


def complete_measures(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the measures whose name begins so."""
    from idealrank.measures import DEFINITIONS

    return [definition.name for definition in DEFINITIONS if definition.name.lower().startswith(incomplete.lower())]


def measure_option(**settings: Any) -> Decorator:
    """Add -m."""
    return option("-m", "--measure", metavar="NAME", topic="Measures", shell_complete=complete_measures, **settings)


def requested_view(options: Mapping[str, Any], names: Iterable[str]) -> str:
    """Return the one view of these that was asked for, "" for none."""
    views = [name for name in names if options[name]]
    if len(views) > 1:
        flags = " and ".join(f"--{name.replace('_', '-')}" for name in views)
        raise click.UsageError(f"{flags} are different tables. Ask for one at a time.")
    return views[0] if views else ""


def lost_value_option(topic: str, text: str) -> Decorator:
    """Add --lost-value, whose number may be left out."""
    return option(
        "--lost-value", is_flag=False, flag_value="10", callback=_parse_row_count, metavar="[N]", topic=topic, help=text
    )


def _parse_row_count(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Read a number that may be left out where another option follows."""
    if value is None:
        return None
    if value.isascii() and value.isdigit() and int(value) > 0:
        return int(value)
    # A number that may be left out takes the next word, so a file behind it is read as the number.
    raise click.BadParameter(
        f"{value!r} is no whole number from 1 up. Give files before --lost-value, or after --lost-value 10.", ctx, param
    )


_FORMS = "Write for people (also when piped), or data in full precision. [table]"
_OUTPUT = "Write to a file; its ending ({}) chooses the form."

FORMS = ("table", "tsv", "csv", "json")
"""The forms of a table: words and tables for people, and data in full precision."""

_SHORT_FORMS = ("csv", "json", "html", "markdown", "latex")
"""Forms with a flag of their own: --json is --format json."""


def form_options(topic: str, forms: Sequence[str] = FORMS, content: str = _FORMS) -> Decorator:
    """Add --format, and the flags that are short for it."""
    words = click.Choice(forms)
    short = [
        option(f"--{form}", "form", flag_value=form, topic=topic, help=f"Short for --format {form}.")
        for form in forms
        if form in _SHORT_FORMS
    ]
    return add_parameters(
        option("--format", "form", type=words, metavar="|".join(forms), topic=topic, help=content), *short
    )


def output_options_of(forms: Sequence[str]) -> Decorator:
    """Add --format with its flags, -o, --quiet and --verbose."""
    topic = "Output"
    endings = ", ".join(ending for ending, form in {**ENDINGS, **TEXT_ENDINGS}.items() if form in forms)
    return add_parameters(
        form_options(topic, forms),
        option("-o", "--output", metavar="FILE", topic=topic, type=OutputFile(), help=_OUTPUT.format(endings)),
        option("-q", "--quiet", is_flag=True, topic=topic, help="Show the numbers only; warnings stay."),
        verbose_option(topic),
        _context_flag("--fingerprints", topic=topic, expert=True, help=_FINGERPRINTS),
    )


_VERBOSE = "Show every choice, the full ledger and all evidence."
_FINGERPRINTS = "Add the fingerprints of the measures to a CSV or TSV file with a line per query."


def verbose_option(topic: str) -> Decorator:
    """Add -v: everything below a table, or on standard error beside data."""
    return _context_flag("-v", "--verbose", topic=topic, help=_VERBOSE)


def _context_flag(*names: str, topic: str, **settings: Any) -> Decorator:
    """Add a flag that the context of the call keeps for what writes: no command reads it."""
    return option(*names, topic=topic, is_flag=True, expose_value=False, callback=_keep_in_context, **settings)


def _keep_in_context(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.meta[f"idealrank.{param.name}"] = value


output_options = output_options_of(FORMS)
"""Adds the options of the output of a table."""


def decision_answers(options: dict[str, Any]) -> dict[str, Any]:
    """Pick the decisions out of the options of a call."""
    return {name: options[name] for name in questions() if name != "weights" and options.get(name) is not None}


def check_stdin(files: Iterable[str]) -> None:
    """Refuse standard input asked for twice.

    Raises
    ------
    UsageError
        If - is given for more than one file.
    """
    if list(files).count("-") > 1:
        raise UsageError("Standard input (-) can be read once. Give the other as a file.")


# Column names that were given, sorted out: for every table, for one, or for one file of results.


Names = dict[str, str | tuple[str, ...]]
"""The column of each role; several for the grade, one per rater, and for a query that they name together."""


class ColumnNames(NamedTuple):
    """The column names of a call: for each table, and the text wherever there is such a column.

    `everywhere` are the roles whose name was given for every table.
    """

    judgments: Names
    results: Names
    queries: Names
    text: str | None = None
    everywhere: frozenset[str] = frozenset()
    documents: str | None = None
    """The column of ids in a table of documents."""
    files: Mapping[str, Names] = {}
    """The columns of single files of results."""

    def of_results(self, file: str) -> Names:
        """Return the columns of a file of results."""
        return {**self.results, **self.files.get(file, {})}

    def by_kind(self, file: str) -> dict[str, Names]:
        """Return the columns of each kind of table that a file may be."""
        text: Names = {} if self.text is None else {"text": self.text}
        query = {role: name for role, name in self.judgments.items() if role == "query"}
        return {
            "judgments": text | self.judgments,
            "results": text | self.of_results(file),
            "queries": text | query | self.queries,
            "documents": {} if self.documents is None else {"doc": self.documents},
        }


TABLES = ("judgments", "results", "queries", "documents")
_QUERIES_ROLES, _DOCUMENTS_ROLES = ("query", "text"), ("doc",)


def column_names(options: dict[str, Any], project: tuple[tuple[str, str], ...]) -> ColumnNames:
    """Sort out which column names were given for which table; what is typed goes before what the project fixed."""
    files = tuple(options["results"]) if isinstance(options.get("results"), tuple) else ()
    by_table: dict[str, dict[str, list[str]]] = {table: {} for table in ("", *TABLES)}
    by_file: dict[str, dict[str, list[str]]] = {}
    typed = [(role, name) for role in ROLES for name in options.get(f"{role}_col") or ()]
    for source in (project, typed):
        # Sorted, so that "" comes first: a name for every table replaces those fixed for one, not those typed for one.
        for table, names in sorted(_names_by_table(source, files).items()):
            if table in files:
                by_file[table] = names
                continue
            if not table:
                for other in TABLES:
                    by_table[other] = {role: own for role, own in by_table[other].items() if role not in names}
            by_table[table] |= names
    everywhere = _single_names(by_table.pop(""))
    own = {table: _single_names(names) for table, names in by_table.items()}
    shared = {table: {r: name for r, name in everywhere.items() if _is_shared(r, table)} for table in TABLES}
    judgments, results, queries, documents = ({**shared[table], **own[table]} for table in TABLES)
    if options.get("grades"):
        judgments["grades"] = options["grades"]
    text, doc = everywhere.get("text"), documents.get("doc")
    of_files = {file: _single_names(names) for file, names in by_file.items()}
    return ColumnNames(
        judgments,
        results,
        queries,
        None if text is None else str(text),
        frozenset(everywhere),
        None if doc is None else str(doc),
        of_files,
    )


def _is_shared(role: str, table: str) -> bool:
    """Whether a name given for every table is that of this one; judgments need no steps where results have some."""
    return role in _roles_of(table) and role != "text" and (role, table) != ("step", "judgments")


def _names_by_table(names: Iterable[tuple[str, str]], files: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Return the names by table ("": every table), or file of results, and role."""
    by_table: dict[str, dict[str, list[str]]] = {}
    for role, text in names:
        before, table = _column_owner(text, files)
        name = text[len(before) + 1 :] if table else text
        if not name:
            raise UsageError(f"--{role}-col {text!r}: the column's name is empty. Give it, or leave the option out.")
        if table and role not in _roles_of(table):
            owner = _TABLE_NAMES.get(table, _TABLE_NAMES["results"])
            raise UsageError(f"--{role}-col {text}: {owner} no {role} column. Leave out {before}:.")
        by_table.setdefault(table, {}).setdefault(role, []).append(name)
    return by_table


def _column_owner(text: str, files: Sequence[str]) -> tuple[str, str]:
    """Return what precedes the name of a column, and the table or the file of results it means; "" for none.

    A file may be called by its path, by its name, or as its system is; one of these that two files have means none.
    """
    if ":" not in text:
        return "", ""
    from idealrank.data.systems import system_name

    called = [(name, file) for file in files for name in {file, os.path.basename(file), system_name(file)}]
    often = Counter(name for name, _ in called)
    owners = [(table, table) for table in TABLES] + [(name, file) for name, file in called if often[name] == 1]
    fitting = [owner for owner in owners if owner[0] and text.startswith(f"{owner[0]}:")]
    return max(fitting, default=("", ""), key=lambda owner: len(owner[0]))  # names may contain colons, too


_TABLE_NAMES = {
    "judgments": "judgments have",
    "results": "results have",
    "queries": "a queries table has",
    "documents": "a documents table has",
}


def _roles_of(table: str) -> tuple[str, ...]:
    """Return the roles that the columns of a table may play."""
    if table in ("queries", "documents"):
        return _QUERIES_ROLES if table == "queries" else _DOCUMENTS_ROLES
    others = ONLY_RESULTS if table == "judgments" else ONLY_JUDGMENTS
    return tuple(role for role in ROLES if role not in others)


def _single_names(names: Mapping[str, list[str]]) -> Names:
    return {role: _single_name(role, given) for role, given in names.items()}


def _single_name(role: str, names: list[str]) -> str | tuple[str, ...]:
    """Return the name given; several ratings of one row, or parts of the query's name, are a tuple of names."""
    if len(names) == 1:
        return names[0]
    if role in ("grade", "query"):
        return tuple(names)
    one_table = role in (*ONLY_JUDGMENTS, *ONLY_RESULTS)
    way = "" if one_table else ", or say which table has it: judgments:NAME, results:NAME"
    raise UsageError(f"--{role}-col is given twice ({names[0]}, {names[1]}). Give one name{way}.")
