"""idealrank conventions."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING

import click

from idealrank.cli.help import Command, option

if TYPE_CHECKING:
    from idealrank.conventions import Convention, Setting

_EXAMPLES = (
    "idealrank conventions",
    "idealrank conventions trec_eval-9.0.8",
    'idealrank conventions "trec_eval-9.0.8, no_results=0"',
)


def _names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from idealrank.conventions import CONVENTIONS

    return [name for name in CONVENTIONS if name.startswith(incomplete.lower())]


@click.command("conventions", cls=Command, examples=_EXAMPLES)
@click.argument("name", required=False, shell_complete=_names)
@option("--json", "as_json", is_flag=True, topic="Output", help="As JSON.")
def command(name: str | None, as_json: bool) -> None:
    """List the conventions, or describe one: what it answers to each decision, and where that was read.

    idealrank-1 is the default: it lists every decision with its answer.
    """
    from idealrank.conventions import CONVENTIONS, parse_convention

    if name is None:
        rows = [{"name": c.name, "tool": c.tool, "version": c.version, "about": c.about} for c in CONVENTIONS.values()]
        text = "\n".join(f"{row['name']:16} {row['about']}" for row in rows)
        click.echo(json.dumps(rows, indent=2) if as_json else text)
        return
    setting = parse_convention(name)
    if as_json:
        click.echo(json.dumps(_facts(setting), indent=2))
    else:
        _describe(setting)


def _facts(setting: Setting) -> dict[str, object]:
    from idealrank.decisions import questions

    decisions, convention = setting.decisions, setting.convention
    return {
        "name": setting.text,
        "tool": convention.tool,
        "version": convention.version,
        "about": convention.about,
        "decisions": {field: decisions.text(field) for field in questions()},
        "departures": decisions.departures(),
        "sources": dict(convention.sources),
        "by_measure": {measure: dict(own) for measure, own in convention.by_measure.items()},
        "measures": None if convention.measures is None else sorted(convention.measures),
        "names": dict(convention.names),
        "faults": list(convention.faults),
    }


def _describe(setting: Setting) -> None:
    from idealrank.cli.output import screen
    from idealrank.report.grid import labelled

    convention, decisions = setting.convention, setting.decisions
    departures = decisions.departures()
    about = "\n".join(textwrap.wrap(convention.about, screen()))
    click.echo(f"{setting.text}: {convention.tool} {convention.version}\n{about}\n")
    for field, answer in ((name, decisions.text(name)) for name in _in_order(departures)):
        label = f"{'*' if field in departures else ' '} {field}={answer}"
        click.echo("\n".join(labelled(label, _said(convention, field, answer), screen(), indent=29)))
    click.echo("\n* differs from idealrank-1" if departures else "\nEvery other convention is told by its differences.")
    for line in _extras(convention):
        click.echo("\n".join(labelled(*line, screen(), indent=10)))


def _in_order(departures: dict[str, str]) -> list[str]:
    """Return the decisions, those that depart from `idealrank-1` first."""
    from idealrank.decisions import questions

    return sorted(questions(), key=lambda name: name not in departures)


def _said(convention: Convention, field: str, answer: str) -> str:
    from idealrank.decisions import questions

    question = questions()[field]
    meaning = question.answers.get(answer, "")
    source = f" [{convention.sources[field]}]" if field in convention.sources else ""
    return f"{question.asks} {meaning}{source}".strip()


def _extras(convention: Convention) -> list[tuple[str, str]]:
    found = [(m, ", ".join(f"{key}={value}" for key, value in own.items())) for m, own in convention.by_measure.items()]
    if convention.measures is not None:
        found.append(("measures", ", ".join(sorted(convention.measures))))
    if convention.names:
        found.append(("names", ", ".join(f"{theirs} = {ours}" for theirs, ours in convention.names.items())))
    return found + [("not here", fault) for fault in convention.faults]
