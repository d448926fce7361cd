"""idealrank report."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.comparison_options import comparison_options, pop_calibration
from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.inputs import by_document_option, memory_options, read_documents_option
from idealrank.cli.options import form_options, input_options_of_systems, measure_option
from idealrank.cli.output import OutputFile, warn, write_text
from idealrank.display.terminal import say
from idealrank.errors import IncomparableError
from idealrank.reports import ENDINGS

if TYPE_CHECKING:
    from idealrank.reports.report import Report

RANKED = 10
"""Of more systems without a baseline no pairs are compared: they are ranked."""

_SHOW = "What to show"
_OUTPUT = "Output"
_EXAMPLES = (
    "idealrank report judgments.csv control.csv test.csv -o report.html",
    "idealrank report qrels.txt bm25.run -m nDCG@10 -m RR -o report.html",
    "idealrank report j.csv a.csv b.csv --queries-table queries.csv --documents products.csv -o report.html",
    "idealrank report j.csv a.csv b.csv --documents products.csv --by-document category -o report.html",
    "idealrank report qrels.txt runs/ --baseline bm25 --title 'Week 47' -o report.html",
    "idealrank report people.csv a.csv b.csv --judge model.csv --sampled sample.csv -o report.html",
    "idealrank report j.csv a.csv b.csv --markdown >report.md",
)

_VIEWS = add_parameters(
    option("--title", default="", metavar="TEXT", topic=_SHOW, help="The title [the names of the systems]."),
    option("--documents", metavar="FILE", topic=_SHOW, type=click.Path(), help="Titles of documents: id and title."),
    by_document_option(_SHOW, "Show means, recall and shares of the loss by a column of --documents."),
    option("--pictures", is_flag=True, topic=_SHOW, help="Load pictures of documents from the web."),
    option(
        "--depth",
        type=click.IntRange(min=1),
        default=10,
        metavar="K",
        topic=_SHOW,
        help="Show this many results per query [10].",
    ),
)
_FORMS = add_parameters(
    form_options(
        _OUTPUT,
        ("html", "markdown", "json"),
        "Write one self-contained HTML file, or the same parts for a pull request, or in full precision. [html]",
    ),
    option(
        "-o",
        "--output",
        metavar="FILE",
        topic=_OUTPUT,
        type=OutputFile(),
        help="Write to a file: .html, .md or .json; - or nothing is standard output.",
    ),
    option("-q", "--quiet", is_flag=True, topic=_OUTPUT, help="Do not say what was written."),
)


@click.command("report", cls=ExampleCommand, examples=_EXAMPLES, writes=ENDINGS)
@measure_option(multiple=True, help="The first decides, the others are guardrails; may be repeated.")
@_VIEWS
@comparison_options
@_FORMS
@memory_options
@input_options_of_systems
def report_command(measure: tuple[str, ...], form: str | None, output: str | None, quiet: bool, **options: Any) -> None:
    """Write a self-contained report: whether to ship, how certain that is, which queries changed, and why.

    Several systems are compared, or shown side by side if a measure cannot be compared; a single one is described.
    More than ten without a baseline are ranked, as by leaderboard.
    Without -m: nDCG@10, P@10, R@100, RR, AP.
    """
    form = _require_form(form, output)
    report = _make_report(options, measure)
    from idealrank.display.terminal import progress_bar

    with progress_bar("report") as progress:
        text = report.render(form, progress)
    write_text(text, output)
    _print_warnings(report)
    if output not in (None, "-") and not quiet:
        size = len(text.encode("utf-8", "surrogatepass"))
        say(f"report     {output} ({size / 1000:,.0f} kB)")


def _require_form(form: str | None, output: str | None) -> str:
    """Return the form asked for by a flag or by the ending of the file.

    Raises
    ------
    UsageError
        If there is no flag and the ending says nothing, or a page would be written onto the terminal.
    """
    ending = os.path.splitext(output or "")[1].lower()
    form_by_ending = ENDINGS.get(ending)
    if output not in (None, "-") and form_by_ending is None and form is None:
        raise click.UsageError(f"-o {output}: name it .html, .md or .json, or say --html, --markdown or --json.")
    if output is None and form is None and sys.stdout.isatty():
        raise click.UsageError("Say where to: -o report.html. Or --markdown or --json for the terminal.")
    return form or form_by_ending or "html"


def _make_report(options: dict[str, Any], measures: tuple[str, ...]) -> Report:
    from idealrank.cli.inputs import OWN, compare_calibrated, compare_systems, evaluate_inputs
    from idealrank.reports.report import report

    content = {name: options.pop(name) for name in ("title", "depth", "pictures")}
    content |= {"documents": read_documents_option(options), "by_document": options["by_document"]}
    if calibration := pop_calibration(options):
        return report(compare_calibrated(options, measures, calibration)[0], **content)
    scores, segments, _ = evaluate_inputs(options, measures)
    flags = [f"--{name}" for name, nothing in OWN.items() if options[name] != nothing]
    if len(scores.systems) > RANKED and not flags and not segments:
        return report(scores, **content)
    if len(scores.systems) > 1:
        try:
            return report(compare_systems(scores, segments, options), **content)
        except IncomparableError as error:
            if flags or options["segments"]:
                raise
            say(f"warning    the systems are shown, not compared. {error.typed}")
            return report(scores, **content)
    if flags:
        raise click.UsageError(f"{', '.join(flags)}: there is one system, {scores.systems[0]}, and nothing to compare.")
    return report(scores, **content)


def _print_warnings(report: Report) -> None:
    """Say the ledger's warnings, and that the table of documents is of others."""
    warn(report.summary["warnings"])
    titles, shown = report.titles, report.documents
    if titles is not None and titles.table is not None and not titles.table.frame.rows:
        say(f"note       {titles.name}: there are columns but no rows, so documents are shown by their ids.")
    if titles is not None and any(titles.titles.values()) and shown["id"] and not any(shown["title"] or []):
        ours, theirs = shown["id"][0], next(iter(titles.titles), "")
        ids = f"no title of any document shown. Ids look like {ours!r} in the results, like {theirs!r} there"
        say(f"warning    {titles.name}: {ids}.")
