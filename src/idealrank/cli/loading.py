"""From the options of a call to the tables and settings `evaluate` takes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from idealrank.cli.options import check_stdin, column_names, decision_answers
from idealrank.conventions import parse_convention
from idealrank.errors import UsageError
from idealrank.project import Project, project_defaults


def call_of(given: dict[str, Any], measures: Sequence[str] = ()) -> tuple[dict[str, Any], Project]:
    """Return the keyword arguments for `evaluate` and the project's defaults that went into them.

    Names are looked up first: a wrong one is said before large files are read. The files are read
    while NumPy is imported: a command imports what needs NumPy after this call.
    """
    _keep_inputs(given)
    ahead = _begin(given)
    from idealrank.evaluation import measures_under

    project = project_defaults()
    convention = given.get("convention") or project.convention or "idealrank-1"
    answers = decision_answers(given)
    measures_under(parse_convention(convention, answers), list(measures or project.measures) or None)
    judgments, results = _tables(given, project, ahead)
    call: dict[str, Any] = {"judgments": judgments, "results": results, "convention": convention, **answers}
    call |= {"queries": given.get("queries_table"), "weights": given.get("weights")}
    call |= {"system": given.get("system"), "only": _only(given.get("only"))}
    return call, project


def _keep_inputs(given: dict[str, Any]) -> None:
    """Refuse to write over a file that this very call reads."""
    output = click.get_current_context().params.get("output")
    read = [given["judgments"], *given["results"], given.get("queries_table"), given.get("weights"), given.get("only")]
    for file in read:
        if output and file and os.path.exists(output) and os.path.exists(file) and os.path.samefile(output, file):
            raise UsageError(f"-o {output}: also an input of this call. Give another name.")


def _only(text: str | None) -> str | None:
    """Refuse a file of ids that is not there: its name is no list of ids."""
    if text is not None and os.sep in text and not os.path.exists(text):
        raise UsageError(f"--queries {text}: no such file. Give 1..50, ids joined by commas, or a file of ids.")
    return text


def _begin(given: dict[str, Any]) -> dict[str, Any]:
    """Begin to read the files while NumPy and the rest are imported, but for those that show a bar."""
    from idealrank.read import read_ahead
    from idealrank.report.progress import shows

    asked = [(given["judgments"], "judgments"), *((file, "results") for file in given["results"])]
    return {file: read_ahead(file, kind) for file, kind in asked if file != "-" and not shows(file)}


def _tables(given: dict[str, Any], project: Project, ahead: dict[str, Any]) -> tuple[Any, Any]:
    from idealrank.report.progress import reading
    from idealrank.tables import Judgments, Results, read_judgments, read_results

    ours, theirs = column_names(given, project.columns)
    files = given["results"]
    check_stdin([given["judgments"], *files])
    if not files and "system" in theirs:
        ours["system"] = theirs["system"]
    with reading(given["judgments"]) as counter:
        source = ahead.get(given["judgments"], given["judgments"])
        judgments: Judgments = read_judgments(source, progress=counter, **ours)
    if not files:
        return judgments, [read_results(judgments, **theirs)]
    results: list[Results] = [read_system(file, theirs, ahead.get(file)) for file in files]
    return judgments, results


def read_system(file: str, columns: dict[str, str], ahead: Any = None) -> Any:
    """Read a results file, with a progress bar if it is large; a system without a name is called after the file."""
    from idealrank.report.progress import reading
    from idealrank.systems import system_name
    from idealrank.tables import read_results

    with reading(file) as counter:
        return read_results(ahead or file, name=system_name(file), progress=counter, **columns)
