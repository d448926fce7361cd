"""idealrank peek."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import ExampleCommand, add_parameters
from idealrank.cli.options import ROLES, check_stdin, column_names, column_options, output_options
from idealrank.cli.output import check_ending, is_for_people, screen_width, show, write
from idealrank.conventions.project import project_defaults
from idealrank.errors import NoColumnError

if TYPE_CHECKING:
    from idealrank.data.recognition.peek import Peek

_EXAMPLES = (
    "idealrank peek judgments.csv bm25.csv hybrid.csv",
    "idealrank peek qrels.txt runs/",
    "idealrank peek export.json --json",
    "idealrank peek j.csv --query-col keywords --grade-col stars",
)


@click.command("peek", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@output_options
@add_parameters(*column_options(ROLES))
def peek_command(files: tuple[str, ...], form: str | None, output: str | None, quiet: bool, **options: Any) -> None:
    """Show what is in FILES, in any order, and how they would be joined; nothing is scored.

    Per file: its format, the role of each column, rows, queries, documents, how many judgments have each grade,
    raters, systems, queries whose search failed, and what is wrong with it. Then the share of queries and documents
    that judgments and results have in common, and the command that would come next.
    """
    from idealrank.data.recognition.peek import peek_by

    check_stdin(files)
    check_ending(form, output)
    names = column_names({**options, "results": files}, project_defaults().columns)
    peek = peek_by(files, names.by_kind, _typed_column_options(options))
    _refuse_absent_columns(peek, options)
    if is_for_people(form, output) and not quiet:
        from idealrank.display.text import lines

        after = [f"{label:<12}{text}" for label, text in peek.steps]  # in one line, so that it can be copied
        show([], [*lines(peek.blocks(), screen_width()), *([""] if after else []), *after])
    else:
        write(peek.table, peek.to_json, form, output)


def _typed_column_options(options: dict[str, Any]) -> list[str]:
    """Return the options that name columns as they were typed, for the command that would come next."""
    named = [word for role in ROLES for name in options[f"{role}_col"] for word in (f"--{role}-col", name)]
    return [*named, *(["--grades", options["grades"]] if options["grades"] else [])]


def _refuse_absent_columns(peek: Peek, options: dict[str, Any]) -> None:
    """Refuse a typed name that no table has; one of documents may be that of a list, which is no column."""
    from idealrank.data.roles import has_column

    there = [name for file in peek.files for name in file.columns]
    if not all(file.columns for file in peek.files):
        return
    for role in ROLES:
        for name in options[f"{role}_col"]:
            endings = [name, *(name[place + 1 :] for place, sign in enumerate(name) if sign == ":")]
            if role != "doc" and not any(has_column(there, ending) for ending in endings):
                listing = ", ".join(dict.fromkeys(there))
                raise NoColumnError(f"--{role}-col {name}: no table has such a column. Found: {listing}.")
