"""idealrank sample."""

from __future__ import annotations

import click

from idealrank.cli.help import ExampleCommand, option
from idealrank.cli.options import output_options
from idealrank.cli.output import Notes, check_ending, write

_EXAMPLES = (
    "idealrank sample queries.csv -n 50 --seed 1 -o sample.csv",
    "idealrank sample queries.csv -n 50 --strata segment -o sample.csv",
    "idealrank sample queries.csv -n 50 --changed bm25.csv hybrid.csv -o sample.csv",
)
_TOPIC = "Sample"
_CHANGED = (
    "Two systems: queries for which both return the same first K results differ by exactly 0, need nobody, and are not "
    "drawn."
)
_DEPTH = "Down to which rank the results must be the same: the cutoff of the measure. [10]"


@click.command("sample", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("queries", type=click.Path(allow_dash=True))
@option("-n", type=click.IntRange(min=1), required=True, metavar="N", topic=_TOPIC, help="How many queries to draw.")
@option("--strata", metavar="COLUMN", topic=_TOPIC, help="The column of the strata: each has its share of the sample.")
@option("--changed", nargs=2, metavar="A B", type=click.Path(), topic=_TOPIC, help=_CHANGED)
@option("-k", type=click.IntRange(min=1), default=10, metavar="K", topic=_TOPIC, help=_DEPTH)
@option("--seed", type=click.IntRange(min=0), default=0, metavar="N", topic=_TOPIC, help="Random seed. [0]")
@output_options
def sample_command(
    queries: str, n: int, strata: str | None, changed: tuple[str, str] | None, k: int, seed: int, form: str | None,
    output: str | None, quiet: bool,
) -> None:  # fmt: skip
    """Draw N queries for people to judge, at random.

    QUERIES is a table with a row per query, or the judgments of a cheap judge, whose queries are taken. The file (-o)
    has every query: whether it was drawn (sampled: yes or no), from which stratum, and with what chance (inclusion).
    People judge the results of the queries with `yes`. Then `idealrank compare PEOPLE A B --judge MODEL --sampled FILE`
    compares two systems; FILE is the proof that the sample was random. The same seed and queries give the same sample.
    """
    from idealrank.errors import listed, plural
    from idealrank.labels.sampling import sample

    check_ending(form, output)
    drawn = sample(queries, n, strata=strata, changed=list(changed) if changed else None, k=k, seed=seed)
    same = int(drawn.unchanged.sum())
    line = f"{plural(n, 'query')} drawn of {len(drawn.queries):,}"
    line += f"; {same:,} did not change down to rank {k} and need nobody" if changed else ""
    lines = [line]
    if drawn.left_out:
        lines.append(f"The file leaves out columns that are not about queries: {listed(drawn.left_out, 5)}")
    notes = Notes(lambda width: [], []) if quiet else Notes(lambda width: lines, lines)
    write(drawn.table, drawn.table.to_json, form, output, notes)
