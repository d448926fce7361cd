"""idealrank pool."""

from __future__ import annotations

from typing import Any

import click

from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.inputs import pool_files
from idealrank.cli.options import ONLY_RESULTS, column_options, output_options
from idealrank.cli.output import NO_NOTES, check_ending, refuse_filled_in, refuse_inputs, sentence_notes, write

_EXAMPLES = (
    "idealrank pool a.csv b.csv -o pool.csv",
    "idealrank pool a.run b.run -k 5 --queries-table queries.csv --documents documents.csv -o pool.csv",
)
_TOPIC = "What is pooled"
_DEPTH = "Down to which rank: the cutoff of the measure that is to decide, at least. [10]"


@click.command("pool", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("results", nargs=-1, required=True, type=click.Path(allow_dash=True))
@option("-k", type=click.IntRange(min=1), metavar="K", topic=_TOPIC, help=_DEPTH)
@option("--queries-table", metavar="FILE", type=click.Path(), topic=_TOPIC, help="A table of the queries' texts.")
@option("--documents", metavar="FILE", type=click.Path(), topic=_TOPIC, help="A table of the documents' texts.")
@output_options
@add_parameters(*column_options(("query", "text", "doc", *ONLY_RESULTS)))
def pool_command(
    results: tuple[str, ...], k: int | None, queries_table: str | None, documents: str | None, form: str | None,
    output: str | None, quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """List what to judge where nobody has judged anything yet: the first K results of all systems, each pair once.

    Pairs come in the order of their ids, so that nobody sees systems or ranks. The file, its column grade filled in, is
    a file of judgments for every command. A model grades it with `idealrank judge`; a page to grade in is
    `idealrank studio RESULTS…`.
    """
    from idealrank.errors import plural

    check_ending(form, output)
    refuse_inputs(output, (*results, queries_table, documents))
    refuse_filled_in(output, "-o")
    rows = pool_files(results, options, k=k, queries=queries_table, documents=documents)
    asked = len(set(rows[rows.columns[0]]))
    line = f"{plural(len(rows), 'result')} to judge, for {plural(asked, 'query')}"
    if "title" not in rows.columns and "text" not in rows.columns:
        line += "; documents have ids only: --documents FILE gives titles and texts"
    write(rows, rows.to_json, form, output, NO_NOTES if quiet else sentence_notes([line]))
