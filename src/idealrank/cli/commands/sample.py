"""idealrank sample."""

from __future__ import annotations

import click

from idealrank.cli.help import ExampleCommand, option
from idealrank.cli.options import output_options
from idealrank.cli.output import (
    NO_NOTES,
    OutputFile,
    check_ending,
    refuse_filled_in,
    refuse_inputs,
    refuse_same_file,
    sentence_notes,
    write,
    write_text,
)

_EXAMPLES = (
    "idealrank sample queries.csv -n 50 --seed 1 -o sample.csv",
    "idealrank sample queries.csv -n 50 --strata segment -o sample.csv",
    "idealrank sample queries.csv -n 50 --changed bm25.csv hybrid.csv -o sample.csv --sheet people.csv",
)
_TOPIC = "Sample"
_CHANGED = (
    "Two systems: queries for which both return the same first K results differ by exactly 0, need nobody, and are not "
    "drawn."
)
_SHEET = (
    "Write what people are to judge, too: the first K results of both systems for the queries drawn, by document id, "
    "with an empty column grade. An existing file is not overwritten."
)
_DEPTH = "Down to which rank the results must be the same: the cutoff of the measure. [10]"


@click.command("sample", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("queries", type=click.Path(allow_dash=True))
@option("-n", type=click.IntRange(min=1), required=True, metavar="N", topic=_TOPIC, help="How many queries to draw.")
@option("--strata", metavar="COLUMN", topic=_TOPIC, help="The column of the strata: each has its share of the sample.")
@option("--changed", nargs=2, metavar="A B", type=click.Path(), topic=_TOPIC, help=_CHANGED)
@option("--sheet", metavar="FILE", type=OutputFile(), topic=_TOPIC, help=_SHEET)
@option("--documents", metavar="FILE", type=click.Path(), topic=_TOPIC, help="Titles for --sheet: id and title.")
@option("-k", type=click.IntRange(min=1), default=10, metavar="K", topic=_TOPIC, help=_DEPTH)
@option("--seed", type=click.IntRange(min=0), default=0, metavar="N", topic=_TOPIC, help="Random seed. [0]")
@output_options
def sample_command(
    queries: str, n: int, strata: str | None, changed: tuple[str, str] | None, sheet: str | None,
    documents: str | None, k: int, seed: int, form: str | None, output: str | None, quiet: bool,
) -> None:  # fmt: skip
    """Draw N queries for people to judge, at random.

    QUERIES is a table with a row per query, or the judgments of a cheap judge, whose queries are taken. The file (-o)
    has every query: whether it was drawn (sampled: yes or no), from which stratum, and with what chance (inclusion).
    People judge the results of the queries with `yes`. Then `idealrank compare PEOPLE A B --judge MODEL --sampled FILE`
    compares two systems; FILE is the proof that the sample was random. The same seed and queries give the same sample.
    """
    from idealrank.errors import UsageError, listed, plural
    from idealrank.labels.sampling import sample, sheet as make_sheet

    check_ending(form, output)
    if changed is None and (sheet or documents):
        raise UsageError(f"{'--sheet' if sheet else '--documents'}: of which systems' results? Add --changed A B.")
    if documents and not sheet:
        raise UsageError("--documents: titles are for --sheet FILE. Add it, or leave them out.")
    for name, flag in ((output, "-o"), (sheet, "--sheet")):
        refuse_inputs(name, (queries, *(changed or ()), documents), flag)
    refuse_same_file(sheet, output, "--sheet")
    refuse_filled_in(sheet, "--sheet")
    drawn = sample(queries, n, strata=strata, changed=list(changed) if changed else None, k=k, seed=seed)
    same = int(drawn.unchanged.sum())
    line = f"{plural(n, 'query')} drawn of {len(drawn.queries):,}"
    line += f"; {same:,} did not change down to rank {k} and need nobody" if changed else ""
    lines = [line]
    if drawn.left_out:
        lines.append(f"The file leaves out columns that are not about queries: {listed(drawn.left_out, 5)}")
    if sheet and changed:
        rows = make_sheet(drawn, list(changed), k=k, documents=documents)
        write_text(rows.to_csv(), sheet)
        lines.append(f"{sheet}: {plural(len(rows), 'result')} to judge")
    write(drawn.table, drawn.table.to_json, form, output, NO_NOTES if quiet else sentence_notes(lines))
