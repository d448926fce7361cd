"""idealrank agreement."""

from __future__ import annotations

from typing import Any

import click

from idealrank.cli.help import ExampleCommand, option
from idealrank.cli.options import measure_option, output_options, ratings_columns
from idealrank.cli.output import check_ending, is_for_people, show_lines, write_table

_EXAMPLES = (
    "idealrank agreement judgments.csv",
    "idealrank agreement ana.csv ben.csv model.csv",
    "idealrank agreement ratings.csv --scale interval --by language",
    "idealrank agreement judgments.csv --groups 'people=rater_1,rater_2' --groups models=rater_3",
    "idealrank agreement judgments.csv --results bm25.csv --results hybrid.csv -m nDCG@10",
    "idealrank agreement judgments.csv --json",
)
_TOPIC = "Agreement"
_SCALE = "How grades are compared: nominal, ordinal, interval or ratio. [ordinal]"
_BY = "The column of segments, such as a language: each has its own coefficients."
_GROUPS = (
    "A group of raters, such as people=ana,ben (may be repeated), or the column that says it: groups are compared, too."
)
_RESULTS = "A system: with two, what the disagreement does to their verdict. May be repeated; may be a folder."


@click.command("agreement", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("ratings", nargs=-1, required=True, type=click.Path(allow_dash=True))
@option("--scale", default="ordinal", metavar="NAME", topic=_TOPIC, help=_SCALE)
@option("--by", metavar="COLUMN", topic=_TOPIC, help=_BY)
@option("--groups", multiple=True, metavar="NAME=A,B", topic=_TOPIC, help=_GROUPS)
@option("--level", type=float, default=0.95, metavar="SHARE", topic=_TOPIC, help="Level of the intervals. [0.95]")
@option(
    "--draws", type=click.IntRange(min=1), default=2000, metavar="N", topic=_TOPIC, help="Resamples of queries. [2000]"
)
@option("--seed", type=click.IntRange(min=0), default=0, metavar="N", topic=_TOPIC, help="Random seed. [0]")
@option("--results", multiple=True, metavar="FILE", type=click.Path(), topic="Verdict by rater", help=_RESULTS)
@measure_option(multiple=True, help="The measure that decides, then others. [nDCG@10]")
@output_options
@ratings_columns
def agreement_command(
    ratings: tuple[str, ...], scale: str, by: str | None, groups: tuple[str, ...], level: float, draws: int, seed: int,
    results: tuple[str, ...], measure: tuple[str, ...], form: str | None, output: str | None, quiet: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Say how far the raters of RATINGS agree, on what they disagree, and which of them stand out.

    One file with a column of raters, or with a column of grades for each; or a file for each rater. First the share
    of equal grades, with what chance alone would make it; then Krippendorff's alpha, Fleiss' kappa and Gwet's AC with
    intervals by queries; by rater, by two raters (Cohen's kappa), by grade; the documents most disputed. -q: the
    coefficients and what stands out. CSV and TSV contain the coefficients, JSON everything.
    """
    from idealrank.cli.inputs import read_ratings
    from idealrank.labels.agreement import agreement

    check_ending(form, output)
    tables = read_ratings(ratings, options)
    systems: dict[str, Any] = {"results": list(results)} if results else {}
    systems |= {"measures": list(measure)} if measure else {}
    found = agreement(
        tables, scale=scale, by=by, groups=_groups(groups), level=level, draws=draws, seed=seed, **systems,
    )  # fmt: skip
    if is_for_people(form, output):
        show_lines(found.brief() if quiet else found.shown())
    else:
        write_table(found.table, found.to_json, form, output)


def _groups(arguments: tuple[str, ...]) -> str | dict[str, list[str]] | None:
    """Read the groups: a column alone, or each group with its raters."""
    from idealrank.errors import UsageError

    if not any("=" in text for text in arguments):
        if len(arguments) > 1:
            raise UsageError("--groups: one column says the group of every rater; or write NAME=A,B for each group.")
        return arguments[0] if arguments else None
    groups: dict[str, list[str]] = {}
    for text in arguments:
        name, sign, members = text.partition("=")
        raters = [rater.strip() for rater in members.split(",") if rater.strip()]
        if not sign or not name.strip() or not raters:
            raise UsageError(f"--groups {text!r} is not NAME=A,B. Write the raters of the group: people=ana,ben.")
        groups.setdefault(name.strip(), []).extend(raters)
    return groups
