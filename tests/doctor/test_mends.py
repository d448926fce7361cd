"""Mended copies: what they contain, what the log says, and that nothing is written over."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import idealrank as ir
from tests.doctor.worlds import QRELS, RUN, SCORED


def mended(folder: Path, judgments: str, results: str, **options: object) -> dict[str, str]:
    """Write two files, mend them, and return the text of every file that was written."""
    for name, text in (("qrels.txt", judgments), ("run.txt", results)):
        (folder / name).write_text(text, "utf-8", newline="")
    diagnosis = ir.doctor(folder / "qrels.txt", folder / "run.txt", **options)
    return {Path(path).name: Path(path).read_bytes().decode() for path in diagnosis.fix(folder / "mended")}


def test_only_what_changes_is_written(tmp_path: Path) -> None:
    """A TREC run stays one, line by line, but for the id; the log names the line; the judgments are not copied."""
    assert mended(tmp_path, QRELS, RUN.replace(" a ", " A ")) == {
        "run.txt": RUN,
        "changes.txt": f"ids spelled differently: {tmp_path}/run.txt line 3: doc 'A' → 'a'\n",
    }


def test_clean_files_are_not_copied(tmp_path: Path) -> None:
    """Where nothing is mended, nothing is written, not even the folder."""
    assert mended(tmp_path, QRELS, RUN) == {}
    assert not (tmp_path / "mended").exists()


def test_every_column_is_kept(tmp_path: Path) -> None:
    """A table becomes CSV with all its columns: quotes, empty cells and numbers are read as they were."""
    table = 'query_id,doc_id,score,title\nq1,A,0.1,"one, ""two"""\nq1,c,1e-3,\nq2,d,3,"a\nb"\n'
    found = mended(tmp_path, QRELS, table)
    assert found["run.csv"] == table.replace("q1,A", "q1,a")


def test_subtopics_are_kept(tmp_path: Path) -> None:
    """The second field of TREC judgments is written as it was where it differs from line to line."""
    judgments = ir.read_judgments(_file(tmp_path, "q1 1 a 1\nq1 2 a 1\nq1 2 a 1\nq2 1 d 1\n"), subtopic="iteration")
    diagnosis = ir.doctor(judgments, {"q1": {"a": 2.0, "x": 1.0}, "q2": {"d": 1.0, "y": 0.5}}, measures=["RR"])
    (copy, _) = diagnosis.fix(tmp_path / "mended")
    assert Path(copy).read_text("utf-8") == "q1 1 a 1\nq1 2 a 1\nq2 1 d 1\n"


def _file(folder: Path, text: str) -> Path:
    path = folder / "diversity.qrels"
    path.write_text(text, "utf-8")
    return path


def test_an_id_with_a_blank_makes_a_run_a_table(tmp_path: Path) -> None:
    """TREC text cannot contain an id with a blank: the copy is CSV, ordered by score as the run was."""
    judgments = "query_id,doc_id,grade\nq1,a b,1\nq1,c,0\n"
    run = "q1 Q0 a%20b 9 2 s\nq1 Q0 x 1 1 s\n"
    found = mended(tmp_path, judgments, run, measures=["RR"])
    assert found["run.csv"].splitlines() == ["query_id,doc,rank,score,system", "q1,a b,,2,s", "q1,x,,1,s"]
    assert ir.evaluate(tmp_path / "qrels.txt", tmp_path / "mended" / "run.csv", ["RR"])["RR"] == 1.0


