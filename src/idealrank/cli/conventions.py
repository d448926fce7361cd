"""idealrank conventions."""

from __future__ import annotations

import json

import click


@click.command("conventions")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(name: str | None, as_json: bool) -> None:
    r"""List the conventions, or describe one: what it answers, and where each answer was read.

    \b
    Examples:
      idealrank conventions
      idealrank conventions trec_eval-9.0.8
      idealrank conventions "trec_eval-9.0.8, no_results=0"
    """
    from idealrank.conventions import CONVENTIONS, parse_convention
    from idealrank.decisions import questions

    if name is None:
        rows = [{"name": c.name, "tool": c.tool, "version": c.version, "about": c.about} for c in CONVENTIONS.values()]
        click.echo(
            json.dumps(rows, indent=2) if as_json else "\n".join(f"{row['name']:16} {row['about']}" for row in rows)
        )
        return
    setting = parse_convention(name)
    decisions, departures = setting.decisions, setting.decisions.departures()
    answers = {field: decisions.text(field) for field in questions()}
    if as_json:
        click.echo(json.dumps({"name": setting.text, "decisions": answers, "departures": departures}, indent=2))
        return
    convention = setting.convention
    click.echo(f"{setting.text}: {convention.tool} {convention.version}\n{convention.about}\n")
    for field, question in questions().items():
        mark = "*" if field in departures else " "
        source = f"   [{convention.sources[field]}]" if field in convention.sources else ""
        click.echo(f"{mark} {field:19} {answers[field]:12} {question.asks}{source}")
    click.echo("\n* differs from idealrank-1")
    for measure, own in convention.by_measure.items():
        click.echo(f"{measure}: " + ", ".join(f"{key}={value}" for key, value in own.items()))
    if convention.measures is not None:
        click.echo(f"measures: {', '.join(sorted(convention.measures))}")
    if convention.names:
        click.echo("names: " + ", ".join(f"{theirs} = {ours}" for theirs, ours in convention.names.items()))
