"""idealrank gate."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.comparison_options import parse_tolerances
from idealrank.cli.evaluation_summary import footer, ledger_notes
from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.inputs import evaluate_in_parts, memory_options
from idealrank.cli.job_reports import (
    annotate_option,
    gate_annotations,
    junit_option,
    markdown_option,
    summary_file,
    summary_in_job,
    tell_server,
    write_refusal,
    write_reports,
)
from idealrank.cli.options import input_options_of_every_system, measure_option, output_options
from idealrank.cli.output import (
    BLUE,
    ORANGE,
    is_for_people,
    print_error,
    refuse_inputs,
    screen_width,
    show,
    show_lines,
    to_json_text,
    verbose,
    warn,
    write_table,
    write_text,
)
from idealrank.conventions.project import project_defaults
from idealrank.display.terminal import say
from idealrank.errors import DataError, IdealrankError, UsageError, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idealrank.conventions.project import Project
    from idealrank.display.blocks import Block
    from idealrank.evaluation.scores import Scores
    from idealrank.regression.outcome import Gate

_CONDITIONS = "Conditions (at least one without --baseline)"
_EXAMPLES = (
    "idealrank gate judgments.csv results.csv --baseline eval/base.json -m nDCG@10 -m RR --bless",
    "idealrank gate judgments.csv results.csv --baseline eval/base.json --junit gate.xml --markdown gate.md",
    "idealrank gate judgments.csv main.csv branch.csv --fail-if 'nDCG@10 drops 0.01'",
    "idealrank gate judgments.csv main.csv branch.csv --fail-if 'nDCG@10 drops 1%' --alpha 0.05 --strict",
    "idealrank gate judgments.csv branch.csv --min 'nDCG@10>=0.45' --min 'RR>=0.5' --max-unjudged 0.2",
    "idealrank gate judgments.csv main.csv branch.csv --fail-if 'nDCG@10 drops 0.01' --min 'latency_p95<=+10%'",
    "idealrank gate j.csv main.csv branch.csv --fail-if 'nDCG@10 drops 0.01' --junit gate.xml --github-summary",
)

_ASKED = add_parameters(
    option(
        "--fail-if",
        multiple=True,
        metavar="'MEASURE drops X[%]'",
        topic=_CONDITIONS,
        help="Fail if the mean is X lower than the baseline's, or X% of it; may be repeated.",
    ),
    option(
        "--min",
        "minimum",
        multiple=True,
        metavar="'MEASURE>=X'",
        topic=_CONDITIONS,
        help="Fail unless the mean is that high (or >, <=, <), or latency_p95<=+10% (+20ms, 200ms); may be repeated.",
    ),
    option(
        "--max-unjudged",
        type=float,
        metavar="X",
        topic=_CONDITIONS,
        help="Fail if a larger share of the new results in the top k has no judgment.",
    ),
    option(
        "--alpha",
        type=float,
        metavar="X",
        topic=_CONDITIONS,
        help="Fail on a drop only if its interval at the level 1 - X is wholly below 0.",
    ),
    option(
        "--strict",
        is_flag=True,
        topic=_CONDITIONS,
        help="Exit with 4 if these queries can neither show a drop nor rule it out.",
    ),
    option(
        "--looks", type=int, default=1, metavar="N", topic=_CONDITIONS, help="How many times you will look in all [1]."
    ),
    option("--seed", type=int, default=0, metavar="N", topic=_CONDITIONS, help="Random seed [0]."),
)
_FILES = add_parameters(
    junit_option,
    markdown_option,
    option("--github-summary", is_flag=True, topic="Reports", help="Append the same to the summary of a GitHub job."),
    annotate_option,
)

# The file of a baseline: its options, and what --bless does.


_BASELINE = "Baseline"

baseline_options = add_parameters(
    option(
        "--baseline",
        metavar="FILE",
        topic=_BASELINE,
        type=click.Path(),
        help="Compare with the values in this file; no measure in it may lose more than its tolerance.",
    ),
    option("--bless", is_flag=True, topic=_BASELINE, help="Accept the current values: write them to --baseline FILE."),
    measure_option(multiple=True, help="What to bless: a measure; may be repeated [those in the file; else nDCG@10]."),
    option(
        "--tolerance",
        multiple=True,
        metavar="X|MEASURE=X",
        topic=_BASELINE,
        callback=parse_tolerances,
        help="What a measure may lose against --baseline FILE [0.01, or 1% of measures that may exceed 1].",
    ),
)


@click.command("gate", cls=ExampleCommand, examples=_EXAMPLES)
@baseline_options
@_ASKED
@_FILES
@output_options
@memory_options
@input_options_of_every_system
def gate_command(
    junit: str | None,
    markdown: str | None,
    github_summary: bool,
    annotate: str | None,
    form: str | None,
    output: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Check that new results meet conditions: no drop, means high enough, enough of it judged, fast enough.

    With --baseline FILE the new results are compared with the values in a file that belongs in your repository.
    Only --bless writes that file. A file of other judgments, decisions or documents is refused (exit code 3).
    Without it, the first file of results is the baseline:
    RESULTS are the baseline's, then the new ones; the new ones alone where there is no --fail-if. The k of
    --max-unjudged is that of the first measure named (10 where none is, all results where it has none).
    Exit codes: 0 passed, 1 failed, 2 usage, 3 bad data, 4 can't tell (with --strict,
    or because of failed searches).
    """
    summary = summary_file("--github-summary") if github_summary else summary_in_job(annotate)
    _refuse_without_baseline(options)
    names = ("judgments", "queries_table", "weights", "only")
    read = [*options["results"], *(options[name] for name in names)]
    refuse_inputs(options["baseline"], read, "--baseline")
    read.append(options["baseline"])
    refuse_inputs(junit, read, "--junit")
    refuse_inputs(markdown, read, "--markdown")
    if options["bless"]:
        for name, given in (("--junit", junit), ("--markdown", markdown), ("--annotate", annotate)):
            if given:
                raise UsageError(f"--bless and {name}: there is no outcome to report. Leave one of them out.")
        _bless(options, form, output)
        return
    inputs = [options["judgments"], *options["results"]]
    try:
        outcome, project = _run_gate(options)
    except IdealrankError as error:
        # A report of an earlier run would be published in its place: still green.
        write_refusal("gate", error.typed, (junit, markdown, summary), annotate, inputs, form, output)
        raise
    write_reports((junit, outcome.to_junit()), (markdown, outcome.to_markdown()), summary)
    _write_gate(outcome, project, form, output, quiet)
    if annotate:
        tell_server(annotate, gate_annotations(outcome), inputs, form, output)
    click.get_current_context().exit(outcome.code)


