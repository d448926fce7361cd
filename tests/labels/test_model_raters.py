"""Grades that other tools had from language models: the model is the rater, and no 0 passes that nobody gave."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir

UMBRELA: list[dict[str, Any]] = [
    {
        "model": "gpt-4o",
        "query": "fleas",
        "passage": "p1",
        "prompt": "x",
        "prediction": "##final score: 3",
        "judgment": 0,
    },
    {
        "model": "gpt-4o",
        "query": "fleas",
        "passage": "p2",
        "prompt": "x",
        "prediction": "##final score: 0",
        "judgment": 0,
    },
    {"model": "gpt-4o", "query": "q", "passage": "p3", "prompt": "x", "prediction": "O: 10", "judgment": 0},
    {"model": "gpt-4o", "query": "q", "passage": "p4", "prompt": "x", "prediction": "O: 2", "judgment": 2},
]
"""What UMBRELA writes; keys as in its README and `gpt_judge.py`."""


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as lines of JSON."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_umbrela_zeros_that_nobody_gave_are_warned_of(tmp_path: Path) -> None:
    """Two of three grades of 0 have an answer without a 0: 3, and 10."""
    read = ir.read_judgments(written(tmp_path / "umbrela.jsonl", UMBRELA))
    assert read.raters == ("gpt-4o",)
    (warning,) = read.source.warnings
    assert warning.startswith("2 grades of 0 whose answer contains no 0, as '##final score: 3' in line 1: UMBRELA")
    fine = ir.read_judgments(written(tmp_path / "fine.jsonl", UMBRELA[1:2] + UMBRELA[3:]))
    assert fine.source.warnings == ()


@pytest.mark.parametrize("beside", ["prompt", "reason", "explanation"])
def test_a_model_beside_a_prompt_or_a_reason_is_the_rater(beside: str) -> None:
    """Two models that grade one document are two raters."""
    rows = [{"query": "q", "document": "d", "grade": place, "model": f"m{place}", beside: "r"} for place in (1, 2)]
    assert ir.read_judgments(rows).raters == ("m1", "m2")
    assert len(ir.agreement(rows).ratings) == 2


@pytest.mark.parametrize(
    "row",
    [
        {"query": "q", "doc": "d", "grade": 1, "model": "bm25"},
        {"query": "q", "doc": "d", "grade": 1, "model": "bm25", "reason": "r", "rank": 1},
    ],
)
def test_a_model_that_searches_is_no_rater(row: dict[str, Any]) -> None:
    """A model without a prompt, or beside a rank, is a system."""
    assert ir.read_judgments([row]).raters == ()


def test_a_rater_is_the_rater_also_beside_a_model() -> None:
    """A column of raters counts before one of models."""
    row = {"query": "q", "doc": "d", "grade": 1, "model": "m", "reason": "r", "rater": "ana"}
    assert ir.read_judgments([row]).raters == ("ana",)


def test_the_workbench_of_opensearch_names_its_model() -> None:
    """Judgments of a language model have it as their rater; imported ones have none."""
    rated = [{"query": "red shoes", "ratings": [{"docId": "d1", "rating": "0.9"}, {"docId": "d2", "rating": "0.0"}]}]
    source = {"id": "j1", "type": "LLM_JUDGMENT", "metadata": {"modelId": "m1", "size": 5}, "judgmentRatings": rated}
    assert ir.read_judgments({"hits": {"hits": [{"_source": source}]}}).raters == ("m1",)
    assert ir.read_judgments(source).raters == ("m1",)
    assert ir.read_judgments({**source, "metadata": {}}).raters == ()


def test_two_answers_of_one_model_are_two_ratings_and_no_grade_until_one_counts() -> None:
    """A file that was written twice: agreement tells how often the model agrees with itself, the others ask."""
    row = {"query_id": "q", "doc_id": "a", "model": "m", "prompt": "p", "state": "graded"}
    rows = [row | {"grade": 3}, row | {"grade": 1}, row | {"grade": 2, "doc_id": "b"}]
    with pytest.raises(ir.DataError, match=r"document 'a' is judged a second time for query 'q', with grade 1 after 3"):
        ir.evaluate(rows, {"q": {"a": 1}})
    agreed = ir.agreement([ir.read_judgments(rows), ir.read_judgments({"q": {"b": 2}})])
    assert list(agreed.ratings.repeats.values()) == [(1, 0)]


# DeepEval 4.1.10: deepeval/inspect/fixtures/test_run_sample.json and deepeval/tracing/api.py.


def metric(score: float | None, **more: Any) -> dict[str, Any]:
    """What a metric said of a test case; null fields are not written."""
    said = {"name": "Contextual Relevancy", "threshold": 0.5, "success": bool(score), "strictMode": False}
    score_of = {} if score is None else {"score": score, "reason": "It fits."}
    return {**said, **score_of, "evaluationModel": "gpt-5.4", "evaluationCost": 0.0042, **more}


def deepeval(*cases: tuple[str, str | None, list[dict[str, Any]]]) -> dict[str, Any]:
    """A test run with a test case per query, document and metrics."""
    return {
        "testCases": [
            {
                "name": f"test_case_{place}", "input": query, "actualOutput": "…", "success": True, "order": place,
                "metricsData": said, **({} if doc is None else {"metadata": {"doc_id": doc, "document": "A text."}}),
            }
            for place, (query, doc, said) in enumerate(cases)
        ],
        "conversationalTestCases": [],
        "testPassed": 1,
    }  # fmt: skip


def test_a_test_run_of_deepeval(tmp_path: Path) -> None:
    """The model is the rater; a metric that failed is no grade, and is counted."""
    path = tmp_path / "test_run.json"
    failed = metric(None, error="Evaluation LLM outputted an invalid JSON.")
    run = deepeval(("red shoes", "a", [metric(1.0)]), ("red shoes", "b", [metric(0.25)]), ("rain", "c", [failed]))
    path.write_text(json.dumps(run))
    read = ir.read_judgments(path)
    assert (read.source.what, read.raters, read.withheld()) == ("a DeepEval test run", ("gpt-5.4",), {"failed": 1})
    assert read.ratings.ravel()[:2].tolist() == [1.0, 0.25]
    assert "prompt" in read.source.frame.names
    mixed = deepeval(
        ("q", "a", [metric(1.0), metric(0.5, name="Ours [GEval]")]), ("q", "b", [metric(0.0, evaluationModel="m2")])
    )
    assert ir.read_judgments(mixed).raters == (
        "gpt-5.4, Contextual Relevancy", "gpt-5.4, Ours [GEval]", "m2, Contextual Relevancy"
    )  # fmt: skip
    with pytest.raises(
        ir.DataError, match=r"test case 2 does not say which document was graded\. Give each its id: LLM"
    ):
        ir.read_judgments(deepeval(("q", "a", [metric(1.0)]), ("q", None, [metric(1.0)])))


# promptfoo: examples/grok-4-political-bias/sample-results-final.json, and graderFail in src/matchers/shared.ts.


def component(score: float, reason: str = "It fits.", **more: Any) -> dict[str, Any]:
    """What came of an assertion."""
    asked = {"type": "llm-rubric", "value": "Does it answer {{query}}?", "provider": "openai:gpt-4o"}
    return {"assertion": asked, "pass": score > 0, "score": score, "reason": reason, **more}


def promptfoo(*tests: tuple[dict[str, Any], list[dict[str, Any]] | None]) -> dict[str, Any]:
    """The results of tests, each with its variables and what came of its assertions; None: the test itself failed."""
    asked = [component(0)["assertion"]]
    results = [
        {
            "gradingResult": {"pass": True, "score": 0, "reason": "All assertions passed", "componentResults": said}
            if said is not None
            else None,
            "id": f"r{place}", "promptIdx": 0, "testIdx": place, "provider": {"id": "echo", "label": ""},
            "testCase": {"vars": values, "assert": asked, "options": {}}, "vars": values, "score": 0,
            **({} if said is not None else {"error": "API error: 503"}), "failureReason": 0 if said is not None else 2,
        }
        for place, (values, said) in enumerate(tests)
    ]  # fmt: skip
    return {"evalId": "eval-DXt", "results": {"version": 3, "prompts": [], "results": results}, "config": {}}


def test_results_of_promptfoo(tmp_path: Path) -> None:
    """Model-graded assertions are ratings; the 0 that promptfoo stores for an answer it cannot read is none."""
    unread = component(0, "Could not extract JSON from llm-rubric response")
    contains = {"assertion": {"type": "contains", "value": "x"}, "pass": True, "score": 1, "reason": "Assertion passed"}
    path = tmp_path / "results.json"
    values = [{"query": "red shoes", "doc_id": doc, "document": "A text of it."} for doc in "abcdef"]
    tests = [
        (values[0], [component(1), contains]), (values[1], [component(0)]), (values[2], [unread]),
        (values[3], [component(0, "503", metadata={"graderError": True})]), (values[4], None),
    ]  # fmt: skip
    path.write_text(json.dumps(promptfoo(*tests)))
    read = ir.read_judgments(path)
    assert (read.source.what, read.raters) == ("promptfoo results", ("openai:gpt-4o",))
    assert read.withheld() == {"unparsable": 2, "failed": 1}
    assert read.source.frame.rows == 5
    assert read.ratings.ravel()[:2].tolist() == [1, 0]
    other = component(0.5) | {"assertion": {"type": "g-eval", "metric": "relevance", "provider": {"id": "m2"}}}
    both = ir.read_judgments(promptfoo((values[0], [component(1)]), (values[0], [other])))
    assert both.raters == ("openai:gpt-4o, llm-rubric", "m2, relevance")


@pytest.mark.parametrize(
    ("values", "said", "message"),
    [
        ({"query": "q", "document": "A text."}, [component(1)], r"test 1 does not say which document was graded"),
        ({"id": "cal_002", "question": "q"}, [component(1)], r"test 1 does not say which document was graded"),
        ({"doc_id": "d"}, [component(1)], r"test 1 does not say which query it was graded for"),
        ({"query": "q", "doc_id": "d"}, [], r"promptfoo results without a model-graded assertion, such as llm-rubric"),
    ],
)
def test_results_of_promptfoo_that_are_no_judgments(values: Any, said: Any, message: str) -> None:
    """A test that names no document, or asks no model, is told."""
    with pytest.raises(ir.DataError, match=message):
        ir.read_judgments(promptfoo((values, said)))


# Ragas 0.4: src/ragas/dataset_schema.py, src/ragas/metrics/_nv_metrics.py.


def ragas(query: str, docs: list[str], score: float | None, **more: Any) -> dict[str, Any]:
    """A row of an evaluation: the sample, and what the metric said."""
    sample = {"user_input": query, "retrieved_contexts": ["A text."] * len(docs), "retrieved_context_ids": docs}
    return {**sample, "response": "…", "nv_context_relevance": score, **more}


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv"])
def test_rows_of_ragas(tmp_path: Path, ending: str) -> None:
    """A row of one context is a grade; NaN, where an answer could not be read or failed, is none, and is counted."""
    rows = [ragas("red shoes", ["a"], 1.0), ragas("red shoes", ["b"], 0.5), ragas("rain", ["c"], float("nan"))]
    path = tmp_path / f"ragas.{ending}"
    if ending == "csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows([*rows[:2], rows[2] | {"nv_context_relevance": ""}])
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows) if ending == "jsonl" else json.dumps(rows))
    read = ir.read_judgments(path)
    assert (read.source.what, read.raters, read.withheld()) == ("Ragas grades", ("ragas",), {"failed": 1})
    assert read.ratings.ravel()[:2].tolist() == [1.0, 0.5]


def test_rows_of_ragas_that_are_no_grades_of_a_document() -> None:
    """A grade of several contexts is none of a document; rows with reference contexts are results, as ever."""
    with pytest.raises(
        ir.DataError, match=r"row 2 has 2 retrieved_context_ids\. The metric grades all contexts of a row"
    ):
        ir.read_judgments([ragas("q", ["a"], 1.0), ragas("q", ["b", "c"], 0.5)])
    rows = [ragas("q", ["a"], 1.0, reference_context_ids=["a"]), ragas("p", ["b"], 0.5, reference_context_ids=["c"])]
    assert ir.evaluate(rows, rows, ["P@1"]).mean("P@1") == 0.5
    two = [ragas("q", ["a"], 1.0, model="m1"), ragas("q", ["a"], 0.5, model="m2")]
    assert ir.read_judgments(two).raters == ("m1", "m2")


def test_rows_of_judge_without_any_grade_are_refused(tmp_path: Path) -> None:
    """There is no column of grades then: the message counts what became of the pairs, and says why of the first."""
    row = {"query": "q", "doc": "d1", "model": "m", "state": "unparsable", "reason": "not a number: ten"}
    path = written(tmp_path / "grades.jsonl", [row, {**row, "doc": "d2", "state": "refused"}])
    message = "none of 2 pairs: 1 unparsable, 1 refused, as in line 1 (not a number: ten). Judge them with another"
    for read in (ir.read_judgments, ir.agreement):
        with pytest.raises(ir.DataError, match=re.escape(message)):
            read(path)
    path = written(tmp_path / "some.jsonl", [{**row, "grade": 1, "state": None}, {**row, "doc": "d2"}])
    assert ir.read_judgments(path).withheld() == {"unparsable": 1}


# Quepid: app/views/api/v1/export/books and app/services/llm_service.rb.


def judgement(rating: float | None, who: str, **more: Any) -> dict[str, Any]:
    """What a rater said, as in the export of a book."""
    nothing = {"unrateable": False, "judge_later": False, "user_email": who, "explanation": None}
    return {"rating": rating, **nothing, **more}


def test_a_book_of_quepid_says_who_could_not_tell_who_put_off_and_what_failed(tmp_path: Path) -> None:
    """None of the three is a grade, and each is counted; the grades are as before."""
    boom = judgement(None, "judy", unrateable=True, explanation="BOOM: API request failed: timeout")
    said = [
        [judgement(3.0, "ana"), boom],
        [judgement(None, "ana", unrateable=True), judgement(1.0, "judy", explanation="On the subject.")],
        [judgement(None, "ana", judge_later=True), judgement(0.0, "judy")],
        [judgement(2.0, "ana"), judgement(2.0, "judy")],
    ]
    pairs = [
        {"query_text": "q", "doc_id": f"d{place}", "position": None, "document_fields": "{}", "judgements": each}
        for place, each in enumerate(said)
    ]
    path = tmp_path / "book.json"
    path.write_text(json.dumps({"name": "b", "scale": [0, 1, 2, 3], "query_doc_pairs": pairs}))
    read = ir.read_judgments(path)
    assert read.raters == ("ana", "judy")
    assert read.withheld() == {"cannot tell": 1, "later": 1, "failed": 1}
    assert "1 cannot tell; 1 failed; 1 later" in ir.agreement(path).headline
    assert ir.agreement(path).ratings.grade.tolist() == [3, 1, 0, 2, 2]
