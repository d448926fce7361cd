"""Files that may be two things: asked about, never guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir

MOVIELENS = "1\t50\t5\t881250949\n1\t172\t4\t881250950\n2\t50\t3\t881250951\n"
"""Ratings as MovieLens writes them: user, item, rating, time."""

RUN = "1 Q0 5 1 2 x\n1 Q0 50 2 1 x\n2 Q0 50 1 2 x\n2 Q0 3 2 1 x\n"
"""Results for them: user 1 has a rated film at rank 2, user 2 at rank 1."""

WAYS = (
    "four numbers per line, which may be user, item, rating and time. If they are ratings, add a first line that names "
    "the columns: query, doc, grade, time, with the same separator. If they are TREC judgments, write 0 as the second "
    "field of every line, or, if it is a subtopic, choose: subtopic=iteration."
)


def files(tmp_path: Path, judgments: str, run: str = RUN) -> tuple[str, str]:
    """Write both files and return their paths."""
    for name, text in (("j.txt", judgments), ("r.txt", run)):
        (tmp_path / name).write_text(text, "utf-8")
    return str(tmp_path / "j.txt"), str(tmp_path / "r.txt")


@pytest.mark.parametrize(
    "ratings",
    [
        pytest.param(MOVIELENS, id="times"),
        pytest.param("1 50 5 100\n1 172 4 200\n2 50 4 300\n2 60 4 400\n", id="more items than ratings"),
    ],
)
def test_ratings_without_a_header(tmp_path: Path, ratings: str) -> None:
    """Four columns of numbers are no TREC judgments where the second has more values, or the last is a time."""
    judgments, run = files(tmp_path, ratings)
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(judgments, run, ["nDCG@10"])
    assert str(refused.value) == f"{judgments} line 1: {WAYS}"


def test_ratings_with_the_header_that_was_proposed(tmp_path: Path) -> None:
    """By hand: (5/log2(3)/(5 + 4/log2(3)) + 1)/2, with the gain of a rating its grade."""
    judgments, run = files(tmp_path, "query\tdoc\tgrade\ttime\n" + MOVIELENS)
    assert ir.evaluate(judgments, run, ["nDCG@10"])["nDCG@10"] == pytest.approx(
        (5 / 1.584962500721156 / (5 + 4 / 1.584962500721156) + 1) / 2
    )


@pytest.mark.parametrize(
    "judgments",
    [
        pytest.param("1 0 50 5\n1 0 172 4\n2 0 50 3\n", id="the second field is 0"),
        pytest.param("1 1 50 1\n1 2 50 0\n1 1 172 1\n2 1 50 3\n", id="fewer subtopics than documents"),
    ],
)
def test_judgments_of_numbers_are_read(tmp_path: Path, judgments: str) -> None:
    """Documents that are numbers stay judgments."""
    paths = files(tmp_path, judgments)
    subtopic = "iteration" if " 2 50" in judgments else None
    assert ir.read_judgments(paths[0], subtopic=subtopic).form == "TREC judgments"


def test_subtopics_on_request(tmp_path: Path) -> None:
    """Who says that the second field is a subtopic says that they are judgments."""
    judgments, _ = files(tmp_path, "1 50 5 1\n1 172 4 1\n2 60 4 0\n")
    with pytest.raises(ir.DataError, match="four numbers per line"):
        ir.read_judgments(judgments)
    assert ir.read_judgments(judgments, subtopic="iteration").form == "TREC judgments"


@pytest.mark.parametrize(("grades", "said"), [((3, -1), "grades -1 to 3"), ((0.5, 0.5), "every grade 0.5")])
def test_the_range_of_grades_stands_in_the_ledger(grades: tuple[float, float], said: str) -> None:
    """From where to where grades go is always said, with what the table was read as."""
    judgments = {"q": dict(zip("ab", grades, strict=True)) | ({"c": 1} if grades[0] == 3 else {})}
    scores = ir.evaluate(judgments, {"q": {"a": 1.0}}, ["RR"], relevant_from="positive")
    assert f"judgments: dict of dicts, {said}\n" in str(scores.ledger)
