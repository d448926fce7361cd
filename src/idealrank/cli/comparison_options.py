"""The options of a comparison: by what rule and by which methods compare and report decide."""

from typing import Any, get_args

import click

from idealrank.cli.help import Body, Decorator, add_parameters, option
from idealrank.statistics.names import CorrectionName, IntervalName, TestName

_HOW = "How to decide"
_TESTING = "How to test"


def parse_tolerances(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> Any:
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
    return found.get("", found or None)


def _tolerance(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> Any:
    """Read the same; 0 where none is given."""
    return parse_tolerances(ctx, param, value) or 0.0


_RULE = add_parameters(
    option("--baseline", metavar="NAME", topic=_HOW, help="Compare the others with this system [of two: the first]."),
    option("--margin", type=float, default=0.0, metavar="X", topic=_HOW, help="The smallest gain worth shipping [0]."),
    option(
        "--rule",
        metavar="better|not_worse",
        default="better",
        topic=_HOW,
        help="Ship what gains the margin, or what loses less than it [better].",
    ),
    option(
        "--tolerance",
        multiple=True,
        callback=_tolerance,
        metavar="X|MEASURE=X",
        topic=_HOW,
        help="What a guardrail may lose [0].",
    ),
    option("--level", type=float, default=0.95, metavar="X", topic=_HOW, help="Confidence of the intervals [0.95]."),
    option(
        "--looks",
        type=int,
        default=1,
        metavar="N",
        topic=_HOW,
        expert=True,
        help="How many times you will look in all [1].",
    ),
    option(
        "--equivalence",
        type=float,
        metavar="X",
        topic=_HOW,
        expert=True,
        help="Differences up to X are no difference [range / 50].",
    ),
    option(
        "--holes",
        metavar="estimate|worst_case",
        default="estimate",
        topic=_HOW,
        expert=True,
        help="What unjudged documents may decide [estimate].",
    ),
    option(
        "--unseen",
        type=click.IntRange(min=0),
        default=0,
        metavar="M",
        topic=_HOW,
        expert=True,
        help="Relevant documents that nobody returned, per query [0].",
    ),
    option(
        "--guardrail",
        "guardrails",
        multiple=True,
        metavar="LATENCY<=X",
        topic=_HOW,
        help="Do not ship what surely breaks a limit such as latency_p95<=+10%; may be repeated.",
    ),
    option(
        "--hold-out",
        type=float,
        default=0.0,
        metavar="X",
        topic=_HOW,
        help="Choose the best of many systems on the other queries, and test it on this share, as 0.5 [0].",
    ),
    option(
        "--test",
        metavar="|".join(get_args(TestName)),
        default="t",
        topic=_TESTING,
        expert=True,
        help="The paired test [t].",
    ),
    option(
        "--interval",
        metavar="|".join(get_args(IntervalName)),
        default="student_t",
        topic=_TESTING,
        expert=True,
        help="The interval [student_t].",
    ),
    option(
        "--correction",
        metavar="|".join(get_args(CorrectionName)),
        topic=_TESTING,
        expert=True,
        help="The correction for several systems and measures [max_t].",
    ),
    option(
        "--draws",
        type=int,
        default=10_000,
        metavar="N",
        topic=_TESTING,
        expert=True,
        help="Number of resamples [10000].",
    ),
    option("--seed", type=int, default=0, metavar="N", topic=_TESTING, expert=True, help="Random seed [0]."),
)
_SEGMENTS = (
    "Form segments by a column of --queries-table, by length, digit, traffic or results; or by a file with a column "
    "segment, or several. May be repeated."
)


def segments_option(topic: str) -> Decorator:
    """Add --segments."""
    return option("--segments", metavar="COLUMN|FILE", multiple=True, topic=topic, type=click.Path(), help=_SEGMENTS)


_JUDGED = "A cheap judge, calibrated on people"
_JUDGE = (
    "Grades of all queries by a cheap judge, such as a language model, where JUDGMENTS are people's of a random sample "
    "of queries: the verdict is by the judge, calibrated on people."
)
_SAMPLED = "The sample, as `idealrank sample` wrote it: which queries people were to judge, and how these were drawn."
_TARGET = "Whether the mean is of queries like these (alike) or of these alone (these). [alike]"
_CALIBRATION = add_parameters(
    option("--judge", metavar="FILE", topic=_JUDGED, expert=True, type=click.Path(), help=_JUDGE),
    option("--sampled", metavar="FILE", topic=_JUDGED, expert=True, type=click.Path(), help=_SAMPLED),
    option("--target", metavar="alike|these", topic=_JUDGED, expert=True, help=_TARGET),
)


def comparison_options(command: Body) -> Body:
    """Add the rule and the methods, and a cheap judge."""
    return _RULE(segments_option("Queries and systems")(_CALIBRATION(command)))


def pop_calibration(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of a cheap judge out, and return those that were given."""
    names = ("judge", "sampled", "target")
    return {name: value for name in names if (value := options.pop(name)) is not None}
