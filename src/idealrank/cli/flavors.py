"""idealrank flavors."""

from __future__ import annotations

from typing import Any

import click

from idealrank.cli.options import inputs, output_options


@click.command("flavors")
@click.option("-k", type=click.IntRange(min=1), metavar="K", help="The cutoff; without it the whole lists.")
@click.option("--per-query", is_flag=True, help="One line a query instead of the means.")
@inputs
@output_options
def command(k: int | None, per_query: bool, form: str | None, output: str | None, quiet: bool, **given: Any) -> None:
    r"""Compute DCG-z, DCG-f and NDCG under every ideal, with what each means.

    \b
    Examples:
      idealrank flavors judgments.csv results.csv -k 10
      idealrank flavors judgments.csv results.csv --gain exp2 --per-query --csv
    """
    from idealrank.cli.loading import call_of
    from idealrank.cli.output import write
    from idealrank.flavor import flavors

    call, _ = call_of(given)
    found = flavors(k=k, **call)
    table = found.table if per_query else found.means
    talk = [] if quiet else [f"decisions  {found.scores.decisions}", f"ledger     {found.scores.ledger.line}"]
    write(table, table.to_json, form, output, talk)
