"""idealrank gate."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.blessing import baseline_options, bless_results, own_options, refuse_lonely
from idealrank.cli.brief import closing
from idealrank.cli.colours import BLUE, ORANGE, show
from idealrank.cli.files import Written, hindrance, refuse_inputs
from idealrank.cli.help import Command, added, option
from idealrank.cli.larger import memory_options, scores_in_parts
from idealrank.cli.options import inputs_of_every_system, output_options
from idealrank.cli.output import Notes, account, complain, form_of, screen, verbose, warn, write_table  # fmt: skip
from idealrank.display.files import write_file
from idealrank.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idealrank.comparison.gate.outcome import Gate
    from idealrank.conventions.project import Project
    from idealrank.display.blocks import Block

_CONDITIONS = "Conditions (at least one without --baseline)"
_REPORTS = "Reports"
_EXAMPLES = (
    "idealrank gate judgments.csv results.csv --baseline eval/base.json -m nDCG@10 -m RR --bless",
    "idealrank gate judgments.csv results.csv --baseline eval/base.json --junit gate.xml --markdown gate.md",
    "idealrank gate judgments.csv main.csv branch.csv --fail-if 'nDCG@10 drops 0.01'",
    "idealrank gate judgments.csv main.csv branch.csv --fail-if 'nDCG@10 drops 1%' --alpha 0.05 --strict",
    "idealrank gate judgments.csv branch.csv --min 'nDCG@10>=0.45' --min 'RR>=0.5' --max-unjudged 0.2",
    "idealrank gate judgments.csv main.csv branch.csv --fail-if 'nDCG@10 drops 0.01' --min 'latency_p95<=+10%'",
    "idealrank gate j.csv main.csv branch.csv --fail-if 'nDCG@10 drops 0.01' --junit gate.xml --github-summary",
)

_ASKED = added(
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
_FILES = added(
    option(
        "--junit", metavar="FILE", topic=_REPORTS, type=Written(), help="Write JUnit XML, one test case per condition."
    ),
    option(
        "--markdown",
        metavar="FILE",
        topic=_REPORTS,
        type=Written(),
        help="Write Markdown for a pull request: the ten worst queries with their rank moves.",
    ),
    option("--github-summary", is_flag=True, topic=_REPORTS, help="Append the same to the summary of a GitHub job."),
)


@click.command("gate", cls=Command, examples=_EXAMPLES)
@baseline_options
@_ASKED
@_FILES
@output_options
@memory_options
@inputs_of_every_system
def command(
    junit: str | None,
    markdown: str | None,
    github_summary: bool,
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
    summary = _summary_file() if github_summary else None
    refuse_lonely(options)
    names = ("judgments", "queries_table", "weights", "only")
    read = [*options["results"], *(options[name] for name in names)]
    refuse_inputs(options["baseline"], read, "--baseline")
    read.append(options["baseline"])
    refuse_inputs(junit, read, "--junit")
    refuse_inputs(markdown, read, "--markdown")
    if options["bless"]:
        bless_results(options, _measures, form, output)
        return
    outcome, project = _gated(options)
    _report(outcome, junit, markdown, summary)
    _write(outcome, project, form, output, quiet)
    click.get_current_context().exit(outcome.code)


def _gated(options: dict[str, Any]) -> tuple[Gate, Project]:
    """Read the files and check the conditions."""
    from idealrank.cli.loading import call_of

    if len(options["results"]) > 2:
        raise click.UsageError("a gate takes the baseline's results and the new ones, and no third file.")
    path, own = options.pop("baseline"), own_options(options)
    if own.pop("measure"):
        raise UsageError("-m chooses what --bless writes; a gate checks every measure of the baseline. Leave out -m.")
    del own["bless"]
    kept = _kept(path) if path else []
    if (found := scores_in_parts(options, list(dict.fromkeys([*_measures(own), *kept])) or ["nDCG@10"])) is not None:
        from idealrank.comparison.gate.gate import gate

        return gate(found[0], path, **own), found[1]
    call, project = call_of(options, _measures(own))
    from idealrank.comparison.baseline.reading import read_baseline
    from idealrank.comparison.gate.gate import gate

    del call["system"]
    results = call.pop("results")
    baseline = read_baseline(path) if path else results[0] if len(results) == 2 else None
    return gate(call.pop("judgments"), baseline, results[-1], **own, **call), project


def _kept(path: str) -> list[str]:
    """Return the measures of a baseline's file."""
    from idealrank.comparison.baseline.reading import read_baseline

    return list(read_baseline(path).measures)


