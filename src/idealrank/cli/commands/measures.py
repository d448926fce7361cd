"""idealrank measures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import ExampleCommand
from idealrank.cli.options import complete_measures, form_options
from idealrank.cli.output import is_for_people, screen_width, show, write_table
from idealrank.display.blocks import label_lines, wrap
from idealrank.display.terminal import print_text

if TYPE_CHECKING:
    from idealrank.measures.definition import Definition

_EXAMPLES = ("idealrank measures", "idealrank measures nDCG", "idealrank measures mrr")


@click.command("measures", cls=ExampleCommand, examples=_EXAMPLES, reads=False)
@click.argument("name", required=False, shell_complete=complete_measures)
@form_options("Output", content="Write for people (table, also when piped), or as data. [table]")
def measures_command(name: str | None, form: str | None) -> None:
    """List the measures, or describe one: formula, source, the decisions it reads, what it promises.

    NAME may be any name people type: ndcg_cut_10, map, mrr@10.
    """
    if name is None:
        _list_measures(form)
    else:
        _describe_measure(name, form)


def _list_measures(form: str | None) -> None:
    """List the measures: family by family for people."""
    from idealrank.display.table import Table
    from idealrank.measures import DEFINITIONS, FAMILIES

    if is_for_people(form, None):
        show([_family_lines(family.about, family.definitions) for family in FAMILIES])
        return
    titles = Table({"measure": [each.written for each in DEFINITIONS], "title": [each.title for each in DEFINITIONS]})
    write_table(titles, lambda: json.dumps([_measure_json(each) for each in DEFINITIONS], indent=2), form, None)


def _describe_measure(name: str, form: str | None) -> None:
    """Say what a measure is, and its facts."""
    from idealrank.display.table import Table
    from idealrank.measures import parse

    measure = parse(name)[0]
    facts = {**measure.definition.facts, "fingerprint": measure.fingerprint}
    if is_for_people(form, None):
        documentation = _plain_lines(measure.definition.documentation, screen_width())
        print_text(
            "\n".join([*wrap([f"{measure.name}: {measure.definition.title}"], screen_width()), "", *documentation, ""])
        )
        _print_facts(facts)
        return
    rows = Table({"fact": list(facts), "text": [text.replace("`", "") for text in facts.values()]})
    whole = {**_measure_json(measure.definition), "fingerprint": measure.fingerprint}
    write_table(rows, lambda: json.dumps(whole, indent=2), form, None)


def _family_lines(about: str, definitions: Sequence[Definition]) -> list[str]:
    """Return what a family is, and its measures below each other; long names do not break the column."""
    wide = max(len(each.written) for each in definitions) + 4
    rows = [line for each in definitions for line in label_lines(f"  {each.written}", each.title, screen_width(), wide)]
    return [*wrap([about], screen_width()), *rows]


def _plain_lines(documentation: str, width: int) -> list[str]:
    r"""Return a docstring as plain lines: paragraphs folded, no backticks, its Python as it is under a plain heading.

    Examples
    --------
    >>> _plain_lines("Under ``ties=average``,\nexact.\n\nExamples\n--------\n>>> 1", 80)
    ['Under ties=average, exact.', '', 'In Python:', '  >>> 1']
    """
    text, _, example = documentation.replace("`", "").partition("\nExamples\n--------\n")
    paragraphs = [wrap([" ".join(part.split())], width) for part in text.strip().split("\n\n")]
    if example:
        paragraphs.append(["In Python:", *(f"  {line}".rstrip() for line in example.strip().split("\n"))])
    return [line for part in paragraphs for line in ("", *part)][1:]


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
    for key, value in facts.items():
        print_text("\n".join(label_lines(f"{key}:".replace("`", ""), value.replace("`", ""), screen_width(), indent=2)))
