"""No measure without golden rows, no convention without an oracle or a transcription."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.conventions import CONVENTIONS, Convention, parse_convention
from idealrank.errors import UsageError
from idealrank.measures import DEFINITIONS, parse
from tests.golden.tables import read_cases, read_printout
from tests.golden.test_tools import rows

TESTS = Path(__file__).parents[1]


LEAST_DIGITS = 4
"""Digits a golden number has at least, or it is a number that formulas agree on by chance."""


@functools.cache
def golden_measures() -> set[str]:
    """Return the measures that have rows in tests/golden: of a notebook, of trec_eval, or of another tool."""
    names = [str(case[key]) for case in read_cases() for key in ("measure", "measures") if key in case]
    names += [name for file in (TESTS / "golden" / "trec_eval").glob("*.tsv") for name in read_printout(file.name)]
    names += [row.measure for row in rows() if row.digits >= LEAST_DIGITS]
    return {found for name in names for found in meant(name)}


def meant(name: str) -> set[str]:
    """Return the measures a name means, none where it is no measure."""
    try:
        return {measure.definition.name for measure in parse(name)}
    except UsageError:
        return set()


def compared(source: str) -> set[str]:
    """Return the conventions that the tests of an oracle file evaluate under and compare with the tool."""
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    compares = [node for node in functions if any(is_call(part, "compare") for part in ast.walk(node))]
    return {found for node in compares for found in evaluated_under(node)}


def evaluated(source: str) -> set[str]:
    """Return the conventions that stand in calls of a file of golden tests."""
    return evaluated_under(ast.parse(source))


def evaluated_under(tree: ast.AST) -> set[str]:
    """Return the conventions given by `convention=`, a key "convention", or a name so called, in the code of a tree."""
    given: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "convention":
            given.append(node.value)
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "convention" for t in node.targets):
            given.append(node.value)
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            given += [value for key, value in pairs if isinstance(key, ast.Constant) and key.value == "convention"]
        if is_call(node, "Call"):  # a printout of trec_eval with its convention
            given += node.args
    words = (part.value for value in given for part in ast.walk(value) if isinstance(part, ast.Constant))
    return {name for word in words if isinstance(word, str) and (name := convention_of(word))}


def is_call(node: ast.AST, name: str) -> bool:
    """Whether a node calls the function of this name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def convention_of(word: str) -> str:
    """Return the convention a word names; empty where it names none."""
    if word.split(",")[0] not in CONVENTIONS:
        return ""
    return parse_convention(word).convention.name


def texts(folder: str) -> list[str]:
    """Return the source of the tests in a folder."""
    return [file.read_text("utf-8") for file in (TESTS / folder).glob("test_*.py")]


@functools.cache
def proved_conventions() -> set[str]:
    """Return the conventions that tests/oracles compares with the tool, or tests/golden with its printed numbers."""
    known = {found for text in (*texts("oracles"), *texts("heavy/oracles")) for found in compared(text)}
    known |= {found for text in texts("golden") for found in evaluated(text)}
    return known | {
        parse_convention(case["convention"]).convention.name for case in read_cases() if "convention" in case
    }


@pytest.mark.parametrize("name", [definition.name for definition in DEFINITIONS])
def test_a_measure_has_golden_rows(name: str) -> None:
    """A measure has rows in tests/golden, from a paper or from another tool."""
    assert name in golden_measures(), f"{name}: put rows of a paper or another tool into tests/golden"


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_convention_has_an_oracle(name: str) -> None:
    """A convention is compared with the tool itself in tests/oracles, or with its printed numbers in tests/golden."""
    assert name in proved_conventions(), f"{name}: compare it with the tool in tests/oracles"


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_name_has_one_home(name: str) -> None:
    """A convention names only what is called otherwise here, or means something else: names are listed once."""
    names = CONVENTIONS[name].names.items()
    assert [theirs for theirs, ours in names if meant(theirs) and parse(theirs) == parse(ours)] == []


@pytest.mark.parametrize("name", ["gm_map", "GM_MAP", "gm_bpref"])
def test_a_name_carries_its_answer(name: str) -> None:
    """A name that carries an answer carries it in any case of letters."""
    assert parse(name)[0].decisions.average == "geometric"


def test_a_rounded_number_is_no_golden_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row of fewer than four digits proves no measure."""
    rounded = [row._replace(digits=LEAST_DIGITS - 1) for row in rows()]
    before = golden_measures()
    monkeypatch.setitem(globals(), "rows", lambda: rounded)
    assert {"ERR", "Judged", "RBP"} <= before - golden_measures.__wrapped__()


def test_a_word_is_no_comparison() -> None:
    """A convention that is only mentioned, or evaluated without a comparison, has no oracle."""
    assert compared('def test_a(compare):\n    """About "sklearn"."""\n    compare("scikit-learn", 1)') == set()
    assert compared('def test_a():\n    f(convention="sklearn")') == set()
    assert compared('def test_a(compare):\n    f(convention="sklearn")\n    compare("scikit-learn", 1)') == {"sklearn"}


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=lambda convention: convention.name)
def test_a_convention_speaks_of_measures_there_are(convention: Convention) -> None:
    """What differs for a measure is said of a measure the tool has, and of decisions that measure reads."""
    definitions = {definition.name: definition for definition in DEFINITIONS}
    known = set(definitions) if convention.measures is None else convention.measures
    assert known <= set(definitions)
    assert set(convention.by_measure) <= known
    for name, answers in convention.by_measure.items():
        assert set(answers) <= set(definitions[name].decisions), f"{convention.name}: {name} does not read them"


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=lambda convention: convention.name)
def test_a_tools_name_is_a_measure_of_the_convention(convention: Convention) -> None:
    """Every name of the tool is a measure here, one the convention supports, and can be evaluated under it."""
    for theirs, ours in convention.names.items():
        assert meant(ours), f"{convention.name}: {theirs} is {ours}, which is no measure"
        assert convention.measures is None or meant(ours) <= convention.measures
        scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 2.0}}, [theirs], convention=convention.name)
        assert {measure.definition.name for measure in scores.measures} == meant(ours)
