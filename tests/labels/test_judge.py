"""Language models as raters: functions that stand for a model, what they may answer, and what cannot be asked."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def pairs(*queries: str) -> dict[str, list[str]]:
    """Return a table of a pair for each text of a query."""
    return {
        "query_id": [f"q{place}" for place in range(len(queries))],
        "query": list(queries),
        "doc_id": [f"d{place}" for place in range(len(queries))],
        "text": [f"Text {place}." for place in range(len(queries))],
    }


def states(found: ir.ModelGrades) -> list[tuple[str, int | None]]:
    """Return the state and the grade of each pair."""
    return [(answer.state, answer.grade) for answer in found.answers]


@pytest.mark.parametrize(
    ("said", "grade", "reason"),
    [
        ("The document is about shoes: 2 of 3.", None, "not JSON: The document is about shoes: 2 of 3."),
        ("O: 10", None, "not JSON: O: 10"),
        ("##final score: 3", None, "not JSON: ##final score: 3"),
        ('{"grade": 7, "reason": "very good"}', None, "the grade 7 is not one of 0, 1, 2, 3"),
        ('{"grade": -1, "reason": "bad"}', None, "the grade -1 is not one of 0, 1, 2, 3"),
        ('{"grade": 1.5, "reason": "between"}', None, "the grade 1.5 is not one of 0, 1, 2, 3"),
        ('{"grade": "3", "reason": "a text"}', None, 'the grade "3" is no number'),
        ('{"grade": true, "reason": "yes"}', None, "the grade true is no number"),
        ('{"grade": null, "reason": "?"}', None, 'no grade: {"grade": null, "reason": "?"}'),
        ('{"grade": 0, "grade": 3}', None, 'not JSON: {"grade": 0, "grade": 3}'),
        ('[{"grade": 2}]', None, 'no grade: [{"grade": 2}]'),
        ('{"grade": 2, "reason": "x"} I hope', None, 'not JSON: {"grade": 2, "reason": "x"} I hope'),
        ("", None, "an empty answer"),
        ('```json\n{"grade": 3, "reason": "in a block"}\n```', 3, "in a block"),
        ('{"grade": 2.0, "reason": "a whole number"}', 2, "a whole number"),
    ],
)
def test_an_answer_is_a_state_and_never_a_silent_zero(said: str, grade: int | None, reason: str) -> None:
    """What is not plainly a grade of the scale is unparsable, with what was said; the other pairs have their grades."""
    found = ir.judge(pairs("odd", "fine"), ask=lambda prompt: said if "Query: odd" in prompt else '{"grade": 1}')
    assert found.answers[0][:3] == ("unparsable" if grade is None else "graded", grade, reason)
    assert found.answers[1].state == "graded"
    assert ("grade" in found.rows[0]) == (grade is not None)


def test_asked_twice_counts_answers_and_not_failures() -> None:
    """A grade and none are two answers that differ; a failure is no answer."""
    replies = {
        "same": ["2", "2"], "other": ["1", "3"], "once": ["2", "prose"], "never": ["prose", "prose"], "lost": ["2"],
    }  # fmt: skip

    def ask(prompt: str) -> str:
        (query,) = (line.removeprefix("Query: ") for line in prompt.splitlines() if line.startswith("Query: "))
        said = replies[query].pop(0)  # of "lost" there is no second
        return f'{{"grade": {said}}}' if said.isdigit() else said

    found = ir.judge(pairs(*replies), ask=ask, model="m", twice=1.0)
    assert (found.asked_twice, found.graded_twice, found.same_twice) == (4, 3, 1)
    said = " ".join(repr(found).split())
    assert "4 pairs; of the 3 graded at least once, 1 with the same grade both times (33.3%)." in said
    none = ir.judge(pairs("a", "b"), ask=lambda prompt: "prose", model="m", twice=1.0)
    assert "asked twice: 2 pairs, none of which was graded either time." in repr(none)


def test_a_judge_in_a_calibrated_comparison(tmp_path: Path) -> None:
    """A judge in a calibrated comparison."""
    queries = [f"q{place:02}" for place in range(60)]
    table = [
        {"query_id": query, "query": f"text {query}", "doc_id": f"{query}{doc}", "text": f"{query} {doc}"}
        for query in queries
        for doc in "abc"
    ]
    grade = {row["doc_id"]: place % 4 for place, row in enumerate(table)}

    def ask(prompt: str) -> str:
        text = prompt.rpartition("Document:\n")[2].strip().replace(" ", "")
        return "cannot say" if text == "q07c" else json.dumps({"grade": grade[text], "reason": text})

    out = tmp_path / "grades.jsonl"
    ir.judge(table, ask=ask, output=out)
    first = {query: [f"{query}a", f"{query}b", f"{query}c"] for query in queries}
    second = {query: [f"{query}c", f"{query}b", f"{query}a"] for query in queries}
    sampled = ir.sample(table, n=30, seed=1)
    # People see one result in nine otherwise.
    said = {doc: 3 - of if place % 9 == 4 else of for place, (doc, of) in enumerate(grade.items())}
    people = [{"query_id": r["query_id"], "doc_id": r["doc_id"], "grade": said[r["doc_id"]]} for r in table]
    found = ir.compare(people, {"a": first, "b": second}, ["nDCG@3"], judge=str(out), sampled=sampled)
    assert "judge" in found.to_json()
    other = tmp_path / "other.jsonl"
    ir.judge(table[:3], ask=ask, template="{{query}} Document:\n{{document}}", output=other)
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text(out.read_text().replace('"q00a"', '"q00z"') + other.read_text())
    with pytest.raises(ir.DataError, match="the column prompt has several values"):
        ir.compare(people, {"a": first, "b": second}, ["nDCG@3"], judge=str(mixed), sampled=sampled)


def test_functions_are_asked_as_servers_are(tmp_path: Path) -> None:
    """Functions are asked as servers are."""
    calls: list[str] = []

    def ask(prompt: str) -> Any:
        calls.append(prompt)
        query = prompt.partition("Query: ")[2].partition("\n")[0]
        if query == "late":
            raise TimeoutError("too late")
        if query == "wrong":
            raise KeyError("x")
        return {"grade": 2} if query == "dict" else '{"grade": 1, "reason": "r"}'

    found = ir.judge(pairs("dict", "text", "late", "wrong"), ask=ask, output=tmp_path / "grades.jsonl")
    assert states(found) == [("graded", 2), ("graded", 1), ("timed_out", None), ("failed", None)]
    assert found.model == "ask"
    ir.judge(pairs("dict", "text", "late", "wrong"), ask=ask, output=tmp_path / "grades.jsonl")
    assert len(calls) == 6

    under_way: list[int] = [0, 0]

    async def slowly(prompt: str) -> str:
        under_way[0] += 1
        under_way[1] = max(under_way)
        await asyncio.sleep(0.01)
        under_way[0] -= 1
        return '{"grade": 0}'

    assert ir.judge(pairs(*"abcdef"), ask=slowly, concurrency=3).counts["graded"] == 6
    assert under_way[1] == 3


def test_texts_are_found_by_role_and_in_tables_of_their_own() -> None:
    """Texts are found by role and in tables of their own."""
    seen: list[str] = []

    def ask(prompt: str) -> str:
        seen.append(prompt.partition("Query: ")[2])
        return '{"grade": 1}'

    table = {"query_id": ["1"], "doc_id": ["a"]}
    found = ir.judge(
        table,
        ask=ask,
        queries={"query_id": ["1", "2"], "query": ["red shoes", "hats"]},
        documents={"id": ["a", "b"], "title": ["Shoe", "Hat"], "body": ["Red.", "Blue."]},
    )
    assert seen == ["red shoes\n\nDocument:\nShoe\n\nRed.\n"]
    assert found.rows[0]["query_id"] == "1"
    by_text = ir.judge({"query": ["hats"], "product_id": ["p"], "product_title": ["A hat"]}, ask=ask)
    assert seen[1] == "hats\n\nDocument:\nA hat\n"
    assert by_text.rows[0]["query"] == "hats"
    template = "{{brand}} {{title}}|{{query}}"
    ir.judge({"query": ["q"], "doc": ["d"], "title": ["T {{query}}"], "brand": ["B"]}, ask=ask, template=template)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"text": ["", ""]}, "no text of the document d0, nor of those of 1 other row", id="no text"),
        pytest.param({"doc_id": ["a", ""]}, "no document. Name it, or leave the row out", id="no document"),
        pytest.param({"query": ["a", ""]}, "no text of the query q1. A model judges texts", id="no query text"),
    ],
)
def test_pairs_without_a_text_are_refused(change: dict[str, Any], message: str) -> None:
    """Pairs without a text are refused."""
    with pytest.raises(ir.DataError, match=message):
        ir.judge({**pairs("a", "b"), **change}, ask=lambda prompt: "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "Which model"),
        ({"model": "m", "base_url": "localhost:8080"}, "no address of a model"),
        ({"model": "m", "base_url": "http://me:secret@localhost/v1"}, "is written out"),
        ({"model": "m", "headers": {"api-key": "abcdefgh"}}, "is written out"),
        ({"model": "m", "twice": 2}, "not a share"),
        ({"model": "m", "scale": [0, 1]}, "the built-in guideline explains the grades 0,1,2,3"),
        ({"model": "m", "scale": [1], "template": "{{query}} {{document}}"}, "not a scale"),
        ({"model": "m", "template": "{{query}} only"}, r"no place for \{\{document\}\}"),
        ({"model": "m", "template": "{{query}} {{document}} {{brnad}}"}, r"names \{\{brnad\}\}, which pairs does not"),
        ({"model": "m", "template": "absent.txt"}, "cannot be read"),
        ({"model": "m", "price_in": -1.0}, "no price"),
        ({"model": "m", "price_in": 1.0, "prices": ir.Prices(2.0)}, r"price_in=… beside prices=Prices\(…\)"),
        ({"model": "m", "concurency": 2}, "No keyword of judge called 'concurency'. Did you mean concurrency"),
        ({"model": "m", "batch": 2}, "No keyword of judge called 'batch'"),
        ({"model": "m", "timeout": 0}, "not a number of seconds"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_is(options: dict[str, Any], message: str) -> None:
    """What cannot be asked is refused before anything is."""
    with pytest.raises(ir.UsageError, match=message):
        ir.judge(pairs("a"), **options)
