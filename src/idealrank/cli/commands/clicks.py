"""idealrank clicks."""

from __future__ import annotations

import click

from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.options import output_options
from idealrank.cli.output import NO_NOTES, check_ending, is_for_people, refuse_inputs, sentence_notes, show_lines, write

_EXAMPLES = (
    "idealrank clicks log.csv -o judgments.csv",
    "idealrank clicks log.csv --model pbm --minimum 100 -o judgments.csv",
    "idealrank clicks ubi_events.ndjson --queries ubi_queries.ndjson --shown impression -o judgments.csv",
    "idealrank clicks log.csv --model sdbn --session-col visit --json",
    "idealrank clicks log.csv --grades 0,0.1,0.3,0.6 -o clicks.csv",
)
_TOPIC = "Clicks"
_MODEL = (
    "coec: clicks over expected clicks; pbm: the position-based model; sdbn: people look down to their last click. "
    "[coec]"
)
_MINIMUM = "Least evidence of a pair, in impressions that were looked at. [50]"
_SHOWN_ACTION = "The action of events that says that a document was shown: view, impression or another."
_QUERIES = "The UBI queries, or a table of queries: what the ids of searches asked for."
_GRADES = (
    "Whole grades instead of shares, to compare with people's: the share from which each grade is given, from grade 0 "
    "up, as 0,0.1,0.3,0.6."
)
_COLUMNS = "Columns not found by themselves"
_ROLES = {
    "query": "The column of the query: its text or its id.",
    "doc": "The column of the document.",
    "position": "The column of the position, from 1.",
    "clicked": "The column that says whether it was clicked: 1 or 0.",
    "session": "The column of the session, or of the person.",
    "action": "The column of the action, in a row per event.",
    "time": "The column of the time.",
}


@click.command("clicks", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("events", type=click.Path(allow_dash=True))
@option("--model", type=click.Choice(["coec", "pbm", "sdbn"]), default="coec", topic=_TOPIC, help=_MODEL)
@option("--minimum", type=float, default=50, metavar="X", topic=_TOPIC, help=_MINIMUM)
@option("--shown", metavar="ACTION", topic=_TOPIC, help=_SHOWN_ACTION)
@option("--queries", metavar="FILE", type=click.Path(), topic=_TOPIC, help=_QUERIES)
@option("--level", type=float, default=0.95, metavar="SHARE", topic=_TOPIC, help="Level of the intervals. [0.95]")
@option("--grades", metavar="SHARES", topic=_TOPIC, help=_GRADES)
@add_parameters(
    *(option(f"--{role}-col", role, metavar="NAME", topic=_COLUMNS, help=text) for role, text in _ROLES.items())
)
@output_options
def clicks_command(
    events: str, model: str, minimum: float, shown: str | None, queries: str | None, level: float, grades: str | None,
    form: str | None, output: str | None, quiet: bool, **columns: str | None,
) -> None:  # fmt: skip
    """Make judgments of the clicks in EVENTS: how attractive each document is for each query, and how sure that is.

    A log with a row per impression (query, doc, position, clicked, and session if known), with a row per event
    (action), or UBI events. Each session counts once per query and document. The grade is clicks over evidence, a
    share, or what --grades makes of it; the evidence is the number of impressions that were looked at. CSV and TSV
    contain the judgments, JSON everything. -q: nothing beside them.
    """
    from idealrank.labels.clicks import clicks

    check_ending(form, output)
    refuse_inputs(output, (events, queries))
    found = clicks(
        events, model=model, minimum=minimum, shown=shown, queries=queries, level=level, grades=grades,  # type: ignore[arg-type]
        **columns,
    )  # fmt: skip
    if is_for_people(form, output) and not quiet:
        show_lines(found.shown())
        return
    notes = NO_NOTES if quiet else sentence_notes([found.headline, *found.notes])
    write(found.table, found.to_json, form, output, notes)
