"""Results by query, whole documents of tools, and single documents: alike in Python and in a file."""

from __future__ import annotations

import json
import uuid
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import idealrank as ir

Hit = namedtuple("Hit", "id score")
JUDGMENTS = {"q1": {"c1": 1}, "q2": {"c2": 1}}
FIRST, SECOND = ["c2", "c1"], ["c2", "c3"]
"""By hand: c1 is at rank 2 for q1, c2 at rank 1 for q2, so RR is 0.75."""


def saved(document: Any, path: Path) -> Path:
    """Write a document as JSON, or its parts one per line."""
    path.write_text("\n".join(map(json.dumps, document)) if path.suffix == ".jsonl" else json.dumps(document))
    return path


def scored(docs: list[str]) -> list[tuple[str, float]]:
    """Return documents with scores from 1 down."""
    return [(doc, 1 / place) for place, doc in enumerate(docs, 1)]


def response(docs: list[str]) -> dict[str, Any]:
    """Return the answer of Elasticsearch to a search."""
    hits = [{"_index": "i", "_id": doc, "_score": score, "_source": {}} for doc, score in scored(docs)]
    return {"took": 1, "hits": {"total": {"value": 2, "relation": "eq"}, "hits": hits}}


@pytest.mark.parametrize(
    "one",
    [
        lambda doc, score: SimpleNamespace(id=doc, score=score),
        lambda doc, score: {"id": doc, "score": score},
        lambda doc, score: {"id": doc, "score": score, "tag": "x", "user": "y"},
        lambda doc, score: {"id": doc, "score": score, "metadata": {"a": 1}},
        lambda doc, score: (doc, score),
        lambda doc, score: Hit(doc, score),
        lambda doc, score: doc,
    ],
    ids=["objects", "dicts", "dicts with names of systems", "nested", "pairs", "named tuples", "ids"],
)
def test_results_by_query(one: Any) -> None:
    """A dict of lists is results by query, whatever the lists contain and whether or not they are of one length."""
    results = {"q1": [one(*pair) for pair in scored(FIRST)], "q2": [one(*pair) for pair in scored(SECOND)]}
    assert ir.evaluate(JUDGMENTS, results, ["RR"])["RR"] == 0.75
    results["q1"].append(one("c9", 0.1))
    assert ir.evaluate(JUDGMENTS, results, ["RR"])["RR"] == 0.75


def test_whole_numbers_by_query() -> None:
    """Ids may be whole numbers; columns with names that are chosen are columns all the same."""
    assert ir.evaluate({"q1": [1], "q2": [2]}, {"q1": [2, 1], "q2": [2, 3]}, ["RR"])["RR"] == 0.75
    table = ir.read_judgments({"a": [1, 1], "b": [3, 4], "c": [1, 0]}, query="a", doc="b", grade="c")
    assert table.ratings.ravel().tolist() == [1, 0]


def test_lists_of_rows_that_name_their_queries_are_systems() -> None:
    """Rows that name other queries than the keys of the dict are a system's."""
    rows = [{"query": "q1", "doc": "c1", "score": 1.0}, {"query": "q2", "doc": "c2", "score": 1.0}]
    assert ir.evaluate(JUDGMENTS, {"a": rows, "b": rows}, ["RR"]).systems == ("a", "b")


NUMBERED = {"1": {"c1": 1}, "2": {"c2": 1}}
BY_QUERY = {"q1": FIRST, "q2": SECOND}


def test_multi_searches_of_two_systems() -> None:
    """A dict of multi-searches names systems."""
    systems = {name: {"responses": [response(FIRST), response(SECOND)]} for name in "ab"}
    assert ir.evaluate(NUMBERED, systems, ["RR"]).systems == ("a", "b")


def test_replay_says_what_to_return() -> None:
    """A function that returns a whole response is told what to return instead."""
    with pytest.raises(ir.DataError, match=r"returned a dict with took, hits, .*hit\[\"_id\"\], hit\[\"_score\"\]"):
        ir.replay({"q1": "shoes"}, lambda text: response(FIRST))


RAGAS = [
    {
        "user_input": query, "reference": "Paris", "retrieved_contexts": ["It is Paris.", "It is not Rome."],
        "reference_contexts": ["It is Paris."], "retrieved_context_ids": docs, "reference_context_ids": [good],
    }
    for query, docs, good in (("q1", FIRST, "c1"), ("q2", SECOND, "c2"))
]  # fmt: skip


