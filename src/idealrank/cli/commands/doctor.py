"""idealrank doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.options import (
    ROLES,
    column_options,
    convention_option,
    decision_options,
    measure_option,
    output_options,
)
from idealrank.cli.output import is_for_people, show_lines, write_table
from idealrank.decisions.decisions import questions
from idealrank.display.terminal import say

if TYPE_CHECKING:
    from idealrank.display.blocks import Block
    from idealrank.doctor.diagnosis import Diagnosis

_TOPIC = "Findings"
_EXAMPLES = (
    "idealrank doctor qrels.txt run.txt",
    "idealrank doctor judgments.csv bm25.csv hybrid.csv -m nDCG@10 --by 0.001",
    "idealrank doctor judgments.csv results.csv --fix mended",
    "idealrank doctor qrels.txt run.txt --exclude excluded.csv --fix mended",
    "idealrank doctor qrels.txt run.txt --json",
)
_BY = "How far a finding must move a mean for exit code 1. [0.0005]"
_FIX = "Write mended copies of the files to a folder, and changes.txt with every change. Inputs are never overwritten."
_EXCLUDE = "Results that must not be counted: a table of queries and documents, as BEIR's ignore_identical_ids."


@click.command("doctor", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("judgments", type=click.Path(allow_dash=True))
@click.argument("results", nargs=-1, type=click.Path(allow_dash=True))
@measure_option(multiple=True, help="The measures whose means count, the headline first; may be repeated.")
@option("--by", type=click.FloatRange(min=0), default=0.0005, metavar="NUMBER", topic=_TOPIC, help=_BY)
@option("--fix", metavar="DIR", type=click.Path(), topic=_TOPIC, help=_FIX)
@option("--exclude", metavar="FILE", type=click.Path(), topic=_TOPIC, help=_EXCLUDE)
@option("--queries-table", metavar="FILE", type=click.Path(), topic=_TOPIC, help="Query texts, by id.")
@output_options
@add_parameters(*column_options(ROLES), convention_option, *decision_options(questions()))
def doctor_command(
    measure: tuple[str, ...], by: float, fix: str | None, exclude: str | None, form: str | None, output: str | None,
    quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Say what is wrong with JUDGMENTS and RESULTS, how far it moves the first measure, and what mends it.

    Each finding has a count, three examples with file and line, the mean as it is and after the mend, and the flag
    or command that mends it. -q shows only findings that move a mean. Without a finding: one line, exit code 0.
    Exit code 1: a finding moves a mean by more than --by, or evaluate refuses the files.
    """
    from idealrank.cli.inputs import evaluate_arguments

    call, project = evaluate_arguments(options, measure)
    from idealrank.doctor.diagnosis import doctor

    left_out = ("weights", "system", "only")
    call = {name: value for name, value in call.items() if name not in left_out}
    judgments, results = call.pop("judgments"), call.pop("results")
    asked = list(measure or project.measures) or None
    found = doctor(judgments, *results, measures=asked, exclude=exclude, by=by, **call)
    if is_for_people(form, output):
        show_lines(_diagnosis_blocks(found, quiet))
    else:
        write_table(found.table, found.to_json, form, output)
    for path in found.fix(fix) if fix else ():
        say(f"wrote {path}")
    click.get_current_context().exit(1 if found.moves else 0)


def _diagnosis_blocks(found: Diagnosis, quiet: bool) -> list[Block]:
    blocks = found.told(typed=True, moving=quiet)
    return blocks if blocks or quiet else found.shown()  # without a finding the line that says so