def _refuse_without_baseline(options: dict[str, Any]) -> None:
    """Refuse options of a baseline's file without one, and a second file of results beside it."""
    if options["baseline"] is None:
        for name in ("bless", "tolerance", "measure"):
            if options[name] not in (None, False, ()):
                raise UsageError(f"--{name}: give the file of the baseline, too: --baseline FILE.")
    elif len(options["results"]) > 1:
        raise UsageError("--baseline FILE takes the place of the baseline's results: give one file of results.")


def _bless(options: dict[str, Any], form: str | None, output: str | None) -> None:
    """Write the baseline's file, and print what that changes."""
    from idealrank.regression.bless import bless

    path, own = options.pop("baseline"), _take_own_options(options)
    measures = [*own["measure"], *_condition_measures(own)] or _measures_to_keep(path)
    blessed = bless(_evaluate(options, measures), path)
    if form == "json":
        write_text(to_json_text(blessed.to_dict()) + "\n", output)
    else:
        show_lines(blessed.shown())


def _measures_to_keep(path: str) -> list[str]:
    """Return the measures of the file there is, so that they stay guarded; none where there is none."""
    from idealrank.data.formats.head import is_saved_scores
    from idealrank.regression.baseline import read_baseline

    if is_saved_scores(path):
        return []  # refused when they would be written over
    try:
        return list(read_baseline(path).measures) if os.path.exists(path) else []
    except DataError as error:
        say(f"warning    {error.typed} Name the measures with -m if they are not those you want.")
        return []


def _evaluate(options: dict[str, Any], measures: list[str]) -> Scores:
    """Evaluate, part by part if the files are too large."""
    from idealrank.cli.inputs import evaluate_arguments

    wanted = measures or list(project_defaults().measures) or ["nDCG@10"]
    if (evaluated := evaluate_in_parts(options, wanted)) is not None:
        return evaluated[0]
    call, _ = evaluate_arguments(options, measures)
    from idealrank.evaluation.evaluate import evaluate

    return evaluate(measures=wanted, **call)


