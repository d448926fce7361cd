"""What editors and type checkers are told follows from the definitions, and is true."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
import typing
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.comparison.verdict.rule import Outcome
from idealrank.comparison.verdict.verdict import Verdict, Verdicts
from idealrank.comparison.verdict.words import Words
from idealrank.decisions import questions
from idealrank.decisions.answers import DecisionAnswers
from idealrank.statistics import corrections, intervals, names, paired_tests

ANSWERS = typing.get_type_hints(DecisionAnswers)


def literals(hint: Any) -> set[object]:
    """Return the words and numbers that a type names."""
    if typing.get_origin(hint) is typing.Literal:
        return set(typing.get_args(hint))
    return set().union(*map(literals, typing.get_args(hint)))


@pytest.mark.parametrize("name", [name for name in questions() if name != "weights"])
def test_each_typed_answer_is_one(name: str) -> None:
    """What the type of a decision names is read as an answer, and every answer that is a word is named."""
    question = questions()[name]
    said = literals(ANSWERS[name])
    for answer in said:
        assert question.read(name, answer) == question.read(name, str(answer))
    written = question.form.written if question.form else ()
    assert {word for word in said if isinstance(word, str)} == set(question.answers).difference(written)
    assert (float in typing.get_args(ANSWERS[name])) == bool(question.number)


def test_every_test_interval_and_correction_is_typed() -> None:
    """The types of `compare` name what the catalogues have."""
    for hint, known in (
        (names.TestName, paired_tests.TESTS),
        (names.IntervalName, intervals.INTERVALS),
        (names.CorrectionName, corrections.CORRECTIONS),
    ):
        assert typing.get_args(hint) == tuple(known)


TAKE_DECISIONS = [
    *("compare", "conventions_table", "doctor", "evaluate", "explain", "flavors", "gate", "identify", "overlap")
]


@pytest.mark.parametrize("name", [*TAKE_DECISIONS, "reconcile"])
def test_signatures_show_the_decisions(name: str) -> None:
    """``help()`` and completion see each decision as a keyword, and every keyword they see is taken."""
    parameters = inspect.signature(getattr(ir, name)).parameters
    assert set(ANSWERS) <= set(parameters)
    assert not [each for each in parameters.values() if each.kind is each.VAR_KEYWORD]
    assert parameters["gain"].annotation == DecisionAnswers.__annotations__["gain"].__forward_arg__


def test_a_single_verdict_is_typed() -> None:
    """What can be asked of the only verdict at once is what can be asked of a verdict, and of the same type."""
    words = {name: each for name, each in inspect.getmembers_static(Words) if not name.startswith("_")}
    getters = {name: getattr(each, "func", getattr(each, "fget", None)) for name, each in words.items()}
    typed = {name: typing.get_type_hints(getter)["return"] for name, getter in getters.items() if getter}
    fields = {**typing.get_type_hints(Verdict), **typed}
    asked = {name: hint for name, hint in typing.get_type_hints(Verdicts).items() if not name.startswith("_")}
    assert asked.items() <= fields.items()
    assert fields.keys() - asked.keys() == {"evidence", "doubts", "refers_to_reason", "why_undecided", "words"}
    assert asked["outcome"] == Outcome


GOOD = """
import pandas as pd
import idealrank as ir
from typing import Literal

scores = ir.evaluate("q", {"a": "a.run"}, ["nDCG@10"], gain="exp2", no_results=0, ties="average", rounding="none")
frame: pd.DataFrame = scores.per_query.to_pandas()
found = ir.compare("q", ["a", "b"], "RR", gain={1: 1, 2: 3.5}, test="wilcoxon", discount="log(3)", rule="not_worse")
outcome: Literal["SHIP", "DON'T", "ABOUT THE SAME", "CAN'T TELL"] = found.verdict.outcome
mean: float = scores.mean("nDCG@10")
mean = scores["nDCG@10", "a"]
text: str = ir.explain("q", "a", "RR", query="q1", unjudged=2).query + found.verdict.sentence
"""

BAD = {
    'ir.evaluate("q", "r", gain="exponential")': '"gain"',
    'ir.evaluate("q", "r", metrics=["nDCG@10"])': '"metrics"',
    'ir.evaluate("q", "r", ties=3)': '"ties"',
    'ir.compare("q", ["a", "b"], test="ttest")': '"test"',
    'ir.compare("q", ["a", "b"], gain="exponential")': '"gain"',
    'ir.explain("q", "a", "RR", query="q1", gain="exponential")': '"gain"',
    'ir.gate("q", "a", "b", fail_if="RR drops 0.1", ideal="globl")': '"ideal"',
    'found.verdict.outcome == "ship"': "overlap",
    "found.verdict.outcom": '"outcom"',
}


def test_mypy_reads_a_script(tmp_path: Path) -> None:
    """Under ``mypy --strict`` a right script is right, and each wrong line of another is found where it is wrong."""
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(GOOD, "utf-8")
    start = 'import idealrank as ir\nfound = ir.compare("q", ["a", "b"])\n'
    wrong.write_text(start + "\n".join(BAD), "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", f"--cache-dir={tmp_path}"]
    done = subprocess.run([*command, right, wrong], capture_output=True, text=True, check=False)
    seen = [line for line in done.stdout.splitlines() if "error:" in line]
    assert [line for line in seen if not line.startswith(str(wrong)) and "pandas" not in line] == []
    for number, (call, about) in enumerate(BAD.items(), 3):
        assert any(line.startswith(f"{wrong}:{number}:") and about in line for line in seen), (call, done.stdout)


def test_completion_offers_what_is_meant() -> None:
    """``ir.`` completes to the public names alone, values to what a caller is meant to ask."""
    assert set(dir(ir)) == {*ir.__all__, "__version__"}
    scores = ir.evaluate({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}}, ["RR"])
    comparison = ir.compare(scores)
    for value in (scores, comparison, scores.means, ir.report(scores), comparison["RR"]):
        offered = {name for name in dir(value) if not name.startswith("_")}
        assert not offered & {"joins", "place_of", "all_means", "labels", "shown", "pairing", "stating"}
        assert all(hasattr(value, name) for name in offered)
    assert {"means", "explain", "to_pandas", "per_query"} <= set(dir(scores))
    assert {"head", "filter", "to_pandas"} <= set(dir(scores.means))
    assert {"outcome", "sentence"} <= set(dir(comparison.verdict))


@pytest.mark.parametrize("name", ["measures", "conventions"])
def test_a_package_is_called_like_its_function(name: str) -> None:
    """A package that has the name of a public function is callable, by whichever way it was imported."""
    room = importlib.import_module(f"idealrank.{name}")
    assert getattr(ir, name) is room
    assert inspect.ismodule(room)
    assert list(room()) == list(getattr(room, name)())
    assert inspect.signature(room) == inspect.signature(getattr(room, name))
    fresh = f"import idealrank as ir, idealrank.{name} as room; assert ir.{name} is room; print(len(ir.{name}()))"
    done = subprocess.run([sys.executable, "-c", fresh], capture_output=True, text=True, check=True)
    assert int(done.stdout) == len(room())
