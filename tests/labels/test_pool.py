"""Where nobody has judged anything: what is pooled, what each grade means, and which messages lead there."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.labels.guidelines import GUIDELINES, parse_guideline
from tests.cli.terminal import run

OLD = {"q10": ["a", "b", "c"], "q9": ["x"], "q8": []}
NEW = {"q10": ["b", "d"], "q9": ["x", "y"], "q8": []}
TITLES = {"a": "Red shoe", "b": "Green hat", "c": "Boot", "d": "Sock", "x": "Coat", "y": "Scarf"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Results of two systems and their texts, in the current folder."""
    for name, lists in (("old", OLD), ("new", NEW)):
        rows = [(query, doc, rank) for query, docs in lists.items() for rank, doc in enumerate(docs, 1)]
        (tmp_path / f"{name}.csv").write_text(
            "query_id,doc_id,rank\nq8,,\n" + "".join(f"{q},{d},{r}\n" for q, d, r in rows)
        )
    (tmp_path / "queries.csv").write_text("query_id,query\nq10,red shoes\nq9,winter\n")
    (tmp_path / "products.csv").write_text("id,title\n" + "".join(f"{doc},{title}\n" for doc, title in TITLES.items()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_pool_has_the_first_results_of_all_systems_once(folder: Path) -> None:
    """By hand: the first two of either list, queries and documents in the order of their ids, with their texts."""
    found = run("pool", "old.csv", "new.csv", "-k", "2", "--queries-table", "queries.csv", "--documents",
                "products.csv", "-o", "pool.csv")  # fmt: skip
    assert found.code == 0
    assert "5 results to judge, for 2 queries" in found.err
    with open("pool.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    expected = [("q9", "x"), ("q9", "y"), ("q10", "a"), ("q10", "b"), ("q10", "d")]
    assert [(row["query_id"], row["doc_id"]) for row in rows] == expected
    assert [row["title"] for row in rows] == [TITLES[doc] for _, doc in expected]
    assert {row["query"] for row in rows} == {"red shoes", "winter"}
    assert {row["grade"] for row in rows} == {""}
    again = run("pool", "old.csv", "new.csv", "-o", "pool.csv")
    assert again.code == 2
    assert "may hold grades" in again.err
    for row, grade in zip(rows, (0, 1, 2, 0, 1), strict=True):
        row["grade"] = str(grade)
    judged = ir.read_judgments({name: [row[name] for row in rows] for name in rows[0]})
    assert ir.evaluate(judged, "new.csv", "P@1").mean("P@1") == 0.0  # x and b are not relevant
    assert ir.evaluate(judged, "old.csv", "P@1").mean("P@1") == 0.5  # a is


def test_texts_beside_results_are_those_of_the_pool() -> None:
    """A title and a text that stand in a system's own table; of two the first system's, and a text for a title."""
    old = {
        "query": ["shoes", "shoes", "hats"], "doc": ["a", "b", None], "rank": [1, 2, None],
        "title": ["A", "", "no hat"], "text": ["one", "two", ""],
    }  # fmt: skip
    new = {"query": ["shoes", "shoes"], "doc": ["b", "a"], "rank": [1, 2], "title": ["B", "other"]}
    rows = ir.pool({"old": old, "new": new}).rows()
    assert [(row["query"], row["doc_id"], row["title"], row["text"]) for row in rows] == [
        ("shoes", "a", "A", "one"), ("shoes", "b", "two", "two"),
    ]  # fmt: skip
    with pytest.raises(ir.DataError, match="no system returned anything"):
        ir.pool({"old": {"q": {}}, "new": {"q": {}}})


def test_what_is_judged_is_not_pooled(folder: Path) -> None:
    """Judgments among the results are named, and left to compare."""
    (folder / "judged.csv").write_text("query_id,doc_id,grade\nq9,x,1\n")
    for words in (["pool", "judged.csv", "old.csv"], ["judge", "judged.csv", "old.csv", "--model", "m", "-o", "g"]):
        found = run(*words)
        assert found.code == 3
        assert "judged.csv: contains grades" in found.err
        assert not (folder / "g").exists()


def test_a_model_grades_a_pool_by_a_guideline(folder: Path) -> None:
    """From two files of results to grades that compare reads, in one command; each pair is asked once."""
    (folder / "model.py").write_text(
        "import json\ndef ask(prompt):\n    open('prompts.jsonl', 'a').write(json.dumps(prompt) + '\\n')\n"
        "    return {'grade': 3 if 'Sock' in prompt else 0, 'reason': ''}\n"
    )
    words = ("judge", "old.csv", "new.csv", "-k", "2", "--queries-table", "queries.csv", "--documents", "products.csv",
             "--guideline", "shop", "--base-url", "python:model:ask", "--model", "m", "-o", "grades.jsonl")  # fmt: skip
    assert run(*words).code == 0 == run(*words).code
    prompts = list(map(json.loads, (folder / "prompts.jsonl").read_text().splitlines()))
    assert len(prompts) == 5 == len(set(prompts))
    assert all(one.meaning in prompts[0] for one in GUIDELINES["shop"].grades)
    assert '{"grade": 0, 1, 2 or 3,' in prompts[0]
    grades = {
        row["doc_id"]: row["grade"] for row in map(json.loads, (folder / "grades.jsonl").read_text().splitlines())
    }
    assert grades == {"a": 0, "b": 0, "d": 3, "x": 0, "y": 0}
    assert run("compare", "grades.jsonl", "old.csv", "new.csv").code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--guideline", "shoop"), "Did you mean shop?"),
        (("--guideline", "shop", "--template", "t.txt"), "Give one of them"),
        (("--guideline", "shop", "--scale", "0,1"), "shop explains the grades 0,1,2,3"),
        (("--guideline", "one.txt"), "one.txt: 1 grades, and a scale has two at least"),
        (("--guideline", "halves.txt"), "halves.txt: 0,0.5,1: not a scale for a model"),
        (("--guideline", "twice.txt"), "twice.txt: grade 1 comes twice"),
    ],
)
def test_a_guideline_that_says_no_scale_is_refused(options: tuple[str, ...], message: str, folder: Path) -> None:
    """Nothing is asked of anybody then."""
    (folder / "one.txt").write_text("Is it good?\n1 yes: it is\n")
    (folder / "halves.txt").write_text("0 no\n0.5 half\n1 yes\n")
    (folder / "twice.txt").write_text("1 yes\n1 very\n0 no\n")
    found = run("judge", "old.csv", "new.csv", "--documents", "products.csv", "--model", "m", "-o", "g", *options)
    assert found.code in (2, 3)
    assert message in found.err


@pytest.mark.parametrize("name", GUIDELINES)
def test_a_guideline_is_read_as_it_is_written(name: str) -> None:
    """Its text, edited or not, is a guideline again; each grade has its meaning and an example."""
    guideline = GUIDELINES[name]
    assert parse_guideline(guideline.text) == guideline
    assert len(guideline.grades) >= 3
    assert all(one.word and "Example:" in one.meaning and "  " not in one.meaning for one in guideline.grades)


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "old.csv", "new.csv"), ("evaluate", "old.run", "old.csv"), ("compare", "lists.json", "old.csv"),
        ("leaderboard", "old.csv", "new.csv"), ("label-next", "old.csv", "new.csv"), ("report", "old.csv", "new.csv"),
    ],
)  # fmt: skip
def test_results_in_the_place_of_judgments_lead_to_the_first_grade(words: tuple[str, ...], folder: Path) -> None:
    """Whoever has no judgments gives results alone: the message says how to begin."""
    (folder / "old.run").write_text("q9 Q0 x 1 2.5 t\n")
    (folder / "lists.json").write_text('{"q9": {"x": 2.5}, "q10": {"a": 0.25, "b": 1.75, "c": 0.5}}')
    found = run(*words)
    assert found.code in (2, 3)
    assert "idealrank studio RESULTS… to grade" in found.err
    assert "idealrank judge" in found.err


def test_a_folder_of_results_alone_leads_to_the_studio(folder: Path) -> None:
    """The bare command and peek propose the page that grades them, with the tables of texts that are there."""
    assert "idealrank studio new.csv old.csv --queries-table queries.csv --documents products.csv" in " ".join(
        run().out.replace("\\\n", "").split()
    )
    assert "idealrank studio old.csv new.csv" in run("peek", "old.csv", "new.csv").out
    assert "idealrank pool old.csv" in run("peek", "old.csv").out
