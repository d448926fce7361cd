"""What the doctor makes of answers without ids, and of units."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import idealrank as ir
from tests.doctor.worlds import CORPUS_QRELS, many


def test_shifted_answers_are_refused(tmp_path: Path) -> None:
    """Answers numbered in their order are refused where the table has another number of queries, as by evaluate."""
    responses = [{"hits": {"hits": [{"_id": f"d{i}", "_score": 1.0}]}} for i in range(2)]
    (tmp_path / "answers.json").write_text(json.dumps({"responses": responses}))
    (tmp_path / "queries.csv").write_text("id,query\n1,red\n2,blue\n3,green\n")
    (tmp_path / "judgments.csv").write_text("query,doc_id,grade\nred,d0,1\nblue,d1,1\ngreen,d2,1\n")
    files = (str(tmp_path / "judgments.csv"), str(tmp_path / "answers.json"))
    for call in (ir.evaluate, ir.doctor):
        with pytest.raises(ir.DataError, match=r"2 responses, 3 queries in .*: they are matched by position"):
            call(*files, queries=str(tmp_path / "queries.csv"))


def test_chunks_of_another_corpus(tmp_path: Path) -> None:
    """Units are compared with what is judged, and the finding shows them: none of these 12 is judged."""
    (tmp_path / "judgments.txt").write_text(CORPUS_QRELS)
    lines = "q{q},n{q}a#1,2\nq{q},n{q}b#2,1\n"
    (tmp_path / "results.csv").write_text(f"query_id,doc_id,score\n{many(6, lines)}q1,j1a#1,0.5\n")
    found = ir.doctor(str(tmp_path / "judgments.txt"), str(tmp_path / "results.csv"), unit="before(#)").findings
    (corpus,) = (each for each in found if each.name == "judgments of another corpus")
    assert corpus.count == 12
    assert corpus.examples[0].endswith("results.csv line 2: n1a")


def test_judged_queries_without_results(tmp_path: Path) -> None:
    """All are counted by system, with how they count; three are shown, each at its first judgment."""
    (tmp_path / "judgments.csv").write_text("query,doc,grade\n" + many(6, "q{q},d,1\nq{q},e,0\n"))
    (tmp_path / "results.csv").write_text("query,doc,rank,system\nq2,d,1,a\n" + many(6, "q{q},d,1,b\n"))
    found = ir.doctor(str(tmp_path / "judgments.csv"), str(tmp_path / "results.csv"), no_results="skip").findings
    (finding,) = (each for each in found if each.name == "judged queries without results")
    assert (finding.system, finding.count) == ("a", 5)
    assert finding.text == "5 judged queries without results of a (no_results=skip)"
    assert [example.removeprefix(f"{tmp_path}/") for example in finding.examples] == [
        "judgments.csv line 2: query q1",
        "judgments.csv line 6: query q3",
        "judgments.csv line 8: query q4",
    ]
