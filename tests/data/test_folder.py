"""What a folder contains: which files are read, which judgments come first, and what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir
from idealrank.data.recognition import folder as folders
from idealrank.data.recognition.folder import look_into

JUDGMENTS = "query,doc,grade\nq1,d1,2\nq1,d2,0\nq2,d1,1\n"
RESULTS = "query,doc,rank\nq1,d2,1\nq1,d1,2\n"


def made(folder: Path, **files: str) -> Path:
    """Write files, whose names have __ for a dot and ___ for a slash."""
    for name, text in files.items():
        path = folder / name.replace("___", "/").replace("__", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_the_judgments_that_most_results_meet_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two files of judgments the command names the one whose queries the results have, not the first by name."""
    monkeypatch.chdir(
        made(tmp_path, a__csv=JUDGMENTS.replace("q1", "x1").replace("q2", "x2"), b__csv=JUDGMENTS, up__csv=RESULTS)
    )
    found = look_into()
    assert [file.name for file in found.files] == ["b.csv", "a.csv", "up.csv"]
    assert str(found.command) == "idealrank evaluate b.csv up.csv"


def test_results_of_other_queries_are_not_in_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of results that shares no query with the judgments stands in the list, and not in the command."""
    monkeypatch.chdir(made(tmp_path, j__csv=JUDGMENTS, a__csv=RESULTS, b__csv=RESULTS.replace("q1", "x1")))
    found = look_into()
    assert len(found.files) == 3
    assert str(found.command) == "idealrank evaluate j.csv a.csv"


def test_a_folder_of_runs_is_named_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results that are all a folder contains are named by it; with another file beside them, one by one."""
    made(tmp_path, j__csv=JUDGMENTS, runs___a__csv=RESULTS, runs___b__csv=RESULTS)
    monkeypatch.chdir(tmp_path)
    assert str(look_into().command) == "idealrank compare j.csv runs"
    made(tmp_path, runs___README="these are runs")
    assert str(look_into().command) == "idealrank compare j.csv runs/a.csv runs/b.csv"


def test_other_tables_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of something else is named among the others; a program is not opened."""
    made(tmp_path, j__csv=JUDGMENTS, sales__csv="month,amount\nmay,3\n", package__json='{"name": 1}', setup__py="1/0")
    monkeypatch.chdir(tmp_path)
    found = look_into()
    assert [file.name for file in found.files] == ["j.csv"]
    assert found.others == ("package.json", "sales.csv")


def test_what_is_too_much_is_named_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes after the fortieth file, and what goes beyond the bytes to look into, is named."""
    monkeypatch.chdir(made(tmp_path, **{f"r{place:02}__csv": RESULTS for place in range(42)}))
    assert look_into().unseen == ("r40.csv", "r41.csv")
    made(tmp_path, a__csv=JUDGMENTS * 10)
    monkeypatch.setattr(folders, "LARGE", 2 * len(RESULTS))
    assert look_into().unseen[:2] == ("a.csv", "r02.csv")


def test_a_data_set_in_a_folder_is_one_thing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A BEIR folder contains judgments, queries and documents, under its own name."""
    (tmp_path / "nf" / "qrels").mkdir(parents=True)
    (tmp_path / "nf" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n", "utf-8")
    (tmp_path / "nf" / "queries.jsonl").write_text('{"_id": "q1", "text": "shoes"}\n', "utf-8")
    (tmp_path / "nf" / "corpus.jsonl").write_text('{"_id": "d1", "title": "a", "text": "b"}\n', "utf-8")
    monkeypatch.chdir(made(tmp_path, up__csv=RESULTS))
    found = look_into()
    assert found.files[0].contains == ("judgments", "queries", "documents")
    assert str(found.command) == "idealrank evaluate nf up.csv"


def test_a_table_of_ids_and_queries_is_one_of_queries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table whose columns are id and query says what the queries are; nothing in it is judged."""
    monkeypatch.chdir(made(tmp_path, queries__csv="id,query\n1,boots\n2,mouse\n"))
    (file,) = look_into().files
    assert file.contains == ("queries",)


def test_a_link_to_a_parent_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that links to itself is looked into once."""
    monkeypatch.chdir(made(tmp_path, a__csv=JUDGMENTS))
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert [file.name for file in look_into().files] == ["a.csv"]


def test_a_baseline_is_not_judgments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A baseline that bless wrote is called one, and no command takes it for judgments."""
    monkeypatch.chdir(made(tmp_path, j__csv=JUDGMENTS, r__csv=RESULTS))
    ir.bless(ir.evaluate("j.csv", "r.csv", ["RR"]), "base.json")
    found = look_into()
    assert (found.baselines, found.others) == (("base.json",), ())
    assert str(found.command) == "idealrank evaluate j.csv r.csv"


NAMES = "query-id{0}corpus-id{0}score\n"


@pytest.mark.parametrize(("between", "names"), [("\t", ""), (" ", ""), (",", ""), ("\t", NAMES), (",", NAMES)])
def test_judgments_of_a_folder_are_read_as_the_file_alone(tmp_path: Path, between: str, names: str) -> None:
    """A BEIR folder whose judgments have no line of names keeps their grades: 0 is not relevant."""
    rows = (("s-1", "NCT1", "0"), ("s-1", "NCT2", "1"), ("s-2", "NCT3", "2"))
    file = tmp_path / "qrels" / "test.tsv"
    file.parent.mkdir()
    file.write_text(names.format(between) + "".join(f"{between.join(row)}\n" for row in rows))
    run = {"s-1": {"NCT1": 0.9, "NCT2": 0.8}, "s-2": {"NCT3": 0.5}}
    for source in (tmp_path, file):
        assert ir.evaluate(source, run, ["RR"])["RR"] == 0.75
