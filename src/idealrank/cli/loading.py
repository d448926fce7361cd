"""From the options of a call to the tables and settings `evaluate` takes."""

from __future__ import annotations

from typing import Any

from idealrank.cli.options import column_names, decision_answers, one_of
from idealrank.conventions import parse_convention
from idealrank.project import Project, project_defaults


def call_of(given: dict[str, Any]) -> tuple[dict[str, Any], Project]:
    """Return the keyword arguments for `evaluate` and the project's defaults that went into them."""
    project = project_defaults()
    convention = given.get("convention") or project.convention or "idealrank-1"
    answers = decision_answers(given)
    parse_convention(convention, answers)  # a wrong name is said before large files are read
    judgments, results = _tables(given, project)
    call: dict[str, Any] = {"judgments": judgments, "results": results, "convention": convention, **answers}
    call |= {"queries": given.get("queries_table"), "weights": given.get("weights")}
    call |= {"system": given.get("system"), "only": given.get("only")}
    return call, project


def _tables(given: dict[str, Any], project: Project) -> tuple[Any, Any]:
    from idealrank.report.progress import reading
    from idealrank.systems import read_systems, system_name
    from idealrank.tables import Judgments, Results, read_judgments, read_results

    ours, theirs = column_names(given, project.columns)
    files = one_of(given["results"], given["judgments"])
    with reading(given["judgments"]) as counter:
        judgments: Judgments = read_judgments(given["judgments"], progress=counter, **ours)
    if not files:
        return judgments, [read_results(judgments, **theirs)]
    results: list[Results] = []
    for file in files:
        with reading(file) as counter:
            results += read_systems(read_results(file, name=system_name(file), progress=counter, **theirs))
    return judgments, results