@pytest.mark.parametrize("form", ["rows", "samples", "dataset", "json"])
def test_ragas_with_texts_and_ids(form: str, tmp_path: Path) -> None:
    """Of Ragas rows, the ids are compared, and that the texts are left out is said."""
    samples = [SimpleNamespace(**row) for row in RAGAS]
    forms = {"rows": RAGAS, "samples": samples, "dataset": SimpleNamespace(samples=samples)}
    data = forms[form] if form in forms else saved(RAGAS, tmp_path / f"x.{form}")
    assert ir.evaluate(data, measures=["RR"])["RR"] == 0.75
    left = "documents are compared by id; left out: retrieved_contexts, reference_contexts"
    assert left in ir.peek(data).files[0].notes


@pytest.mark.parametrize("name", ["expected_id", "ground_truth", "document", "gold", "expected_doc"])
def test_one_expected_document(name: str, tmp_path: Path) -> None:
    """A single id beside the results is the relevant document."""
    rows = [
        {"question": q, name: good, "retrieved": docs} for q, docs, good in (("x y", FIRST, "c1"), ("z", SECOND, "c2"))
    ]
    for data in (rows, saved(rows, tmp_path / "x.json")):
        assert ir.evaluate(data, measures=["RR"])["RR"] == 0.75


def test_one_document_per_query() -> None:
    """{query: document} is a relevant document per query."""
    assert ir.evaluate({"q1": "c1", "q2": "c2"}, BY_QUERY, ["RR"])["RR"] == 0.75


@pytest.mark.parametrize("name", ["retriever", "system"])
def test_one_row_per_question_and_retriever(name: str, tmp_path: Path) -> None:
    """The expected documents may be the same in the row of each retriever, which is a system."""
    rows = [
        {"question": "a", name: system, "expected_ids": ["c1"], "retrieved_ids": docs}
        for system, docs in (("bm25", FIRST), ("dense", ["c1", "c2"]))
    ]
    for data in (rows, saved(rows, tmp_path / "x.jsonl"), saved(rows, tmp_path / "x.json")):
        scores = ir.evaluate(data, measures=["RR"])
        assert [scores["RR", system] for system in ("bm25", "dense")] == [0.5, 1.0]


def test_equal_judgments_of_lists() -> None:
    """The same judgment in two lists is one and none is counted as dropped; another grade is refused."""
    rows = [{"question": "a", "relevant_ids": ["c1"], "grades": [1]}] * 2
    scores = ir.evaluate(rows, {"a": FIRST}, ["RR"])
    assert scores["RR"] == 0.5
    assert not any("duplicate" in note for note in scores.ledger.notes)
    with pytest.raises(ir.DataError, match=r"row 1: document 'c1' is judged a second time .* with grade 2 after 1"):
        ir.evaluate([rows[0], {**rows[0], "grades": [2]}], {"a": FIRST}, ["RR"])


def test_a_place_in_a_dict_of_lists() -> None:
    """A bad score is named by its query."""
    with pytest.raises(ir.DataError, match="results 'q2': score 'x' is not a number"):
        ir.evaluate(JUDGMENTS, {"q1": [{"id": "c1", "score": 1}], "q2": [{"id": "c1", "score": "x"}]}, ["RR"])


def test_peek_names_forms_in_memory() -> None:
    """Peek calls a dict of columns and a list of rows by their names, not a dataframe."""
    columns = {"query": ["a", "b"], "doc": ["x", "y"], "grade": [1, 0]}
    found = ir.peek(columns, pd.DataFrame(columns).to_dict("records"))
    assert [file.format for file in found.files] == ["a dict of columns", "a list of rows"]


