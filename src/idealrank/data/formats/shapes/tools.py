"""What other tools write as JSON: Quepid, RRE, Chroma, MTEB, LlamaIndex, Azure, Rankquest, TREC, DeepEval, Ragas."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from idealrank.data.formats.list_names import id_or_none, object_or_empty, objects_in
from idealrank.data.formats.nested_plan import (
    ANY,
    KEY,
    NUMBERED,
    QUEPID_BOOK,
    NestedPlan,
    RowSpec,
    Tables,
    parse_path,
    row_spec,
)
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, plural

# Chroma: answers of ``collection.query()``, with the lists of one or several queries.
#
# Lists are in the order of their distances, the smallest first. An answer does not name its queries. Source:
# chroma-core/chroma 1.x, QueryResult.


_BESIDE = {"distances", "metadatas", "documents", "embeddings", "included", "uris"}


def chroma_plan(document: Any, name: str) -> NestedPlan | None:
    """Chroma: the lists of one answer, or of several in a list or by query."""
    by_query = _is_by_query(document)
    if by_query or is_chroma(_as_list(document)[0]):
        notes = () if by_query else (NUMBERED,)
        return NestedPlan("a Chroma query result", (), notes, lambda documents: _chroma_tables(documents, name))
    return None


def is_chroma(document: Any) -> bool:
    """Whether a document is an answer of ``collection.query()``: a list of ids per query, beside other such lists.

    Examples
    --------
    >>> is_chroma({"ids": [["a", "b"]], "distances": [[0.1, 0.2]]}), is_chroma({"ids": ["a", "b"]})
    (True, False)
    """
    if not isinstance(document, Mapping) or not _BESIDE & document.keys():
        return False
    ids = document.get("ids")
    return isinstance(ids, (list, tuple)) and bool(ids) and all(isinstance(each, (list, tuple)) for each in ids)


def _is_by_query(document: Any) -> bool:
    return isinstance(document, Mapping) and is_chroma(next(iter(document.values()), None))


def _as_list(document: Any) -> Sequence[Any]:
    return document if isinstance(document, list) and document else [document]


def chroma_hits(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the documents of an answer to one query, the nearest first, each with its distance as negative score.

    Raises
    ------
    DataError
        If it is the answer to several queries.

    Examples
    --------
    >>> chroma_hits({"ids": [["a", "b"]], "distances": [[0.5, 0.25]], "metadatas": None})
    [{'id': 'b', 'score': -0.25}, {'id': 'a', 'score': -0.5}]
    """
    if len(answer["ids"]) != 1:
        raise DataError(
            f"a Chroma query result of {plural(len(answer['ids']), 'query')}. Return the answer to the one query that "
            "the function was called with."
        )
    lists = {"metadata": answer.get("metadatas"), "text": answer.get("documents")}
    beside = {name: values[0] for name, values in lists.items() if values}
    return [
        {
            "id": answer["ids"][0][place],
            **({} if distance is None else {"score": -distance}),
            **{name: values[place] for name, values in beside.items()},
        }
        for place, distance in _nearest_first(answer, 0, "the search function's answer")
    ]


def _chroma_tables(documents: Sequence[Any], name: str) -> Tables:
    """Return the results by query; queries without a name are numbered through all answers."""
    columns: dict[str, list[Any]] = {column: [] for column in ("query_id", "doc_id", "rank", "distance")}
    for number, (query, answer, place) in enumerate(_chroma_lists(documents, name), 1):
        key = number if query is None else query
        ids, found = answer["ids"][place], _nearest_first(answer, place, f"{name} query {key}")
        rows: list[tuple[Any, ...]] = [(key, ids[at], rank, distance) for rank, (at, distance) in enumerate(found, 1)]
        for row in rows or [(key, None, None, None)]:
            for values, value in zip(columns.values(), row, strict=True):
                values.append(value)
    return {"results": columns}


