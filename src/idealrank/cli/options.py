"""Options that several commands share; the flags for decisions come from the dataclass itself."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import click

from idealrank.cli.help import Body, Decorator, added, option
from idealrank.conventions import CONVENTIONS
from idealrank.decisions import DEFAULT, Question, questions
from idealrank.errors import UsageError

ROLES = ("query", "doc", "grade", "rank", "score", "system", "rater", "subtopic", "text")

_HINTS = {"query": ", queries:NAME", "doc": ", documents:NAME", "grade": "; several are several raters"}

_ONLY_JUDGMENTS = ("grade", "rater", "subtopic")
_ONLY_RESULTS = ("rank", "score", "system")

_COLUMNS = "Columns not found by themselves"
_DECISIONS = "Decisions (in brackets the answer of idealrank-1)"


def inputs(command: Body) -> Body:
    """Add the files, the queries, the column names, the convention and a flag for every decision."""
    return inputs_reading(questions())(command)


def inputs_of_every_system(command: Body) -> Body:
    """Add the same, where every system of the files is taken: there is none to choose."""
    return inputs_reading(questions(), one=False)(command)


def inputs_reading(names: Iterable[str], one: bool = True) -> Decorator:
    """Add the same, where only some decisions are read: the flags of the others are hidden, and refused in words.

    Parameters
    ----------
    one
        Whether one system may be chosen.
    """
    files = (
        click.argument("judgments", type=click.Path(allow_dash=True)),
        click.argument("results", nargs=-1, type=click.Path(allow_dash=True)),
    )
    others = [name for name in questions() if name not in tuple(names)]
    flags = [*decisions(names), *decisions(others, hidden=True)]
    return added(*files, *_which()[0 if one else 1 :], *columns(ROLES), convention_option, *flags)


def one_system(command: Body) -> Body:
    """Add the column names, the system and a flag for every decision; the files are the command's own."""
    which = option("--system", metavar="NAME", topic="Queries and systems", help="This system of several.")
    return added(which, *columns(ROLES), *decisions(questions()))(command)


def _which() -> list[Any]:
    topic = "Queries and systems"
    return [
        option("--system", metavar="NAME", topic=topic, help="Only this system."),
        option("--queries", "only", metavar="1..50|IDS|FILE", topic=topic, type=click.Path(), help=_QUERIES),
        option("--queries-table", metavar="FILE", topic=topic, type=click.Path(), help=_TABLE),
        option("--weights", metavar="FILE|COLUMN", topic=topic, type=click.Path(), help=_WEIGHTS),
    ]


_QUERIES = (
    "Only these queries: a range, ids joined by commas, or a file of ids. A file with a line of column names is a "
    "--queries-table, and chooses none."
)
_TABLE = "Query attributes: id, text, segment, frequency."
_WEIGHTS = "How much each query counts in the means: a file, or a column of --queries-table."


def columns(roles: Iterable[str]) -> list[Any]:
    """Return an option for the column of each role."""

    def named(role: str) -> Any:
        if role == "text":
            text = "The text column, of every table that has it; or judgments:NAME, results:NAME, queries:NAME."
            return option("--text-col", multiple=True, metavar="NAME", topic=_COLUMNS, help=text)
        which = "judgments" if role in _ONLY_JUDGMENTS else "results" if role in _ONLY_RESULTS else "both tables"
        hint = "" if role in (*_ONLY_JUDGMENTS, *_ONLY_RESULTS) else "; or judgments:NAME, results:NAME"
        hint += _HINTS.get(role, "")
        text = f"The {role} column ({which}{hint})."
        return option(f"--{role}-col", multiple=True, metavar="NAME", topic=_COLUMNS, help=text)

    return [named(role) for role in roles]


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


def decisions(names: Iterable[str], hidden: bool = False) -> list[Any]:
    """Return a flag for each decision; weights are given by --weights."""
    return [_decision(name, questions()[name], hidden) for name in names if name != "weights"]


