"""idealrank measures."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import ExampleCommand, option
from idealrank.cli.options import complete_measures
from idealrank.cli.output import screen_width, show
from idealrank.display.terminal import print_text

if TYPE_CHECKING:
    from idealrank.measures.definition import Definition

_EXAMPLES = ("idealrank measures", "idealrank measures nDCG", "idealrank measures mrr")


@click.command("measures", cls=ExampleCommand, examples=_EXAMPLES, reads=False)
@click.argument("name", required=False, shell_complete=complete_measures)
@option("--json", "as_json", is_flag=True, topic="Output", help="As JSON.")
def measures_command(name: str | None, as_json: bool) -> None:
    """List the measures, or describe one: formula, source, the decisions it reads, what it promises.

    NAME may be any name people type: ndcg_cut_10, map, mrr@10.
    """
    from idealrank.measures import parse

    if name is None:
        _list_measures(as_json)
        return
    measure = parse(name)[0]
    if as_json:
        print_text(json.dumps({**_measure_json(measure.definition), "fingerprint": measure.fingerprint}, indent=2))
        return
    print_text(f"{measure.name}: {measure.definition.title}\n\n{_plain_text(measure.definition.documentation)}\n")
    _print_facts({**measure.definition.facts, "fingerprint": measure.fingerprint})


def _list_measures(as_json: bool) -> None:
    """List the measures: family by family on a terminal, else a line each."""
    from idealrank.measures import DEFINITIONS, FAMILIES

    if as_json:
        print_text(json.dumps([_measure_json(each) for each in DEFINITIONS], indent=2))
    elif sys.stdout.isatty():
        show([_family_lines(family.about, family.definitions) for family in FAMILIES])
    else:
        print_text("\n".join(f"{each.written}\t{each.title}" for each in DEFINITIONS))


def _family_lines(about: str, definitions: Sequence[Definition]) -> list[str]:
    """Return what a family is, and its measures below each other; long names do not break the column."""
    from idealrank.display.blocks import label_lines

    wide = max(len(each.written) for each in definitions) + 4
    rows = [line for each in definitions for line in label_lines(f"  {each.written}", each.title, screen_width(), wide)]
    return [*textwrap.wrap(about, screen_width()), *rows]


def _plain_text(documentation: str) -> str:
    r"""Return a docstring as plain text: no backticks, and what it shows in Python under a plain heading.

    Examples
    --------
    >>> _plain_text("Under ``ties=average``.\n\nExamples\n--------\n>>> 1")
    'Under ties=average.\n\nIn Python:\n  >>> 1'
    """
    text, _, example = documentation.replace("`", "").partition("\nExamples\n--------\n")
    shown = "\n".join(f"  {line}".rstrip() for line in example.strip().split("\n"))
    return f"{text.strip()}\n\nIn Python:\n{shown}" if example else text.strip()


def _measure_json(definition: Definition) -> dict[str, Any]:
    return {
        "name": definition.name,
        "title": definition.title,
        "cutoff": definition.cutoff,
        "parameters": {parameter.name: parameter.default for parameter in definition.parameters},
        "reads": list(definition.reads),
        "also called": list(definition.aliases),
        "properties": {key.replace("_", " "): str(value) for key, value in definition.properties._asdict().items()},
    }


def _print_facts(facts: dict[str, str]) -> None:
    from idealrank.display.blocks import label_lines

    for key, value in facts.items():
        print_text("\n".join(label_lines(f"{key}:", value, screen_width(), indent=2)).replace("`", ""))
