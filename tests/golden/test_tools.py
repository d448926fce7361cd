"""What other tools printed for a small run, for the measures trec_eval and the notebooks lack."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import NamedTuple

import pytest

import idealrank as ir
from idealrank.decisions.answers import DecisionAnswers

HERE = Path(__file__).parent
DATA: dict[str, tuple[str, str, DecisionAnswers]] = {
    "tools": ("qrels.txt", "run.txt", {}),
    "diversity": ("judgments.csv", "run.txt", {}),
    "spans": ("judgments.csv", "chunks.csv", {"unit": "spans"}),
    "agents": ("judgments.csv", "run.csv", {"steps": "union"}),
}
"""The folders, with their judgments, results and decisions; judgments by subtopic, spans and searches have their own.

The numbers of agents are counted by hand, as the last column says.
"""


class Row(NamedTuple):
    """One number of another tool for the data of a folder, printed to so many decimals."""

    folder: str
    tool: str
    measure: str
    query: str
    value: float
    digits: int


def rows() -> list[Row]:
    """Return the rows of the tables."""
    return [row for folder in DATA for row in _rows(folder)]


def _rows(folder: str) -> list[Row]:
    _, *lines = (HERE / folder / "values.tsv").read_text("utf-8").splitlines()
    cells = [line.split("\t") for line in lines]
    return [
        Row(folder, tool, measure, query, float(value), int(digits))
        for tool, measure, query, value, digits, *_ in cells
    ]


@functools.cache
def _evaluated(name: str) -> ir.Scores:
    """Evaluate a folder once, under all measures that its rows have."""
    judgments, results, decisions = DATA[name]
    measures = list(dict.fromkeys(row.measure for row in _rows(name)))
    return ir.evaluate(HERE / name / judgments, HERE / name / results, measures, **decisions)


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.measure}-{row.query}")
def test_printed(row: Row) -> None:
    """The value of the query is the one the tool printed, to its last digit."""
    scores = _evaluated(row.folder)
    found = dict(zip(scores.queries, scores.of(row.measure).tolist(), strict=True))[row.query]
    assert found == pytest.approx(row.value, abs=0.51 * 10.0**-row.digits + 1e-15)
