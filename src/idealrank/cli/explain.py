"""idealrank explain."""

from __future__ import annotations

from typing import Any

import click

from idealrank.cli.options import inputs, output_options


@click.command("explain")
@click.option("-m", "--measure", default="nDCG@10", show_default=True, metavar="NAME", help="The measure.")
@click.option("--query", "query", required=True, metavar="ID|TEXT", help="The query, by id or by text.")
@inputs
@output_options
def command(measure: str, query: str, form: str | None, output: str | None, quiet: bool, **given: Any) -> None:
    r"""Show the arithmetic behind one value: the results, their shares, the ideal list beside.

    \b
    Examples:
      idealrank explain qrels.txt run.txt -m nDCG@10 --query 301
      idealrank explain judgments.csv results.csv -m AP --query "red shoes" --json
    """
    from idealrank.cli.loading import call_of
    from idealrank.cli.output import write, write_text
    from idealrank.explanation import explain

    del quiet
    call, _ = call_of(given)
    explanation = explain(measure=measure, query=query, **call)
    if form == "csv" or (form is None and output is not None and not output.endswith(".json")):
        write(explanation.steps, explanation.to_json, form, output, [])
    else:
        write_text(repr(explanation), explanation.to_json, form, output)
