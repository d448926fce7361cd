"""The short help: one screen of 80 columns and 24 lines, and everything is named on it."""

import re

import click
import pytest

from idealrank.cli import COMMANDS, group
from tests.cli.terminal import on_terminal, plain, run


def test_the_top_fits_a_screen_and_names_every_command() -> None:
    """`idealrank -h` leaves a line for what is typed next; --help has all."""
    shown = plain(on_terminal("-h").out)
    assert len(shown.splitlines()) <= 23
    assert max(map(len, shown.splitlines())) <= 80
    words = shown.replace(",", " ").replace(".\n", " ").split()
    assert set(COMMANDS) <= set(words)
    assert "All: idealrank --help" in shown
    assert len(plain(on_terminal("--help").out).splitlines()) > 40


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "trec_eval"])
def test_a_command_fits_a_screen(name: str) -> None:
    """`idealrank COMMAND -h` fits, too: usage, three examples and ten options at most, and where all options are."""
    shown = plain(on_terminal(name, "-h").out)
    lines = shown.splitlines()
    assert lines[0].startswith(f"Usage: idealrank {name} ")
    head, _, options = shown.partition("\nOptions:\n")
    assert 1 <= len(re.findall(r"^  idealrank ", head, re.MULTILINE)) <= 3
    assert (name != "demo") <= len(re.findall(r"^  -", options, re.MULTILINE)) <= 10  # the demo has none
    assert set(re.findall(r"^  (-\S+)", options, re.MULTILINE)) <= set(run(name, "--help").out.split())
    assert len(lines) <= 23
    long = [line for line in lines if len(line) > 80]
    assert len(long) <= 1, long  # an example, where none is shorter
    assert all(line.startswith("  idealrank") for line in long)
    assert lines[-1] == f"All options: idealrank {name} --help"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "trec_eval"])
def test_the_help_names_every_option_and_explains_the_usual_ones(name: str) -> None:
    """`idealrank COMMAND --help` takes 120 lines at most; `--help-all` also explains what it only names."""
    command = group.get_command(click.Context(group), name)
    assert command is not None
    options = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    brief = run(name, "--help").out
    assert len(brief.splitlines()) <= 120
    assert {each.opts[0] for each in options} <= set(brief.replace(",", " ").split())
    experts = [each.opts[0] for each in options if getattr(each, "expert", False)]
    assert ("--help-all" in brief) == bool(experts)
    explained = run(name, "--help-all" if experts else "--help").out
    assert {each.opts[0] for each in options} <= set(re.findall(r"^  (-[^ ,]+)", explained, re.MULTILINE))
    assert not set(experts) & set(re.findall(r"^  (-[^ ,]+)", brief, re.MULTILINE))
