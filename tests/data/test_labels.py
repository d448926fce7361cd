"""Grades written as words, and judgments without grades."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.data.grades import SCALES
from idealrank.errors import NoColumnError
from tests.cli.terminal import run

LABELLED = "query_id,product_id,label\n1,a,Exact\n1,b, partial \n1,c,Irrelevant\n1,d,n/a\n2,a,EXACT\n2,b,\n"
RUN = "query_id,product_id,rank\n1,b,1\n1,c,2\n1,a,3\n2,x,1\n2,a,2\n"
LINE = "Exact=2,partial=1,Irrelevant=0"
NDCG = {"1": (1 + 2 / 2) / (2 + 1 / math.log2(3)), "2": (2 / math.log2(3)) / 2}
"""nDCG@10 by hand: gains 1 0 2 at ranks 1 to 3 and 0 2 at ranks 1 and 2, against 2 1 0 and 2."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with judgments in words and results."""
    (tmp_path / "j.csv").write_text(LABELLED)
    (tmp_path / "r.csv").write_text(RUN)
    return tmp_path


def per_query(scores: ir.Scores) -> dict[str, float]:
    """Return the values of the first measure."""
    return dict(zip(scores.queries, scores.values[0][0].tolist(), strict=True))


@pytest.mark.parametrize("grades", ["wands", LINE, {"Exact": 2, "PARTIAL": 1.0, "irrelevant": 0}])
def test_labels_are_worth_what_the_scale_says(grades: Any, folder: Path) -> None:
    """Labels match regardless of case and blanks around them; n/a and an empty cell are no grade."""
    judgments = ir.read_judgments(folder / "j.csv", grades=grades)
    scores = ir.evaluate(judgments, folder / "r.csv", ["nDCG@10"])
    assert per_query(scores) == pytest.approx(NDCG, abs=1e-12)
    assert "2 judgment rows without a grade" in str(scores.ledger)
    assert "(exact=2, partial=1, irrelevant=0)" in str(scores.ledger)


def test_labels_without_a_scale(folder: Path) -> None:
    """Words without a scale are refused with the line to type, which then works as it stands."""
    found = run("evaluate", "j.csv", "r.csv", "-m", "nDCG@10", cwd=folder)
    assert (found.code, found.out) == (3, "")
    assert found.err == (
        "idealrank: j.csv line 2: label 'Exact' is a word, not a number. Say what each label is worth: "
        f'--grades "{LINE}"; --grades wands means the same.\n'
    )


WORDS = {"q1": {"a": "relevant", "b": "not relevant"}, "q2": {"c": "relevant"}}


@pytest.mark.parametrize("ending", ["", "json", "jsonl", "yaml"])
def test_labels_by_query_and_document(ending: str, tmp_path: Path) -> None:
    """{query: {document: label}} is read as the same words in rows are, and refused without a scale by its place."""
    given: Any = WORDS
    if ending:
        given = tmp_path / f"j.{ending}"
        lines = [WORDS] if ending != "jsonl" else [{query: graded} for query, graded in WORDS.items()]
        given.write_text("\n".join(map(json.dumps, lines)))
    rows = [{"query": q, "doc": doc, "grade": label} for q, graded in WORDS.items() for doc, label in graded.items()]
    for judged in (given, rows):
        judgments = ir.read_judgments(judged, grades={"relevant": 1, "not relevant": 0})
        assert ir.evaluate(judgments, {"q1": ["b", "a"], "q2": ["c"]}, ["RR"])["RR"] == 0.75
    with pytest.raises(ir.DataError, match=r"'q1'.*: grade 'relevant' is a word, not a number"):
        ir.evaluate(given, {"q1": ["b", "a"]}, ["RR"])
    with pytest.raises(ir.DataError):
        ir.read_results(given)


def test_one_word_among_numbers_by_query_and_document() -> None:
    """A word that is no grade is left out of {query: {document: grade}}, too, if the scale says so."""
    judgments = ir.read_judgments({"q1": {"a": 2, "b": "unsure", "c": 0}, "q2": {}}, grades="unsure=")
    assert ir.evaluate(judgments, {"q1": ["b", "a"]}, ["RR"])["RR"] == 0.5


def test_unknown_labels_are_all_named(folder: Path) -> None:
    """Labels of no known scale are all in the line to type, and what each is worth is left open."""
    with pytest.raises(ir.DataError, match=r"grades=\{'good': …, 'bad': …\}\.$"):
        ir.evaluate({"query": [1, 1], "doc": ["a", "b"], "grade": ["good", "bad"]}, folder / "r.csv", ["nDCG@10"])


def test_label_that_is_not_in_the_scale(folder: Path) -> None:
    """A label that the scale does not list is refused with its line."""
    found = run("evaluate", "j.csv", "r.csv", "-m", "RR", "--grades", "Exact=2,Irrelevant=0", cwd=folder)
    assert (found.code, found.err) == (
        3,
        "idealrank: j.csv line 3: label ' partial ' is not a label of the scale, which has exact, irrelevant. Add it: "
        '--grades "exact=2,irrelevant=0,partial=…"; with nothing in the place of … where it says that there is no '
        "grade.\n",
    )


