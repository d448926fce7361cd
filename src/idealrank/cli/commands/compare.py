"""idealrank compare."""

import os
from typing import Any

import click

from idealrank.cli.comparison_options import comparison_options, pop_calibration
from idealrank.cli.help import ENDINGS, ExampleCommand, add_parameters, option
from idealrank.cli.inputs import memory_options
from idealrank.cli.job_reports import (
    comparison_annotations,
    report_options,
    summary_in_job,
    tell_server,
    write_refusal,
    write_reports,
)
from idealrank.cli.options import (
    FORMS,
    input_options_of_systems,
    lost_value_option,
    measure_option,
    output_options_of,
    requested_view,
)
from idealrank.cli.output import refuse_inputs, warn, write_text
from idealrank.errors import IdealrankError, UsageError

_SHOW = "What to show (without: the verdict and its evidence)"
_LOST = (
    "Show the N [10] queries of each system with the most frequency x (value before - value after). The frequency is a "
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
    "idealrank compare qrels.txt bm25.run dense.run -m AP -m P@10 -o table.tex",
    "idealrank compare j.csv results/ --baseline 'q boost=1' --hold-out 0.5",
    "idealrank compare people.csv a.csv b.csv --judge model.csv --sampled sample.csv",
)

_VIEWS = add_parameters(
    option("--per-query", is_flag=True, topic=_SHOW, help="Show one line per query: both values and their difference."),
    option("--wins", type=_COUNT, metavar="N", topic=_SHOW, help="Show the N queries that gain most."),
    option("--losses", type=_COUNT, metavar="N", topic=_SHOW, help="Show the N queries that lose most."),
    option("--to-judge", type=_COUNT, metavar="N", topic=_SHOW, help="Show the N unjudged documents to judge first."),
    option("--changes", metavar="ID|TEXT", topic=_SHOW, help="Show what happened to each document of this query."),
    option("--latency", is_flag=True, topic=_SHOW, help="Show how much longer searches take: p50, p95, p99."),
    option("--robustness", is_flag=True, topic=_SHOW, help="Compare under every flavour of the first measure."),
    lost_value_option(_SHOW, _LOST),
    option("--grid", is_flag=True, topic=_SHOW, help="Show one line per setting, where systems are NAME key=value."),
    option("--tuning", is_flag=True, topic=_SHOW, help="With --hold-out, show the systems on the tuning queries."),
    option("--by-segment", is_flag=True, topic=_SHOW, help="Show one line per segment, and what explains the change."),
)
_SHOWN = (
    "per_query", "wins", "losses", "to_judge", "changes", "latency", "robustness", "lost_value", "grid", "tuning",
    "by_segment",
)  # fmt: skip


_LATEX = "latex"


@click.command("compare", cls=ExampleCommand, examples=_EXAMPLES, writes={**ENDINGS, ".tex": _LATEX})
@measure_option(multiple=True, help="The first decides, the others are guardrails; may be repeated.")
@_VIEWS
@comparison_options
@report_options
@output_options_of((*FORMS, _LATEX))
@memory_options
@input_options_of_systems
def compare_command(
    measure: tuple[str, ...],
    junit: str | None,
    markdown: str | None,
    annotate: str | None,
    form: str | None,
    output: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Compare systems query by query: SHIP, DON'T, ABOUT THE SAME or CAN'T TELL, with the evidence.

    RESULTS are two files or more, a folder of them, or one table with a system column. Without -m: nDCG@10,
    P@10, R@100, RR, AP, of which only nDCG@10 decides.
    """
    view = requested_view(options, _SHOWN)
    from idealrank.cli.inputs import compare_calibrated, compare_systems, evaluate_inputs, is_baseline_by_name

    form = form or (_LATEX if os.path.splitext(output or "")[1].lower() == ".tex" else None)
    if form == _LATEX and view:
        raise UsageError(f"--latex: a table of the means for a paper. Leave out --{view.replace('_', '-')}.")
    summary = summary_in_job(annotate)
    inputs = [options["judgments"], *options["results"]]
    refuse_inputs(junit, inputs, "--junit")
    refuse_inputs(markdown, inputs, "--markdown")
    unnamed = is_baseline_by_name(options)
    try:
        if calibration := pop_calibration(options):
            comparison, project = compare_calibrated(options, measure, calibration)
        else:
            scores, segments, project = evaluate_inputs(options, measure)
            comparison = compare_systems(scores, segments, options)
    except IdealrankError as error:
        write_refusal("compare", error.typed, (junit, markdown, summary), annotate, inputs, form, output)
        raise
    from idealrank.cli.comparison_summary import write_comparison, write_view

    if form == _LATEX:
        write_text(comparison.to_latex(), output)
        warn(comparison.warnings)
    elif view:
        write_view(comparison, view, options[view], form, output, quiet)
    else:
        write_comparison(comparison, project, form, output, quiet, by_name=unnamed)
    as_junit = comparison.to_junit() if junit else ""
    as_markdown = comparison.to_markdown() if markdown or summary else ""
    write_reports((junit, as_junit), (markdown, as_markdown), summary)
    if annotate:
        tell_server(annotate, comparison_annotations(comparison), inputs, form, output)
