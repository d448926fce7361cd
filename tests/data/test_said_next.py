"""Messages say what to do next about slips that people make in files."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

import idealrank as ir
from tests.data.test_columns import refusal

RUN = {"q1": {"a": 1.0}}
HEADER = "query_id,doc_id,grade,note\n"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "s.json",
            '[{"query_id":"q1","doc_id":"a\\ud800","grade":1}]',
            "must have its other half beside it: write both",
        ),
        ("s.jsonl", '{"query_id":"q1","doc_id":"a\\ud800","grade":1}\n', "must have its other half beside it"),
        ("k.json", '[{"doc_id":"a","doc_id":"b","grade":1}]', "occurs twice. Rename one of the two, or remove it."),
        ("end.csv", HEADER + 'q1,a,1,"x\nq2,b,1,y\n', "line 2: a quote opens here and is not closed. Close it"),
        ("cut.csv", HEADER + 'q1,a,1,"long, ', "line 2: a quote opens here and is not closed. Close it"),
        ("few.csv", HEADER + 'q1,a,"1,x\nq2,b,1,y\n', "line 2: a quote opens here and is not closed. Close it"),
        ("r.dat", "1::1193::5::978300760\n1::661::3::978302109\n", "separated by ::, which is not read. Separate them"),
        ("run.gz#run.txt", "", "no such file"),
    ],
)
def test_what_to_do(name: str, text: str, said: str, tmp_path: Path) -> None:
    """The message names the fault, and the way out of it."""
    if text:
        (tmp_path / name).write_text(text)
    assert said in refusal(lambda: ir.read_judgments(tmp_path / name))


@pytest.mark.parametrize("text", ['q1,a,1\nq2,b,1,"x",y\nq3,5",1,z\n', 'q1,a,1,x\nq2,b\nq3,5",1,z\n'])
def test_a_quote_elsewhere(text: str, tmp_path: Path) -> None:
    """A line with too few fields is still told as one if a quote is in another line."""
    (tmp_path / "j.csv").write_text(HEADER + text)
    assert "but the header has 4" in refusal(lambda: ir.read_judgments(tmp_path / "j.csv"))


def test_line_ends_in_the_last_cell(tmp_path: Path) -> None:
    """A closed quote around a line end is read, whatever else is quoted."""
    (tmp_path / "j.csv").write_text(HEADER + 'q1,5",1,x\nq2,b,1,"two\nlines\n"\n')
    assert len(ir.read_judgments(tmp_path / "j.csv").rows_to_write()) == 2


def test_a_header_above_predictions(tmp_path: Path) -> None:
    """A line such as prediction is to be removed; a table of queries with numbers as ids is none."""
    (tmp_path / "j.svm").write_text("1 qid:1 1:1 # a\n0 qid:1 1:2 # b\n")
    (tmp_path / "p.txt").write_text("prediction\n0.5\n0.25\n")
    said = refusal(lambda: ir.evaluate(tmp_path / "j.svm", tmp_path / "p.txt", ["RR"]))
    assert said.endswith("p.txt line 1: 'prediction' is a header, which predictions do not have. Remove line 1.")
    (tmp_path / "q.csv").write_text("query_id\n1\n2\n")
    assert ir.peek(tmp_path / "q.csv").files[0].contains == ("queries",)


def test_a_file_of_a_tar_archive(tmp_path: Path) -> None:
    """A part of a tar archive gets the sentence about tar archives; that of another file is no part."""
    with tarfile.open(tmp_path / "all.tar.gz", "w:gz"):
        pass
    said = refusal(lambda: ir.read_judgments(f"{tmp_path}/all.tar.gz#run.txt"))
    assert said == f"{tmp_path}/all.tar.gz: a tar archive. Unpack it and give the files in it."
    (tmp_path / "j.csv").write_text(HEADER)
    assert refusal(lambda: ir.read_judgments(f"{tmp_path}/j.csv#x")).endswith(f"is no archive. Give {tmp_path}/j.csv.")


@pytest.mark.parametrize("sign", ["\u00a0", "\u0085"])
def test_white_space_of_the_reader(sign: str, tmp_path: Path) -> None:
    """A no-break space or a next line in an id is part of it, where the format is recognised and where it is read."""
    (tmp_path / "q.txt").write_text(f"q{sign}1 0 a 1\n")
    judgments = ir.read_judgments(tmp_path / "q.txt")
    assert judgments.keys.query.to_list() == [f"q{sign}1"]
    (tmp_path / "r.txt").write_text(f"q{sign}1 Q0 a 1 2.0 s\n")
    assert ir.evaluate(judgments, tmp_path / "r.txt", ["RR"])["RR"] == 1.0


@pytest.mark.parametrize("grades", ["E=3,I=0,I=1", {"Bad": 0, "bad": 1}])
def test_a_label_with_two_grades(grades: dict[str, float]) -> None:
    """A label that is given two grades, also in another case, is refused with both."""
    table = {"query_id": ["q"], "doc_id": ["a"], "grade": ["E"]}
    with pytest.raises(ir.UsageError, match=r"has two grades, 0 and 1\. Give each label one\."):
        ir.read_judgments(table, grades=grades)