@pytest.mark.parametrize(
    ("grades", "said"),
    [
        ("wand", "No scale called 'wand'. Did you mean wands?"),
        ("Exact=two", "grades: 'Exact=two' is not LABEL=NUMBER."),
        ("a=1,2", "grades: '2' is not LABEL=NUMBER."),
        ({"Exact": math.inf}, "grades: 'Exact=inf' is not LABEL=NUMBER."),
        ({}, "grades contains no label."),
    ],
)
def test_scales_that_cannot_be_read(grades: Any, said: str) -> None:
    """A scale is a known name, or numbers for labels; anything else is refused before the table is read."""
    with pytest.raises(ir.UsageError) as refused:
        ir.read_judgments({"q": {"d": 1}}, grades=grades)
    assert str(refused.value).startswith(said)


def test_gains_of_esci() -> None:
    """The scale esci has the gains of the Shopping Queries data set: E 1, S 0.1, C 0.01, I 0, also written out."""
    assert [SCALES["esci"][label] for label in "ESCI"] == [1, 0.1, 0.01, 0]
    assert [SCALES["esci"][label] for label in ("Exact", "Substitute", "Complement", "Irrelevant")] == [1, 0.1, 0.01, 0]
    table = {"query_id": [1] * 4, "product_id": list("abcd"), "esci_label": list("SECI")}
    scores = ir.evaluate(ir.read_judgments(table, grade="esci_label", grades="esci"), {"1": {"b": 2, "a": 1}}, ["DCG"])
    assert scores["DCG"] == pytest.approx(1 + 0.1 / math.log2(3), abs=1e-12)


POSITIVES = {
    "named": "question,course,document\nq1,de,a\nq1,de,b\nq2,ml,a\n",
    "ids and texts": "query_id,query,doc_id\nq1,shoes,a\nq1,shoes,b\nq2,hats,a\n",
    "row numbers": ",QueryID,DocID\n0,q1,a\n1,q1,b\n2,q2,a\n",
    "tabs": "QueryID\tDocID\nq1\ta\nq1\tb\nq2\ta\n",
}


@pytest.mark.parametrize("form", POSITIVES)
def test_rows_without_a_grade_are_relevant(form: str, tmp_path: Path) -> None:
    """A table of queries and documents without a grade lists the relevant documents, and the ledger says so."""
    path = tmp_path / "truth.csv"
    path.write_text(POSITIVES[form])
    scores = ir.evaluate(path, {"q1": {"a": 3, "x": 2, "b": 1}, "q2": {"x": 2, "a": 1}}, ["nDCG@10", "R@1"])
    third = 1 / math.log2(3)
    assert per_query(scores) == pytest.approx({"q1": 1.5 / (1 + third), "q2": third}, abs=1e-12)
    assert scores["R@1"] == 0.25
    assert "no grade column: each of the 3 rows counts as grade 1" in str(scores.ledger)


@pytest.mark.parametrize(
    "column", [{"verdict": [1, 0]}, {"verdict": ["yes", "no"]}, {"verdict": ["Exact", None]}, {"worth": ["0.5", "1"]}]
)
def test_a_column_that_may_be_the_grade(column: dict[str, list[Any]]) -> None:
    """A column of numbers or labels under an unknown name may be the grade, so it is asked for."""
    with pytest.raises(NoColumnError, match="no grade column"):
        ir.evaluate({"query": [1, 1], "doc": ["a", "b"], **column}, {"1": {"a": 1}}, ["RR"])


def test_results_are_not_positives(folder: Path) -> None:
    """Results given as judgments are refused, and told which comes first."""
    found = run("evaluate", "r.csv", "j.csv", "-m", "RR", cwd=folder)
    assert found.code == 3
    assert "no grade column, but ranks: these look like results" in found.err
    assert "Give judgments first, then results" in found.err


def test_positives_are_no_results() -> None:
    """A list of relevant documents alone is not evaluated against itself; nor are it and judgments exchanged."""
    positives = {"query": [1, 2], "doc": ["a", "b"]}
    with pytest.raises(ir.DataError, match="no results given, and this table has no grade column"):
        ir.evaluate(positives, measures=["RR"])
    with pytest.raises(ir.DataError, match=r"has no grades, where .* Judgments come first"):
        ir.evaluate(positives, {**positives, "grade": [1, 0]}, ["RR"])


def test_a_label_may_say_that_there_is_no_grade(folder: Path) -> None:
    """A failed answer among numbers is no grade once it is said so; the message that refuses it names the way."""
    (folder / "invalid.csv").write_text("query,doc,grade\nq1,a,2\nq1,b,0\nq1,c,__invalid__\n")
    (folder / "run.csv").write_text("query,doc,score\nq1,c,3\nq1,a,2\nq1,b,1\n")
    refused = run("evaluate", "invalid.csv", "run.csv", "-m", "RR", cwd=folder)
    way = re.search(r'--grades "([^"]*)"', refused.err)
    assert refused.code == 3
    assert way is not None
    found = run("evaluate", "invalid.csv", "run.csv", "-m", "RR", "--grades", way[1], "--json", cwd=folder)
    assert '"RR": 0.5' in found.out
