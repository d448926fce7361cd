"""Spans are read from columns or metadata, and offsets that cannot be right are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.data.read import read_results
from idealrank.data.spans import spans_of

Columns = dict[str, list[Any]]

JUDGED: Columns = {"query": ["q"], "doc": ["d"], "begin": [10], "end": [20], "grade": [1]}


def recall(judged: Any, found: Any) -> float:
    """Return recall over spans."""
    return ir.evaluate(judged, found, ["R"], unit="spans")["R"]


def chunks(begin: list[Any], end: list[Any], **more: list[Any]) -> Columns:
    """Return chunks of one document."""
    many = len(begin)
    ranks = list(range(1, many + 1))
    return {"query": ["q"] * many, "doc": ["d"] * many, "rank": ranks, "begin": begin, "end": end} | more


@pytest.mark.parametrize(
    "names",
    [
        ("begin", "end"),
        ("start_index", "end_index"),  # chunking_evaluation
        ("start_char_idx", "end_char_idx"),  # LlamaIndex's nodes
        ("startOffset", "endOffset"),
        ("from", "to"),
        ("span_start", "span_end"),
        ("start_token", "end_token"),
    ],
)
def test_names_of_columns(names: tuple[str, str]) -> None:
    """Offsets are found under the names that tools give them."""
    table = {"query": ["q"], "doc": ["d"], names[0]: [3], names[1]: [9], "rank": [1]}
    assert spans_of(read_results(table)).offsets.names == ["d[3:9]"]


def test_columns_that_were_named() -> None:
    """Offsets under other names are found once they are named."""
    table = {"query": ["q"], "doc": ["d"], "a": [3], "b": [9], "rank": [1]}
    assert spans_of(read_results(table, begin="a", end="b")).offsets.names == ["d[3:9]"]


def test_chunks_with_ids() -> None:
    """A chunk is called by its own id if it has one, beside the document it is of, whichever columns these are."""
    for chunk, doc in (("chunk_id", "doc_id"), ("chunk_id", "source"), ("node_id", "ref_doc_id")):
        found = spans_of(
            read_results({"query": ["q"], chunk: ["c1"], doc: ["d"], "start": [0], "end": [9], "rank": [1]})
        )
        assert (found.docs.to_list(), found.table.first("")) == (["d"], "c1")


def test_metadata(tmp_path: Path) -> None:
    """LangChain's metadata names the document and where a chunk starts; it ends where its text does."""
    rows = [
        {
            "query_id": "q",
            "id": "c1",
            "score": 2,
            "page_content": "x" * 15,
            "metadata": {"source": "d", "start_index": 0},
        },
        {
            "query_id": "q",
            "id": "c2",
            "score": 1,
            "page_content": "x" * 9,
            "metadata": {"source": "d", "start_index": 15},
        },
    ]
    file = tmp_path / "results.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    found = spans_of(read_results(file))
    assert found.docs.to_list() == ["d", "d"]
    assert (found.offsets.begin.tolist(), found.offsets.end.tolist()) == ([0, 15], [15, 24])
    assert recall(JUDGED, file) == 1


@pytest.mark.parametrize(
    ("results", "name"),
    [
        ([{"id": "c1", "page_content": "x" * 15, "metadata": {"source": "d", "start_index": 0}}], "c1"),
        ([{"node": {"id_": "n1", "start_char_idx": 0, "end_char_idx": 15, "metadata": {"file_name": "d"}}}], "n1"),
    ],
    ids=["LangChain", "LlamaIndex"],
)
def test_objects_within_results(results: list[Any], name: str) -> None:
    """Chunks within the objects that frameworks return are of the document in their metadata, and keep their ids."""
    found = spans_of(read_results([{"query": "q", "results": results}]))
    assert (found.docs.to_list(), found.offsets.names, found.table.first("")) == (["d"], ["d[0:15]"], name)


def test_a_span_judged_twice() -> None:
    """A span that is judged twice is refused as a document is, by its offsets."""
    judged = {name: values * 2 for name, values in JUDGED.items()}
    with pytest.raises(ir.DataError, match=r"'d\[10:20\]' is judged a second time"):
        recall(judged, chunks([0], [20]))