def _chroma_lists(documents: Sequence[Any], name: str) -> Iterator[tuple[Any, Mapping[str, Any], int]]:
    """Yield the query of each list of ids, None where it is not named, its answer, and its place in it.

    Raises
    ------
    DataError
        If something else is among the answers, or one that is to name its query is to several.
    """
    for document in documents:
        by_query = _is_by_query(document)
        for query, answer in document.items() if by_query else ((None, one) for one in _as_list(document)):
            if not is_chroma(answer) or (by_query and len(answer["ids"]) != 1):
                where = f"{name} query {query}" if by_query else name
                raise DataError(
                    f"{where}: something else among Chroma's query results. Give the whole answer of "
                    f"collection.query(){' to one query' if by_query else ''}."
                )
            for place in range(len(answer["ids"])):
                yield query, answer, place


def _nearest_first(answer: Mapping[str, Any], query: int, where: str) -> list[tuple[int, float | None]]:
    """Return the place of each document of a query, and its distance if there are any.

    Raises
    ------
    DataError
        If there is not one finite distance per document.
    """
    ids, lists = answer["ids"][query], answer.get("distances")
    if lists is None:
        return [(place, None) for place in range(len(ids))]
    distances = lists[query] if query < len(lists) else ()
    if len(distances) != len(ids) or not all(map(_is_finite, distances)):
        raise DataError(
            f"{where}: {plural(len(ids), 'id')} and {plural(len(distances), 'distance')}. Give one finite number per "
            "document, in the same order, or leave the distances out."
        )
    return sorted(enumerate(distances), key=lambda one: one[1])


def _is_finite(distance: Any) -> bool:
    return isinstance(distance, (int, float)) and not isinstance(distance, bool) and math.isfinite(distance)


# Azure AI evaluation: rows of the document retrieval evaluator, with judgments and results in each.
#
# Source: azure-ai-evaluation, DocumentRetrievalEvaluator.


_TRUE, _RETRIEVED = "retrieval_ground_truth", "retrieved_documents"
_QUERIES = ("query_id", "id", "query", "question")


def azure_plan(document: Any, name: str) -> NestedPlan | None:
    """Azure AI evaluation: rows of the document retrieval evaluator, with judgments and results in each."""
    prefix, first = ("[]", document[0]) if isinstance(document, list) and document else ("", document)
    if not isinstance(first, Mapping) or not {_TRUE, _RETRIEVED} <= first.keys():
        return None
    dot = f"{prefix}." if prefix else ""
    named = [key for key in _QUERIES if key in first]
    query = tuple(f"{dot}{key}" for key in named) or (f"{prefix}@place" if prefix else "=q",)
    where: dict[str, str | tuple[str, ...]] = {"query_id": query, "doc_id": "+.document_id"}
    return NestedPlan("rows of Azure's document retrieval evaluator", (
        row_spec("judgments", f"{dot}{_TRUE}[]", **where, grade="+.query_relevance_label"),
        row_spec("results", f"{dot}{_RETRIEVED}[]", **where, score="+.relevance_score"),
    ))  # fmt: skip


# LlamaIndex: a question and answer dataset for embeddings and retrieval.
#
# Source: llama_index.core.evaluation.EmbeddingQAFinetuneDataset 0.12, ``save_json``.


def llama_index_plan(document: Any, name: str) -> NestedPlan | None:
    """LlamaIndex: a question and answer dataset for embeddings and retrieval."""
    if not isinstance(document, Mapping) or not {"queries", "corpus"} <= document.keys():
        return None
    if not isinstance(document["queries"], Mapping):
        return None
    return NestedPlan("a LlamaIndex dataset", (
        row_spec("judgments", "relevant_docs.*[]", query_id="relevant_docs.*@key", doc_id="+"),
        row_spec("queries", "queries.*", query_id="+@key", query="+"),
        row_spec("documents", "corpus.*", doc_id="+@key", text="+"),
    ))  # fmt: skip


# MTEB: predictions, and judgments of the same form. Result files contain only means, so they are refused.
#
# Source: embeddings-benchmark/mteb 1.x and 2.x, ``{task}_predictions.json`` and result files.


_RESULTS = {"mteb_version", "mteb_dataset_name", "task_name"}
_META, _SPLITS = "mteb_model_meta", {"test", "dev", "validation", "train", "standard"}