def test_a_wrong_spelling_beside_the_right_one(tmp_path: Path) -> None:
    """The wrong spelling at rank 1 is mended, and the right one at rank 2 left out: RR is 1 where it was 1/2."""
    queries = range(1, 21)
    judgments = "".join(f"q{q} 0 SKU-{q} 1\n" for q in queries)
    run = "".join(f"q{q} Q0 sku-{q} 1 2 s\nq{q} Q0 SKU-{q} 2 1 s\n" for q in queries)
    found = mended(tmp_path, judgments, run, measures=["RR"])
    assert found["run.txt"] == "".join(f"q{q} Q0 SKU-{q} 1 2 s\n" for q in queries)
    assert len(found["changes.txt"].splitlines()) == 40
    first = ir.doctor(tmp_path / "qrels.txt", tmp_path / "run.txt", measures=["RR"]).findings[0]
    assert first.text == (
        f"20 results of {tmp_path}/run.txt would be judged if ids did not differ by letter case; 20 rows would then "
        "repeat a document, and a mended copy keeps the first"
    )
    assert first.headline is not None
    assert (first.headline.before, first.headline.after) == (0.5, 1.0)


def test_uuids_in_any_form(tmp_path: Path) -> None:
    """Whichever form of a UUID is judged and whichever is returned, the copy of the results has the judged one."""
    one = "3f10dbe8-0cbd-5e31-9b1f-af0cb9dda9cf"
    bare = one.replace("-", "")
    forms = [one, one.upper(), bare, bare.upper(), f"{{{one}}}", f"{{{bare.upper()}}}", f"urn:uuid:{one}"]
    for n, (judged, returned) in enumerate(itertools.permutations(forms, 2)):
        (tmp_path / str(n)).mkdir()
        found = mended(tmp_path / str(n), f"q1 0 {judged} 1\n", f"q1 Q0 {returned} 1 2 s\n")
        assert found["run.txt"] == f"q1 Q0 {judged} 1 2 s\n"


def test_systems_may_return_the_same_document(tmp_path: Path) -> None:
    """Of two systems in one table, each keeps its own row of a document that both return."""
    table = "query_id,doc_id,score,system\nq1,A,2,s\nq1,x,1,s\nq1,a,2,t\nq1,y,1,t\n"
    assert mended(tmp_path, "q1 0 a 1\n", table)["run.csv"] == table.replace(",A,", ",a,")


def test_a_mixed_table_of_case_and_repeats(tmp_path: Path) -> None:
    """After case, repeats and a scale from 1 are mended, no two rows of a query differ by case alone."""
    judgments = "".join(f"q{q} 0 D{d} {1 + (q + d) % 4}\n" for q in range(6) for d in range(5))
    run = "".join(
        f"q{q} Q0 {name}{d} {place} {9 - place} s\n"
        for q in range(6)
        for place, (name, d) in enumerate([("d", 1), ("D", 1), ("D", 2), ("d", 2), ("d", 3), ("D", 3), ("d", 3)], 1)
    )
    found = mended(tmp_path, judgments, run)
    rows = [line.split() for line in found["run.txt"].splitlines()]
    assert [row[2] for row in rows] == ["D1", "D2", "D3"] * 6
    hand = "".join(f"q{q} 0 D{d} {(q + d) % 4}\n" for q in range(6) for d in range(5))
    assert found["qrels.txt"] == hand


def test_a_distance_of_zero(tmp_path: Path) -> None:
    """0 negated is 0, not -0.0."""
    found = mended(tmp_path, QRELS, SCORED.replace(",3\n", ",0\n").replace(",1\n", ",9\n"))
    assert {line.rpartition(",")[2] for line in found["run.csv"].splitlines()[1:]} == {"0.0", "-2.0", "-9.0"}