def test_spans_as_documents() -> None:
    """Where a document is judged or returned twice and the rows have offsets, the message says how to score spans."""
    judged = {name: values * 2 for name, values in JUDGED.items()} | {"begin": [10, 30], "end": [20, 40]}
    with pytest.raises(ir.DataError, match=r"judged a second time.*If rows are spans of text: unit=spans\.$"):
        ir.evaluate(judged, chunks([0], [20]), ["R"])
    with pytest.raises(ir.DataError, match=r"returned a second time.*If rows are spans of text: unit=spans\.$"):
        ir.evaluate(JUDGED, chunks([0, 20], [20, 40]), ["R"])
    with pytest.raises(ir.DataError, match=r"returned a second time") as twice:
        recall(JUDGED, chunks([0, 0], [20, 20]))
    assert "unit=spans" not in str(twice.value)


def test_the_doctor() -> None:
    """Two spans of one document are no duplicates; the same chunk twice is one."""
    judged = {name: values * 2 for name, values in JUDGED.items()} | {"begin": [10, 30], "end": [20, 40]}
    found = [finding.name for finding in ir.doctor(judged, chunks([0, 20], [20, 40]), unit="spans").findings]
    assert "duplicates" not in found
    found = [finding.name for finding in ir.doctor(judged, chunks([0, 0], [20, 20]), unit="spans").findings]
    assert "duplicates" in found


@pytest.mark.parametrize(
    ("begin", "end", "message"),
    [
        (
            [5, 30, 9, 40, 3],
            [2, 30, 1, 50, 1],
            r"results: 4 spans with an end that is not after its begin: d\[5:2\] in row 0, d\[30:30\] in row 1, "
            r"d\[9:1\] in row 2 and 1 more\. Offsets count from 0: begin is the first character, end the one after",
        ),
        (
            [0, None],
            [5, None],
            r"results: 1 span without a begin or an end: d\[\?:\?\] in row 1\. Give every span both",
        ),
        ([-1, 0.5], [5, 5], r"results: 2 spans with an offset below 0, not whole, .* d\[-1:5\] in row 0, d\[0.5:5\]"),
        ([0, "x"], [5, 6], r"results row 1: begin 'x' is not a number"),
    ],
)
def test_offsets_that_are_no_span(begin: list[Any], end: list[Any], message: str) -> None:
    """Offsets that are no span are refused with their number and three of them."""
    with pytest.raises(ir.DataError, match=message):
        recall(JUDGED, chunks(begin, end))


def test_no_offsets() -> None:
    """A table without offsets is refused with the columns it has."""
    found = chunks([0], [9])
    del found["end"]
    with pytest.raises(ir.DataError, match=r"no begin or end column.*Found: query, doc, rank, begin\. Name them"):
        recall(JUDGED, found)


def test_tables_without_names(tmp_path: Path) -> None:
    """A dict of dicts and a TREC run have no place for offsets; a system that returned nothing needs none."""
    run = tmp_path / "x.run"
    run.write_text("q Q0 d 1 2.0 x\n", "utf-8")
    for found, form in (({"q": {"d": 1.0}}, "dict of dicts"), (run, "TREC run")):
        with pytest.raises(ir.DataError, match=rf"{form}, without a begin and an end.*Give a table with named columns"):
            recall(JUDGED, found)
    means = ir.evaluate(JUDGED, {"some": chunks([0], [12]), "none": {}}, ["R"], unit="spans").means
    assert (means["some"], means["none"]) == ([1.0], [0.0])


def test_beyond_their_own_text() -> None:
    """Chunks that are longer than their texts are refused: é is one character, and two bytes."""
    text = "né à Genève, déjà"
    found = chunks([0], [len(text.encode())], text=[text])
    assert len(text.encode()) == 22
    with pytest.raises(ir.DataError, match=r"1 span beyond the end of their own text: d\[0:22\] in row.*leave it out"):
        recall(JUDGED, found)
    assert recall(JUDGED, chunks([0], [len(text)], text=[text])) == 1


def test_beyond_the_document(tmp_path: Path) -> None:
    """Spans that end beyond their document are refused where a folder contains its text, and by a report of texts."""
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"_id": "d", "title": "", "text": "x" * 15}) + "\n", "utf-8")
    (tmp_path / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "why"}) + "\n", "utf-8")
    rows = "query-id\tcorpus-id\tscore\tbegin\tend\nq\td\t1\t10\t20\n"
    (tmp_path / "qrels" / "test.tsv").write_text(rows, "utf-8")
    message = r"1 span beyond the end of the document: d\[10:20\] in (line 2|row 0)\."
    with pytest.raises(ir.DataError, match=message):
        recall(tmp_path, chunks([0], [12]))
    scores = ir.evaluate(JUDGED, chunks([0], [12]), ["R"], unit="spans")
    with pytest.raises(ir.DataError, match=message):
        ir.report(scores, documents={"id": ["d"], "text": ["x" * 15]})
    ir.report(scores, documents={"id": ["d"], "text": ["x" * 20]})


