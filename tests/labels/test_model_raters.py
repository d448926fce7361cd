"""Grades that other tools had from language models: the model is the rater, and no 0 passes that nobody gave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir

UMBRELA: list[dict[str, Any]] = [
    {
        "model": "gpt-4o",
        "query": "fleas",
        "passage": "p1",
        "prompt": "x",
        "prediction": "##final score: 3",
        "judgment": 0,
    },
    {
        "model": "gpt-4o",
        "query": "fleas",
        "passage": "p2",
        "prompt": "x",
        "prediction": "##final score: 0",
        "judgment": 0,
    },
    {"model": "gpt-4o", "query": "q", "passage": "p3", "prompt": "x", "prediction": "O: 10", "judgment": 0},
    {"model": "gpt-4o", "query": "q", "passage": "p4", "prompt": "x", "prediction": "O: 2", "judgment": 2},
]
"""What UMBRELA writes; keys as in its README and `gpt_judge.py`."""


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as lines of JSON."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_umbrela_zeros_that_nobody_gave_are_warned_of(tmp_path: Path) -> None:
    """Two of three grades of 0 have an answer without a 0: 3, and 10."""
    read = ir.read_judgments(written(tmp_path / "umbrela.jsonl", UMBRELA))
    assert read.raters == ("gpt-4o",)
    (warning,) = read.source.warnings
    assert warning.startswith("2 grades of 0 whose answer contains no 0, as '##final score: 3' in line 1: UMBRELA")
    fine = ir.read_judgments(written(tmp_path / "fine.jsonl", UMBRELA[1:2] + UMBRELA[3:]))
    assert fine.source.warnings == ()


@pytest.mark.parametrize("beside", ["prompt", "reason", "explanation"])
def test_a_model_beside_a_prompt_or_a_reason_is_the_rater(beside: str) -> None:
    """Two models that grade one document are two raters."""
    rows = [{"query": "q", "document": "d", "grade": place, "model": f"m{place}", beside: "r"} for place in (1, 2)]
    assert ir.read_judgments(rows).raters == ("m1", "m2")
    assert len(ir.agreement(rows).ratings) == 2


@pytest.mark.parametrize(
    "row",
    [
        {"query": "q", "doc": "d", "grade": 1, "model": "bm25"},
        {"query": "q", "doc": "d", "grade": 1, "model": "bm25", "reason": "r", "rank": 1},
    ],
)
def test_a_model_that_searches_is_no_rater(row: dict[str, Any]) -> None:
    """A model without a prompt, or beside a rank, is a system."""
    assert ir.read_judgments([row]).raters == ()


def test_a_rater_is_the_rater_also_beside_a_model() -> None:
    """A column of raters counts before one of models."""
    row = {"query": "q", "doc": "d", "grade": 1, "model": "m", "reason": "r", "rater": "ana"}
    assert ir.read_judgments([row]).raters == ("ana",)


def test_the_workbench_of_opensearch_names_its_model() -> None:
    """Judgments of a language model have it as their rater; imported ones have none."""
    rated = [{"query": "red shoes", "ratings": [{"docId": "d1", "rating": "0.9"}, {"docId": "d2", "rating": "0.0"}]}]
    source = {"id": "j1", "type": "LLM_JUDGMENT", "metadata": {"modelId": "m1", "size": 5}, "judgmentRatings": rated}
    assert ir.read_judgments({"hits": {"hits": [{"_source": source}]}}).raters == ("m1",)
    assert ir.read_judgments(source).raters == ("m1",)
    assert ir.read_judgments({**source, "metadata": {}}).raters == ()
