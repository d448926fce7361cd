"""Everything a user can name is documented, and says what the house demands."""

from __future__ import annotations

import inspect
import re
import tomllib
from typing import Any, get_args

import click
import pytest

import idealrank as ir
from idealrank.cli import COMMANDS, group
from idealrank.comparison.verdict.rule import Outcome
from idealrank.conventions import CONVENTIONS, Convention
from idealrank.data.roles import ALIASES
from idealrank.decisions import questions
from idealrank.measures import DEFINITIONS, Definition
from idealrank.reports.plots import NAMES, OF_HISTORIES
from idealrank.statistics.paired_tests import TESTS
from tests.docs.blocks import ROOT

PUBLIC = {name: getattr(ir, name) for name in ir.__all__}
PUBLIC |= {name: getattr(room, name) for name, room in PUBLIC.items() if inspect.ismodule(room) and callable(room)}
FUNCTIONS = {name: value for name, value in PUBLIC.items() if inspect.isfunction(value)}
CLASSES = [name for name in ir.__all__ if inspect.isclass(getattr(ir, name))]


def section(page: str, heading: str) -> str:
    """Return what stands under a heading of the second level."""
    parts = re.split(r"^## (.*)\n", (ROOT / "docs" / page).read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[heading]


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: definition.name)
def test_measure(definition: Definition) -> None:
    """A measure's page has its title, formula, decisions and every name it is called by."""
    text = section("measures.md", definition.name)
    assert definition.title in text
    assert definition.documentation.splitlines()[0].replace("``", "`") in text
    for name in (
        *definition.reads,
        *definition.aliases,
        *definition.carried,
        *(parameter.name for parameter in definition.parameters),
    ):
        assert f"`{name}`" in text
    for promise, meaning in definition.properties.meanings.items():
        assert f"- {promise}: {meaning}\n" in text


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: definition.name)
def test_docstring_of_a_measure(definition: Definition) -> None:
    """A measure's docstring gives the formula in one line, its source and an example."""
    first, _, rest = definition.documentation.partition("\n")
    assert first.endswith(".")
    assert "\nSource: " in rest
    assert "\n>>> " in rest


@pytest.mark.parametrize("name", questions())
def test_decision(name: str) -> None:
    """A decision's page has its question, stage, default and every answer with its meaning."""
    question, text = questions()[name], section("decisions.md", name)
    assert f"{question.asks} Stage: {question.stage}. Default: `{ir.Decisions().text(name)}`." in text
    for answer, meaning in question.answers.items():
        assert f"`{answer}`" in text
        assert meaning.replace("|", r"\|") in text
    assert question.number in text


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=lambda convention: convention.name)
def test_convention(convention: Convention) -> None:
    """A convention's page has every answer that differs, with its source, and every name it maps."""
    text = section("conventions.md", convention.name)
    assert convention.about in text
    assert set(convention.sources) == set(convention.answers)
    for name, source in convention.sources.items():
        assert f"`{convention.decisions.text(name)}`" in text
        assert source.replace("|", r"\|") in text
    for measure, answers in convention.by_measure.items():
        assert set(convention.sources_by_measure[measure]) == set(answers)
        for name, source in convention.sources_by_measure[measure].items():
            assert f"`{name}={answers[name]}` ({source})" in text
    for theirs, ours in convention.names.items():
        assert f"`{theirs}` is `{ours}`" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_command(name: str) -> None:
    """A command's help is in the docs with every option that is not hidden, and each says what it does."""
    text = section("cli.md", f"idealrank {name}")
    command = group.get_command(click.Context(group), name)
    assert command is not None
    for option in command.params:
        for spelling in option.opts if isinstance(option, click.Option) and not option.hidden else ():
            assert re.search(rf"(?<![\w-]){re.escape(spelling)}(?![\w-])", text), spelling
        assert isinstance(option, click.Argument) or (isinstance(option, click.Option) and option.help)
    assert "Examples:" in text


@pytest.mark.parametrize("role", ALIASES)
def test_column_names(role: str) -> None:
    """Every accepted column name is in the table of inputs.md."""
    row = next(line for line in (ROOT / "docs" / "inputs.md").read_text("utf-8").splitlines() if f"| {role} |" in line)
    for tier in ALIASES[role]:
        assert all(f"`{alias}`" in row for alias in tier)


@pytest.mark.parametrize("name", ir.__all__)
def test_public_name(name: str) -> None:
    """Every public name has its place on the page of the Python interface."""
    text = section("python.md", name)
    doc = inspect.getdoc(PUBLIC[name]) or ""
    assert name in ("CONVENTIONS", "DEFINITIONS") or doc.splitlines()[0].replace("``", "`") in text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstring_of_a_function(name: str) -> None:
    """A public function's docstring names every parameter and has an example that is run."""
    check_docstring(FUNCTIONS[name])


def check_docstring(function: Any) -> None:
    """Look for each parameter and for an example."""
    doc = inspect.getdoc(function) or ""
    parameters = doc.partition("Parameters\n---")[2].partition("\n\n")[0]
    written = inspect.getargs(inspect.unwrap(function).__code__)
    for parameter in [*written.args, *filter(None, [written.varkw])]:
        assert re.search(rf"^[\w, *]*\b{parameter}\b", parameters, flags=re.MULTILINE), parameter
    assert "\n>>> " in doc


@pytest.mark.heavy
def test_docstring_of_a_plot() -> None:
    """The docstring of a plot names every parameter and has an example."""
    for name in ir.plots.__all__:
        check_docstring(getattr(ir.plots, name))


@pytest.mark.parametrize("name", CLASSES)
def test_docstrings_of_a_class(name: str) -> None:
    """A public class and everything public on it has a docstring."""
    kind: Any = getattr(ir, name)
    assert inspect.getdoc(kind)
    for member, value in vars(kind).items():
        if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
            assert inspect.getdoc(value), member


def test_counts_in_the_changelog() -> None:
    """The changelog counts measures, decisions, conventions and plots as they are, lists the tests, fits a screen."""
    said = f"{len(DEFINITIONS)} measures, {len(questions())} decisions, {len(CONVENTIONS)} conventions:"
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert said in text
    assert len(text.splitlines()) <= 40
    assert f"[{len([*NAMES, *OF_HISTORIES])} plots](docs/plots.md)" in text
    listed = text.partition("Tests, intervals and corrections: ")[2].partition(";")[0]
    assert [name.lower() for name in listed.split(", ")] == list(TESTS)


def test_how_it_works_is_whole() -> None:
    """The page on how it works has every state of a verdict, and every package with what it imports below it."""
    text = (ROOT / "docs" / "how-it-works.md").read_text("utf-8")
    for state in get_args(Outcome):
        assert f"\n| {state} |" in text
    rooms = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    packages = {path.parent.name for path in (ROOT / "src" / "idealrank").glob("*/__init__.py")}
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"][0][
        "layers"
    ]
    floor = {room: number for number, layer in enumerate(layers) for room in layer.split(" | ")}
    shown = [room for row in rooms for room in re.findall(r"`(\w+)`", row) if room in packages]
    assert set(shown) == packages
    assert [floor[room] for room in shown] == sorted(floor[room] for room in shown)
