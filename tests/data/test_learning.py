"""Learning to rank: lines of grades and features, files of predictions and of group sizes."""

from __future__ import annotations

import io
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import idealrank as ir
from tests.cli.terminal import tsv
from tests.data.test_columns import refusal

LETOR = """\
# made by hand
2 qid:10 1:0.05 2:1 #docid = GX000-00-0000000 inc = 1 prob = 0.02
0 qid:10 1:0.10 2:0 #docid = GX001-00-0000000 inc = 1 prob = 0.02
1 qid:11 1:0.10 2:0 #docid = GX000-00-0000000 inc = 1 prob = 0.02
"""
QUEPID = "4\tqid:1 #\t7555 rambo\n3\tqid:1 #\t1370 rambo\n1\tqid:2 #\t1366 rocky\n"
PLAIN = "2 qid:1 1:1\n0 qid:1 1:2\n1 qid:2 1:1\n"


def judged(text: str) -> list[tuple[str, str, float]]:
    """Return query, document and grade of each judgment."""
    judgments = ir.read_judgments(io.StringIO(text))
    docs = judgments.source.ids(judgments.doc).to_list()
    return list(zip(judgments.keys.query.to_list(), docs, judgments.ratings[:, 0].tolist(), strict=True))


def test_documents_of_letor() -> None:
    """A comment of LETOR names the document after docid; comment lines are passed over."""
    assert judged(LETOR) == [
        ("10", "GX000-00-0000000", 2), ("10", "GX001-00-0000000", 0), ("11", "GX000-00-0000000", 1)
    ]  # fmt: skip


def test_documents_of_quepid() -> None:
    """In Quepid's and Elasticsearch's lines the first word of the comment is the document."""
    assert judged(QUEPID) == [("1", "7555", 4), ("1", "1370", 3), ("2", "1366", 1)]


EXPORT = (
    "2\tqid:1234567890\t# docid1\tguidance\n0\tqid:1234567890\t# docid2\tguidance\n1\tqid:98\t# docid3\tred shoes\n"
)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_texts_of_quepid(ends: str, tmp_path: Path) -> None:
    """Behind the document Quepid's export has the text of the query, by which results are joined that have no ids."""
    (tmp_path / "j.txt").write_text(EXPORT, newline=ends)
    rows = [("guidance", "docid2", 2.0), ("guidance", "docid1", 1.0), ("red shoes", "docid3", 1.0)]
    results = [{"query": query, "doc": doc, "score": score} for query, doc, score in rows]
    scores = ir.evaluate(tmp_path / "j.txt", results, ["RR"])
    assert (scores["RR"], len(scores.queries)) == (0.75, 2)
    by_id = [{**row, "query": {"guidance": "1234567890", "red shoes": "98"}[str(row["query"])]} for row in results]
    assert ir.evaluate(tmp_path / "j.txt", by_id, ["RR"])["RR"] == 0.75


def test_texts_that_differ_are_no_queries(tmp_path: Path) -> None:
    """What is behind the document is no text of the query if it differs between lines of one."""
    (tmp_path / "j.txt").write_text(EXPORT.replace("docid2\tguidance", "docid2\ta title"))
    assert ir.read_judgments(tmp_path / "j.txt").source.tables == {}


@pytest.mark.parametrize("comment", ["", " # rambo"])
def test_rows_without_documents(comment: str) -> None:
    """Without a comment, or with one that is the same all through a query, documents are numbered in the query."""
    text = "".join(f"{line}{comment}\n" for line in PLAIN.splitlines())
    assert judged(text) == [("1", "1", 2), ("1", "2", 0), ("2", "1", 1)]


@pytest.mark.heavy
def test_predictions_beside_scikit_learn(tmp_path: Path) -> None:
    """A file that scikit-learn wrote and predictions that NumPy wrote give scikit-learn's nDCG."""
    from sklearn.datasets import dump_svmlight_file
    from sklearn.metrics import ndcg_score

    generator = np.random.default_rng(4)
    grades, scores = generator.integers(0, 4, (5, 12)), generator.normal(size=(5, 12))
    dump_svmlight_file(
        generator.normal(size=(60, 3)), grades.ravel(), str(tmp_path / "train.svm"), query_id=np.repeat(range(5), 12)
    )
    np.savetxt(tmp_path / "predictions.txt", scores.ravel())
    found = tsv("evaluate", "train.svm", "predictions.txt", "-m", "nDCG", "--as", "sklearn", "-v", cwd=tmp_path)
    assert float(found.lines[1].split("\t")[1]) == pytest.approx(ndcg_score(grades, scores), abs=1e-9)
    assert "train.svm: learning-to-rank lines, grades 0 to 3" in found.err
    said = " ".join(found.err.split())
    assert "predictions.txt: predictions for the rows of the judgments, ordered by score" in said


