"""What people pass besides the plainest form of a tool's document."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import idealrank as ir
from idealrank.data.formats import shapes
from idealrank.data.formats.shapes import engines, tools
from idealrank.data.recognition.folder import look_into
from tests.cli.terminal import run
from tests.data.shapes.toy import JUDGMENTS, NDCG, POSITIVE, RESULTS, lines, ratings, search

SNAPSHOT: dict[str, Any] = {
    "id": 1,
    "docs": {
        str(number): [{"id": "d2", "rated_only": True}, *({"id": doc, "rated_only": False} for doc in docs)]
        for number, docs in enumerate(RESULTS.values(), 31)
    },
    "queries": [
        {"query_id": number, "query_text": query, "ratings": JUDGMENTS[query]}
        for number, query in enumerate(RESULTS, 31)
    ],
    "scores": [],
}
"""As Quepid's show.json.jbuilder writes it: documents by the number of the query, ratings in the list of queries."""


def saved(folder: Path, document: Any, name: str = "x.json") -> Path:
    """Write a JSON document."""
    path = folder / name
    path.write_text(json.dumps(document))
    return path


def test_a_snapshot_alone(tmp_path: Path) -> None:
    """A snapshot contains the ratings of its case; documents that were only rated were not returned."""
    assert ir.evaluate(saved(tmp_path, SNAPSHOT), measures=["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_a_snapshot_and_judgments_by_text(tmp_path: Path) -> None:
    """A snapshot numbers its queries, and knows their texts, by which they meet those of a case."""
    scores = ir.evaluate(JUDGMENTS, saved(tmp_path, SNAPSHOT), ["nDCG@10"])
    assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_a_snapshot_without_ratings_is_only_results(tmp_path: Path) -> None:
    """Without ratings, a snapshot cannot be evaluated alone."""
    bare = {**SNAPSHOT, "queries": [{**query, "ratings": {}} for query in SNAPSHOT["queries"]]}
    with pytest.raises(ir.DataError, match="contains results, but no judgments"):
        ir.evaluate(saved(tmp_path, bare), measures=["RR"])


def test_ids_on_both_sides_meet_by_text(tmp_path: Path) -> None:
    """A UBI log has an id for each search; judgments with other ids and the same texts meet it."""
    log = tmp_path / "ubi.ndjson"
    log.write_text(
        lines([{"query_id": f"u-{q}", "user_query": f"text {q}", "query_response_hit_ids": [*docs]}
               for q, docs in RESULTS.items()])
    )  # fmt: skip
    rows = [
        {"query_id": q, "query": f"text {q}", "doc_id": d, "grade": g}
        for q, docs in JUDGMENTS.items()
        for d, g in docs.items()
    ]
    assert ir.evaluate(rows, log, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_numbered_searches_meet_by_a_table_of_queries(tmp_path: Path) -> None:
    """The queries of a multi-search are numbers; a table says their texts, which the judgments know, too."""
    path = saved(tmp_path, {"responses": [search(query) for query in RESULTS]})
    rows = [
        {"query_id": f"id {q}", "query": q, "doc_id": d, "grade": g}
        for q, docs in JUDGMENTS.items()
        for d, g in docs.items()
    ]
    queries = {"id": [1, 2], "query": [*RESULTS]}
    assert ir.evaluate(rows, path, ["nDCG@10"], queries=queries)["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_ids_of_vespa_are_their_owners(tmp_path: Path) -> None:
    """Of Vespa's id:namespace:type::id, the last part is the id that its owner chose; documentid goes before id."""
    for fields in (False, True):
        hits = [
            {"id": "index:shop/0/1", "relevance": score, "fields": {"documentid": f"id:shop:product::{doc}"}}
            if fields
            else {"id": f"id:shop:product::{doc}", "relevance": score}
            for doc, score in RESULTS["q1"].items()
        ]
        path = saved(tmp_path, {"root": {"fields": {"totalCount": 3}, "children": hits}}, "q1.json")
        scores = ir.evaluate({"q1": JUDGMENTS["q1"]}, path, ["nDCG@10"])
        assert scores["nDCG@10"] == pytest.approx(2 * NDCG - 1, abs=1e-12)


def document(doc: str) -> SimpleNamespace:
    """Return a document as LangChain does, which has its id in its metadata."""
    return SimpleNamespace(id=None, page_content="…", metadata={"source": doc})


FOUND: dict[str, Any] = {
    "documents with scores": {q: [(document(d), s) for d, s in docs.items()] for q, docs in RESULTS.items()},
    "source_documents": [{"query": q, "source_documents": [*map(document, docs)]} for q, docs in RESULTS.items()],
    "source_nodes": [
        {"query": q,
         "source_nodes": [SimpleNamespace(node=SimpleNamespace(node_id=d), score=s) for d, s in docs.items()]}
        for q, docs in RESULTS.items()
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_results_in_python(name: str) -> None:
    """What retrievers return in Python gives the number calculated by hand."""
    assert ir.evaluate(JUDGMENTS, FOUND[name], ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_documents_in_memory() -> None:
    """A tool's document that is already a dict, and a LlamaIndex dataset as an object, are read like their files."""
    rated = ratings("_id", "rating")
    request = {"requests": [{"id": query, "ratings": docs} for query, docs in rated.items()]}
    assert ir.evaluate(request, RESULTS, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)
    dataset = SimpleNamespace(queries={q: f"text {q}" for q in POSITIVE}, corpus={"d1": "One"}, relevant_docs=POSITIVE)
    assert ir.evaluate(dataset, RESULTS, ["R@10"])["R@10"] == 1


def test_ratings_of_returned_documents_are_said_to_be_that(tmp_path: Path) -> None:
    """A ranking evaluation's response has no ratings of missed documents, and the ledger says where they are."""
    hits = [{"hit": {"_id": doc, "_score": score}, "rating": 1} for doc, score in RESULTS["q1"].items()]
    path = saved(tmp_path, {"metric_score": 1, "details": {"q1": {"hits": hits}}})
    assert "all ratings are in the request" in ir.evaluate(path, measures=["RR"]).ledger.tables[0].text


def test_every_tool_is_listed() -> None:
    """Every function that plans a tool's documents is in the tuple of those that are asked."""
    names = {*vars(engines), *vars(tools)}
    planning = {name for name in names if name.endswith("_plan") and not name.startswith("_")}
    assert planning == {shape.__name__ for shape in shapes.SHAPES}


def test_a_missing_response_is_not_a_shift(tmp_path: Path) -> None:
    """Responses of a multi-search are matched by position, so their number must be that of the queries."""
    asked = [*RESULTS]
    queries = {"id": [*range(1, len(asked) + 1)], "query": asked}
    short = saved(tmp_path, {"responses": [search(query) for query in asked[1:]]})
    with pytest.raises(ir.DataError, match=rf"{len(asked) - 1} responses?, {len(asked)} queries in queries: they are"):
        ir.evaluate(JUDGMENTS, short, ["nDCG@10"], queries=queries)


@pytest.mark.parametrize("whole", [True, False])
def test_a_folder_of_answers_is_one_system(whole: bool, tmp_path: Path) -> None:
    """A folder with an answer per file and query is one system, named after the folder; a failed one stays failed."""
    for name in "AB":
        (tmp_path / name).mkdir()
        for query in RESULTS:
            saved(tmp_path / name, search(query), f"{query}.json")
    if not whole:
        saved(tmp_path / "A", {"error": {"reason": "no such index"}, "status": 404}, "q9.json")
    scores = ir.evaluate(JUDGMENTS, tmp_path / "A", ["nDCG@10"])
    assert (scores.systems, scores["nDCG@10"]) == (("A",), pytest.approx(NDCG, abs=1e-12))
    assert ir.read_results(tmp_path / "A").failed("") == ({} if whole else {"q9": "no such index"})
    assert ir.compare(JUDGMENTS, [tmp_path / "A", tmp_path / "B"], ["nDCG@10"]).systems == ("A", "B")


def qdrant(query: str, points: bool = True) -> dict[str, Any]:
    """Return what Qdrant answers to a query, as query_points or as search does."""
    found = [{"id": doc, "version": 3, "score": score, "payload": {}} for doc, score in RESULTS[query].items()]
    return {"result": {"points": found} if points else found, "status": "ok", "time": 0.001}


def llama_index(query: str) -> dict[str, Any]:
    """Return a response of LlamaIndex as JSON."""
    nodes = [{"node": {"id_": doc, "text": f"On {doc}."}, "score": score} for doc, score in RESULTS[query].items()]
    return {"response": "Some words.", "source_nodes": nodes}


ANSWERS = {
    "query_points": qdrant,
    "search": lambda query: qdrant(query, False),
    "LlamaIndex": llama_index,
    "ids": lambda query: {"retrieved_ids": [*RESULTS[query]]},
    "ranks": lambda query: {"results": [{"id": doc, "rank": rank} for rank, doc in enumerate(RESULTS[query], 1)]},
}


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_answers_of_other_engines_by_file(answer: Any, named: bool, tmp_path: Path) -> None:
    """Folders of any engine's answers are a system each, the query called after the file, or as the answer says."""
    for name in "AB":
        (folder := tmp_path / name).mkdir()
        for place, query in enumerate(RESULTS):
            saved(folder, ({"query_id": query} if named else {}) | answer(query), f"{place if named else query}.json")
    found = ir.evaluate(JUDGMENTS, [tmp_path / "A", tmp_path / "B"], ["nDCG@10"])
    assert (found.systems, found["nDCG@10", "B"]) == (("A", "B"), pytest.approx(NDCG, abs=1e-12))
    if named:
        with pytest.raises(ir.DataError, match=r"each is the answer to another query.*give the folder .*A\."):
            ir.evaluate(JUDGMENTS, sorted((tmp_path / "A").iterdir()), ["nDCG@10"])


@pytest.mark.parametrize("answer", [*ANSWERS.values()][:2], ids=[*ANSWERS][:2])
def test_an_empty_answer_by_file(answer: Any, tmp_path: Path) -> None:
    """An answer without results among others is a search that found nothing; one with a document twice is named."""
    for query in RESULTS:
        found = answer(query)
        held = found["result"]["points"] if isinstance(found["result"], dict) else found["result"]
        held[:] = held if query == "q1" else []
        saved(tmp_path, found, f"{query}.json")
    account = ir.evaluate(JUDGMENTS, tmp_path, ["nDCG@10"]).ledger.systems[0]
    assert account.judged_nothing_returned == ("q2",)
    held[:] = [{"id": "d9", "score": 2.0}, {"id": "d9", "score": 1.0}]
    saved(tmp_path, found, "q2.json")
    with pytest.raises(ir.DataError, match="'d9' is returned a second time for query 'q2'"):
        ir.evaluate(JUDGMENTS, tmp_path, ["nDCG@10"])


@pytest.mark.parametrize("answer", [*ANSWERS.values()][:3], ids=[*ANSWERS][:3])
def test_one_answer_that_names_no_query(answer: Any, tmp_path: Path) -> None:
    """A single such file is asked about; what the message advises is read, in a file and in Python."""
    with pytest.raises(ir.DataError, match=r'a folder with such a file for each.*or write \{"QUERY": ANSWER\}'):
        ir.evaluate(JUDGMENTS, saved(tmp_path, answer("q1")), ["nDCG@10"])
    by_query = {query: answer(query) for query in RESULTS}
    for source in (by_query, saved(tmp_path, by_query)):
        assert ir.evaluate(JUDGMENTS, source, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_systems_whose_rows_name_queries_otherwise_are_no_answers(tmp_path: Path) -> None:
    """The scores of a second query begin again: such a file is several queries, whose column is asked for."""
    (folder := tmp_path / "runs").mkdir()
    rows = [
        {"search": query, "id": doc, "score": score} for query, docs in RESULTS.items() for doc, score in docs.items()
    ]
    for name in "ab":
        saved(folder, {"results": rows[::-1]}, f"{name}.json")
    with pytest.raises(ir.DataError, match="no query column"):
        ir.evaluate(JUDGMENTS, folder, ["nDCG@10"])
    assert run("evaluate", saved(tmp_path, JUDGMENTS), folder, "-m", "nDCG@10", "--query-col", "search").code == 0


def test_names_of_files_that_are_no_ids_of_queries(tmp_path: Path) -> None:
    """A query that a file cannot be called after is told what to give; a line end in a name is shown as one."""
    (folder := tmp_path / "A").mkdir()
    files = [saved(folder, search("q1"), name) for name in ("red_shoes.json", "b_g.json")]
    with pytest.raises(ir.DataError, match=r"is the name of a file in .*A\. Call the files as .*\{query: answer\}"):
        ir.evaluate({"red/shoes": {"d1": 1}, "b/g": {"d1": 1}}, folder, ["RR"])
    files[0].rename(folder / "red\nshoes.json")
    assert sorted(ir.read_results(folder).keys.query.distinct(9)) == ["b_g", r"red\nshoes"]


def answers(folder: Path) -> list[Path]:
    """Save the answer to each query in a folder; return the files."""
    folder.mkdir()
    return [saved(folder, search(query), f"{query}.json") for query in RESULTS]


def test_files_of_a_query_each_are_not_systems(tmp_path: Path) -> None:
    """A shell's pattern gives the files of a folder one by one: each would be a system that failed nearly all."""
    files = answers(tmp_path / "A")
    with pytest.raises(ir.DataError, match=r"each is the answer to one query.*give the folder .*A\."):
        ir.evaluate(JUDGMENTS, files, ["nDCG@10"])
    said = run("evaluate", saved(tmp_path, JUDGMENTS, "judgments.json"), *files, "-m", "nDCG@10")
    assert said.code == 3
    assert f"and {len(files) - 1} more file" in said.err


def test_answers_of_several_systems_to_one_query(tmp_path: Path) -> None:
    """Files that answer the same query are systems."""
    files = [answers(tmp_path / name)[0] for name in "AB"]
    assert len(ir.evaluate(JUDGMENTS, files, ["nDCG@10"]).systems) == 2


def test_a_folder_of_answers_is_looked_into_as_one(tmp_path: Path) -> None:
    """What comes next in a folder that contains such folders is a command with the folders."""
    saved(tmp_path, JUDGMENTS, "judgments.json")
    for name in "AB":
        answers(tmp_path / name)
    found = look_into(str(tmp_path))
    assert found.command is not None
    assert [Path(file).name for file in found.command.files] == ["judgments.json", "A", "B"]
    assert [len(file.results.queries) for file in ir.peek(tmp_path / "A").files if file.results] == [len(RESULTS)]


def test_one_answer_without_results_makes_no_systems_of_the_others(tmp_path: Path) -> None:
    """A folder of answers, one of which is empty under a name that no tool uses, is one system: that is asked about."""
    for query, items in (("q1", [{"id": "a", "score": 1.0}]), ("q2", [{"id": "b", "score": 1.0}]), ("q3", [])):
        (tmp_path / f"{query}.json").write_text(json.dumps({"query_id": query, "items": items}))
    with pytest.raises(ir.DataError, match=r"one system.*First leave out .*q3\.json"):
        ir.evaluate({"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}, str(tmp_path), ["RR"])