@pytest.mark.parametrize(
    ("judgments", "results", "message"),
    [
        ({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": None}}, "results['q1']['b']: the score is missing"),
        ({"q1": {"a": 1}}, {"q1": {"a": 1.0}, "q2": None}, "results['q2'] is None, not a dict of documents."),
        ({"q1": None, "q2": {"a": 1}}, {"q1": {"a": 1.0}}, "judgments['q1'] is None, not a dict of documents."),
    ],
)
def test_none_in_a_dict(judgments: object, results: object, message: str) -> None:
    """None in the place of a score or of a query's documents is named with its query and document."""
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(judgments, results, ["RR"])
    assert str(refused.value).startswith(message)


def test_a_query_spelt_twice_in_a_dict() -> None:
    """Two keys that are one id, "1" and "1.0", are one query: a document in both is twice in it, and refused."""
    judgments, results = {"1": {"a": 1}}, {"1": {"a": 2.0, "b": 3.0}, "1.0": {"a": 5.0}}
    with pytest.raises(ir.DataError, match="document 'a' is returned a second time for query '1'"):
        ir.evaluate(judgments, results, ["RR"])
    assert ir.evaluate(judgments, results, ["RR"], duplicates="first")["RR"] == 0.5
    with pytest.raises(ir.DataError, match="document 'a' is judged a second time for query '1'"):
        ir.evaluate({"1": {"a": 1}, "1.0": {"a": 2}}, {"1": {"a": 1.0}}, ["RR"])
    apart = {"1": {"b": 3.0}, "1.0": {"a": 2.0}}
    assert ir.evaluate(judgments, apart, ["RR"])["RR"] == 0.5


@pytest.mark.parametrize("kind", [set, frozenset])
def test_results_without_an_order_are_refused(kind: type) -> None:
    """A set of results has no first document; as judgments, or with one document, a set is fine."""
    with pytest.raises(ir.DataError, match=r"^results\['q1'\]: a set has no order"):
        ir.evaluate({"q1": {"a": 1}}, {"q1": kind(["b", "a"])}, ["RR"])
    with pytest.raises(ir.DataError, match="a set has no order"):
        ir.evaluate({"q1": {"a": 1}}, [{"query": "q1", "retrieved_ids": kind(["b", "a"])}], ["RR"])
    with pytest.raises(ir.DataError, match="a set has no order"):
        ir.from_ranking(kind(["b", "a"]), {"a": 1})  # type: ignore[arg-type]
    assert ir.evaluate({"q1": kind(["b", "a"])}, {"q1": kind(["a"])}, ["R@5"])["R@5"] == 0.5


NOTHING: dict[str, Any] = {
    "lists by query": {"q1": [], "q2": []},
    "dicts by query": {"q1": {}, "q2": {}},
    "rows": [{"query": "q1", "results": []}, {"query": "q2", "results": []}],
    "rows of ids": [{"query": "q1", "retrieved_ids": []}, {"query": "q2", "retrieved_ids": []}],
}


@pytest.mark.parametrize("form", NOTHING)
@pytest.mark.parametrize("where", ["memory", "json", "jsonl"])
def test_nothing_was_returned_for_any_query(form: str, where: str, tmp_path: Path) -> None:
    """Queries whose lists are all empty count 0 each, as an empty list among others does."""
    data = NOTHING[form]
    if where == "jsonl" and isinstance(data, dict):
        pytest.skip("a document, not lines of them")
    text = "\n".join(map(json.dumps, data)) if where == "jsonl" else json.dumps(data)
    (tmp_path / f"r.{where}").write_text(text)
    results = data if where == "memory" else tmp_path / f"r.{where}"
    scores = ir.evaluate({"q1": {"d1": 1}, "q2": {"d2": 1}}, results, ["RR"])
    assert (scores["RR"], list(scores.queries)) == (0, ["q1", "q2"])
    assert "nothing returned" in str(scores.ledger)


HITS = [{"_index": "i", "_id": "d2", "_score": 2.0}, {"_index": "i", "_id": "d1", "_score": 1.0}]
CALLED: dict[str, Any] = {
    "Elasticsearch": {"took": 3, "timed_out": False, "hits": {"total": {"value": 2, "relation": "eq"}, "hits": HITS}},
    "a store of vectors": {"matches": [{"id": "d2", "score": 2.0}, {"id": "d1", "score": 1.0}], "namespace": ""},
    "scores": {"d2": 2.0, "d1": 1.0},
}


@pytest.mark.parametrize("answer", CALLED)
@pytest.mark.parametrize("query", ["a", "q", "query", "topic", "id"])
def test_the_only_query_is_called_like_a_column(query: str, answer: str, tmp_path: Path) -> None:
    """A dict or a file of one query is read as one of several, whatever the query is called."""
    (tmp_path / "r.json").write_text(json.dumps({query: CALLED[answer]}))
    for results in ({query: CALLED[answer]}, tmp_path / "r.json"):
        assert ir.evaluate({query: {"d1": 1}}, results, ["RR"])["RR"] == 0.5
    if query in ("q", "query"):
        assert ir.evaluate({query: ["d1"]}, {query: ["d2", "d1"]}, ["RR"])["RR"] == 0.5


def test_uuids_of_arrow_are_text_with_dashes(tmp_path: Path) -> None:
    """Columns of UUIDs are the same ids in pandas, in Arrow, and in files of Arrow and Parquet, whoever wrote them."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    ids = [uuid.UUID(int=5), uuid.UUID(int=4)]
    column = pyarrow.array([each.bytes for each in ids] + [None], pyarrow.uuid())
    table = pyarrow.table({"query": ["a", "a", "b"], "doc": column, "score": [2.0, 1.0, 1.0]})
    parquet.write_table(table, tmp_path / "r.parquet")
    parquet.write_table(table, tmp_path / "s.parquet", store_schema=False)
    feather.write_feather(table, tmp_path / "r.arrow")
    frame = pd.DataFrame({"query": ["a", "a"], "doc": ids, "score": [2.0, 1.0]})
    backed = table.to_pandas(types_mapper=pd.ArrowDtype)
    for results in (table, frame, backed, *(tmp_path / name for name in ("r.parquet", "s.parquet", "r.arrow"))):
        assert ir.evaluate({"a": {str(ids[1]): 1}}, results, ["RR"])["RR"] == 0.5


def test_objects_of_polars_are_read_as_objects() -> None:
    """Columns of Python objects are their ids or lists, not their addresses; a set has no order there, too."""
    polars, ids = pytest.importorskip("polars"), [uuid.UUID(int=5), uuid.UUID(int=4)]
    judged = {"a": {str(ids[1]): 1}}
    for column, cells in (("doc", ids), ("retrieved_ids", [ids])):
        frame = polars.DataFrame({"query": ["a"] * len(cells), column: cells}, schema_overrides={column: polars.Object})
        assert ir.evaluate(judged, frame, ["RR"])["RR"] == 0.5
    sets = polars.DataFrame(
        {"query": ["a"], "retrieved_ids": [{*ids}]}, schema_overrides={"retrieved_ids": polars.Object}
    )
    with pytest.raises(ir.DataError, match="a set has no order"):
        ir.read_results(sets)


@pytest.mark.parametrize(("bits", "exact"), [(32, 1 << 24), (16, 1 << 11)])
def test_ids_in_short_floats(bits: int, exact: int, tmp_path: Path) -> None:
    """Ids in floats that cannot hold them exactly are refused, in arrays and in files: several may be one number."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    said = "doc is a float of 32 bits or fewer, .* Store ids as text or int64"
    for last, fits in ((exact - 1, True), (exact + 2, False)):
        docs = np.array([1, last], f"float{bits}")
        table = pyarrow.table({"query": ["a", "a"], "doc": docs, "score": [2.0, 1.0]})
        parquet.write_table(table, tmp_path / "r.parquet")
        for results in ({"query": ["a", "a"], "doc": docs, "score": [2.0, 1.0]}, table, tmp_path / "r.parquet"):
            if fits:
                assert ir.evaluate({"a": {str(last): 1}}, results, ["RR"])["RR"] == 0.5
            else:
                with pytest.raises(ir.DataError, match=said):
                    ir.evaluate({"a": {"1": 1}}, results, ["RR"])


@pytest.mark.parametrize("orient", ["columns", "index", "split", "records"])
def test_a_frame_as_an_object(orient: Any, tmp_path: Path) -> None:
    """Whatever form pandas' to_json and to_dict give a table, it is that table, also where a file is long."""
    rows = [(f"q{n // 9}", f"d{n % 9}", n % 9 + 1) for n in range(9_000)]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "rank"], index=range(7, 9_007))
    frame.to_json(tmp_path / "run.json", orient=orient)
    as_dict = frame.to_dict("dict" if orient == "columns" else orient)
    for results in (tmp_path / "run.json", as_dict):
        read = ir.read_results(results).rows_to_write()
        assert list(zip(read.query, read.doc, strict=True)) == [row[:2] for row in rows]


