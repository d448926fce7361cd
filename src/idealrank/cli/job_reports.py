"""What a build server shows of a call: reports in files, annotations, and the summary of a job."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import add_parameters, option
from idealrank.cli.output import OutputFile, is_for_people, why_unwritable
from idealrank.display.terminal import say_to_server
from idealrank.errors import UsageError

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison
    from idealrank.display.annotations import Annotation
    from idealrank.regression.outcome import Gate

_REPORTS = "Reports"
_FILES = {"gitlab": "gl-code-quality-report.json", "jenkins": "idealrank-issues.json"}
_ANNOTATE = (
    "Tell the build server: github prints an annotation and adds to the summary of the job; gitlab writes "
    f"{_FILES['gitlab']}, jenkins {_FILES['jenkins']}."
)


class ReportFile(OutputFile):
    """The file of a report; standard output has the words or the data."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse ``-``, besides what cannot be written."""
        if str(value) == "-":
            flag = param.opts[0] if param else "FILE"
            raise UsageError(f"{flag} -: standard output has the table. Give a file: {flag} FILE.")
        return super().convert(value, param, ctx)


junit_option = option("--junit", metavar="FILE", topic=_REPORTS, type=ReportFile(), help="Write JUnit XML.")
markdown_option = option(
    "--markdown", metavar="FILE", topic=_REPORTS, type=ReportFile(), help="Write Markdown for a pull request."
)
annotate_option = option(
    "--annotate",
    type=click.Choice(("github", *_FILES)),
    metavar="github|gitlab|jenkins",
    topic=_REPORTS,
    help=_ANNOTATE,
)
report_options = add_parameters(junit_option, markdown_option, annotate_option)


def write_reports(junit: tuple[str | None, str], markdown: tuple[str | None, str], summary: str | None = None) -> None:
    """Write the reports whose file is named, and append the Markdown to the summary of a job."""
    from idealrank.display.files import write_file

    for (file, text), flag in ((junit, "--junit FILE"), (markdown, "--markdown FILE")):
        if file:
            write_file(file, text, flag)
    if summary:
        _append_summary(summary, markdown[1])


def _append_summary(summary: str, text: str) -> None:
    try:
        with open(summary, "a", encoding="utf-8", newline="") as out:
            out.write(text)
    except OSError as error:
        raise UsageError(
            f"{summary} (GITHUB_STEP_SUMMARY): cannot be written: {error.strerror or error}. Use --markdown FILE."
        ) from None


def summary_file(flag: str) -> str:
    """Return the file of the summary of a job of GitHub Actions.

    Raises
    ------
    UsageError
        If this is no such job, or the file cannot be written.
    """
    name = os.environ.get("GITHUB_STEP_SUMMARY")
    if not name:
        raise UsageError(
            f"{flag}: GITHUB_STEP_SUMMARY is not set: this is no job of GitHub Actions. Use --markdown FILE."
        )
    if why := why_unwritable(Path(name)):
        raise UsageError(f"{name} (GITHUB_STEP_SUMMARY): cannot be written: {why}. Use --markdown FILE.")
    return name


def summary_in_job(server: str | None) -> str | None:
    """Return the file of the summary where GitHub is told and this is one of its jobs."""
    is_summarised = server == "github" and "GITHUB_STEP_SUMMARY" in os.environ
    return summary_file("--annotate github") if is_summarised else None


def tell_server(
    server: str, annotations: Sequence[Annotation], read: Sequence[str], form: str | None, output: str | None
) -> None:
    """Tell a build server what was found, at the last file that was read: standard input and a folder have no lines.

    The commands of GitHub go where the words go: to standard output, or beside data to standard error.
    """
    from idealrank.display.annotations import github_command, gitlab_code_quality, jenkins_issues
    from idealrank.display.files import write_file

    if server == "github":
        for annotation in annotations:
            say_to_server(github_command(annotation), data=not is_for_people(form, output))
        return
    make = gitlab_code_quality if server == "gitlab" else jenkins_issues
    file = next((name for name in reversed(read) if os.path.isfile(name)), read[0])
    write_file(_FILES[server], make(annotations, os.path.relpath(file).replace(os.sep, "/")), f"--annotate {server}")


def comparison_annotations(comparison: Comparison) -> list[Annotation]:
    """Return an annotation for each verdict, or one for many systems, and one for each warning."""
    from idealrank.comparison.verdict.rule import CANT_TELL, DONT
    from idealrank.display.annotations import Annotation, Level

    if comparison.many:
        board = comparison.leaderboard
        found = [Annotation("notice", "leaderboard", f"Leaderboard by {board.measure}", board.sentence)]
    else:
        levels: dict[str, Level] = {DONT: "error", CANT_TELL: "warning"}
        found = [
            Annotation(
                levels.get(v.outcome, "notice"), f"{v.system} instead of {v.baseline}", v.headline, " ".join(v.summary)
            )
            for v in comparison.verdict.values()
        ]
    warnings = [Annotation("warning", text, "idealrank compare", text) for text in comparison.warnings]
    return [*warnings, *found]


def gate_annotations(gate: Gate) -> list[Annotation]:
    """Return an annotation for each condition that did not pass, or one that all did, and one for each warning."""
    from idealrank.comparison.conditions import FAILED, PASSED
    from idealrank.display.annotations import Annotation

    title = f"Gate {gate.sentence}"
    found = [Annotation("warning", text, "idealrank gate", text) for text in gate.warnings]
    for finding in gate.findings:
        if finding.outcome != PASSED:
            blocks = finding.outcome == FAILED or gate.code != 0
            found.append(Annotation("error" if blocks else "warning", finding.condition, title, finding.sentence))
    if gate.passed:
        found.append(Annotation("notice", "gate", title, "; ".join(finding.sentence for finding in gate.findings)))
    return found


def write_refusal(
    command: str, why: str, files: tuple[str | None, str | None, str | None], server: str | None,
    read: Sequence[str], form: str | None, output: str | None,
) -> None:  # fmt: skip
    """Say in every report asked for that the data cannot be used: one of an earlier run would pass for this one's.

    `files` are those of JUnit, of Markdown, and the summary of the job.
    """
    from idealrank.display.annotations import Annotation
    from idealrank.regression.outcome import refused_junit, refused_markdown

    title = "Gate could not compare" if command == "gate" else "Nothing could be compared"
    junit, markdown, summary = files
    write_reports((junit, refused_junit(why, command)), (markdown, refused_markdown(why, title)), summary)
    if server:
        tell_server(server, [Annotation("error", command, title, why)], read, form, output)
