"""idealrank identify."""

import json
from dataclasses import replace
from typing import Any

import click

from idealrank.cli.help import ExampleCommand, option
from idealrank.cli.options import one_system_options, output_options
from idealrank.cli.output import is_for_people, sentence_notes, write

SHOWN = 20
"""Classes that are listed."""

_EXAMPLES = (
    "idealrank identify qrels.txt run.txt nDCG@10=0.437 P@10=0.25",
    "idealrank identify judgments.csv results.csv AP=0.31 --departures 1",
    "idealrank identify qrels.txt run.txt nDCG@10=values-by-query.csv",
)


@click.command("identify", cls=ExampleCommand, examples=_EXAMPLES)
@option("--departures", type=click.IntRange(0, 3), default=3, topic="Search", help="Most departures from a convention.")
@output_options
@one_system_options
@click.argument("judgments", type=click.Path(allow_dash=True))
@click.argument("results", type=click.Path(allow_dash=True))
@click.argument("numbers", nargs=-1, required=True, metavar="MEASURE=NUMBER …")
def identify_command(
    numbers: tuple[str, ...], departures: int, form: str | None, output: str | None, quiet: bool, **options: Any
) -> None:
    """Find the conventions under which numbers come out as they were printed.

    The digits count: 0.437 is every value that rounds to it, or is cut off to it. Instead of a number, give a file
    of values by query: a table with a column called after the measure, or the output of trec_eval -q.
    Settings that are equal on every query are one class; a number is identified if there is only one.
    """
    from idealrank.cli.inputs import explain_inputs

    printed = _parse_numbers(numbers)
    call = explain_inputs({**options, "convention": None}, "nDCG@10")
    from idealrank.audit.identify import identify

    answer = identify(call.pop("judgments"), call.pop("results"), printed, departures=departures, **call)
    notes = [answer.text, *([answer.between] if answer.between else []), *answer.id_columns]
    whole = not is_for_people(form, output)
    if not whole and (more := len(answer.classes) - SHOWN) > 0:
        notes.append(f"and {more} more classes (--format csv and json contain all)")
    shown = answer if whole else replace(answer, classes=answer.classes[:SHOWN])
    write(shown.table, lambda: json.dumps(answer.to_dict(), indent=2), form, output, sentence_notes(notes))


def _parse_numbers(numbers: tuple[str, ...]) -> dict[str, str]:
    printed: dict[str, str] = {}
    for text in numbers:
        name, equals, number = text.rpartition("=")
        if not equals:
            raise click.UsageError(_explain_incomplete(text))
        if name in printed:
            raise click.UsageError(f"{name} comes twice: {printed[name]} and {number}. Give one number per measure.")
        printed[name] = number
    return printed


def _explain_incomplete(text: str) -> str:
    """Say what is missing of MEASURE=NUMBER."""
    try:
        float(text)
    except ValueError:
        return f"{text}: the number is missing. Write MEASURE=NUMBER, as nDCG@10=0.437."
    return f"{text}: of which measure? Write MEASURE=NUMBER, as nDCG@10={text}."
