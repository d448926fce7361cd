"""The studio opens what `report` opens: both read it in one way, and show the same means."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import NamedTuple

import pytest

from idealrank.studio.project import StudioProject
from idealrank.studio.store import Store
from tests.cli.terminal import run

WORDS = {"001": "winter shoes", "002": "rain coat", "003": "umbrella"}
OTHERS = (("phone", 5), ("desk", 1), ("desk", 2))
JUDGED = [(word, doc, grade) for word in WORDS.values() for doc, grade in (("a", 2), ("b", 0), ("c", 1), ("d", 0))]
LISTS = {"old": {"001": "abcd", "002": "bacd", "003": "dbca"}, "new": {"001": "acbd", "002": "acdb", "003": "cabd"}}


class Call(NamedTuple):
    """What is given to `report`, and to the studio; a folder alone is given to the studio only."""

    words: tuple[str, ...]
    studio: tuple[str, ...] = ()


BY_TEXT = ("--queries-table", "queries.csv", "--query-col", "queries:Nr", "--text-col", "Suchbegriff")
GERMAN = ("--query-col", "judgments:Suchbegriff", "--doc-col", "judgments:Artikel", "--grade-col", "Note")
CALLS = {
    "a folder of answers": Call(("texts.csv", "answers/old", "answers/new", *BY_TEXT)),
    "a folder of folders of answers": Call(("texts.csv", "answers", *BY_TEXT)),
    "files of a folder": Call(("by_id.csv", "runs")),
    "one table of both": Call(("both.csv",)),
    "named columns": Call(("german.csv", "answers/old", "answers/new", *BY_TEXT, *GERMAN)),
    "a sheet of a workbook": Call(("book.xlsx", "runs/old.csv", "runs/new.csv")),
    "a named sheet of a workbook": Call(("book.xlsx#table", "runs/old.csv", "runs/new.csv")),
    "parts in a folder": Call(("by_id.csv", "parts/old", "parts/new")),
    "a pattern of files": Call(("judged-*.csv", "runs/old.csv", "runs/new.csv")),
    "segments by a column": Call(("by_id.csv", "runs", *BY_TEXT, "--segments", "device")),
    "segments of a file": Call(("by_id.csv", "runs", "--segments", "devices.csv")),
    "weights by a column": Call(("by_id.csv", "runs", *BY_TEXT, "--weights", "share")),
    "weights of a file": Call(("by_id.csv", "runs", "--weights", "shares.csv")),
    "documents": Call(("by_id.csv", "runs", "--documents", "products.csv")),
    "a folder": Call(("texts.csv", "answers/old", "answers/new", *BY_TEXT), ("alone", *BY_TEXT[2:])),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The same three queries and two systems, in many forms."""
    numbers = {word: number for number, word in WORDS.items()}
    rows = [(numbers[word], doc, grade) for word, doc, grade in JUDGED]
    by_id = _csv("query,doc,grade", rows)
    files = {
        "by_id.csv": by_id,
        "texts.csv": _csv("query,doc,grade", JUDGED),
        "german.csv": _csv("Suchbegriff,Artikel,Note", JUDGED),
        "judged-a.csv": _csv("query,doc,grade", rows[:4]),
        "judged-b.csv": _csv("query,doc,grade", rows[4:]),
        "queries.csv": _csv(
            "Nr,Suchbegriff,device,share", [(*each, *more) for each, more in zip(WORDS.items(), OTHERS, strict=True)]
        ),
        "devices.csv": "query,segment\n001,phone\n002,desk\n003,desk\n",
        "shares.csv": "query,weight\n001,5\n002,1\n003,2\n",
        "products.csv": "id,title\na,Boots\nb,Coat\nc,Hat\nd,Umbrella\n",
        "both.csv": _csv(
            "query,doc,grade,rank,system",
            [
                (query, doc, next(g for q, d, g in rows if (q, d) == (query, doc)), rank, system)
                for system, lists in LISTS.items()
                for query, docs in lists.items()
                for rank, doc in enumerate(docs, 1)
            ],
        ),
    }
    for system, lists in LISTS.items():
        ranked = [(query, doc, rank) for query, docs in lists.items() for rank, doc in enumerate(docs, 1)]
        files[f"runs/{system}.csv"] = _csv("query,doc,rank", ranked)
        files[f"parts/{system}/part-00000.csv"] = _csv("query,doc,rank", ranked[:8])
        files[f"parts/{system}/part-00001.csv"] = _csv("query,doc,rank", ranked[8:])
        files |= {f"answers/{system}/{query}.json": _answer(docs) for query, docs in lists.items()}
        files |= {f"alone/{system}/{query}.json": _answer(docs) for query, docs in lists.items()}
    files |= {f"alone/{name}": files[name] for name in ("texts.csv", "queries.csv")}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    _write_workbook(tmp_path / "book.xlsx", [("query", "doc", "grade"), *rows])
    return tmp_path


def _csv(head: str, rows: list[tuple[object, ...]]) -> str:
    return "\n".join([head, *(",".join(map(str, row)) for row in rows), ""])


def _write_workbook(path: Path, rows: list[tuple[object, ...]]) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    book.active.title = "table"
    for row in rows:
        book.active.append(row)
    book.create_sheet("notes").append(["read", "me"])
    book.save(path)


def _answer(docs: str) -> str:
    hits = [{"_id": doc, "_score": -rank, "_source": {"title": doc.upper()}} for rank, doc in enumerate(docs)]
    return json.dumps({"took": 3, "timed_out": False, "hits": {"total": {"value": len(docs)}, "hits": hits}})


@pytest.mark.parametrize("case", CALLS)
def test_the_studio_opens_what_report_opens(folder: Path, case: str) -> None:
    """The same words open the same tables, also when the project is opened again without the files."""
    call = CALLS[case]
    said = run("report", *call.words, "-m", "nDCG@3", "--json", cwd=folder)
    assert said.code == 0, said.err
    expected = {row["system"]: row["mean"] for row in json.loads(said.out)["means"]}
    assert len(expected) == 2
    words = call.studio or call.words
    opened = run("studio", *words, "-m", "nDCG@3", "--db", "p.db", "--rescore", cwd=folder)
    assert opened.code == 0, opened.err
    with contextlib.closing(StudioProject(Store(folder / "p.db"))) as project:
        scores = project.scores(project.look())
        assert {name: means[0] for name, means in zip(scores.systems, scores.all_means, strict=True)} == expected
        assert len(scores.queries) == 3
        if "--queries-table" in words:
            assert "winter shoes" in {scores.texts.get(query, query) for query in scores.queries}
        if "--segments" in words:
            assert project.comparison(project.look()).segments.names == project.segments