@pytest.mark.parametrize("ending", ["query", "group"])
def test_group_sizes_beside_the_file(ending: str, tmp_path: Path) -> None:
    """Lines without qid belong to the queries whose sizes stand in FILE.query (LightGBM) or FILE.group (XGBoost)."""
    (tmp_path / "train.svm").write_text("# by hand\n2\t1:1 2:3\n0 1:2\n\n1 1:1\n")
    (tmp_path / f"train.svm.{ending}").write_text("2\n1\n")
    (tmp_path / "p.txt").write_text("0.1\n0.2\n0.3\n")
    scores = ir.evaluate(tmp_path / "train.svm", tmp_path / "p.txt", ["nDCG"])
    assert scores.queries == ["1", "2"]
    assert scores["nDCG"] == pytest.approx((1 / math.log2(3) + 1) / 2, abs=1e-12)


def test_predictions_of_a_table() -> None:
    """Predictions may belong to the rows of any judgments; several files are several systems."""
    table = {"query_id": [1, 1, 2], "doc_id": ["a", "b", "a"], "grade": [0, 1, 1]}
    up, down = (io.StringIO("\n".join(rows)) for rows in (["1", "2", "3"], ["3", "2", "1"]))
    scores = ir.evaluate(table, {"up": ir.read_results(up, judgments=ir.read_judgments(table))}, ["RR"])
    assert scores["RR"] == 1
    assert ir.evaluate(table, down, ["RR"])["RR"] == 0.75


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\n2\n", "2 predictions, but judgments has 3 rows. Give one prediction per row, in the same order."),
        ("1\n2\n\n\nx\n", "results line 5: score 'x' is not a number. Give a number, such as 3 or 0.25."),
    ],
)
def test_predictions_that_do_not_fit(text: str, said: str) -> None:
    """Predictions of another number, and one that is no number, are refused."""
    table = {"query_id": [1, 1, 2], "doc_id": ["a", "b", "a"], "grade": [0, 1, 1]}
    assert refusal(lambda: ir.evaluate(table, io.StringIO(text), ["RR"])).endswith(said)


REFUSED = {
    "1 1:1\n2 1:2\n": "judgments line 1: '1 1:1' is a line of features without a query. Write the number of lines of "
    "each query, one per line, into judgments.query, or add qid: after the grade.",
    "1 qid:1 1:1\n1 1:1\n": "judgments line 2: '1 1:1' is not a learning-to-rank line. Give every line a grade, "
    "qid:query and features.",
    "x qid:1 1:1\n": "judgments line 1: grade 'x' is not a number. Give a number, such as 3 or 0.25.",
    "1 qid:1 # d\n2 qid:1 # d\n3 qid:1 # e\n": "judgments line 2: document 'd' is judged a second time for query '1', "
    "with grade 2 after 1 (first: line 1).",
}


@pytest.mark.parametrize("text", REFUSED)
def test_lines_that_are_refused(text: str) -> None:
    """What is wrong with a line is said with its number in the file."""
    assert refusal(lambda: ir.evaluate(io.StringIO(text), {"1": {"d": 1}}, ["RR"])).startswith(REFUSED[text])


def test_comments_that_name_some_documents_only(tmp_path: Path) -> None:
    """A line without its document among lines that name theirs is refused: numbers would replace every name."""
    path = tmp_path / "train.svm"
    path.write_text("2 qid:1 1:0.5 # 7\n1 qid:1 1:0.2 # 9\n0 qid:1 1:0.1\n")
    assert "line 3: no comment names the document of this line, but line 1 names its own '7'" in refusal(
        lambda: ir.read_judgments(path)
    )


@pytest.mark.parametrize(
    ("sizes", "said"), [("2\n2\n", "the groups have 4 lines, but the data has 3"), ("2\nx\n", "line 2: 'x'")]
)
def test_group_sizes_that_do_not_fit(sizes: str, said: str, tmp_path: Path) -> None:
    """Sizes that do not add up, or are no numbers, are refused."""
    (tmp_path / "train.svm").write_text("2 1:1 2:3\n0 1:2\n1 1:1\n")
    (tmp_path / "train.svm.query").write_text(sizes)
    assert said in refusal(lambda: ir.read_judgments(tmp_path / "train.svm"))


def test_lines_are_judgments_and_predictions_are_not() -> None:
    """Learning-to-rank lines are no results, predictions no judgments; the message says what they are."""
    assert "Give judgments first" in refusal(lambda: ir.evaluate({"1": {"d": 1}}, io.StringIO(PLAIN), ["RR"]))
    predictions = io.StringIO("0.1\n0.2\n")
    assert "predictions" in refusal(lambda: ir.evaluate(predictions, {"1": {"d": 1}}, ["RR"]))
    assert "Give these judgments first" in refusal(lambda: ir.read_results(io.StringIO("0.1\n0.2\n")))


NAMED = '# qid:1: q1\n# qid:2: red "shoes"\n\n3 qid:1 # d1\n0 qid:2 # d2\n1 qid:2 # d3\n'


