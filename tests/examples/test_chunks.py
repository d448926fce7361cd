"""The chunks: offsets, results and numbers of the example fit its texts."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from tests.examples.running import FOLDER, Ran, run

CHUNKS = FOLDER / "chunks"
MEASURES = ("CharR@3", "CharP@3", "CharIoU@3")


@pytest.fixture
def ran() -> Ran:
    """The example, run."""
    return run("chunks")


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a file."""
    with (CHUNKS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def span(row: dict[str, str]) -> slice:
    """Return the characters a row names."""
    return slice(int(row["begin"]), int(row["end"]))


def test_quotes() -> None:
    """Each judged span is the text it quotes, in a document of the corpus, for one of the queries."""
    queries = {row["query_id"] for row in rows("queries.csv")}
    for row in rows("judgments.csv"):
        assert (CHUNKS / f"{row['doc_id']}.txt").read_text("utf-8")[span(row)] == row["quote"]
        assert row["query_id"] in queries


@pytest.mark.parametrize("name", ["fixed200", "fixed400", "sentences"])
def test_results(ran: Ran, name: str) -> None:
    """The files that the page evaluates contain what the search of the script returns."""
    found: dict[str, list[Any]] = ran["systems"][name]
    assert rows(f"{name}.csv") == [
        dict(zip(found, map(str, row), strict=True)) for row in zip(*found.values(), strict=True)
    ]


@pytest.mark.parametrize("name", ["fixed200", "fixed400", "sentences"])
def test_characters(ran: Ran, name: str) -> None:
    """The means over characters are those of sets of characters."""
    values = []
    for query in dict.fromkeys(row["query_id"] for row in rows("judgments.csv")):
        judged = [row for row in rows("judgments.csv") if row["query_id"] == query]
        found = [row for row in rows(f"{name}.csv") if row["query_id"] == query][:3]
        relevant, returned = (
            [(row["doc_id"], at) for row in part for at in range(span(row).start, span(row).stop)]
            for part in (judged, found)
        )
        both = len({*relevant} & {*returned})
        values.append((both / len(relevant), both / len(returned), both / (len(returned) + len(relevant) - both)))
    for measure, each in zip(MEASURES, zip(*values, strict=True), strict=True):
        assert ran["scores"][measure, name] == pytest.approx(sum(each) / len(each), abs=1e-12)


def test_the_sentences_are_the_texts(ran: Ran) -> None:
    """Sentences leave out nothing but the blanks between them."""
    for name, text in ran["texts"].items():
        parts = [text[begin:end] for begin, end in ran["chunkings"]["sentences"][name]]
        assert " ".join(parts) == text.strip()
