"""idealrank compare."""

from __future__ import annotations

from typing import Any

import click

from idealrank.cli.commands.evaluate import most
from idealrank.cli.help import Body, Command, added, option
from idealrank.cli.options import inputs_of_every_system, measure_option, output_options
from idealrank.statistics.catalogue import CORRECTIONS, INTERVALS, TESTS

_SHOW = "What to show (without: the verdict and its evidence)"
_HOW = "How to decide"
_TESTING = "How to test"
_LOST = (
    "The N [10] queries of each system with the most frequency x (value before - value after). The frequency is a "
    "column of --queries-table; or --weights, which weight the means too."
)
_COUNT = click.IntRange(min=1)
_EXAMPLES = (
    "idealrank compare judgments.csv control.csv test.csv -m nDCG@10",
    "idealrank compare qrels.txt bm25.run dense.run hybrid.run --baseline bm25 -m nDCG@10 -m RR",
    "idealrank compare j.csv a.csv b.csv -m nDCG@10 --margin 0.005 --tolerance RR=0.01",
    "idealrank compare j.csv a.csv b.csv --queries-table queries.csv --weights frequency --segments segment",
    "idealrank compare j.csv a.csv b.csv --weights queries.csv --segments queries.csv --by-segment",
    "idealrank compare j.csv a.csv b.csv --queries-table queries.csv --lost-value 20",
    "idealrank compare j.csv a.csv b.csv -m nDCG@10 --losses 20 --csv",
)


def _tolerances(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> Any:
    """Read a number, or MEASURE=NUMBER for some."""
    found: dict[str, float] = {}
    for text in value:
        name, _, number = text.rpartition("=")
        try:
            amount = float(number)
        except ValueError:
            raise click.BadParameter(f"{text!r} is no number and no MEASURE=NUMBER.", ctx, param) from None
        if name in found:
            raise click.BadParameter(f"{name or 'a number for all'} is given twice.", ctx, param)
        found[name] = amount
    if "" in found and len(found) > 1:
        raise click.BadParameter("one number for all, or MEASURE=NUMBER for each; not both.", ctx, param)
    return found.get("", found or 0.0)


_VIEWS = added(
    option("--per-query", is_flag=True, topic=_SHOW, help="One line a query: both values and their difference."),
    option("--wins", type=_COUNT, metavar="N", topic=_SHOW, help="The N queries that gain most."),
    option("--losses", type=_COUNT, metavar="N", topic=_SHOW, help="The N queries that lose most."),
    option("--to-judge", type=_COUNT, metavar="N", topic=_SHOW, help="The N unjudged documents to judge first."),
    option("--changes", metavar="ID|TEXT", topic=_SHOW, help="What became of each document of this query."),
    option("--robustness", is_flag=True, topic=_SHOW, help="The same under every flavour of the first measure."),
    option("--lost-value", is_flag=False, flag_value="10", callback=most, metavar="[N]", topic=_SHOW, help=_LOST),
    option("--by-segment", is_flag=True, topic=_SHOW, help="One line a segment, and what explains the change."),
)
_RULE = added(
    option("--baseline", metavar="NAME", topic=_HOW, help="What the others are compared with [of two: the first]."),
    option("--margin", type=float, default=0.0, metavar="X", topic=_HOW, help="The smallest gain worth shipping [0]."),
    option(
        "--rule",
        metavar="better|not_worse",
        default="better",
        topic=_HOW,
        help="Gain the margin, or lose less [better].",
    ),
    option(
        "--tolerance",
        multiple=True,
        callback=_tolerances,
        metavar="X|MEASURE=X",
        topic=_HOW,
        help="What a guardrail may lose [0].",
    ),
    option("--level", type=float, default=0.95, metavar="X", topic=_HOW, help="Confidence of the intervals [0.95]."),
    option(
        "--holes",
        metavar="estimate|worst_case",
        default="estimate",
        topic=_HOW,
        help="What unjudged documents may decide [estimate].",
    ),
    option(
        "--unseen",
        type=click.IntRange(min=0),
        default=0,
        metavar="M",
        topic=_HOW,
        help="Relevant documents nobody returned, a query [0].",
    ),
    option(
        "--test",
        metavar="|".join(TESTS),
        default="t",
        topic=_TESTING,
        help="The paired test [t].",
    ),
    option(
        "--interval",
        metavar="|".join(INTERVALS),
        default="student_t",
        topic=_TESTING,
        help="The interval [student_t].",
    ),
    option(
        "--correction",
        metavar="|".join(CORRECTIONS),
        topic=_TESTING,
        help="For several systems and measures [max_t; of all pairs tukey].",
    ),
    option(
        "--draws", type=int, default=10_000, metavar="N", topic=_TESTING, help="Flips, permutations or samples [10000]."
    ),
    option("--seed", type=int, default=0, metavar="N", topic=_TESTING, help="Of what is drawn [0]."),
)
_SEGMENTS = option(
    "--segments",
    metavar="COLUMN|FILE",
    multiple=True,
    topic="Queries and systems",
    type=click.Path(),
    help="What segments go by: a column of --queries-table, length, digit, traffic or results; or a file with a column "
    "segment, or several. May be repeated.",
)
_SHOWN = ("per_query", "wins", "losses", "to_judge", "changes", "robustness", "lost_value", "by_segment")


def comparison_options(command: Body) -> Body:
    """Add the rule and the methods."""
    return _RULE(added(_SEGMENTS)(command))


@click.command("compare", cls=Command, examples=_EXAMPLES)
@measure_option(multiple=True, help="The first decides, the others are guardrails; may be repeated.")
@_VIEWS
@comparison_options
@output_options
@inputs_of_every_system
def command(measure: tuple[str, ...], form: str | None, output: str | None, quiet: bool, **given: Any) -> None:
    """Compare systems query by query: SHIP, DON'T or CAN'T TELL, with the evidence.

    RESULTS are two files or more, a folder of them, or one table with a system column. Without -m: nDCG@10,
    P@10, R@100, RR, AP.
    """
    views = [name for name in _SHOWN if given[name]]
    if len(views) > 1:
        flags = " and ".join(f"--{name.replace('_', '-')}" for name in views)
        raise click.UsageError(f"{flags} are different tables. Ask for one at a time.")
    from idealrank.cli.comparison_input import compared, evaluated

    scores, segments, project = evaluated(given, measure)
    comparison = compared(scores, segments, given)
    from idealrank.cli.comparison_output import write_comparison, write_view

    view = views[0] if views else ""
    if view:
        write_view(comparison, view, given[view], form, output, quiet)
        return
    write_comparison(comparison, project, form, output, quiet)