def test_queries_named_by_comments(tmp_path: Path) -> None:
    """Queries that were numbered for the format have their names again; results may use either."""
    assert judged(NAMED) == [("q1", "d1", 3), ('red "shoes"', "d2", 0), ('red "shoes"', "d3", 1)]
    (tmp_path / "j.svm").write_text(NAMED)
    for names in (("q1", 'red "shoes"'), ("1", "2")):
        results = {names[0]: {"d1": 1.0}, names[1]: {"d2": 2.0, "d3": 1.0}}
        assert ir.evaluate(tmp_path / "j.svm", results, ["RR"])["RR"] == (1 + 1 / 2) / 2
    (tmp_path / "bad.svm").write_text(NAMED.replace("0 qid", "inf qid"))
    with pytest.raises(ir.DataError, match=r"bad\.svm line 5: grade 'inf' is not finite"):
        ir.read_judgments(tmp_path / "bad.svm").pool("median", "error")


def test_numbers_that_are_ids_stay(tmp_path: Path) -> None:
    """Other numbers than 1, 2, 3 … are the ids of queries, and the comments are their texts."""
    text = NAMED.replace("qid:1", "qid:71").replace("qid:2", "qid:72")
    assert [row[0] for row in judged(text)] == ["71", "72", "72"]
    (tmp_path / "j.svm").write_text(text)
    results = {"q1": {"d1": 1.0}, 'red "shoes"': {"d3": 2.0}}
    assert ir.evaluate(tmp_path / "j.svm", results, ["RR"])["RR"] == 1.0
    (found,) = ir.peek(tmp_path / "j.svm").files
    assert (found.format, found.contains, found.faults) == ("learning-to-rank lines", ("judgments", "queries"), ())


@pytest.mark.parametrize("comment", [" # d1", ""])
def test_a_query_that_begins_like_a_byte_order_mark(comment: str) -> None:
    """All lines of a query are of one query, whatever its first character is."""
    rows = ir.read_judgments(io.StringIO(f"2 qid:\ufeffq 1:1{comment}\n1 qid:\ufeffq 1:2{comment}2\n")).rows_to_write()
    assert rows.query == ["\ufeffq"] * 2


def test_weights_of_queries_are_no_part_of_their_names(tmp_path: Path) -> None:
    """hello-ltr writes a weight after every query: rambo*1; where only some end so, it is their name."""
    path = tmp_path / "judgments.txt"
    path.write_text("# qid:1: rambo*1\n# qid:2: rocky 2*0.5\n\n2 qid:1 # d1\n1 qid:2 # d2\n")
    assert ir.evaluate(path, {"rambo": {"d1": 1.0}, "rocky 2": {"x": 2.0, "d2": 1.0}}, ["RR"])["RR"] == 0.75
    path.write_text("# qid:1: rambo\n# qid:2: 3*4\n\n2 qid:1 # d1\n1 qid:2 # d2\n")
    assert ir.evaluate(path, {"rambo": {"d1": 1.0}, "3*4": {"x": 2.0, "d2": 1.0}}, ["RR"])["RR"] == 0.75


def test_names_that_end_like_weights_come_back(tmp_path: Path) -> None:
    """Names that all end as if a weight followed are written with one, so that they come back as they are."""
    path = tmp_path / "judgments.svm"
    ir.read_judgments({"3*4": {"d1": 1}, "5*6": {"d2": 1}}).write(path)
    assert ir.evaluate(path, {"3*4": {"d1": 1.0}, "5*6": {"d2": 1.0}}, ["RR"])["RR"] == 1.0


@pytest.mark.parametrize("called", [("group", "label", "prediction"), ("qid", "target", "y_pred")])
def test_a_rankers_table_without_documents(called: tuple[str, str, str], tmp_path: Path) -> None:
    """A group, a label and a prediction in each row are what from_groups takes, from a file and a frame."""
    group, label, prediction = called
    columns = {group: ["a", "a", "b", "b", "b"], label: [1, 0, 2, 0, 1], prediction: [0.2, 0.4, 0.9, 0.1, 0.3]}
    frame = pd.DataFrame(columns)
    frame.to_csv(tmp_path / "v.csv", index=False)
    right = ir.evaluate(*ir.from_groups(columns[label], columns[prediction], columns[group]), ["nDCG@5", "RR"])
    assert right["RR"] == 0.75
    for given in (frame, tmp_path / "v.csv", columns):
        found = ir.evaluate(given, measures=["nDCG@5", "RR"])
        assert found.to_dict()["means"] == right.to_dict()["means"]
        assert "each row is one" in str(found.ledger)


def test_a_word_in_a_rankers_table_is_named_by_its_line(tmp_path: Path) -> None:
    """An id is put beside each row, and the message still says which line it is."""
    (tmp_path / "v.csv").write_text("group,label,prediction\na,1,0.2\na,x,0.3\n")
    assert "v.csv line 3: label 'x' is not a number" in refusal(lambda: ir.evaluate(tmp_path / "v.csv"))
