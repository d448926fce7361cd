"""idealrank overlap."""

from __future__ import annotations

from typing import Any

import click

from idealrank.cli.options import output_options


@click.command("overlap")
@click.argument("results_a")
@click.argument("results_b")
@click.option("-k", type=click.IntRange(min=1), metavar="K", help="Only the first K results of each.")
@output_options
def command(results_a: str, results_b: str, k: int | None, form: str | None, output: str | None, quiet: bool) -> None:
    r"""Compare the documents two systems returned, query by query: Jaccard, the sets, what they share.

    \b
    Examples:
      idealrank overlap bm25.csv hybrid.csv -k 10
      idealrank overlap a.run b.run --json
    """
    from idealrank.cli.output import write
    from idealrank.overlaps import overlap

    table = overlap(results_a, results_b, k=k)
    values = table["jaccard"]
    talk: list[Any] = (
        [] if quiet or not values else [f"mean Jaccard {sum(values) / len(values):.4f} over {len(values)} queries"]
    )
    write(table, table.to_json, form, output, talk)
