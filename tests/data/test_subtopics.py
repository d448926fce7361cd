"""Judgments by subtopic: one row a (query, subtopic, document)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from idealrank.errors import DataError

ROWS = [("q1", "a", "d1", 1), ("q1", "b", "d1", 3), ("q1", "b", "d2", 2), ("q2", "a", "d3", 0)]
RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 1.0}}


def table(rows: list[Any] = ROWS, name: str = "subtopic") -> dict[str, list[Any]]:
    """Return the rows as a dict of columns."""
    return dict(zip(("query_id", name, "doc_id", "grade"), map(list, zip(*rows, strict=True)), strict=True))


def written(form: str, folder: Path) -> Any:
    """Return the table in a form."""
    path, frame = folder / f"judgments.{form}", pd.DataFrame(table())
    if form == "csv":
        frame.to_csv(path, index=False)
    elif form == "jsonl":
        path.write_text("\n".join(json.dumps(row) for row in frame.to_dict("records")))
    return path if path.exists() else frame if form == "pandas" else table()


@pytest.mark.parametrize("form", ["csv", "jsonl", "pandas", "columns"])
def test_the_highest_grade_counts(form: str, tmp_path: Path) -> None:
    """A document judged under several subtopics has the highest of its grades, and is no duplicate."""
    scores = ir.evaluate(written(form, tmp_path), RUN, ["CG", "NumRel"])
    assert scores.values[0].tolist() == [[5.0, 0.0], [2.0, 0.0]]
    assert (
        "1 judged document under several subtopics: as a grade of the query, the highest of its grades counts"
        in " ".join(repr(scores.ledger).split())
    )


@pytest.mark.parametrize("name", ["subtopic", "Subtopic_ID", "intent", "aspect_id"])
def test_names_of_the_column(name: str) -> None:
    """The column is found by its name."""
    found = ir.read_judgments(table(name=name)).subtopics("median", "error")
    assert found is not None
    assert found.with_several == 1


def test_a_column_of_another_name_is_given() -> None:
    """A column called otherwise, as the iteration of ir_measures, is a subtopic where it is said to be."""
    assert ir.read_judgments(table(ROWS[1:], "iteration")).subtopics("median", "error") is None
    found = ir.read_judgments(table(name="iteration"), subtopic="iteration").subtopics("median", "error")
    assert found is not None


def test_a_subtopic_judged_twice_is_refused() -> None:
    """The same query, subtopic and document twice is a duplicate, which the decision settles."""
    twice = table([*ROWS, ("q1", "b", "d1", 0)])
    with pytest.raises(DataError, match="'d1' is judged a second time for query 'q1' and subtopic 'b', with grade 0"):
        ir.evaluate(twice, RUN, ["CG"])
    for answer, grade in {"first": 3.0, "last": 1.0, "max": 3.0}.items():
        assert ir.evaluate(twice, RUN, ["CG"], duplicates=answer).values[0, 0, 0] == grade + 2.0


def test_raters_within_a_subtopic() -> None:
    """The ratings of one subtopic become one grade before the highest is taken."""
    rows = [("a", "ann", 1), ("a", "bo", 3), ("b", "ann", 0), ("b", "bo", 3)]
    judgments = {"query": ["q"] * 4, "doc": ["d"] * 4} | dict(
        zip(("subtopic", "rater", "grade"), map(list, zip(*rows, strict=True)), strict=True)
    )
    assert ir.evaluate(judgments, {"q": {"d": 1.0}}, ["CG"], raters="mean")["CG"] == 2.0
    found = ir.read_judgments(judgments).subtopics("mean", "error")
    assert found is not None
    assert found.grade.tolist() == [2.0, 1.5]


def test_rows_without_a_subtopic() -> None:
    """A judgment that names no subtopic grades the document and serves none; one without a grade is none."""
    found = ir.read_judgments(table([*ROWS, ("q2", None, "d4", 2), ("q2", "b", "d3", None)]))
    subtopics = found.subtopics("median", "error")
    assert subtopics is not None
    assert len(found.pool("median", "error").grade) == 4
    assert len(subtopics.grade) == 4


def test_trec_diversity_judgments(tmp_path: Path) -> None:
    """The second field of TREC judgments is the subtopic where it is said to be, as in the table of the same rows."""
    file = tmp_path / "diversity.qrels"
    file.write_text("".join(f"{query} {subtopic} {doc} {grade}\n" for query, subtopic, doc, grade in ROWS))
    measures = ["alpha_nDCG@10", "ERR_IA@10", "StRecall@1", "nDCG@10"]
    found = ir.evaluate(ir.read_judgments(file, subtopic="iteration"), RUN, measures)
    assert found.values.tolist() == ir.evaluate(table(), RUN, measures).values.tolist()


def test_a_second_field_that_says_nothing(tmp_path: Path) -> None:
    """A second field that is the same in all lines is no column, and no subtopic; one that differs is hinted at."""
    file = tmp_path / "plain.qrels"
    file.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    assert ir.read_judgments(file).source.frame.names == ["query", "doc", "grade"]
    with pytest.raises(DataError, match=r"no subtopics\. TREC judgments have them in the second field"):
        ir.read_judgments(file, subtopic="iteration")
    file.write_text("q1 1 d1 1\nq1 2 d1 0\n")
    with pytest.raises(DataError, match="If the second field is a subtopic: subtopic=iteration"):
        ir.evaluate(file, RUN, ["RR"])