def mteb_plan(document: Any, name: str) -> NestedPlan | None:
    """MTEB: predictions. Result files contain only means, so they are refused.

    Raises
    ------
    DataError
        If these are results, which contain no rankings.
    """
    if not isinstance(document, Mapping):
        return None
    if _RESULTS & document.keys() and not _mteb_subsets(document):
        raise DataError(
            f"{name}: MTEB results, which contain means but no rankings. Give the task's predictions "
            "(save_predictions), with the judgments."
        )
    model, subsets = _mteb_model(document), _mteb_subsets(document)
    if len(subsets) == 1 and _META not in document:
        # Judgments and predictions are written alike, {subset: {split: {query: {document: number}}}}: what they are is
        # said by the place where they are given.
        return NestedPlan(f"MTEB's {'.'.join(subsets[0])}", (_mteb_numbers(*subsets[0]),))
    found = tuple(_mteb_rankings(subset, split, model) for subset, split in subsets)
    return NestedPlan("MTEB predictions", found, system=model if len(subsets) == 1 else "") if found else None


def _mteb_model(document: Mapping[str, Any]) -> str:
    """Return the name of the model, which mteb 2 writes; "" without."""
    meta = document.get(_META)
    return str(meta.get("model_name") or "") if isinstance(meta, Mapping) else ""


def _mteb_numbers(subset: str, split: str) -> RowSpec:
    queries = (f".{subset}", f".{split}", ANY)
    numbers = (*queries, ANY)
    return RowSpec("dicts", numbers, (("query_id", (*queries, KEY)), ("doc_id", (*numbers, KEY)), ("value", numbers)))


def _mteb_rankings(subset: str, split: str, model: str) -> RowSpec:
    queries = (f".{subset}", f".{split}", ANY)
    scores = (*queries, ANY)
    where = (("query_id", (*queries, KEY)), ("doc_id", (*scores, KEY)), ("score", scores))
    return RowSpec("results", scores, (*where, ("system", (f"={model} {subset}.{split}".replace("= ", "="),))))


