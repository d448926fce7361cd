"""What tools write that ask language models for grades: DeepEval, promptfoo and Ragas."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from idealrank.data.formats.list_names import id_or_none, object_or_empty, objects_in
from idealrank.data.formats.nested_plan import NestedPlan, Tables
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError

_DOC_IDS = ALIASES["doc"][0] | {"chunkid", "nodeid", "sku", "asin", "url"}
"""A document or a source beside a prompt is a text, and an id alone that of the test."""

_QUERY_IDS = frozenset().union(*ALIASES["query"]) - frozenset().union(*ALIASES["text"])
_QUERIES = frozenset().union(*ALIASES["text"]) | {"input", "question", "search", "userinput"}


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
    doc, query_id, query = (_named(values, names) for names in (_DOC_IDS, _QUERY_IDS, _QUERIES))
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
