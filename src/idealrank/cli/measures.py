"""idealrank measures."""

from __future__ import annotations

import json

import click


@click.command("measures")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(name: str | None, as_json: bool) -> None:
    r"""List the measures, or describe one: formula, source, decisions it reads, promises.

    \b
    Examples:
      idealrank measures
      idealrank measures nDCG
    """
    from idealrank.measures import DEFINITIONS, Definition, parse

    def facts(definition: Definition) -> dict[str, object]:
        return {
            "name": definition.name,
            "title": definition.title,
            "cutoff": definition.cutoff,
            "parameters": dict(definition.parameters),
            "reads": list(definition.reads),
            "also called": list(definition.aliases),
            "properties": {key: str(value) for key, value in vars(definition.properties).items()},
        }

    if name is None:
        if as_json:
            click.echo(json.dumps([facts(d) for d in DEFINITIONS], indent=2))
            return
        for definition in DEFINITIONS:
            at = "@k" if definition.cutoff == "optional" else "  "
            click.echo(f"{definition.name + at:12} {definition.title}")
        return
    measure = parse(name)[0]
    if as_json:
        click.echo(json.dumps({**facts(measure.definition), "fingerprint": measure.fingerprint}, indent=2))
        return
    click.echo(f"{measure.name}: {measure.definition.title}\n\n{measure.definition.documentation}\n")
    for key, value in facts(measure.definition).items():
        if key not in ("name", "title"):
            click.echo(f"{key:12} {_written(value)}")
    click.echo(f"{'fingerprint':12} {measure.fingerprint}")


def _written(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items()) or "none"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
