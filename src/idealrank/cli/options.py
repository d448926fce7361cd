"""Options that several commands share; the flags for decisions come from the dataclass itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import click

from idealrank.cli.help import Body, Decorator, added, option
from idealrank.conventions import CONVENTIONS
from idealrank.decisions import DEFAULT, Question, questions
from idealrank.errors import UsageError

ROLES = ("query", "doc", "grade", "rank", "score", "system", "rater", "text")

_ONLY_JUDGMENTS = ("grade", "rater")
_ONLY_RESULTS = ("rank", "score", "system")

_COLUMNS = "Columns not found by themselves"
_DECISIONS = "Decisions (in brackets the answer of idealrank-1)"


def inputs(command: Body) -> Body:
    """Add the files, the queries, the column names, the convention and a flag for every decision."""
    return inputs_reading(questions())(command)


def inputs_reading(names: Iterable[str]) -> Decorator:
    """Add the same, where only some decisions are read: the flags of the others are hidden, and refused in words."""
    files = (
        click.argument("judgments", type=click.Path(allow_dash=True)),
        click.argument("results", nargs=-1, type=click.Path(allow_dash=True)),
    )
    others = [name for name in questions() if name not in tuple(names)]
    flags = [*decisions(names), *decisions(others, hidden=True)]
    return added(*files, *_which(), *columns(ROLES), convention_option, *flags)


def _which() -> list[Any]:
    topic = "Queries and systems"
    return [
        option("--system", metavar="NAME", topic=topic, help="Only this system."),
        option("--queries", "only", metavar="1..50|IDS|FILE", topic=topic, type=click.Path(), help=_QUERIES),
        option("--queries-table", metavar="FILE", topic=topic, type=click.Path(), help=_TABLE),
        option("--weights", metavar="FILE|COLUMN", topic=topic, type=click.Path(), help=_WEIGHTS),
    ]


_QUERIES = "Only these queries: a range, ids joined by commas, or a file of ids."
_TABLE = "Query attributes: id, text, segment, frequency."
_WEIGHTS = "How much each query counts in the means: a file, or a column of --queries-table."


def columns(roles: Iterable[str]) -> list[Any]:
    """Return an option for the column of each role."""

    def named(role: str) -> Any:
        if role == "text":
            said = "The text column, of every table that has it; or judgments:NAME, results:NAME."
            return option("--text-col", multiple=True, metavar="NAME", topic=_COLUMNS, help=said)
        which = "judgments" if role in _ONLY_JUDGMENTS else "results" if role in _ONLY_RESULTS else "both tables"
        hint = "" if role in (*_ONLY_JUDGMENTS, *_ONLY_RESULTS) else "; or judgments:NAME, results:NAME"
        said = f"The {role} column ({which}{hint})."
        return option(f"--{role}-col", multiple=True, metavar="NAME", topic=_COLUMNS, help=said)

    return [named(role) for role in roles]


def _conventions(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in CONVENTIONS if name.startswith(incomplete.lower())]


convention_option = option(
    "--as",
    "--convention",
    "convention",
    metavar="NAME",
    topic=_DECISIONS,
    shell_complete=_conventions,
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


def _measures(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from idealrank.measures import DEFINITIONS

    return [definition.name for definition in DEFINITIONS if definition.name.lower().startswith(incomplete.lower())]


def measure_option(**settings: Any) -> Decorator:
    """Add -m."""
    return option("-m", "--measure", metavar="NAME", topic="Measures", shell_complete=_measures, **settings)


def output_options(command: Body) -> Body:
    """Add --json, --csv, -o and --quiet."""
    topic = "Output"
    return added(
        option(
            "--json",
            "form",
            flag_value="json",
            topic=topic,
            help="JSON: full precision, decisions, ledger.",
        ),
        option("--csv", "form", flag_value="csv", topic=topic, help="CSV: full precision."),
        option("-o", "--output", metavar="FILE", topic=topic, type=click.Path(), help=_OUTPUT),
        option(
            "-q", "--quiet", is_flag=True, topic=topic, help="The numbers only: no decisions, no ledger; warnings stay."
        ),
    )(command)


_OUTPUT = "Write to a file: .json, .csv, else TSV unless --json or --csv says otherwise; they may not disagree."


def decision_answers(given: dict[str, Any]) -> dict[str, str]:
    """Pick the decisions out of the options of a call."""
    return {name: given[name] for name in questions() if name != "weights" and given.get(name) is not None}


class ColumnNames(NamedTuple):
    """The column names of a call: for the judgments, for the results, and the text wherever there is such a column."""

    judgments: dict[str, str]
    results: dict[str, str]
    text: str = ""


def column_names(given: dict[str, Any], project: tuple[tuple[str, str], ...]) -> ColumnNames:
    """Sort out which column names were given for which table."""
    judgments: dict[str, str] = {}
    results: dict[str, str] = {}
    anywhere = ""
    asked = [*project, *((role, name) for role in ROLES for name in given.get(f"{role}_col") or ())]
    for role, text in asked:
        where, colon, name = text.partition(":")
        if not colon or where not in ("judgments", "results"):
            where, name = "", text
        if role == "text" and not where:
            anywhere = name
            continue
        if role not in _ONLY_RESULTS and where != "results":
            judgments[role] = name
        if role not in _ONLY_JUDGMENTS and where != "judgments":
            results[role] = name
    return ColumnNames(judgments, results, anywhere)


def check_stdin(files: Iterable[str]) -> None:
    """Refuse standard input asked for twice.

    Raises
    ------
    UsageError
        If - stands for more than one file.
    """
    if list(files).count("-") > 1:
        raise UsageError("Standard input (-) can be read once. Give the other as a file.")
