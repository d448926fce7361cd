"""What was typed and what is meant, by hand: a hint is what is meant, or there is none; it is never something else.

`misspellings.tsv` was written before the matcher was asked. Its columns are where the name was typed, the name, and
what is meant: several that are equally right stand between bars, and "-" is a name for which nothing here is meant.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.cli.terminal import run

with (Path(__file__).parent / "misspellings.tsv").open(encoding="utf-8") as _file:
    ROWS = [tuple(row.values()) for row in csv.DictReader(_file, delimiter="\t")]

J = {f"q{i}": {"d": 1, "x": 0} for i in range(8)}
A = {f"q{i}": {"x": 2.0, "d": 1.0} for i in range(8)}
SCORES = ir.evaluate(J, {"bm25": A, "hybrid": A}, ["nDCG@10", "RR"])
COMPARISON = ir.compare(SCORES, draws=100)
BOARD = ir.leaderboard(J, {"bm25": A, "hybrid": A}, ["RR"], draws=100)
OF = {
    "ir": ir,
    "scores": SCORES,
    "comparison": COMPARISON,
    "leaderboard": BOARD,
    "report": ir.report(COMPARISON),
    "table": SCORES.per_query,
    "contrast": COMPARISON["RR"],
    "interval": COMPARISON["RR"].corrected,
    "verdict": COMPARISON.verdict,
}
CALLS: dict[str, Callable[[str], Any]] = {
    **{place: lambda name, value=value: getattr(value, name) for place, value in OF.items()},
    "measure": ir.measure,
    "convention": lambda name: ir.evaluate(J, A, convention=name),
    "decision": lambda name: ir.evaluate(J, A, **{name: "linear"}),
    **{
        name: lambda answer, name=name: ir.evaluate(J, A, **{name: answer})
        for name in ("gain", "ties", "discount", "ideal", "unjudged", "raters")
    },
    "test": lambda name: ir.compare(SCORES, test=name),
    "plot": lambda name: ir.plot(SCORES, name),
}
COMMANDS = {"command": (), "option": ("compare", "judgments.csv", "a.csv", "b.csv")}


def message(where: str, typed: str) -> str:
    """Return what the error says; "" where what was typed is understood."""
    if where in COMMANDS:
        return run(*COMMANDS[where], typed).err
    try:
        CALLS[where](typed)
    except (ir.IdealrankError, AttributeError) as error:
        return str(error)
    return ""


def hints(said: str) -> list[str]:
    """Return what an error proposes."""
    return re.findall(r"Did you mean (.*?)\?|\b(?:Use|Name|Give|Write) (.*?)(?:\.\s|\.$)", said)


@pytest.mark.parametrize(("where", "typed", "meant"), ROWS)
def test_a_hint_is_what_is_meant(where: str, typed: str, meant: str) -> None:
    """What is proposed contains what is meant, as a whole word; where nothing is meant, nothing is proposed."""
    for found in hints(message(where, typed)):
        assert any(is_meant(each, "".join(found)) for each in meant.split("|")), found


def is_meant(meant: str, proposed: str) -> bool:
    """Whether a proposal is, or calls, what is meant."""
    before = r"(?<![\w-])" if meant[0].isalnum() else ""
    return meant != "-" and re.search(rf"{before}{re.escape(meant)}(?!\w)", proposed) is not None


def test_most_that_is_meant_is_proposed() -> None:
    """Saying nothing is no way out: four of five names that mean something get their hint, or are understood."""
    asked = [(where, typed) for where, typed, meant in ROWS if meant != "-"]
    silent = [each for each in asked if (said := message(*each)) and not hints(said)]
    assert len(silent) < len(asked) / 5, silent
