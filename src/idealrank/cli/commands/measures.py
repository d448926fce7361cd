"""idealrank measures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import Command, option
from idealrank.cli.options import complete_measures
from idealrank.cli.output import screen
from idealrank.display.terminal import print_text

if TYPE_CHECKING:
    from idealrank.measures import Definition

_EXAMPLES = ("idealrank measures", "idealrank measures nDCG", "idealrank measures mrr")


@click.command("measures", cls=Command, examples=_EXAMPLES)
@click.argument("name", required=False, shell_complete=complete_measures)
@option("--json", "as_json", is_flag=True, topic="Output", help="As JSON.")
def command(name: str | None, as_json: bool) -> None:
    """List the measures, or describe one: formula, source, the decisions it reads, what it promises.

    NAME may be any name people type: ndcg_cut_10, map, mrr@10.
    """
    from idealrank.measures import DEFINITIONS, parse

    if name is None:
        listed = [f"{d.written:12} {d.title}" for d in DEFINITIONS]
        print_text(json.dumps([_facts(d) for d in DEFINITIONS], indent=2) if as_json else "\n".join(listed))
        return
    measure = parse(name)[0]
    if as_json:
        print_text(json.dumps({**_facts(measure.definition), "fingerprint": measure.fingerprint}, indent=2))
        return
    print_text(f"{measure.name}: {measure.definition.title}\n\n{measure.definition.documentation}\n")
    _echo_facts({**measure.definition.facts, "fingerprint": measure.fingerprint})


def _facts(definition: Definition) -> dict[str, Any]:
    return {
        "name": definition.name,
        "title": definition.title,
        "cutoff": definition.cutoff,
        "parameters": {parameter.name: parameter.default for parameter in definition.parameters},
        "reads": list(definition.reads),
        "also called": list(definition.aliases),
        "properties": {key.replace("_", " "): str(value) for key, value in definition.properties._asdict().items()},
    }


def _echo_facts(facts: dict[str, str]) -> None:
    from idealrank.display.grid import labelled

    for key, value in facts.items():
        print_text("\n".join(labelled(f"{key}:", value, screen(), indent=2)).replace("`", ""))
