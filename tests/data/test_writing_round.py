"""What is written is read back the same, for everything both ends have a place for."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import idealrank as ir
from idealrank.data.writing import WRITERS
from tests.amounts import part, tried

ODD = "\"',;|\t\n\r =+-@#{}[]:\\/ü検é\u00a0.0aB1"
"""Signs that some format gives a meaning to."""

# Lines with the tabs of rows are refused in TSV (AWKWARD).
IDS = (
    st.text(st.sampled_from(ODD), min_size=1, max_size=6)
    .filter(lambda text: not re.search("\t.*\n.*\t|\n.*\t.*\t|\t.*\t.*\n", text, re.DOTALL))
    .map(lambda text: f"x{text}x")
)
PLAIN_IDS = st.text(st.sampled_from("aB1ü検-_./:=+@\"',"), min_size=1, max_size=6).map(lambda text: f"x{text}x")
GRADES = st.sampled_from([-1, 0, 1, 2, 3])
FRACTIONS = st.sampled_from([0.1, 0.25, 1 / 3, 2, -0.5])

AS_TEXT = ("trec", "svmlight")
"""Formats whose ids have no blanks."""

JUDGMENTS = [writer for writer in WRITERS if "judgments" in writer.layouts]
RESULTS = [writer for writer in WRITERS if "results" in writer.layouts]


def each(writers: list[Any]) -> list[Any]:
    """Return the formats by name; Parquet is written by pyarrow."""
    heavy = {"parquet": pytest.mark.heavy}
    return [pytest.param(writer, id=writer.name, marks=heavy.get(writer.name, ())) for writer in writers]


def back(values: Any, form: str, read: Any, **how: Any) -> Any:
    """Write a table and read it again."""
    with tempfile.TemporaryDirectory() as folder:
        values.write(Path(folder, "file"), format=form, **how)
        return read(str(Path(folder, "file"))).rows_to_write()


def judged(rows: Any) -> list[tuple[str, str, float]]:
    """Return query, document and grade of each row, sorted."""
    return sorted(zip(rows.query, rows.doc, rows.grade.tolist(), strict=True))


@pytest.mark.parametrize("writer", each(JUDGMENTS))
def test_judgments_come_back(writer: Any) -> None:
    """Queries, documents and grades are those that were written, whatever signs their ids contain."""
    ids = PLAIN_IDS if writer.name in AS_TEXT else IDS
    grades = GRADES if "fractions" not in writer.supports else GRADES | FRACTIONS
    queries = st.sampled_from(["1", "22", "3"]) if writer.name == "svmlight" else ids

    @settings(max_examples=tried(48))
    @given(st.dictionaries(queries, st.dictionaries(ids, grades, min_size=1, max_size=4), min_size=1, max_size=4))
    def check(data: dict[str, dict[str, float]]) -> None:
        if writer.grade_limit is not None:
            data = {q: {d: abs(g) + 1 for d, g in docs.items()} for q, docs in data.items()}
        judgments = ir.read_judgments(data)
        assert judged(back(judgments, writer.name, ir.read_judgments)) == judged(judgments.rows_to_write())

    check()


@pytest.mark.parametrize("writer", each(RESULTS))
def test_results_come_back(writer: Any) -> None:
    """Queries, documents and scores are those that were written, whatever signs their ids contain."""
    ids = PLAIN_IDS if writer.name in AS_TEXT else IDS
    scores = st.floats(-1e9, 1e9)

    @settings(max_examples=tried(48))
    @given(st.dictionaries(ids, st.dictionaries(ids, scores, min_size=1, max_size=4), min_size=1, max_size=4))
    def check(data: dict[str, dict[str, float]]) -> None:
        rows = back(ir.read_results(data), writer.name, ir.read_results)
        found = {(q, d): s for q, d, s in zip(rows.query, rows.doc, rows.numbers["score"].tolist(), strict=True)}
        given = {(q, d): s for q, docs in data.items() for d, s in docs.items()}
        assert found == given

    check()


AWKWARD = [
    *("{}", "[1]", "{a", '"q"', "#x", "=1+1", "'x", "a,b", "a;b", "a|b", "x#y", "qid:1", "1:2", "a\\b", "<b>", "%20"),
    *("id", "doc_id", "query_id", "_id", "doc", "docs", "query", "queries", "corpus", "results", "hits", "relevant"),
    *("grade", "score", "rank", "text", "metadata", "qrels", "responses", "root", "turns", "default", "requests"),
    *("tab\there", "line\nbreak", "cr\rhere", "a\u2028b", "a\u00a0b", "a b", "a  b", " lead", "trail ", "\u00a0lead"),
    *("x\t\n\tx", "x\t\t\nx"),
    *("00123", "1e5", "12.5", "12345678901234567890", "-", "null", "nan", "NA", "none", "true", "é", "e\u0301", "0"),
    *("x\x0by", "x\x1cy", "x\x85y", "\ufeffx", "Q0", "\u202ex", "test"),
]
"""Ids that some format gives a meaning to, or that some reader changes."""


@pytest.mark.parametrize("kind", ["judgments", "results"])
@pytest.mark.parametrize("writer", each(list(WRITERS)))
def test_an_awkward_id_comes_back_or_is_refused(kind: str, writer: Any, tmp_path: Path) -> None:
    """An id that is written is read as it was, as a query and as a document, alone and among others."""
    if kind not in writer.layouts:
        return  # no layout of this format
    read = ir.read_judgments if kind == "judgments" else ir.read_results
    number = "grade" if kind == "judgments" else "score"
    written, tried_here = 0, part(AWKWARD, WRITERS.index(writer))
    for place, odd in enumerate(tried_here):
        for data in ({odd: {"d1": 1.0, "d2": 2.0}, "zz": {"d1": 2.0}}, {"q1": {odd: 1.0, "zz": 2.0}, "q2": {odd: 2.0}},
                     {odd: {odd: 1.0}}):  # fmt: skip
            path = tmp_path / f"{place}"
            try:
                read(data).write(path, format=writer.name)
            except ir.DataError:
                continue
            rows = read(path).rows_to_write()
            back = {(q, d): n for q, d, n in zip(rows.query, rows.doc, rows.numbers[number].tolist(), strict=True)}
            assert back == {(q, d): n for q, docs in data.items() for d, n in docs.items()}, (odd, data)
            written += 1
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert written > 2 * len(tried_here)


@pytest.mark.parametrize("writer", each([writer for writer in JUDGMENTS if "rater" in writer.supports]))
def test_raters_come_back(writer: Any) -> None:
    """Ratings of single raters are those that were written, with a missing one."""
    rows = {"query_id": ["q"] * 3, "doc_id": ["a", "a", "b"], "grade": [2, 3, 0.5], "rater": ["ana", "bo", "ana"]}
    judgments = ir.read_judgments(rows)
    again = back(judgments, writer.name, ir.read_judgments)
    assert judged(again) == [("q", "a", 2.0), ("q", "a", 3.0), ("q", "b", 0.5)]
    assert again.words["rater"] == ["ana", "bo", "ana"]


@pytest.mark.parametrize("writer", each([writer for writer in JUDGMENTS if "ungraded" in writer.supports]))
def test_missing_grades_come_back(writer: Any) -> None:
    """A row without a grade stays one, unless the format lists ratings alone."""
    judgments = ir.read_judgments({"query_id": ["q", "q"], "doc_id": ["a", "b"], "grade": [1, None]})
    again = back(judgments, writer.name, ir.read_judgments)
    graded = {doc: grade for doc, grade in zip(again.doc, again.grade, strict=True) if not np.isnan(grade)}
    assert graded == {"a": 1.0}
    assert writer.name == "quepid-book" or again.doc == ["a", "b"]


@pytest.mark.parametrize("writer", each(JUDGMENTS))
def test_the_same_numbers_from_every_format(writer: Any, tmp_path: Path) -> None:
    """The nDCG of the shop's judgments is the same from every format they are written in."""
    shop = Path(__file__).parents[2] / "examples" / "shop"
    judgments = ir.read_judgments(shop / "judgments.csv")
    rows = judgments.rows_to_write("max")
    data: dict[str, dict[str, float]] = {}
    numbers = {query: str(place) for place, query in enumerate(dict.fromkeys(rows.query), 1)}
    for query, doc, grade in zip(rows.query, rows.doc, rows.grade.tolist(), strict=True):
        data.setdefault(numbers[query], {})[doc] = grade
    results = ir.read_results(shop / "bm25.csv").rows_to_write()
    found = {
        "query_id": [numbers.get(q, q) for q in results.query],
        "doc_id": results.doc,
        "rank": results.numbers["rank"],
    }
    expected = ir.evaluate(data, found, ["nDCG@10"], no_relevant="skip")["nDCG@10"]
    ir.read_judgments(data).write(tmp_path / writer.name, format=writer.name)
    given = ir.evaluate(tmp_path / writer.name, found, ["nDCG@10"], no_relevant="skip")
    assert given["nDCG@10"] == pytest.approx(expected, abs=1e-12)
    assert expected > 0.5