def _measures(own: dict[str, Any]) -> list[str]:
    """Return the measures of the conditions, read before large files are."""
    from idealrank.comparison.gate.conditions import read_drop, read_level
    from idealrank.comparison.latency_limits import about_latency, read_limits

    drops = [read_drop(text).measure for text in own["fail_if"]]
    read_limits([text for text in own["minimum"] if about_latency(text)], "minimum", "min")
    return [*drops, *(read_level(text).measure for text in own["minimum"] if not about_latency(text))]


def _summary_file() -> str:
    name = os.environ.get("GITHUB_STEP_SUMMARY")
    if not name:
        raise UsageError(
            "--github-summary: GITHUB_STEP_SUMMARY is not set: this is no job of GitHub Actions. Use --markdown FILE."
        )
    if why := hindrance(Path(name)):
        raise UsageError(f"{name} (GITHUB_STEP_SUMMARY): cannot be written: {why}. Use --markdown FILE.")
    return name


def _report(outcome: Gate, junit: str | None, markdown: str | None, summary: str | None) -> None:
    if junit:
        write_file(junit, outcome.to_junit(), "--junit FILE")
    if markdown:
        write_file(markdown, outcome.to_markdown(), "--markdown FILE")
    if summary:
        try:
            with open(summary, "a", encoding="utf-8", newline="") as out:
                out.write(outcome.to_markdown())
        except OSError as error:
            raise UsageError(
                f"{summary} (GITHUB_STEP_SUMMARY): cannot be written: {error.strerror or error}. Use --markdown FILE."
            ) from None


def _write(outcome: Gate, project: Project, form: str | None, output: str | None, quiet: bool) -> None:
    from idealrank.display.text import WIDE, lines, paragraphs

    if output is None and form is None:
        _show(outcome, project, quiet, screen() if sys.stdout.isatty() else WIDE)
        return
    write_table(outcome.table, outcome.to_json, form, output)
    form, scores = form or form_of(output), outcome.scores
    if quiet and form != "json":
        warn(scores.ledger)
    elif form != "json":
        notes = account(scores, scores.ledger, outcome.account(), project.line)
        drawn = [line for paragraph in paragraphs(outcome.shown(), WIDE) for line in paragraph]
        brief = lines(outcome.brief(), WIDE)
        complain(
            Notes(
                lambda width: [*drawn, *notes.drawn(width)],
                [*drawn, *notes.plain],
                lambda width: [*brief, *closing(scores, project.line, width)],
            )
        )


def _show(outcome: Gate, project: Project, quiet: bool, width: int) -> None:
    """Show the outcome and its conditions, in brief or with everything."""
    from idealrank.display.text import lines

    scores = outcome.scores
    colour = BLUE if outcome.passed else ORANGE
    above = int(bool(outcome.warnings))
    colours = [*[ORANGE] * above, colour]
    if verbose():
        told = _apart(outcome.shown(), above, width)
        show([*told, [] if quiet else lines(outcome.account(), width)], colours=colours)
        return
    show(_apart(outcome.brief(), above, width), colours=colours)
    show([], [] if quiet else closing(scores, project.line, width))


def _apart(blocks: Sequence[Block], above: int, width: int) -> list[list[str]]:
    """Draw blocks, what is to be read before the outcome as a paragraph of its own."""
    from idealrank.display.text import paragraphs

    return [*paragraphs(blocks[:above], width), *paragraphs(blocks[above:], width)]
