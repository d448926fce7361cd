"""idealrank plot."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.evaluation_summary import ledger_notes
from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.options import decision_answers, input_options_of_every_system, measure_option, verbose_option
from idealrank.cli.output import OutputFile, print_error, warn
from idealrank.conventions import parse_convention
from idealrank.display.files import write_file
from idealrank.errors import UsageError, unknown
from idealrank.reports import plots
from idealrank.reports.plots import NAMES, OF_COMPARISONS

if TYPE_CHECKING:
    from idealrank.conventions.project import Project
    from idealrank.reports.plots.picture import Picture
    from idealrank.reports.subject import Subject

_EXAMPLES = (
    "idealrank plot means judgments.csv bm25.csv hybrid.csv -o means.svg",
    "idealrank plot curve qrels.txt bm25.run -m nDCG --depth 20 -o curve.png",
    "idealrank plot differences j.csv control.csv test.csv -m nDCG@10 -o differences.pdf",
    "idealrank plot segments j.csv a.csv b.csv --queries-table queries.csv --by segment --baseline a -o segments.svg",
    "idealrank plot intervals j.csv a.csv b.csv c.csv --baseline a --margin 0.005 -o intervals.svg",
)
_FORMS = ("svg", "png", "pdf")
_WHAT = "What to draw"
_ALL = ("means", "intervals")
"""The plots of all measures; the others show one."""


def _complete_plot_names(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[click.shell_completion.CompletionItem]:
    return [
        click.shell_completion.CompletionItem(name, help=about)
        for name, about in NAMES.items()
        if name.startswith(incomplete.lower())
    ]


_OPTIONS = add_parameters(
    option("--system", metavar="NAME", topic=_WHAT, help="Show only this system; for all pairs: 'B vs A'."),
    option("--baseline", metavar="NAME", topic=_WHAT, help="Compare the others with this system [of two: the first]."),
    option("--by", metavar="COLUMN", topic=_WHAT, help="Form segments by this attribute [the first available]."),
    option("--depth", type=int, metavar="K", topic=_WHAT, help="Last rank of curve, grades and overlap [10]."),
    option(
        "--margin", type=float, metavar="X", topic=_WHAT, help="The smallest gain worth shipping, for intervals [0]."
    ),
    option(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        type=OutputFile(),
        topic="Output",
        help="Write a .svg, .png or .pdf.",
    ),
    option("-q", "--quiet", is_flag=True, topic="Output", help="Do not print choices and queries; warnings stay."),
    verbose_option("Output"),
)


@click.command("plot", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("name", shell_complete=_complete_plot_names)
@measure_option(multiple=True, help="means and intervals take several; may be repeated.")
@_OPTIONS
@input_options_of_every_system
def plot_command(name: str, measure: tuple[str, ...], output: str, quiet: bool, **options: Any) -> None:
    """Draw a plot of RESULTS against JUDGMENTS as NAME says; several files are several systems.

    For one system or more: means, distribution, curve, grades, segments, of spans thresholds, and latency where
    results say how long searches took. For two or more: leaderboard, differences, scatter, overlap, intervals; with
    --baseline, segments shows differences. Without -m: the first measure of the project, or nDCG@10; means and
    intervals show all. Needs matplotlib: pip install matplotlib.
    """
    form = _picture_format(output)
    if name in plots.OF_HISTORIES:
        raise UsageError(f"{name} takes no judgments first: idealrank history RESULTS... -o {output}.")
    if name not in NAMES:
        raise unknown("plot", name, NAMES)
    if len(measure) > 1 and name not in _ALL:
        raise UsageError(f"{name} shows one measure, and {len(measure)} are given. Leave out all but one -m.")
    if options["margin"] is not None and name != "intervals":
        raise UsageError(f"--margin: {name} shows none. It is an option of intervals.")
    words = {key: options.pop(key) for key in ("by", "depth", "system") if options.get(key) is not None}
    subject, project = _read_subject(name, measure, options)
    picture = _draw_plot(subject, name, words)
    write_file(output, picture.file(form), "-o FILE")
    _print_ledger_notes(subject, project, quiet)


def _picture_format(output: str) -> str:
    """Return the form the ending asks for."""
    form = os.path.splitext(output)[1].lower().removeprefix(".")
    if form not in _FORMS:
        raise UsageError(f"-o {output}: the ending says the form. Name it .svg, .png or .pdf.")
    return form


def _read_subject(name: str, measure: tuple[str, ...], options: dict[str, Any]) -> tuple[Subject, Project]:
    """Read the files, evaluate, and compare where the plot is one of comparisons or a baseline is given."""
    from idealrank.cli.inputs import evaluate_arguments

    call, project = evaluate_arguments({**options, "system": None}, measure)
    from idealrank.evaluation.evaluate import evaluate
    from idealrank.evaluation.requested_measures import measures_under

    measures = measures_under(
        parse_convention(call["convention"], decision_answers(options)), list(measure or project.measures) or None
    )
    scores = evaluate(measures=measures if name in _ALL else measures[:1], **call)
    if (name not in OF_COMPARISONS or name == "leaderboard") and options["baseline"] is None:
        return scores, project
    from idealrank.cli.inputs import compare_systems

    return compare_systems(scores, [], {**options, "margin": options["margin"] or 0.0}), project


def _draw_plot(subject: Subject, name: str, words: dict[str, Any]) -> Picture:
    """Draw the plot with what was typed; an option that it does not take is refused."""
    for word in words:
        if word not in _plot_parameters(name):
            takers = [other for other in NAMES if word in _plot_parameters(other)]
            raise UsageError(f"--{word}: {name} has none. It is an option of {', '.join(takers)}.")
    picture: Picture = getattr(plots, name)(subject, **words)
    return picture


def _plot_parameters(name: str) -> frozenset[str]:
    import inspect

    return frozenset(inspect.signature(getattr(plots, name)).parameters)


def _print_ledger_notes(subject: Subject, project: Project, quiet: bool) -> None:
    """Say under which decisions, and what became of every query."""
    from idealrank.reports.subject import scores_of

    scores = scores_of(subject)
    if quiet:
        warn(scores.ledger)
    else:
        print_error(ledger_notes(scores, scores.account(), project.line))
