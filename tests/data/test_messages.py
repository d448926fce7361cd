"""Messages about files that are nearly right: each says what the file is, and what helps."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir

RUN = "q1 Q0 d1 1 9.5 run\n"

CASES = {
    "a JSON document longer than the look at it": (
        "j",
        '{"queries": {' + ", ".join(f'"{n}": "text of {n}"' for n in range(6000)) + "}}",
        ": JSON without documents. Expected are rows with a document id and a grade or a score, {query: {document: "
        "number}}, {query: [documents]}, or lists such as relevant_ids and retrieved_ids beside the query.",
    ),
    "a header above a run": (
        "r",
        "TOPIC_ID INTERACTION PID RANK SCORE RUN_ID\n" + RUN,
        "line 1: 'TOPIC_ID INTERACTION PID RANK SCORE RUN_ID' looks like a header, which a TREC run does not have. "
        "Remove the line.",
    ),
    "sampled judgments": (
        "j",
        "1 d1 0 1 0.5\n1 d2 1 1 1.0\n",
        "line 1: '1 d1 0 1 0.5' looks like a line of sampled judgments (prels: query, document, grade, method, "
        "probability), which idealrank does not read. Give lines 'query 0 document grade'.",
    ),
}
"""Which side, what it holds, and what is said of it."""


@pytest.mark.parametrize(("side", "text", "said"), [pytest.param(*case, id=name) for name, case in CASES.items()])
def test_what_the_file_is(tmp_path: Path, side: str, text: str, said: str) -> None:
    """The message names the form, and no option that cannot help."""
    for name, good in (("j", "q1 0 d1 1\n"), ("r", RUN)):
        (tmp_path / name).write_text(text if name == side else good, "utf-8")
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(str(tmp_path / "j"), str(tmp_path / "r"), ["RR"])
    assert str(refused.value) == f"{tmp_path / side} {said}".replace(" : ", ": ")


def test_passages_against_documents() -> None:
    """Where nothing meets, the nearest pair is shown: a passage of a judged document."""
    judgments = {"q1": {"KILT_19782967": 1, "MARCO_D1599536": 1}, "q2": {"MARCO_D7": 1}}
    results = {"q1": {"MARCO_D1599536-11": 2.0}, "q2": {"KILT_5-1": 1.0}}
    with pytest.raises(ir.DataError, match="'MARCO_D1599536-11' there and 'MARCO_D1599536' in judgments"):
        ir.evaluate(judgments, results, ["RR"])
    with pytest.raises(ir.DataError, match="'MARCO_D1599536' there and 'MARCO_D1599536-11' in judgments"):
        ir.evaluate(results, {"q1": {"MARCO_D1599536": 1.0}, "q2": {"x": 1.0}}, ["RR"])