def test_characters_and_tokens() -> None:
    """Spans in characters and chunks in tokens are refused, with the number of each and three of them."""
    found = chunks([0, 9, 20, 30], [9, 20, 30, 40])
    found["start_token"], found["end_token"] = found.pop("begin"), found.pop("end")
    message = (
        r"judgments: 1 span in characters \(d\[10:20\] in row 0\), and 4 spans in tokens in results "
        r"\(d\[0:9\] in row 0, d\[9:20\] in row 1, d\[20:30\] in row 2 and 1 more\)\. Offsets of one kind"
    )
    with pytest.raises(ir.DataError, match=message):
        recall(JUDGED, found)
    assert recall(JUDGED | {"offsets": ["tokens"]}, found) == 1


def test_both_in_one_table() -> None:
    """A table that says of some rows that they count tokens is refused, with the number of each."""
    found = chunks([0, 9, 20], [9, 20, 30], offsets=["chars", "tokens", "chars"])
    message = r"results: 2 spans in characters \(d\[0:9\] in row 0, d\[20:30\] in row 2\), and 1 span in tokens"
    with pytest.raises(ir.DataError, match=message):
        recall(JUDGED, found)


def test_tokens_that_nobody_mentioned() -> None:
    """Lengths near the number of words, far from that of characters, must be said to count tokens, or characters."""
    text = "retrieval evaluation measures relevance"
    found = chunks([0], [5], text=[text])
    with pytest.raises(
        ir.DataError, match=r"1 span of which none is half as long as its text.*column offsets that says"
    ):
        recall(JUDGED, found)
    assert recall(JUDGED | {"begin": [3], "offsets": ["tokens"]}, found | {"offsets": ["tokens"]}) == 1
    assert recall(JUDGED | {"begin": [3]}, found | {"offsets": ["characters"]}) == 1


def test_other_documents() -> None:
    """Chunks of documents that nobody judged are refused: their ids differ."""
    with pytest.raises(ir.DataError, match=r"No chunk in results is of a document with judged spans.*'e\.md'.*'d'"):
        recall(JUDGED, chunks([0], [9]) | {"doc": ["e.md"]})
    assert recall(JUDGED, chunks([0], [9])) == 0


@pytest.mark.parametrize("name", ["file", "path", "filename"])
def test_objects_of_a_file_with_start_and_end_are_spans(tmp_path: Path, name: str) -> None:
    """In a golden set, `sources: [{file, start, end}]` are spans of documents that are called by their files."""
    golden = tmp_path / "golden.yaml"
    golden.write_text(
        f"- question: one\n  sources:\n    - {{{name}: a.md, start: 0, end: 50}}\n"
        f"    - {{{name}: b.md, start: 10, end: 40}}\n"
        f"- question: two\n  sources:\n    - {{{name}: c.md, start: 0, end: 50}}\n"
    )
    found = [
        {
            "question": "one",
            "retrieved": [{name: "a.md", "start": 0, "end": 60}, {name: "b.md", "start": 90, "end": 99}],
        },
        {"question": "two", "retrieved": [{name: "c.md", "start": 5, "end": 30}]},
    ]
    results = tmp_path / "found.jsonl"
    results.write_text("".join(f"{json.dumps(row)}\n" for row in found))
    assert ir.evaluate(golden, results, ["R"])["R"] == 1.0
    assert ir.evaluate(golden, results, ["R"], unit="spans")["R"] == 0.75


def test_what_a_document_says_of_all_its_lists_grades_none(tmp_path: Path) -> None:
    """The version of a golden set and a query's difficulty, beside lists of sources, are no grades of these."""
    golden = tmp_path / "golden.json"
    sources = [{"file": "a.md", "start": 0, "end": 50}, {"file": "b.md", "start": 10, "end": 40}]
    asked = [{"id": "q", "question": "one", "difficulty": 2, "kind": "easy", "sources": sources}]
    golden.write_text(json.dumps({"version": 1, "questions": asked}))
    results = {"query": ["q"], "doc": ["a.md"], "begin": [0], "end": [50]}
    assert ir.evaluate(golden, results, ["R"], unit="spans")["R"] == 0.5


def test_a_span_returned_twice_is_not_said_to_be_a_part_of_a_document() -> None:
    """Where rows are read as spans, the message on one that comes twice proposes no other unit."""
    with pytest.raises(ir.DataError, match=r"'d\[0:9\]' is returned a second time.*or choose: [^.]*\.$"):
        recall(JUDGED, chunks([0, 0], [9, 9]))
