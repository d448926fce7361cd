"""A real server of language models: llama.cpp's, on a model of random weights."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.labels.model_answers import STATES
from tests.cli.terminal import run

GRADE = {"type": "object", "properties": {"grade": {"enum": [0, 1, 2, 3]}}, "required": ["grade"]}
FORM = {"type": "json_schema", "json_schema": {"name": "judgment", "strict": True, "schema": GRADE}}
"""An answer of a grade alone. A reason beside it would be random bytes without an end."""

LONGEST = 60
"""Seconds the server may take to start."""


@pytest.fixture(scope="module")
def llama() -> Iterator[str]:
    """The address of the server; without its package the tests are skipped, and fail under CI=true."""
    if not importlib.util.find_spec("xllamacpp") or not importlib.util.find_spec("gguf"):
        absent = pytest.fail if os.environ.get("CI") == "true" and sys.platform == "linux" else pytest.skip
        absent("NOT TESTED: llama.cpp (the packages xllamacpp and gguf are not installed)")
    script = Path(__file__).with_name("llama_server.py")
    with tempfile.TemporaryFile("w+") as log:
        server = subprocess.Popen([sys.executable, str(script)], stdin=subprocess.PIPE, stdout=log, stderr=log)
        try:
            yield f"{_address(server, log)}/v1"
        finally:
            assert server.stdin is not None
            server.stdin.close()
            server.wait(LONGEST)


def _address(server: subprocess.Popen[bytes], log: Any) -> str:
    until = time.monotonic() + LONGEST
    while True:
        log.seek(0)
        said = log.read()
        if ready := re.search(r"^READY (\S+)$", said, re.MULTILINE):
            return ready[1]
        if server.poll() is not None or time.monotonic() > until:
            raise RuntimeError(said[-3000:])
        time.sleep(0.05)


def pairs(many: int, **texts: str) -> dict[str, list[str]]:
    """Return a table of pairs; the texts of documents may be others, by id."""
    docs = [f"d{place}" for place in range(many)]
    return {
        "query_id": [f"q{place % 5}" for place in range(many)],
        "query": [f"shoes of colour {place % 5}" for place in range(many)],
        "doc_id": docs,
        "text": [texts.get(doc, f"A shoe, number {doc}.") for doc in docs],
    }


def test_a_real_server_is_held_to_the_grades(llama: str, tmp_path: Path) -> None:
    """Every answer is a grade of the scale, the same when asked twice; a second run asks nothing."""
    out = tmp_path / "grades.jsonl"
    ask: dict[str, Any] = {"model": "tiny", "base_url": llama, "params": {"response_format": FORM}, "output": out}
    found = ir.judge(pairs(20), twice=0.2, **ask)
    assert found.counts["graded"] == 20
    assert (found.asked_twice, found.graded_twice, found.same_twice) == (4, 4, 4)
    assert {answer.grade for answer in found.answers} <= {0, 1, 2, 3}
    spent = found.tokens("in")
    assert spent is not None
    assert spent > 20 * 100
    assert found.tokens("cached") is not None
    kept = out.with_suffix(".answers.jsonl").read_bytes()
    assert ir.judge(pairs(20), twice=0.2, **ask).kept == 24
    assert out.with_suffix(".answers.jsonl").read_bytes() == kept
    read = ir.read_judgments(out)
    assert (read.raters, read.source.frame.rows) == (("tiny",), 20)


def test_what_a_real_server_cannot_take_has_failed(llama: str, tmp_path: Path) -> None:
    """A text beyond the context is a 400; it alone has no grade, and the command says why and ends with 0, twice."""
    table, out = pairs(4, d1="much too long " * 2_000), tmp_path / "grades.jsonl"
    file = tmp_path / "pairs.jsonl"
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["judge", str(file), "--model", "tiny", "--base-url", llama, "-o", str(out)]
    words += ["--param", f"response_format={json.dumps(FORM)}"]
    for kept in ("", "3 answers of an earlier run kept"):
        said = run(*words)
        assert said.code == 0
        assert "4 pairs asked of tiny: 3 graded, 1 failed." in said.out
        assert "failed: 1 pair, as q1 d1 (HTTP 400" in said.out
        assert kept in said.out


def test_nothing_a_real_server_says_is_a_silent_zero(llama: str) -> None:
    """Random bytes for a reason, cut off: each pair has a state, and a grade only where the whole answer is one."""
    found = ir.judge(pairs(6), model="tiny", base_url=llama, params={"max_tokens": 30}, retries=0)
    assert {answer.state for answer in found.answers} <= set(STATES)
    assert all((answer.grade is None) == (answer.state != "graded") for answer in found.answers)
    assert found.counts["graded"] < 6
    loose = ir.judge(pairs(3), model="tiny", base_url=llama, params={"max_tokens": 30}, structured=False, retries=0)
    assert loose.counts["graded"] == 0