def _run_gate(options: dict[str, Any]) -> tuple[Gate, Project]:
    """Read the files and check the conditions."""
    from idealrank.cli.inputs import evaluate_arguments
    from idealrank.data.formats.head import is_saved_scores
    from idealrank.evaluation.scores import read_scores
    from idealrank.regression.baseline import read_baseline
    from idealrank.regression.gate import gate

    if len(options["results"]) > 2:
        raise click.UsageError("a gate takes the baseline's results and the new ones, and no third file.")
    _refuse_folders(options["results"])
    path, own = options.pop("baseline"), _take_own_options(options)
    if own.pop("measure"):
        raise UsageError("-m chooses what --bless writes; a gate checks every measure of the baseline. Leave out -m.")
    del own["bless"]
    saved = read_scores(path) if path and is_saved_scores(path) else None
    kept = read_baseline(path) if path and saved is None else None
    measures = _condition_measures(own)
    guarded = [*measures, *(kept.measures if kept else saved.labels if saved else ())]
    evaluated = evaluate_in_parts(options, list(dict.fromkeys(guarded)) or ["nDCG@10"])
    if evaluated is not None:
        scores, project, _ = evaluated
        return gate(scores, path, **own), project
    call, project = evaluate_arguments(options, measures)
    del call["system"]  # a gate takes every system of its files
    results = call.pop("results")
    baseline = path or (results[0] if len(results) == 2 else None)
    return gate(call.pop("judgments"), baseline, results[-1], **own, **call), project


def _refuse_folders(results: Sequence[str]) -> None:
    """Refuse a folder or a pattern of several files: the order of their names would say which of them is checked."""
    from idealrank.data.formats.reader import system_files

    for name in results:
        if len(files := system_files(name)) > 1:
            raise UsageError(
                f"A gate checks one system, and {name} is {len(files)} files: {listed(files)}. Give the results of "
                "one, after those of the baseline if no --baseline FILE says them."
            )


def _condition_measures(own: dict[str, Any]) -> list[str]:
    """Return the measures of the conditions, read before large files are."""
    from idealrank.comparison.conditions import read_conditions

    every = [each for name in ("fail_if", "minimum") for each in read_conditions(own[name], name)]
    return [each.measure for each in every if each.measure]


_OWN_OPTIONS = (
    "fail_if", "minimum", "max_unjudged", "tolerance", "alpha", "strict", "looks", "seed", "measure", "bless",
)  # fmt: skip


def _take_own_options(options: dict[str, Any]) -> dict[str, Any]:
    """Take out the options that are the gate's own: the others are of the evaluation."""
    return {name: options.pop(name) for name in _OWN_OPTIONS}


def _write_gate(outcome: Gate, project: Project, form: str | None, output: str | None, quiet: bool) -> None:
    from idealrank.comparison.conditions import PASSED
    from idealrank.display.text import lines

    if is_for_people(form, output):
        _show_gate(outcome, project, quiet, screen_width())
        return
    write_table(outcome.table, outcome.to_json, form, output)
    if form == "json":
        return
    if quiet:
        warn(outcome.scores.ledger)
        return
    not_passed = [f"{f.outcome}: {f.sentence}" for f in outcome.findings if f.outcome != PASSED]
    sentences = [f"gate {outcome.sentence}", *not_passed]
    notes = ledger_notes(outcome.scores, outcome.account(), project.line, warned=outcome.warnings, sentences=sentences)
    print_error(notes._replace(below=lambda width: [*lines(outcome.shown(), width), *notes.below(width)]))


def _show_gate(outcome: Gate, project: Project, quiet: bool, width: int) -> None:
    """Show the outcome and its conditions, in brief or with everything."""
    from idealrank.display.text import lines

    scores = outcome.scores
    colour = BLUE if outcome.passed else ORANGE
    above = int(bool(outcome.warnings))
    colours = [*[ORANGE] * above, colour]
    if verbose():
        paragraphs = _gate_paragraphs(outcome.shown(), above, width)
        show([*paragraphs, [] if quiet else lines(outcome.account(), width)], colours=colours)
        return
    show(_gate_paragraphs(outcome.brief(), above, width), colours=colours)
    show([], [] if quiet else footer(scores, project.line, width))


def _gate_paragraphs(blocks: Sequence[Block], above: int, width: int) -> list[list[str]]:
    """Draw blocks; the first `above`, which are read before the outcome, are paragraphs of their own."""
    from idealrank.display.text import paragraphs

    return [*paragraphs(blocks[:above], width), *paragraphs(blocks[above:], width)]
