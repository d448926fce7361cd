"""idealrank combine."""

from __future__ import annotations

from typing import Any

import click

from idealrank.cli.help import ExampleCommand, option
from idealrank.cli.options import output_options, ratings_columns
from idealrank.cli.output import check_ending, is_for_people, show_lines, write_table

_EXAMPLES = (
    "idealrank combine judgments.csv -o combined.csv",
    "idealrank combine ana.csv ben.csv model.csv -o combined.csv",
    "idealrank combine ratings.csv --rule weighted --weight ana=2 --weight ben=1 -o combined.csv",
)
_TOPIC = "Raters"
_RULE = (
    "dawid_skene: the likeliest true grade, with each rater's errors learnt from the ratings; weighted: the mean, "
    "weighted by rater. [dawid_skene]"
)
_WEIGHT = "With --rule weighted, the weight of a rater; once per rater."
_COPIES = "Refuse raters who copy another, or keep them as voices of their own. [refuse]"


@click.command("combine", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("ratings", nargs=-1, required=True, type=click.Path(allow_dash=True))
@option("--rule", default="dawid_skene", metavar="dawid_skene|weighted", topic=_TOPIC, help=_RULE)
@option("--weight", multiple=True, metavar="NAME=N", topic=_TOPIC, help=_WEIGHT)
@option("--copies", default="refuse", metavar="refuse|keep", topic=_TOPIC, help=_COPIES)
@output_options
@ratings_columns
def combine_command(
    ratings: tuple[str, ...], rule: str, weight: tuple[str, ...], copies: str, form: str | None, output: str | None,
    quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Make one grade of the RATINGS of a document, by what raters are worth: a file of judgments.

    One file with a column of raters, or with a column of grades for each; or a file for each rater. --raters of
    evaluate and compare (median, mean, majority, max, min) need no such file: they treat all raters alike. A query, a
    document and its grade in each row, with the probability of the grade or the sum of the weights; what raters are
    worth is shown on the terminal and is in JSON.
    """
    from idealrank.cli.inputs import read_ratings
    from idealrank.labels.combine import combine

    check_ending(form, output)
    tables = read_ratings(ratings, options)
    found = combine(tables, rule, weights=_read_weights(weight), copies=copies)  # type: ignore[arg-type]  # checked there
    if is_for_people(form, output):
        show_lines(found.brief() if quiet else found.shown())
    else:
        write_table(found.table, found.to_json, form, output)


def _read_weights(arguments: tuple[str, ...]) -> dict[str, float] | None:
    from idealrank.errors import UsageError

    weights = {}
    for text in arguments:
        name, sign, number = text.rpartition("=")
        try:
            weights[name.strip()] = float(number)
        except ValueError:
            sign = ""
        if not sign or not name.strip():
            raise UsageError(f"--weight {text!r} is not NAME=NUMBER. Write a rater and the weight: ana=2.")
    return weights or None
