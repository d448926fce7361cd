"""The pipeline of the lesson on RAG, and the lesson's numbers, counted character by character from its files."""

from __future__ import annotations

import csv
import json
import runpy
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.examples.running import FOLDER, taught

RAG = FOLDER / "rag"
WRITTEN = ("judgments.csv", "kinds.csv", "small.jsonl", "large.jsonl", "letters.jsonl")


def spans() -> dict[str, list[tuple[str, range]]]:
    """The judged spans of each question."""
    found = defaultdict(list)
    with open(RAG / "judgments.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row["question"]].append((row["source"], range(int(row["begin"]), int(row["end"]))))
    return found


def passages(pipeline: str) -> dict[str, list[tuple[str, range]]]:
    """What a pipeline returned for each question: documents and the places of their characters."""
    lines = (RAG / f"{pipeline}.jsonl").read_text("utf-8").splitlines()
    return {
        row["question"]: [
            (document["metadata"]["source"], range(start, start + len(document["page_content"])))
            for document in row["documents"]
            for start in [document["metadata"]["start_index"]]
        ]
        for row in map(json.loads, lines)
    }


def shares(pipeline: str, k: int | None = None) -> list[tuple[float, float, float, float]]:
    """CharR, CharP, R by spans of which half is in one passage, and R by pages, of each question."""
    found = []
    retrieved = passages(pipeline)
    for question, judged in spans().items():
        seen = retrieved[question][:k]
        wanted = {(source, place) for source, places in judged for place in places}
        there = {(source, place) for source, places in seen for place in places}
        length = sum(len(places) for _, places in seen)
        hits = [
            any(other == source and 2 * len(set(places) & set(span)) >= len(span) for other, places in seen)
            for source, span in judged
        ]
        pages = {source for source, _ in judged}
        found.append((
            len(wanted & there) / len(wanted),
            len(wanted & there) / length,
            sum(hits) / len(hits),
            len(pages & {source for source, _ in seen}) / len(pages),
        ))  # fmt: skip
    return found


def mean(values: Any) -> float:
    """The mean of a list."""
    values = list(values)
    return float(sum(values) / len(values))


@pytest.mark.heavy
def test_files_are_what_the_pipeline_writes(tmp_path: Path) -> None:
    """The script writes every file of the folder that nobody wrote by hand, byte for byte."""
    runpy.run_path(str(RAG / "pipeline.py"))["main"](tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(WRITTEN)
    for name in WRITTEN:
        assert (RAG / name).read_bytes() == (tmp_path / name).read_bytes(), name


def test_passages_are_in_the_corpus() -> None:
    """Every passage is the text of its document from where it says, and no prompt is longer than its room."""
    for pipeline in ("small", "large", "letters"):
        for line in (RAG / f"{pipeline}.jsonl").read_text("utf-8").splitlines():
            documents = json.loads(line)["documents"]
            assert sum(len(document["page_content"]) for document in documents) <= 3000
            for document in documents:
                text = (RAG / "corpus" / f"{document['metadata']['source']}.txt").read_text("utf-8")
                assert text.startswith(document["page_content"], document["metadata"]["start_index"])


@pytest.mark.parametrize("pipeline", ["small", "large"])
def test_the_numbers_of_the_lesson(pipeline: str) -> None:
    """Characters, spans and pages found are those counted from the files; so are the questions left without any."""
    lesson = taught("lesson-rag")
    expected = shares(pipeline)
    means = {row["measure"]: row[pipeline] for row in lesson.names["scores"].means}
    for place, measure in enumerate(("CharR", "CharP", "R")):
        assert means[measure] == pytest.approx(mean(row[place] for row in expected), abs=1e-12)
    for text in (
        f"{pipeline}: {sum(row[0] == 0 for row in expected)} of 50 questions",
        {"small": "R        {:.4f}  ", "large": "  {:.4f}\n```\n\nTwelve"}[pipeline].format(
            mean(r[3] for r in expected)
        ),
        {"small": "CharR@4  {:.4f}  ", "large": "  {:.4f}\nCharR  "}[pipeline].format(
            mean(row[0] for row in shares(pipeline, 4))
        ),
    ):
        assert text in lesson.output
