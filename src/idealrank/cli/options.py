"""Options that several commands share; the flags for decisions come from the dataclass itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from idealrank.conventions import CONVENTIONS
from idealrank.decisions import Question, questions
from idealrank.errors import UsageError

ROLES = ("query", "doc", "grade", "rank", "score", "system", "rater", "text")

_ONLY_JUDGMENTS = ("grade", "rater")
_ONLY_RESULTS = ("rank", "score", "system")

Command = Callable[..., None]


def inputs(command: Command) -> Command:
    """Add the files, the column names, the convention and a flag for every decision."""
    for decorate in reversed([*_files(), *_columns(), *_setting(), *_decisions()]):
        command = decorate(command)
    return command


def _files() -> list[Any]:
    return [
        click.argument("judgments", type=str),
        click.argument("results", nargs=-1, type=str),
        click.option("--system", metavar="NAME", help="Only this system of a table that holds several."),
        click.option("--queries", "only", metavar="1..50|IDS|FILE", help=_QUERIES),
        click.option("--queries-table", metavar="FILE", help="Query attributes: id, text, segment, frequency."),
        click.option("--weights", metavar="FILE|COLUMN", help=_WEIGHTS),
    ]


_QUERIES = "Only these queries: a range, ids joined by commas, or a file of ids."
_WEIGHTS = "How much each query counts: a file, or a column of --queries-table."


def _columns() -> list[Any]:
    def option(role: str) -> Any:
        which = "judgments" if role in _ONLY_JUDGMENTS else "results" if role in _ONLY_RESULTS else "both tables"
        hint = "" if role in (*_ONLY_JUDGMENTS, *_ONLY_RESULTS) else " Or judgments:NAME, results:NAME."
        return click.option(f"--{role}-col", multiple=True, metavar="NAME", help=f"The {role} column ({which}).{hint}")

    return [option(role) for role in ROLES]


def _setting() -> list[Any]:
    return [
        click.option(
            "--as",
            "--convention",
            "convention",
            metavar="NAME",
            shell_complete=lambda ctx, param, incomplete: [n for n in CONVENTIONS if n.startswith(incomplete)],
            help='The convention to start from, with overrides: "trec_eval-9.0.8, ties=average".',
        )
    ]


def _decisions() -> list[Any]:
    return [_decision(name, question) for name, question in questions().items() if name != "weights"]


def _decision(name: str, question: Question) -> Any:
    words = [*question.answers, *(["NUMBER"] if question.number else [])]

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        return [word for word in question.answers if word.startswith(incomplete)]

    return click.option(
        f"--{name.replace('_', '-')}", name, metavar="|".join(words), help=question.asks, shell_complete=complete
    )


def measure_option(command: Command) -> Command:
    """Add -m, once for each measure."""
    said = "A measure, as nDCG@10 or P(rel=2)@5; may be repeated."
    return click.option("-m", "--measure", "measures", multiple=True, metavar="NAME", help=said)(command)


def output_options(command: Command) -> Command:
    """Add --json, --csv, -o and --quiet."""
    for decorate in (
        click.option("-q", "--quiet", is_flag=True, help="No decisions and ledger lines."),
        click.option("-o", "--output", metavar="FILE", help="Write to a file (.json, .csv, else TSV)."),
        click.option("--csv", "form", flag_value="csv", help="CSV with full precision."),
        click.option("--json", "form", flag_value="json", help="JSON with full precision, decisions and ledger."),
    ):
        command = decorate(command)
    return command


def decision_answers(given: dict[str, Any]) -> dict[str, str]:
    """Pick the decisions out of the options of a call."""
    return {name: given[name] for name in questions() if given.get(name) is not None}


def column_names(given: dict[str, Any], project: tuple[tuple[str, str], ...]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the given column names for the judgments and for the results."""
    judgments: dict[str, str] = {}
    results: dict[str, str] = {}
    asked = [(role, name) for role, name in project] + [
        (role, n) for role in ROLES for n in given.get(f"{role}_col") or ()
    ]
    for role, text in asked:
        where, colon, name = text.partition(":")
        if colon and where not in ("judgments", "results"):
            where, name = "", text
        name = name if colon and where else text
        if role not in _ONLY_RESULTS and where != "results":
            judgments[role] = name
        if role not in _ONLY_JUDGMENTS and where != "judgments":
            results[role] = name
    return judgments, results


def one_of(results: tuple[str, ...], judgments: str) -> tuple[str, ...]:
    """Return the results files; a single file holds both.

    Raises
    ------
    UsageError
        If standard input is asked for twice.
    """
    if [judgments, *results].count("-") > 1:
        raise UsageError("Standard input (-) can be read once. Give the other as a file.")
    return results
