"""No command with --json is without a schema."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import get_args, get_type_hints

import click
import pytest

from idealrank.cli import COMMANDS, group
from idealrank.cli.schemas import catalogue, schema_of
from idealrank.comparison.changes import Entered, Kept, Left, MovedDown, MovedUp
from idealrank.comparison.pairing import DECIDES, GUARDS, SHOWN
from idealrank.comparison.settings_grid import BEST, MAY_BE, WORSE
from idealrank.comparison.unjudged.bounds import Bounds
from idealrank.data.recognition.recognize import KINDS
from tests.schemas.validation import outputs_of


def _views() -> list[str]:
    """Return each command with --json, and each of its views with the flag that asks for it."""
    found = []
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        if any("--json" in parameter.opts for parameter in command.params):
            module = importlib.import_module(f"idealrank.cli.commands.{name.replace('-', '_')}")
            found += [name, *(f"{name} --{view.replace('_', '-')}" for view in getattr(module, "_SHOWN", ()))]
    return found


@pytest.mark.parametrize("call", _views())
def test_every_view_has_a_schema(call: str) -> None:
    """Every command with --json has a schema, and every view of evaluate and compare one of its own.

    Without: add an `Output` to `OUTPUTS` in `src/idealrank/cli/schemas.py`.
    """
    command, *flags = call.split()
    assert any(each.command == command and list(each.flags) == flags for each in catalogue().values())


def test_every_schema_has_a_command() -> None:
    """A schema is of a command there is, and of flags it has; or of a file."""
    for output in catalogue().values():
        if output.of_file:
            continue
        command = group.get_command(click.Context(group), output.command)
        assert command is not None
        known = {word for parameter in command.params for word in parameter.opts}
        assert known.issuperset(output.flags)


def test_the_schema_of_a_call() -> None:
    """The flags of a call say which schema is its own; without them it is that of the command."""
    names = {words: [each.name for each in outputs_of(words.split())] for words in (
        "evaluate j r --json", "evaluate j r --json --lost-value=3", "compare j a b --losses 3 --segments s",
    )}  # fmt: skip
    assert list(names.values()) == [["evaluate"], ["evaluate-lost-value"], ["compare-losses"]]


@pytest.mark.parametrize(
    ("schema", "place", "words"),
    [
        ("compare-changes", "changes/change", [kind.kind for kind in (Entered, Left, MovedUp, MovedDown, Kept)]),
        ("compare-grid", "standing", [BEST, MAY_BE, WORSE]),
        ("compare", "means/bounds", get_args(get_type_hints(Bounds)["kind"])),
        ("compare", "differences/role", [DECIDES, GUARDS, SHOWN]),
        ("peek", "files/contains", KINDS),
    ],
)
def test_words_are_those_of_the_code(schema: str, place: str, words: Sequence[str]) -> None:
    """The words that a schema lists are the constants that the code writes."""
    whole = schema_of(schema)
    found = whole["oneOf"][0] if "oneOf" in whole else whole.get("$defs", {}).get("comparison", whole)
    for key in place.split("/"):
        found = found.get("items", found)["properties"][key]
    assert found.get("items", found)["enum"] == list(words)