def _decision(name: str, question: Question, hidden: bool) -> Any:
    words = [*question.answers, *(["NUMBER"] if question.number else [])]

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        return [word for word in question.answers if word.lower().startswith(incomplete.lower())]

    return option(
        f"--{name.replace('_', '-')}",
        name,
        metavar="|".join(words),
        topic=_DECISIONS,
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


def one_view(options: Mapping[str, Any], names: Iterable[str]) -> str:
    """Return the one view of these that was asked for, "" for none."""
    views = [name for name in names if options[name]]
    if len(views) > 1:
        flags = " and ".join(f"--{name.replace('_', '-')}" for name in views)
        raise click.UsageError(f"{flags} are different tables. Ask for one at a time.")
    return views[0] if views else ""


def lost_value_option(topic: str, text: str) -> Decorator:
    """Add --lost-value, whose number may be left out."""
    return option("--lost-value", is_flag=False, flag_value="10", callback=_most, metavar="[N]", topic=topic, help=text)


def _most(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Read a number that may be left out where another option follows."""
    if value is None or (value.isascii() and value.isdigit() and int(value) > 0):
        return None if value is None else int(value)
    raise click.BadParameter(
        f"{value!r} is no whole number from 1 up. Files stand before --lost-value, or after --lost-value 10.",
        ctx,
        param,
    )


def output_options(command: Body) -> Body:
    """Add --json, --csv, -o and --quiet."""
    topic = "Output"
    return added(
        option("--json", "form", flag_value="json", topic=topic, help="JSON: full precision, decisions, ledger."),
        option("--csv", "form", flag_value="csv", topic=topic, help="CSV: full precision."),
        option("-o", "--output", metavar="FILE", topic=topic, type=click.Path(), help=_OUTPUT),
        option(
            "-q", "--quiet", is_flag=True, topic=topic, help="The numbers only: no decisions, no ledger; warnings stay."
        ),
    )(command)


_OUTPUT = "Write to a file: .json, .csv, else TSV unless --json or --csv says otherwise; they may not disagree."


def decision_answers(options: dict[str, Any]) -> dict[str, str]:
    """Pick the decisions out of the options of a call."""
    return {name: options[name] for name in questions() if name != "weights" and options.get(name) is not None}


Names = dict[str, str | tuple[str, ...]]
"""The column of each role; several for the grade: one a rater."""


class ColumnNames(NamedTuple):
    """The column names of a call: for each table, and the text wherever there is such a column.

    `everywhere` are the roles whose name was given for every table.
    """

    judgments: Names
    results: Names
    queries: dict[str, str]
    text: str = ""
    everywhere: frozenset[str] = frozenset()
    documents: str = ""
    """The column of ids in a table of documents."""


TABLES = ("judgments", "results", "queries", "documents")
_QUERIES_ROLES, _DOCUMENTS_ROLES = ("query", "text"), ("doc",)


def column_names(options: dict[str, Any], project: tuple[tuple[str, str], ...]) -> ColumnNames:
    """Sort out which column names were given for which table; what is typed goes before what the project fixed."""
    by_table: dict[str, dict[str, list[str]]] = {table: {} for table in ("", *TABLES)}
    typed = [(role, name) for role in ROLES for name in options.get(f"{role}_col") or ()]
    for source in (project, typed):
        for table, roles in sorted(_sorted_out(source).items()):
            for other in () if table else TABLES:
                by_table[other] = {role: names for role, names in by_table[other].items() if role not in roles}
            by_table[table] |= roles
    everywhere = {role: _the_one(role, names) for role, names in by_table.pop("").items()}
    tables = {
        table: {role: _the_one(role, names) for role, names in roles.items()} for table, roles in by_table.items()
    }
    shared = {table: {r: n for r, n in everywhere.items() if r in _roles_of(table) and r != "text"} for table in tables}
    judgments, results, queries, documents = ({**shared[table], **tables[table]} for table in TABLES)
    ours, text = {role: str(name) for role, name in queries.items()}, str(everywhere.get("text", ""))
    return ColumnNames(judgments, results, ours, text, frozenset(everywhere), str(documents.get("doc", "")))


def _sorted_out(names: Iterable[tuple[str, str]]) -> dict[str, dict[str, list[str]]]:
    """Return the names by table ("": every table) and role."""
    by_table: dict[str, dict[str, list[str]]] = {}
    for role, text in names:
        table, colon, name = text.partition(":")
        if not colon or table not in TABLES:
            table, name = "", text
        elif role not in _roles_of(table):
            raise UsageError(f"--{role}-col {text}: {_TABLE_NAMES[table]} no {role} column. Leave out {table}:.")
        by_table.setdefault(table, {}).setdefault(role, []).append(name)
    return by_table


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
    others = _ONLY_RESULTS if table == "judgments" else _ONLY_JUDGMENTS
    return tuple(role for role in ROLES if role not in others)


def _the_one(role: str, names: list[str]) -> str | tuple[str, ...]:
    """Return the name given; several ratings of one row are a tuple of names."""
    if role == "grade" and len(names) > 1:
        return tuple(names)
    if len(names) > 1:
        one_table = role in (*_ONLY_JUDGMENTS, *_ONLY_RESULTS)
        way = "" if one_table else ", or say which table has it: judgments:NAME, results:NAME"
        raise UsageError(f"--{role}-col is given twice ({names[0]}, {names[1]}). Give one name{way}.")
    return names[0]


def check_stdin(files: Iterable[str]) -> None:
    """Refuse standard input asked for twice.

    Raises
    ------
    UsageError
        If - stands for more than one file.
    """
    if list(files).count("-") > 1:
        raise UsageError("Standard input (-) can be read once. Give the other as a file.")
