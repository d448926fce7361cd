"""idealrank reconcile."""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import ExampleCommand
from idealrank.cli.options import measure_option, one_system_options, output_options
from idealrank.cli.output import sentence_notes, write
from idealrank.errors import UsageError

if TYPE_CHECKING:
    from idealrank.audit.attribution import Reconciliation

SHOWN = 20
"""Queries that are listed."""

_EXAMPLES = (
    "idealrank reconcile qrels.txt run.txt -m nDCG@10 trec_eval-9.0.8 sklearn",
    'idealrank reconcile judgments.csv results.csv -m AP idealrank-1 "idealrank-1, unjudged=filter"',
    "idealrank reconcile qrels.txt run.txt -m nDCG@10 trec_eval-9.0.8 their-values.csv",
    "idealrank reconcile qrels.txt run.txt -m nDCG@10 trec_eval-9.0.8 other-run.txt",
    "idealrank reconcile predictions.csv -m nDCG@10 lightgbm idealrank-1",
)


@click.command("reconcile", cls=ExampleCommand, examples=_EXAMPLES)
@measure_option(required=True, help="One measure, as nDCG@10.")
@output_options
@one_system_options
@click.argument("judgments", type=click.Path(allow_dash=True))
@click.argument("results", type=click.Path(allow_dash=True))
@click.argument("convention")
@click.argument("other", default="")
def reconcile_command(
    measure: str, judgments: str, results: str, convention: str, other: str, form: str | None, output: str | None,
    quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Say what makes the difference between a measure under CONVENTION and OTHER.

    OTHER is a second convention; a second file of results; or a file of values by query: a table with a
    column called after the measure, or what trec_eval -q printed.

    A share is a decision's mean effect over all orders of answering; first and last are its effect when it
    is answered before and after the others. The shares sum to the gap. -q leaves out the queries. One table
    with judgments and results is given once.
    """
    from idealrank.audit.reconcile import names_file, reconcile

    if not other:
        if os.path.exists(results) or names_file(results):
            raise UsageError("Two conventions are compared: idealrank reconcile JUDGMENTS RESULTS CONVENTION OTHER.")
        results, convention, other = judgments, results, convention
    from idealrank.cli.inputs import explain_inputs

    call = explain_inputs({**options, "judgments": judgments, "results": results}, measure)
    answer = reconcile(call.pop("judgments"), call.pop("results"), measure, convention, other, **call)
    notes = sentence_notes([answer.text, *answer.refused, *([] if quiet else _query_lines(answer))])
    write(answer.shares, lambda: json.dumps(answer.to_dict(), indent=2), form, output, notes)


def _query_lines(reconciliation: Reconciliation) -> list[str]:
    from idealrank.errors import plural

    rows = list(reconciliation.queries)
    shown = []
    for row in rows[:SHOWN]:
        change = f"{_value_text(row['before'])} → {_value_text(row['after'])}"
        shown.append(f"  {row['query']}: {change} by {row['most by']} {row['documents']}".rstrip())
    more = [f"  and {len(rows) - SHOWN} more (--json contains all)"] if len(rows) > SHOWN else []
    return [f"{plural(len(rows), 'query')} {'differs' if len(rows) == 1 else 'differ'}", *shown, *more]


def _value_text(value: float) -> str:
    return "left out" if math.isnan(value) else f"{value:.4f}"