@pytest.mark.parametrize("orient", ["columns", "index", "split", "table"])
@pytest.mark.parametrize("many", [4, 9_000])
@pytest.mark.parametrize("texts", [False, True])
def test_a_frame_as_an_object_under_other_names(orient: Any, many: int, texts: bool, tmp_path: Path) -> None:
    """Columns whose names say nothing are no queries with scores: idealrank asks for them, and takes the answer."""
    rows = [(n // 2, 100 + n, n % 2 + 1) for n in range(many)]
    frame = pd.DataFrame(rows, columns=["Suchanfrage", "Artikel", "Rang"])
    frame = frame.astype({"Suchanfrage": str, "Artikel": str}) if texts else frame
    frame.to_json(tmp_path / "run.json", orient=orient)
    forms: list[Any] = [tmp_path / "run.json", json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))]
    for results in forms:
        with pytest.raises(ir.DataError, match="Suchanfrage, Artikel, Rang"):
            ir.read_results(results).rows_to_write()
        read = ir.read_results(results, query="Suchanfrage", doc="Artikel", rank="Rang").rows_to_write()
        assert list(zip(read.query, read.doc, strict=True)) == [(str(row[0]), str(row[1])) for row in rows]


@pytest.mark.parametrize("orient", ["columns", "index"])
def test_a_frame_of_small_numbers_as_an_object(orient: Any, tmp_path: Path) -> None:
    """Ids as small as grades may be either: idealrank asks, and reads the columns that are named. RR is 1 and 1/2."""
    judged = pd.DataFrame({"Suche": [1, 1, 1, 2, 2], "Artikel": [0, 1, 2, 3, 4], "Note": [0, 1, 2, 0, 1]})
    found = pd.DataFrame({"Suche": [1, 1, 2, 2], "Artikel": [2, 0, 3, 4], "Rang": [1, 2, 1, 2]})
    for table, name in ((judged, "judgments.json"), (found, "results.json")):
        table.to_json(tmp_path / name, orient=orient)
    named = {"query": "Suche", "doc": "Artikel"}
    texts = [(tmp_path / name).read_text() for name in ("judgments.json", "results.json")]
    for judgments, results in ((tmp_path / "judgments.json", tmp_path / "results.json"), map(json.loads, texts)):
        with pytest.raises(ir.DataError, match=r"Suche, Artikel, Note can be columns .*doc='Artikel'"):
            ir.evaluate(judgments, results, ["RR"])
        sides = ir.read_judgments(judgments, **named, grade="Note"), ir.read_results(results, **named, rank="Rang")
        assert ir.evaluate(*sides, ["RR"])["RR"] == 0.75


