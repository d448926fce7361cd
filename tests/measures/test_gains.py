"""What a grade is worth: every answer to `gain` is computed, and what follows from it holds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.decisions import DEFAULT, questions
from idealrank.measures import gains as module, ideal
from idealrank.measures.gains import RISING, gain_rises, gains, worth_of_zero

WORDS = [word for word in questions()["gain"].answers if not word.startswith("{")]
GRADES = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0])


@pytest.mark.parametrize("word", WORDS)
def test_every_word_is_computed(word: str) -> None:
    """Every word that `gain` allows is computed; one said to rise with the grade does."""
    found = gains(GRADES, DEFAULT.but(gain=word))
    assert np.isfinite(found).all()
    assert gain_rises(DEFAULT.but(gain=word)) <= bool((np.diff(found) >= 0).all())


def test_a_word_nobody_computes_is_named() -> None:
    """A word that `gain` allows and nobody computes is no gain table: the error names the file it belongs into."""
    unknown: Any = SimpleNamespace(gain="no such")
    with pytest.raises(NotImplementedError, match="gain=no such: measures/gains"):
        gains(GRADES, unknown)


@pytest.mark.parametrize(
    ("gain", "worth"),
    [("linear", 0.0), ("whole", 0.0), ("exp2", 0.0), ({0: 0.5, 1: 2}, 0.5), ({0: -1}, -1.0), ({1: 2}, 0.0)],
)
def test_what_grade_0_is_worth(gain: Any, worth: float) -> None:
    """Grade 0 is worth something only if a table says so."""
    assert worth_of_zero(DEFAULT.but(gain=gain)) == worth


def test_what_follows_from_a_new_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that gives grade 0 a worth and does not rise needs no other change: unjudged results have it, too."""

    def turned_round(grades: Any, decisions: Any) -> Any:
        return np.where(np.isnan(grades), 0.0, 4.0 - np.nan_to_num(grades))

    data = ir.from_grades([3, None, 1], also_judged=[0])
    wanted = ir.evaluate(*data, ["nDCG@3"], gain={0: 4, 1: 3, 2: 2, 3: 1})["nDCG@3"]
    for file in (module, ideal):
        monkeypatch.setattr(file, "gains", turned_round)
    monkeypatch.setattr(module, "RISING", RISING - {"exp2"})
    fresh = ir.measure("nDCG(gain=exp2)@3")  # of a name, what was found of it is kept
    assert ir.evaluate(*data, [fresh])[fresh.name] == pytest.approx(wanted, abs=1e-12)


def test_a_parameter_beyond_all_numbers_is_refused() -> None:
    """A parameter with which the formula leaves the range of numbers is refused in words."""
    with pytest.raises(ir.UsageError, match="too large for a number"):
        ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["INSQ(T=1e308)"])
