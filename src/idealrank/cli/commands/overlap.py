"""idealrank overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.options import (
    check_stdin,
    column_names,
    column_options,
    decision_answers,
    decision_options,
    output_options,
)
from idealrank.cli.output import NO_NOTES, Notes, check_ending, write
from idealrank.display.terminal import say

if TYPE_CHECKING:
    from idealrank.data.results import Results
    from idealrank.display.table import Table

_READ = ("duplicates", "unit", "order_by", "rank_gaps", "roll_up", "counts", "ties", "score_precision")
_ROLES = ("query", "doc", "rank", "score", "system", "text")
_EXAMPLES = (
    "idealrank overlap bm25.csv hybrid.csv -k 10",
    "idealrank overlap a.run b.run --json",
    "idealrank overlap both_systems.csv",
    "idealrank overlap a.run b.run -p 0.5 --rbo-ties b",
)

_PERSISTENCE = "Persistence of rank-biased overlap, between 0 and 1: the lower, the more the first ranks count. [0.9]"
_TIES = "How rank-biased overlap reads equal scores: a (average over their orders), b (a, corrected), w (one rank). [a]"


@click.command("overlap", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("results_a", type=click.Path(allow_dash=True))
@click.argument("results_b", type=click.Path(allow_dash=True), required=False)
@option("-k", type=click.IntRange(min=1), metavar="K", topic="Lists", help="Compare only the first K results of each.")
@option("-p", type=float, default=0.9, metavar="P", topic="Lists", help=_PERSISTENCE)
@option("--rbo-ties", default="a", metavar="a|b|w", topic="Lists", help=_TIES)
@output_options
@add_parameters(*column_options(_ROLES), *decision_options(_READ))
def overlap_command(
    results_a: str, results_b: str | None, k: int | None, p: float, rbo_ties: str, form: str | None,
    output: str | None, **options: Any,
) -> None:  # fmt: skip
    """Compare the documents two systems returned, query by query: what they share, churn, rank moves, order.

    Columns: jaccard, overlap (of the longer list), rbo (rank-biased overlap, extrapolated, with its bounds), churn
    (share of the second list that is new), rank_move (mean, of the shared documents), tau and tau_ap (order of the
    shared documents), the two sets, what they share. One file alone may contain both systems. No judgments are needed.
    """
    from idealrank.cli.inputs import read_files
    from idealrank.comparison.overlap import overlap, overlap_row, spelling_warnings

    files = [file for file in (results_a, results_b) if file]
    check_stdin(files)
    names = column_names({**options, "results": tuple(files)}, ())
    check_ending(form, output)
    results, answers = read_files(files, names), decision_answers(options)
    table = overlap(*results, k=k, p=p, rbo_ties=rbo_ties, **answers)
    notes = NO_NOTES if options["quiet"] else _overlap_notes(table, results, p, rbo_ties, answers)
    write(table, table.to_json, form, output, notes, {"": overlap_row(table)})
    for text in spelling_warnings(table):
        say(f"warning    {text}")


def _overlap_notes(table: Table, results: Sequence[Results], p: float, rbo_ties: str, answers: dict[str, str]) -> Notes:
    """Say what both share on average, under which decisions, and which columns were taken."""
    from idealrank.comparison.overlap import describe_reading, overlap_summary
    from idealrank.display.blocks import label_lines, wrap

    line, parts = overlap_summary(table), describe_reading(results, p, rbo_ties, **answers)
    return Notes(
        lambda width: [
            *wrap([line], width),
            *(row for label, text in parts.items() for row in label_lines(label, text, width)),
        ],
        [line, *(f"{label:<10} {text}" for label, text in parts.items())],
    )