@pytest.mark.parametrize("orient", ["columns", "index", "split", "table"])
@pytest.mark.parametrize("cells", [[["c", "a"], ["b"]], ["['c' 'a']", "['b']"]])
def test_a_frame_of_lists_as_an_object(orient: Any, cells: list[Any], tmp_path: Path) -> None:
    """Lists in the cells of a frame are read from each of its forms, as lists or as text: RR is 1/2 and 1."""
    pd.DataFrame({"query_id": ["q1", "q2"], "retrieved_ids": cells}).to_json(tmp_path / "run.json", orient=orient)
    forms: list[Any] = [tmp_path / "run.json", json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))]
    for results in forms:
        assert ir.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, results, ["RR"])["RR"] == 0.75


def test_grades_of_numbered_documents_are_no_cells() -> None:
    """Queries that all name the documents 0, 1, … are queries, not columns, also where all grades are whole."""
    judgments = {"shoes": {"0": 0, "1": 3, "2": 1}, "bags": {"0": 2, "1": 0, "2": 1}, "hats": {"0": 1, "1": 1, "2": 0}}
    assert ir.evaluate(judgments, {"shoes": {"1": 2.0}, "bags": {"1": 1.0}, "hats": {"2": 1.0}}, ["RR"])["RR"] == 1 / 3


def test_the_rows_of_a_frame_by_column_are_told_by_their_labels(tmp_path: Path) -> None:
    """A column whose cells stand in another order than those of the first has them in the same rows."""
    columns = {"query": {"0": "q1", "1": "q2"}, "doc": {"1": "b", "0": "a"}, "grade": {"0": 1, "1": 3}}
    (tmp_path / "judgments.json").write_text(json.dumps(columns))
    for judgments in (columns, tmp_path / "judgments.json"):
        read = ir.read_judgments(judgments).rows_to_write()
        assert [*zip(read.query, read.doc, strict=True)] == [("q1", "a"), ("q2", "b")]


@pytest.mark.parametrize("query", ["judgmentRatings", "root", "querySetQueries", "task_name", "event_attributes"])
def test_dicts_of_numbers_are_queries_and_documents_whatever_they_are_called(query: str) -> None:
    """A query may be called as a field of a tool's document: that has no numbers alone."""
    judged, results = {query: {"fields": 1, "d": 0}}, {query: {"fields": 2.0, "d": 3.0}}
    assert ir.evaluate(judged, results, ["RR"])["RR"] == 0.5
    assert ir.evaluate(judged, {"a": results, "b": results}, ["RR"])["RR"] == {"a": 0.5, "b": 0.5}
    assert ir.evaluate(judged, [results, results], ["RR"])["RR"] == {"results 1": 0.5, "results 2": 0.5}


@pytest.mark.parametrize("query", [0, "0"])
def test_a_query_called_0_without_documents(query: object) -> None:
    """A dict that may be rows from 0, but has no column, is one of queries."""
    with pytest.raises(ir.DataError, match="nobody has graded anything yet"):
        ir.evaluate({query: {}}, {query: {"d": 1.0}}, ["RR"])