def _mteb_subsets(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the subsets and splits of predictions: documents with scores by query under both.

    Splits have any name where the model is named, or beside one with a usual name.
    """
    found = [
        (subset, split)
        for subset, splits in document.items()
        if subset != _META and isinstance(splits, Mapping)
        for split, queries in splits.items()
        if _has_scores(queries)
    ]
    return found if _META in document or any(split in _SPLITS for _, split in found) else []


def _has_scores(queries: Any) -> bool:
    first = next(iter(queries.values()), None) if isinstance(queries, Mapping) else None
    return isinstance(first, Mapping) and all(isinstance(score, (int, float)) for score in first.values())


# Quepid: the JSON of a case, a book, ratings and a snapshot.
#
# Source: o19s/quepid 8.6, exports of cases, books and snapshots.


def quepid_plan(document: Any, name: str) -> NestedPlan | None:
    """Quepid: the JSON of a case, a book, ratings and a snapshot."""
    if not isinstance(document, Mapping):
        return None
    if isinstance(document.get("query_doc_pairs"), list):
        return _book_plan(document["query_doc_pairs"])
    if _is_snapshot(document):
        return NestedPlan("a Quepid snapshot", (), build=_snapshot_tables)
    queries = document.get("queries")
    first = queries[0] if isinstance(queries, list) and queries else None
    if not isinstance(first, Mapping) or "ratings" not in first:
        return None
    return _ratings_plan() if isinstance(first["ratings"], Mapping) else _case_plan()


def _is_snapshot(document: Mapping[Any, Any]) -> bool:
    """Whether it has documents by query; the queries may lie behind the part of a large file that is looked at."""
    if not isinstance(document.get("docs"), Mapping):
        return False
    return isinstance(document.get("queries"), list) or {"name", "time", "has_snapshot_file"} <= document.keys()


def _book_plan(some: list[Any]) -> NestedPlan:
    pairs = "query_doc_pairs[]"
    judged = f"{pairs}.judgements[]"
    where = {"query": f"{pairs}.query_text", "doc_id": f"{pairs}.doc_id"}
    said = {"unrateable": "+.unrateable", "judge_later": "+.judge_later", "reason": "+.explanation"}
    rater = ("+.user_email", "+.user_name")
    judgments = row_spec("judgments", judged, **where, **said, grade="+.rating", rater=rater)
    results = row_spec("results", pairs, query="+.query_text", doc_id="+.doc_id", rank="+.position")
    ranked = any(isinstance(pair, Mapping) and pair.get("position") is not None for pair in some)
    return NestedPlan(QUEPID_BOOK, (judgments, results) if ranked else (judgments,))


def _case_plan() -> NestedPlan:
    queries, ratings = "queries[]", "queries[].ratings[]"
    return NestedPlan("a Quepid case", (
        row_spec("judgments", ratings, query=f"{queries}.query_text", doc_id="+.doc_id", grade="+.rating"),
        row_spec("queries", queries, True, query="+.query_text"),
    ))  # fmt: skip


def _ratings_plan() -> NestedPlan:
    queries, ratings = "queries[]", "queries[].ratings.*"
    text = (f"{queries}.query", f"{queries}.query_text")
    return NestedPlan("Quepid ratings", (row_spec("judgments", ratings, query=text, doc_id="+@key", grade="+"),))


def _snapshot_tables(documents: Sequence[Any]) -> Tables:
    """Return the results and ratings by query, with the query's text; documents that were only rated are no results."""
    returned: list[tuple[Any, ...]] = []
    rated: list[tuple[Any, ...]] = []
    for document in documents:
        queries = {str(query.get("query_id", query.get("id"))): query for query in objects_in(document.get("queries"))}
        texts = {key: query.get("query_text") for key, query in queries.items()}
        for key, docs in object_or_empty(document.get("docs")).items():
            shown = [doc for doc in objects_in(docs) if not doc.get("rated_only")]
            returned += [
                (key, texts.get(key), id_or_none(doc.get("id")), rank, object_or_empty(doc.get("fields")).get("title"))
                for rank, doc in enumerate(shown, 1)
            ] or [(key, texts.get(key), None, None, None)]
        for key, query in queries.items():
            rated += [(key, texts[key], doc, grade) for doc, grade in object_or_empty(query.get("ratings")).items()]
    tables = {"results": _columns_of(returned, "query_id query doc_id rank title")}
    return tables | ({"judgments": _columns_of(rated, "query_id query doc_id grade")} if rated else {})


def _columns_of(records: Sequence[Sequence[Any]], names: str) -> dict[str, list[Any]]:
    return {name: [record[place] for record in records] for place, name in enumerate(names.split())}


# RankQuest: rated searches.
#
# Source: jillesvangurp/rankquest-core, RatedSearch.


def rankquest_plan(document: Any, name: str) -> NestedPlan | None:
    """RankQuest: rated searches."""
    prefix, first = ("[].", document[0]) if isinstance(document, list) and document else ("", document)
    if not isinstance(first, Mapping) or not {"searchContext", "ratings"} <= first.keys():
        return None
    context = object_or_empty(first["searchContext"])
    text = next((name for name in ("q", "query", "text", *context) if name in context), "q")
    found = row_spec("judgments", f"{prefix}ratings[]", query_id=f"{prefix}id", doc_id="+.documentId", grade="+.rating")
    query = ("query", (*parse_path(prefix), ".searchContext", f".{text}"))
    return NestedPlan("RankQuest ratings", (found._replace(columns=(found.columns[0], query, *found.columns[1:])),))


# Rated Ranking Evaluator: ratings, by topic, query group or query.
#
# A group's relevant documents hold for each of its queries. They come in three forms: grades by document, documents
# by grade, and a list of objects. Source: SeaseLtd/rated-ranking-evaluator 1.1, "Ratings file"; RRE Enterprise.


_DOCS = "relevant_documents"
_LEVELS = ("topics", "query_groups", "queries")
_IDS = ("id", "document_id", "doc_id", "documentId")
_TEXTS = ("$query", "query", "query_placeholder", "q", "text")


def rre_plan(document: Any, name: str) -> NestedPlan | None:
    """Rated Ranking Evaluator: ratings, by topic, query group or query."""
    if not isinstance(document, Mapping) or not any(_judged_levels(document)):
        return None
    return NestedPlan("ratings of the Rated Ranking Evaluator", (), build=_rre_tables)


def _judged_levels(value: Mapping[str, Any]) -> Iterator[bool]:
    """Yield once for everything with relevant documents below the levels of such a file."""
    for level in _LEVELS:
        for inner in objects_in(value.get(level)):
            if _DOCS in inner:
                yield True
            yield from _judged_levels(inner)


def _rre_tables(documents: Sequence[Any]) -> Tables:
    records = [
        {"query": query, "query_group": group, "doc_id": doc, "grade": grade}
        for document in documents
        for query, group, doc, grade in _judged_documents(document, "", {})
    ]
    names = ("query", "query_group", "doc_id", "grade")
    return {"judgments": {name: [record[name] for record in records] for name in names}}


def _judged_documents(
    value: Mapping[str, Any], group: str, around: Mapping[str, Any]
) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield query, group, document and grade of everything within a topic, a group or a query."""
    group = str(value.get("name", group)) if "queries" in value else group
    documents = {**around, **dict(_document_grades(value.get(_DOCS)))}
    inner = [item for level in _LEVELS for item in objects_in(value.get(level))]
    for item in inner:
        yield from _judged_documents(item, group, documents)
    if not inner and (text := _query_text(value)):
        for doc, grade in documents.items():
            yield text, group, doc, grade


def _query_text(query: Mapping[str, Any]) -> str:
    held = query.get("placeholders")
    places = [held, query] if isinstance(held, Mapping) else [query]
    others = held.values() if isinstance(held, Mapping) else ()  # a placeholder may have any name
    named = (place[name] for place in places for name in _TEXTS if name in place)
    return str(next(named, next((value for value in others if isinstance(value, str)), "")))


def _document_grades(documents: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(documents, list):
        for one in objects_in(documents):
            yield id_or_none(next((one[name] for name in _IDS if name in one), None)), _grade_of(one)
    for key, value in documents.items() if isinstance(documents, Mapping) else ():
        if isinstance(value, list):
            yield from ((id_or_none(doc), key) for doc in value)
        else:
            yield key, _grade_of(value)


def _grade_of(value: Any) -> Any:
    if isinstance(value, Mapping):
        return value.get("gain", value.get("rating", value.get("grade")))
    return value


# TREC CAsT and iKAT: runs in JSON, with the responses of each turn.
#
# Source: TREC iKAT 2023 guidelines, submission format; TREC CAsT 2022.


def trec_json_plan(document: Any, name: str) -> NestedPlan | None:
    """TREC CAsT and iKAT: runs in JSON, with the responses of each turn."""
    turns = objects_in(document.get("turns")) if isinstance(document, Mapping) else []
    if not any(isinstance(turn.get("responses"), list) for turn in turns):
        return None
    answers = (answer for turn in turns for answer in objects_in(turn.get("responses")))
    passages = "passage_provenance" if any("passage_provenance" in answer for answer in answers) else "provenance"
    found = row_spec(
        "results", f"turns[].responses[].{passages}[]", query_id="turns[].turn_id", system="run_name",
        doc_id=("+.id", "+.doc_id"), score="+.score",
    )  # fmt: skip
    return NestedPlan("a TREC CAsT or iKAT run", (found,))


# Tools that ask language models for grades: a row for each, with why there is none.


_DOC_IDS = ALIASES["doc"][0] | {"chunkid", "nodeid", "sku", "asin", "url"}
"""A document or a source beside a prompt is a text, and an id alone that of the test."""

_QUERY_IDS = frozenset().union(*ALIASES["query"]) - frozenset().union(*ALIASES["text"])
_QUERY_TEXTS = frozenset().union(*ALIASES["text"]) | {"input", "question", "search", "userinput"}


class _Rating(NamedTuple):
    """What a model said of a pair; the grade is None where it is none, and the state says why."""

    query_id: Any
    query: Any
    doc_id: Any
    grade: Any
    state: str
    reason: Any
    model: str
    prompt: str


def _tables_of(ratings: Collection[_Rating]) -> Tables:
    """Return ratings as judgments: the rater is the model, and what it was asked, if it was asked several things."""
    prompts = {rating.prompt for rating in ratings}
    columns = {name: [getattr(rating, name) for rating in ratings] for name in _Rating._fields}
    columns["rater"] = [f"{each.model}, {each.prompt}" if len(prompts) > 1 else each.model for each in ratings]
    if all(key is None for key in columns["query_id"]):
        del columns["query_id"]
    return {"judgments": columns}


def _named(values: Mapping[str, Any], names: Collection[str]) -> Any:
    """Return the first value that is called by one of the names; None if there is none."""
    return next((id_or_none(value) for name, value in values.items() if fold(str(name)) in names), None)


# DeepEval: the test runs that it keeps locally.
#
# Source: confident-ai/deepeval 4.1.10, deepeval/test_run/api.py, deepeval/tracing/api.py (MetricData) and
# deepeval/inspect/fixtures/test_run_sample.json.


def deepeval_plan(document: Any, name: str) -> NestedPlan | None:
    """DeepEval: test runs whose test cases name their document in `metadata`."""
    cases = objects_in(object_or_empty(document).get("testCases"))
    if not any("metricsData" in case for case in cases):
        return None
    return NestedPlan(
        "a DeepEval test run", (), build=lambda documents: _tables_of(list(_metric_ratings(documents, name)))
    )


def _metric_ratings(documents: Sequence[Any], name: str) -> Iterator[_Rating]:
    for document in documents:
        for number, case in enumerate(objects_in(object_or_empty(document).get("testCases")), 1):
            more = object_or_empty(case.get("metadata"))
            doc = _named(more, _DOC_IDS)
            if doc is None:
                raise DataError(
                    f"{name}: test case {number} does not say which document was graded. Give each its id: "
                    "LLMTestCase(…, metadata={'doc_id': …})."
                )
            for metric in objects_in(case.get("metricsData")):
                grade, asked = metric.get("score"), str(metric.get("name") or "")
                failed = metric.get("error") is not None or grade is None
                yield _Rating(
                    _named(more, _QUERY_IDS), case.get("input"), doc, None if failed else grade,
                    "failed" if failed else "graded", metric.get("error") or metric.get("reason"),
                    str(metric.get("evaluationModel") or asked), asked,
                )  # fmt: skip


# promptfoo: the results of ``promptfoo eval --output results.json``.
#
# Source: promptfoo/promptfoo, examples/grok-4-political-bias/sample-results-final.json, src/matchers/shared.ts
# (graderFail) and src/types/results.ts; promptfoo.dev, "Model-graded metrics".


_MODEL_GRADED = frozenset({
    "llm-rubric", "search-rubric", "g-eval", "model-graded-closedqa", "model-graded-factuality", "factuality",
    "answer-relevance", "context-relevance", "context-recall", "context-faithfulness", "conversation-relevance",
})  # fmt: skip
"""Assertions that ask a language model; of all others, such as contains, nothing is a rating."""

_UNREAD = ("Could not extract JSON from", "llm-rubric produced malformed response", "No output")
"""How the reason begins where an answer could not be read: promptfoo stores these as a score of 0."""

_ERROR = 2
"""The reason of a failure that is no assertion's."""


def promptfoo_plan(document: Any, name: str) -> NestedPlan | None:
    """promptfoo: results of model-graded assertions whose tests name their document in `vars`."""
    outer = object_or_empty(document)
    if not any({"vars", "gradingResult"} <= one.keys() or "promptIdx" in one for one in _test_results(outer)):
        return None
    return NestedPlan(
        "promptfoo results", (), build=lambda documents: _tables_of(list(_rubric_ratings(documents, name)))
    )


def _test_results(document: Mapping[Any, Any]) -> list[Mapping[str, Any]]:
    return objects_in(object_or_empty(document.get("results")).get("results"))


def _rubric_ratings(documents: Sequence[Any], name: str) -> Iterator[_Rating]:
    found = False
    for document in documents:
        for result in _test_results(object_or_empty(document)):
            for assertion, component in _model_graded(result):
                found = True
                yield _rubric_rating(result, assertion, component, name)
    if not found:
        raise DataError(
            f"{name}: promptfoo results without a model-graded assertion, such as llm-rubric, so nothing in it is a "
            "grade of a language model."
        )


def _model_graded(result: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Yield each assertion of a test that asked a model, with what came of it; nothing where the test itself failed."""
    graded = objects_in(object_or_empty(result.get("gradingResult")).get("componentResults"))
    test = object_or_empty(result.get("testCase"))
    pairs = [(object_or_empty(one.get("assertion")), one) for one in graded]
    if not pairs and result.get("failureReason") == _ERROR:
        pairs = [(one, {}) for one in objects_in(test.get("assert"))]
    for assertion, component in pairs:
        if assertion.get("type") in _MODEL_GRADED:
            # What asks is named beside the assertion, or for all of a test.
            options = object_or_empty(test.get("options"))
            yield {**assertion, "provider": assertion.get("provider") or options.get("provider")}, component


def _rubric_rating(
    result: Mapping[str, Any], assertion: Mapping[str, Any], component: Mapping[str, Any], name: str
) -> _Rating:
    values = object_or_empty(result.get("vars"))
    doc, query_id, query = (_named(values, names) for names in (_DOC_IDS, _QUERY_IDS, _QUERY_TEXTS))
    if doc is None or (query is None and query_id is None):
        lacking = "document was graded" if doc is None else "query it was graded for"
        raise DataError(
            f"{name}: test {int(result.get('testIdx') or 0) + 1} does not say which {lacking}. Name both in its vars: "
            "query and doc_id."
        )
    reason = component.get("reason") or result.get("error")
    state = "graded"
    if object_or_empty(component.get("metadata")).get("graderError") or str(reason).startswith(_UNREAD):
        state = "unparsable"
    elif component.get("score") is None:
        state = "failed"
    asks, asked = assertion["provider"], str(assertion.get("metric") or assertion["type"])
    model = object_or_empty(asks).get("id") or (asks if isinstance(asks, str) else "promptfoo's default")
    grade = component.get("score") if state == "graded" else None
    return _Rating(query_id, query, doc, grade, state, reason, str(model), asked)


# Ragas: rows of `EvaluationResult.to_pandas()`, or of an experiment, whose metric grades one context for a query.
#
# Source: explodinggradients/ragas 3e28e9de, src/ragas/dataset_schema.py, src/ragas/metrics/_nv_metrics.py
# (ContextRelevance) and src/ragas/backends/local_jsonl.py.


_RELEVANCE = ("nv_context_relevance", "context_relevance")
"""The metrics of how relevant a context is to a query; NaN where an answer could not be read, or a request failed."""

_CONTEXTS = "retrieved_context_ids"


def ragas_plan(document: Any, name: str) -> NestedPlan | None:
    """Ragas: rows of one context each, named in `retrieved_context_ids`, with the metric of its relevance."""
    row = document[0] if isinstance(document, list) and document else document
    if not isinstance(row, Mapping) or not any(metric in row for metric in _RELEVANCE):
        return None
    if "user_input" not in row or _only_context(row) is None or row.get("reference_context_ids"):
        return None  # beside ids of reference contexts, those that were retrieved are results
    return NestedPlan("Ragas grades", (), build=lambda documents: _tables_of(list(_ragas_ratings(documents, name))))


def _only_context(row: Mapping[str, Any]) -> Any:
    """Return the id of the one context of a row; None if it has none, or several."""
    ids = row.get(_CONTEXTS)
    return id_or_none(ids[0]) if isinstance(ids, (list, tuple)) and len(ids) == 1 else None


def _ragas_ratings(documents: Sequence[Any], name: str) -> Iterator[_Rating]:
    rows = [row for document in documents for row in (document if isinstance(document, list) else [document])]
    for number, row in enumerate(objects_in(rows), 1):
        doc = _only_context(row)
        if doc is None:
            raise DataError(
                f"{name}: row {number} has {len(row.get(_CONTEXTS) or ())} {_CONTEXTS}. The metric grades all contexts "
                "of a row at once: a grade of a document is one of a row with this document alone."
            )
        metric = next(metric for metric in _RELEVANCE if metric in row)
        grade = row[metric]
        graded = grade is not None and grade == grade  # NaN is the one value that differs from itself
        yield _Rating(
            _named(row, _QUERY_IDS), row.get("user_input"), doc, grade if graded else None,
            "graded" if graded else "failed", row.get("reason"), str(row.get("model") or "ragas"), metric,
        )  # fmt: skip
