"""idealrank peek."""

from __future__ import annotations

import sys

import click

from idealrank.cli.help import ExampleCommand
from idealrank.cli.options import check_stdin, output_options
from idealrank.cli.output import check_ending, screen, show, write

_EXAMPLES = (
    "idealrank peek judgments.csv bm25.csv hybrid.csv",
    "idealrank peek qrels.txt runs/",
    "idealrank peek export.json --json",
)


@click.command("peek", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@output_options
def command(files: tuple[str, ...], form: str | None, output: str | None, quiet: bool) -> None:
    """Show what is in FILES, in any order, and how they would be joined; nothing is scored.

    Per file: its format, the role of each column, rows, queries, documents, how many judgments have each grade,
    raters, systems, queries whose search failed, and what is wrong with it. Then the share of queries and documents
    that judgments and results have in common, and the command that would come next.
    """
    from idealrank.data.recognition.peek import peek

    check_stdin(files)
    check_ending(form, output)
    found = peek(*files)
    if form is None and output is None and sys.stdout.isatty() and not quiet:
        from idealrank.display.text import lines

        after = [f"{label:<12}{text}" for label, text in found.steps]  # in one line, so that it can be copied
        show([], [*lines(found.blocks(), screen()), *([""] if after else []), *after])
    else:
        write(found.table, found.to_json, form, output)