def test_grades_of_some_queries_to_100(tmp_path: Path) -> None:
    """Beside queries graded to 3, 100 becomes 3, 60 becomes 2 (1.8), and 90 becomes 3 (2.7); P@1 is as by hand."""
    usual = "".join(f"q{q} 0 a 3\nq{q} 0 b 2\n" for q in range(3))
    high = "q4 0 a 100\nq4 0 b 60\nq5 0 a 90\nq5 0 b 10\n"
    run = "".join(f"q{q} Q0 b 1 2 s\nq{q} Q0 x 2 1 s\n" for q in (0, 1, 2, 4, 5))
    found = mended(tmp_path, usual + high, run, measures=["P@1"])
    assert found["qrels.txt"] == usual + "q4 0 a 3\nq4 0 b 2\nq5 0 a 3\nq5 0 b 0\n"
    findings = ir.doctor(tmp_path / "qrels.txt", tmp_path / "run.txt", measures=["P@1"]).findings
    (scales,) = (finding for finding in findings if finding.name == "scales mixed by query")
    assert scales.text.endswith("2 of 5 go up to 100, others to 3; a mended copy multiplies theirs by 3/100")
    assert scales.headline is not None
    assert (scales.headline.before, scales.headline.after) == (1.0, 0.8)


def test_mends_follow_each_other(tmp_path: Path) -> None:
    """Each mend works on the copy of the one before; places are those of the file as it was given."""
    run = "q1 Q0 c 1 3 s\nq1 Q0 c 2 2 s\nq1 Q0 A 3 1 s\n" + RUN[RUN.index("q2") :].replace("q2", "Q2")
    found = mended(tmp_path, QRELS, run)
    assert found["run.txt"] == "q1 Q0 c 1 3 s\nq1 Q0 a 3 1 s\n" + RUN[RUN.index("q2") :]
    places = [line.partition(" line ")[2].partition(":")[0] for line in found["changes.txt"].splitlines()]
    assert places == ["3", "4", "5", "6", "2"]


def test_every_change_is_in_the_log(tmp_path: Path) -> None:
    """The log has a line per row, not only the three examples."""
    found = mended(tmp_path, QRELS, RUN.replace("Q0 ", "Q0 doc:"))
    assert found["run.txt"].count("doc:") == 4  # unjudged documents keep their ids
    assert len(found["changes.txt"].splitlines()) == 5


def test_inputs_are_never_written_over(tmp_path: Path) -> None:
    """A folder in which a copy would replace a file that was read is refused, before anything is written."""
    path, run = _file(tmp_path, QRELS), tmp_path / "run.txt"
    run.write_text(RUN.replace(" a ", " A "), "utf-8")
    with pytest.raises(ir.UsageError, match=r"run\.txt: an input of this call, which is not written over"):
        ir.doctor(path, run).fix(tmp_path)
    assert run.read_text("utf-8") == RUN.replace(" a ", " A ")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["diversity.qrels", "run.txt"]


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    """A folder that cannot be made is refused with its name."""
    path = _file(tmp_path, QRELS)
    with pytest.raises(ir.UsageError, match=r"diversity\.qrels: cannot be made: File exists"):
        ir.doctor(path, {"q1": {"A": 2.0, "c": 1.0}}).fix(path)


def test_tables_in_memory(tmp_path: Path) -> None:
    """Objects are copied to CSV under the name messages have for them, and are not changed."""
    run = {"q1": {"A": 2.0, "c": 1.0}, "q2": {"d": 1.0, "y": 0.5}}
    written = ir.doctor({"q1": {"a": 2, "b": 1}, "q2": {"d": 1}}, run, measures=["RR"]).fix(tmp_path)
    assert [Path(path).name for path in written] == ["results.csv", "changes.txt"]
    assert run["q1"] == {"A": 2.0, "c": 1.0}
    assert Path(written[0]).read_text("utf-8").splitlines()[1] == "q1,a,2"


def test_the_shift_by_hand(tmp_path: Path) -> None:
    """P@3 is 1/3 for each of three queries; with the id mended, q1 has 2/3: 4/9 on average."""
    (tmp_path / "r.csv").write_text(SCORED.replace(",a,", ",A,"), "utf-8")
    (found,) = ir.doctor(_file(tmp_path, QRELS), tmp_path / "r.csv", measures=["P@3"]).findings
    assert found.headline is not None
    np.testing.assert_allclose([found.headline.before, found.headline.after], [1 / 3, 4 / 9], rtol=0, atol=1e-12)
