"""idealrank compare."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.evaluate import most
from idealrank.cli.help import Body, Command, added, option
from idealrank.cli.options import inputs, measure_option, output_options

if TYPE_CHECKING:
    from idealrank.comparison.outcome import Comparison
    from idealrank.project import Project
    from idealrank.table import Table

_SHOW = "What to show (without: the verdict and its evidence)"
_HOW = "How to decide"
_TESTS = "How to test"
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
            found[name] = float(number)
        except ValueError:
            raise click.BadParameter(f"{text!r} is no number and no MEASURE=NUMBER.", ctx, param) from None
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
        metavar="t|wilcoxon|sign|randomisation|bootstrap",
        default="t",
        topic=_TESTS,
        help="The paired test [t].",
    ),
    option(
        "--interval",
        metavar="student_t|percentile|bca",
        default="student_t",
        topic=_TESTS,
        help="The interval [student_t].",
    ),
    option(
        "--correction",
        metavar="max_t|tukey|holm|bh|none",
        topic=_TESTS,
        help="For several systems and measures [max_t; of all pairs tukey].",
    ),
    option(
        "--draws", type=int, default=10_000, metavar="N", topic=_TESTS, help="Flips, permutations or samples [10000]."
    ),
    option("--seed", type=int, default=0, metavar="N", topic=_TESTS, help="Of what is drawn [0]."),
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
_OWN = (
    "baseline",
    "margin",
    "rule",
    "tolerance",
    "level",
    "holes",
    "unseen",
    "test",
    "interval",
    "correction",
    "draws",
    "seed",
)


def comparison_options(command: Body) -> Body:
    """Add the rule and the methods."""
    return _RULE(added(_SEGMENTS)(command))


@click.command("compare", cls=Command, examples=_EXAMPLES)
@measure_option(multiple=True, help="The first decides, the others are guardrails; may be repeated.")
@_VIEWS
@comparison_options
@output_options
@inputs
def command(measure: tuple[str, ...], form: str | None, output: str | None, quiet: bool, **given: Any) -> None:
    """Compare systems query by query: SHIP, DON'T or CAN'T TELL, with the evidence.

    RESULTS are two files or more, a folder of them, or one table with a system column. Without -m: nDCG@10,
    P@10, R@100, RR, AP.
    """
    views = [name for name in _SHOWN if given[name]]
    if len(views) > 1:
        flags = " and ".join(f"--{name.replace('_', '-')}" for name in views)
        raise click.UsageError(f"{flags} are different tables. Ask for one at a time.")
    comparison, project = compared(given, measure)
    view = views[0] if views else ""
    if view:
        _write_view(comparison, view, given[view], form, output, quiet)
        return
    _write(comparison, project, form, output, quiet)


# A comparison takes every system of the files: there is none to choose.
command.params[:] = [parameter for parameter in command.params if parameter.name != "system"]


def compared(given: dict[str, Any], measures: tuple[str, ...]) -> tuple[Comparison, Project]:
    """Read the files and compare."""
    from idealrank.cli.loading import call_of

    segments = [name for name in given.get("segments") or () if not os.path.isfile(name)]
    given["segment_tables"] = [name for name in given.get("segments") or () if os.path.isfile(name)]
    call, project = call_of(given, measures)
    segments = call.pop("segments") + segments
    del call["system"]
    from idealrank.comparison.comparing import compare, paired
    from idealrank.comparison.costs import expected_seconds
    from idealrank.evaluation import evaluate
    from idealrank.report.progress import drawing, expect

    scores = evaluate(measures=list(measures or project.measures) or None, **call)
    pairing = paired(scores, given["baseline"])
    expect(expected_seconds(pairing, given["correction"] or pairing.correction, given["draws"]))

    with drawing() as progress:
        own = {name: given[name] for name in _OWN}
        found = compare(scores, segments=segments, progress=progress, **own)
    return found, project


def _write_view(
    comparison: Comparison, view: str, count: Any, form: str | None, output: str | None, quiet: bool
) -> None:
    from idealrank.cli.evaluate import warn_unknown
    from idealrank.cli.output import write

    if view == "per_query":
        table = comparison.per_query
        write(table, lambda: comparison.to_json(per_query=True), form, output)
        return
    if view == "by_segment":
        _write_segments(comparison, form, output, quiet)
        return
    if view == "robustness":
        _write_robustness(comparison, form, output, quiet)
        return
    if view == "changes":
        _write_changes(comparison, count, form, output)
        return
    if view == "lost_value":
        table = comparison.lost_value(count)
        write(table, table.to_json, form, output)
        warn_unknown(comparison.lost_value(system=next(iter(comparison.verdict))))
        return
    tables = [getattr(comparison, view)(count, system=name) for name in comparison.verdict]
    table = _joined(tables)
    write(table, table.to_json, form, output)


def _write_segments(comparison: Comparison, form: str | None, output: str | None, quiet: bool) -> None:
    import json

    from idealrank.cli.output import NOTHING, Said, screen, show, write
    from idealrank.report.segments import explaining_lines, segment_lines

    found = comparison.segments
    if output is None and form is None and sys.stdout.isatty():
        show([segment_lines(found, screen()), [] if quiet else explaining_lines(found, screen())])
        return
    said = Said(lambda width: explaining_lines(found, width), explaining_lines(found, 10_000))
    write(
        found.table,
        lambda: json.dumps(found.to_dict(), ensure_ascii=False, indent=2),
        form,
        output,
        NOTHING if quiet or form == "json" else said,
    )


def _write_robustness(comparison: Comparison, form: str | None, output: str | None, quiet: bool) -> None:
    import json
    import textwrap

    from idealrank.cli.output import NOTHING, Said, write

    found = comparison.robustness
    said = [f"{pair}: {found.sentence(pair)}" for pair in found.pairs]
    said += [f"not computed: {text}" for text in found.refused]
    lines = Said(lambda width: [line for text in said for line in textwrap.wrap(text, width)], said)
    whole = json.dumps(found.to_dict(), ensure_ascii=False, indent=2)
    write(found.table, lambda: whole, form, output, NOTHING if quiet or form == "json" else lines)


def _write_changes(comparison: Comparison, query: str, form: str | None, output: str | None) -> None:
    import json

    from idealrank.cli.output import NOTHING, Said, write

    found = [comparison.changes(query, system=name) for name in comparison.verdict]
    heads = [each.heading for each in found]
    whole = [each.to_dict() for each in found]
    as_json = json.dumps(whole[0] if len(whole) == 1 else whole, ensure_ascii=False, indent=2)
    table = found[0].table if len(found) == 1 else _joined([each.table for each in found])
    brief = {head: each.table for head, each in zip(heads, found, strict=True)}
    write(table, lambda: as_json, form, output, NOTHING if form == "json" else Said(lambda width: [], heads), brief)


def _joined(tables: list[Table]) -> Table:
    import numpy as np

    from idealrank.table import Table as Made

    first = tables[0]
    whole = {name: np.concatenate([table.array(name) for table in tables]) for name in first.columns}
    columns = {name: values if first.numeric(name) else values.tolist() for name, values in whole.items()}
    prints = [text for table in tables for text in _each(table)]
    return Made(columns, first.title, {"fingerprint": prints})


def _each(table: Table) -> list[str]:
    """Return the fingerprint of each row."""
    stated = table.stated["fingerprint"]
    return [stated] * len(table) if isinstance(stated, str) else list(stated)


def _write(comparison: Comparison, project: Project, form: str | None, output: str | None, quiet: bool) -> None:
    from idealrank.cli.output import Said, account, complain, form_of, screen, show, warn, write_table
    from idealrank.report.comparison import account_lines, comparison_blocks, evidence_lines

    if output is None and form is None and sys.stdout.isatty():
        blocks = comparison_blocks(comparison, screen())
        show(blocks[:-1] if quiet else blocks)
        return
    write_table(comparison.differences, comparison.to_json, form, output)
    if quiet and (form or form_of(output)) != "json":
        warn(comparison.ledger)
    elif (form or form_of(output)) != "json":
        said = [str(verdict) for verdict in comparison.verdict.values()]
        rest = account(
            comparison.scores.answers, comparison.ledger, lambda width: account_lines(comparison, width), project.line
        )
        plain = [*(f"verdict    {line}" for line in said), *evidence_lines(comparison, 10_000), *rest.plain]
        complain(Said(lambda width: [*said, *evidence_lines(comparison, width), *rest.drawn(width)], plain))
