"""Language models as raters: a real server that fails in every way, runs that are killed, and what is read of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.cli.terminal import run
from tests.heavy.labels.chat_server import KEY, ChatServer, chat_server
from tests.labels.test_judge import pairs, states


@pytest.fixture
def server() -> Iterator[ChatServer]:
    """A server that fails as queries ask it to."""
    with chat_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def write_pairs(path: Path, *queries: str) -> Path:
    """Write the same as a file."""
    table = pairs(*queries)
    rows = [",".join(table), *(",".join(row) for row in zip(*table.values(), strict=True))]
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(
    ("query", "state", "grade", "reason"),
    [
        ("ok", "graded", 2, "of 2 letters"),
        ("!refusal", "refused", None, "I cannot help with that."),
        ("!filtered", "refused", None, "stopped by the content filter"),
        ("!filter", "refused", None, "HTTP 400 Bad Request: filtered"),
        ("!ended", "unparsable", None, 'cut off at the most tokens allowed: {"grade": 2, "reas'),
        ("!status:500", "failed", None, "HTTP 500 Internal Server Error: as asked"),
        ("!status:400", "failed", None, "HTTP 400 Bad Request: as asked"),
        ("!form", "failed", None, "an answer of another form: no choices with a message"),
        ("!slow:1.5", "timed_out", None, "no whole answer within 0.7 s"),
    ],
)
def test_an_answer_is_a_state_and_never_a_silent_zero(
    server: ChatServer, query: str, state: str, grade: int | None, reason: str
) -> None:
    """An answer is a state and never a silent zero."""
    found = ir.judge(pairs(query, "fine"), model="m", base_url=server.url, retries=0, timeout=0.7)
    assert found.answers[0][:3] == (state, grade, reason)
    assert found.answers[1].state == "graded"
    assert ("grade" in found.rows[0]) == (state == "graded")
    assert server.asked[query] == 1


def test_broken_json_of_the_server_is_a_failure(server: ChatServer) -> None:
    """Broken json of the server is a failure."""
    found = ir.judge(pairs("!broken", "fine"), model="m", base_url=server.url)
    assert found.answers[0].state == "failed"
    assert found.answers[0].reason.startswith("the answer is not JSON")


def test_what_may_succeed_later_is_tried_again(server: ChatServer) -> None:
    """What may succeed later is tried again."""
    queries = ("!status:429:2", "!status:500:1", "!cut:1")
    found = ir.judge(pairs(*queries), model="m", base_url=server.url, retries=3)
    assert [state for state, _ in states(found)] == ["graded"] * 3
    assert server.asked == {"!status:429:2": 3, "!status:500:1": 2, "!cut:1": 2}


def test_the_server_is_left_alone_as_long_as_it_asks(server: ChatServer) -> None:
    """The server is left alone as long as it asks."""
    found = ir.judge(pairs("!status:429:1:1"), model="m", base_url=server.url)
    assert states(found)[0][0] == "graded"
    assert server.times[1] - server.times[0] >= 0.95


def test_only_a_retry_of_the_command_asks_again_what_failed(server: ChatServer, tmp_path: Path) -> None:
    """Only a retry of the command asks again what failed."""
    table, out = pairs("fine", "!ten", "!refusal", "!status:503:1", "other"), tmp_path / "grades.jsonl"
    first = ir.judge(table, model="m", base_url=server.url, retries=0, output=out)
    assert first.counts == {"graded": 2, "refused": 1, "unparsable": 1, "timed_out": 0, "failed": 1}
    assert server.requests == 5
    again = ir.judge(table, model="m", base_url=server.url, retries=0, output=out)
    assert again.counts == {"graded": 3, "refused": 1, "unparsable": 1, "timed_out": 0, "failed": 0}
    assert again.kept == 4
    assert server.requests == 6
    assert server.asked["!status:503:1"] == 2
    ir.judge(table, model="m", base_url=server.url, retries=0, output=out)
    assert server.requests == 6
    ir.judge(table, model="m", base_url=server.url, retries=0, output=out, anew=True)
    assert server.requests == 11


def test_the_cache_knows_content_and_not_ids(server: ChatServer, tmp_path: Path) -> None:
    """The cache knows content and not ids."""
    cache = tmp_path / "cache.jsonl"
    ask: dict[str, Any] = {"model": "m", "base_url": server.url, "cache": cache}
    table = pairs("one", "two", "one")
    table["text"] = ["the same", "another", "the same"]
    found = ir.judge(table, **ask)
    assert server.requests == 2  # pairs with the same texts share an answer
    assert states(found) == [("graded", 3)] * 3
    renamed = {**table, "query_id": ["x", "y", "z"], "doc_id": ["u", "v", "w"]}
    assert ir.judge(renamed, **ask).kept == 2
    assert server.requests == 2
    own = "Of {{document}} grade\nQuery: {{query}}"
    for change in ({"model": "n"}, {"template": own}, {"params": {"seed": 1}}, {"structured": False}):
        before = server.requests
        assert ir.judge(table, **{**ask, **change}).kept == 0
        assert server.requests == before + 2
    before = server.requests
    ir.judge({**table, "text": ["new", "another", "the same"]}, **ask)
    assert server.requests == before + 1


def test_two_servers_with_one_name_of_a_model_do_not_share_answers(server: ChatServer, tmp_path: Path) -> None:
    """The address is part of what was asked; the same one, written whole or with a slash, is the same server."""
    kept, options = tmp_path / "answers.jsonl", {"model": "m", "cache": tmp_path / "answers.jsonl"}
    with chat_server() as other:
        assert ir.judge(pairs("one", "two"), base_url=server.url, **options).kept == 0  # type: ignore[arg-type]
        assert ir.judge(pairs("one", "two"), base_url=other.url, **options).kept == 0  # type: ignore[arg-type]
        assert (server.requests, other.requests) == (2, 2)
        for same in (server.url, f"{server.url}/", f"{server.url}/chat/completions"):
            assert ir.judge(pairs("one", "two"), base_url=same, **options).kept == 2  # type: ignore[arg-type]
    assert (server.requests, len(kept.read_bytes().splitlines())) == (2, 4)


def test_pairs_no_longer_asked_leave_the_file_and_that_is_said(server: ChatServer, tmp_path: Path) -> None:
    """As replay does with queries; nothing that was paid for is lost, and asking for all again asks nothing."""
    out = tmp_path / "grades.jsonl"
    words = ["judge", "pairs.csv", "--model", "m", "--base-url", server.url, "-o", "grades.jsonl"]
    write_pairs(tmp_path / "pairs.csv", "one", "two", "three")
    assert "left the file" not in run(*words, cwd=tmp_path).out
    write_pairs(tmp_path / "pairs.csv", "two")
    sentence = (
        "2 pairs of an earlier run were not asked this time and left the file of grades; what was answered stays in "
        "the file of answers, and is not asked again."
    )
    assert len(out.read_text().splitlines()) == 3
    table = pairs("one", "two", "three")
    one = {name: column[1:2] for name, column in table.items()}
    found = ir.judge(one, model="m", base_url=server.url, output=out)
    assert (found.no_longer_asked, len(out.read_text().splitlines())) == (2, 1)
    assert sentence in " ".join(repr(found).split())
    assert found.to_dict()["no_longer_asked"] == 2
    again = ir.judge(table, model="m", base_url=server.url, output=out)
    assert (again.no_longer_asked, again.kept, server.requests) == (0, 3, 3)
    out.write_text("query,doc\nq,d\n")  # a file of another kind, which -o replaces as ever
    assert ir.judge(table, model="m", base_url=server.url, output=out).no_longer_asked == 0


def test_a_share_is_asked_twice(server: ChatServer) -> None:
    """A share is asked twice."""
    queries = [f"text {place}" for place in range(15)] + [f"!flip {place}" for place in range(5)]
    found = ir.judge(pairs(*queries), model="m", base_url=server.url, twice=1.0)
    assert server.requests == 40
    assert (found.asked_twice, found.same_twice) == (20, 15)
    assert "asked twice: 20 pairs, 15 with the same grade both times (75%)." in repr(found)
    some = ir.judge(pairs(*queries[:15]), model="m", base_url=server.url, twice=0.1)
    assert len(some.seconds) == 2
    asked = {some.pairs.query[place] for place in some.seconds}
    table = {name: list(reversed(column)) for name, column in pairs(*queries[:15]).items()}
    other = ir.judge(table, model="m", base_url=server.url, twice=0.1)
    assert {other.pairs.query[place] for place in other.seconds} == asked


def test_tokens_are_counted_and_cost_what_the_user_says(server: ChatServer) -> None:
    """Tokens are counted and cost what the user says."""
    prices = {"price_in": 2.0, "price_out": 8.0}
    found = ir.judge(pairs("one", "two", "!ten"), model="m", base_url=server.url, **prices)
    assert (found.tokens("in"), found.tokens("out"), found.tokens("cached")) == (300, 30, 192)
    assert found.cost == pytest.approx((300 * 2 + 30 * 8) / 1e6)
    assert found.rows[2]["tokens_in"] == 100
    free = ir.judge(pairs("one"), model="m", base_url=server.url)
    assert free.cost is None


def test_what_is_sent(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/")
    ir.judge(pairs("red {{document}} shoes"), model="m")
    (body,) = server.bodies
    assert server.authorizations == [f"Bearer {KEY}"]
    assert (body["model"], body["temperature"]) == ("m", 0)
    assert body["response_format"]["json_schema"]["schema"]["properties"]["grade"]["enum"] == [0, 1, 2, 3]
    # Query and document last, for the caches of servers; what they contain is no template.
    assert body["messages"][0]["content"].endswith("Query: red {{document}} shoes\n\nDocument:\nText 0.\n")
    ir.judge(pairs("x"), model="m", structured=False, params={"temperature": None, "max_tokens": 5})
    assert server.bodies[1].keys() == {"model", "max_tokens", "messages"}


def test_the_key_is_never_written_nor_said(server: ChatServer, tmp_path: Path) -> None:
    """The key is never written nor said."""
    file, out = write_pairs(tmp_path / "pairs.csv", "fine", "!echo"), tmp_path / "grades.jsonl"
    words = ("judge", file, "--model", "m", "--base-url", server.url, "-o", out)
    said = run(*words, env={"OPENAI_API_KEY": KEY})
    assert KEY in str(server.authorizations)
    assert "bad key: Bearer ***" in said.out
    for text in (said.out, said.err, *(path.read_text() for path in tmp_path.iterdir())):
        assert KEY not in text


def test_a_server_without_response_format_is_told_from_one_that_fails(server: ChatServer) -> None:
    """A server without response format is told from one that fails."""
    server.schemas = False
    with pytest.raises(ir.DataError, match=r"unknown parameter: response_format.*structured=False") as error:
        ir.judge(pairs("a", "b", "c", "d", "e"), model="m", base_url=server.url, concurrency=1)
    assert "--no-schema" in error.value.typed
    assert server.requests == 1
    assert ir.judge(pairs("a"), model="m", base_url=server.url, structured=False).counts["graded"] == 1


def test_after_failures_in_a_row_nothing_more_is_asked(server: ChatServer, tmp_path: Path) -> None:
    """After failures in a row nothing more is asked."""
    queries = ["fine"] + [f"!status:500 {place}" for place in range(20)]
    out = tmp_path / "grades.jsonl"
    with pytest.raises(ir.DataError, match=r"m: stopped, 3 failures in a row; .* 1 answer of 21 kept in"):
        ir.judge(
            pairs(*queries), model="m", base_url=server.url, retries=0, stop_after=3, concurrency=1, output=out
        )  # fmt: skip
    assert server.requests == 4
    assert not out.exists()


def test_a_run_that_asks_only_what_failed_ends_as_the_first(tmp_path: Path) -> None:
    """That all of what is left fails says nothing of the pairs that were answered: the same account, again."""
    (tmp_path / "answering.py").write_text(
        "def ask(prompt):\n    return 3 if 'Text 1' in prompt else {'grade': 1, 'reason': ''}\n"
    )
    file, out = write_pairs(tmp_path / "pairs.csv", "one", "two", "three"), tmp_path / "grades.jsonl"
    words = ["judge", str(file), "--model", "m", "--base-url", "python:answering:ask", "-o", str(out)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    for kept in ("", "2 answers of an earlier run kept"):
        ended = subprocess.run(
            [sys.executable, "-m", "idealrank", *words], capture_output=True, text=True, env=environment
        )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (0, "")
        assert "3 pairs asked of m: 2 graded, 1 failed." in ended.stdout
        assert kept in ended.stdout
    # Where nothing was ever answered, the first failure that cannot pass ends the run.
    with pytest.raises(ir.DataError, match=r"m: stopped, since the other pairs would probably fail the same way; the"):
        ir.judge(pairs("one", "two"), ask=lambda prompt: 3, model="m", output=tmp_path / "other.jsonl")


def test_a_stopped_run_says_that_the_file_is_of_an_earlier_one(server: ChatServer, tmp_path: Path) -> None:
    """The grades of an earlier run stay, and that is said."""
    out = tmp_path / "grades.jsonl"
    ask: dict[str, Any] = {"model": "m", "base_url": server.url, "retries": 0, "concurrency": 1, "output": out}
    ir.judge(pairs("fine"), **ask)
    before = out.read_text()
    with pytest.raises(ir.DataError, match=r"stopped, 2 failures in a row; .*grades\.jsonl stays as an earlier run"):
        ir.judge(pairs("fine", "!status:500 1", "!status:500 2"), stop_after=2, **ask)
    assert out.read_text() == before


def test_grades_of_which_there_is_none_are_no_success(server: ChatServer, tmp_path: Path) -> None:
    """The command ends with 3, the file says what became of the pairs, and whoever reads it is told so."""
    file, out = write_pairs(tmp_path / "pairs.csv", "!ten", "!refusal"), tmp_path / "grades.jsonl"
    ended = run("judge", str(file), "--model", "m", "--base-url", server.url, "-o", str(out))
    assert ended.code == 3
    assert "Nothing was graded, so no command can use these as judgments. Give a prompt" in " ".join(ended.out.split())
    assert "2 pairs asked of m: 1 refused, 1 unparsable. Nothing was graded. Give a prompt" in ended.err
    message = r"grades\.jsonl: no grades: the model graded none of 2 pairs: 1 unparsable, 1 refused, as in line 1 \(not"
    for read in (ir.read_judgments, ir.agreement, lambda path: ir.evaluate(path, {"q0": {"d0": 1}})):
        with pytest.raises(ir.DataError, match=message):
            read(str(out))
    found = ir.judge(pairs("!refusal"), model="m", base_url=server.url)
    assert "Take another model, or another prompt" in " ".join(repr(found).split())


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_killed_and_gone_on_with_nothing_answered_is_asked_twice(
    server: ChatServer, tmp_path: Path, how: signal.Signals
) -> None:
    """Killed and gone on with nothing answered is asked twice."""
    queries = [f"text {place}" for place in range(60)]
    file, out = write_pairs(tmp_path / "pairs.csv", *queries), tmp_path / "grades.jsonl"
    kept = tmp_path / "grades.answers.jsonl"
    words = [sys.executable, "-m", "idealrank", "judge", str(file), "--model", "m", "--base-url", server.url]
    words += ["-o", str(out), "--concurrency", "2", "--twice", "10%"]
    server.wait = 0.03
    for wanted in (10, 30):
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 30
        while (not kept.exists() or len(kept.read_bytes().splitlines()) < wanted) and time.monotonic() < until:
            time.sleep(0.005)
        process.send_signal(how)
        _, said = process.communicate()
        assert process.returncode == (130 if how == signal.SIGINT else -how)
        if how == signal.SIGINT:
            assert "What was answered is kept: the same command goes on from there." in said
        assert not out.exists()
    answers = [json.loads(line) for line in kept.read_bytes().split(b"\n")[:-1] if line.endswith(b"}")]
    assert len(answers) >= 30
    before = server.asked.copy()
    last = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "of an earlier run kept" in last.stdout
    assert len(out.read_text().splitlines()) == 60
    # What was under way when the process was killed, two requests each time, was not answered to it.
    assert server.requests <= 66 + 2 * 2
    assert (server.asked - before).total() == 66 - len(answers)
    total = server.requests
    subprocess.run(words, capture_output=True, text=True, check=True)
    assert server.requests == total


def test_a_last_line_that_was_not_written_whole_is_asked_again(server: ChatServer, tmp_path: Path) -> None:
    """A last line that was not written whole is asked again."""
    out, kept = tmp_path / "grades.jsonl", tmp_path / "grades.answers.jsonl"
    ir.judge(pairs("one", "two"), model="m", base_url=server.url, output=out)
    kept.write_bytes(kept.read_bytes()[:-9])
    assert ir.judge(pairs("one", "two"), model="m", base_url=server.url, output=out).kept == 1
    assert server.requests == 3
    kept.write_bytes(b"not JSON\n" + kept.read_bytes())
    with pytest.raises(ir.UsageError, match="damaged at byte 0"):
        ir.judge(pairs("one", "two"), model="m", base_url=server.url, output=out)


def test_the_grades_are_read_with_the_model_as_their_rater(server: ChatServer, tmp_path: Path) -> None:
    """The grades are read with the model as their rater."""
    people, out = tmp_path / "people.csv", tmp_path / "grades.jsonl"
    people.write_text("query_id,doc_id,grade,rater\nq0,d0,3,ana\nq1,d1,2,ana\nq2,d2,0,ana\nq3,d3,1,ana\n")
    found = ir.judge(pairs("one", "text", "!ten", "!refusal"), model="m", base_url=server.url, output=out)
    read = ir.read_judgments(str(out))
    assert read.raters == ("m",)
    assert found.judgments.raters == ("m",)
    agreed = ir.agreement([str(people), str(out)])
    assert agreed.ratings.raters == ("ana", "m")
    assert len(agreed.ratings) == 6  # the two that are not graded are no ratings, and no grades of 0
    assert agreed.ratings.withheld == {"unparsable": 1, "refused": 1}
    results = {f"q{place}": [f"d{place}"] for place in range(4)}
    scores = ir.evaluate(str(out), results, ["RR"])
    assert scores.queries == ["q0", "q1"]


def test_the_command(server: ChatServer, tmp_path: Path) -> None:
    """The command says what became of the pairs, what was asked twice, and what it cost."""
    file, out = write_pairs(tmp_path / "pairs.csv", "one", "two", "!ten"), tmp_path / "grades.jsonl"
    words = ["judge", str(file), "--model", "m", "--base-url", server.url, "-o", str(out), "--twice", "100%"]
    said = run(*words, "--price-in", "1", "--price-out", "2", "--param", "seed=7", "--no-schema")
    assert said.lines == [
        "judge      3 pairs asked of m: 2 graded, 1 unparsable.",
        "           unparsable: 1 pair, as q2 d2 (not JSON: O: 10).",
        "           What is not graded is a missing rating, never a grade of 0.",
        "           asked twice: 3 pairs; of the 2 graded at least once, 2 with the same grade both times",
        "           (100%).",
        "           tokens: 600 in (384 of them from the server's cache), 60 out; cost 0.00072 by the prices",
        "           given.",
    ]
    assert server.bodies[0]["seed"] == 7
    assert "response_format" not in server.bodies[0]
    again = run(*words, "--json", "--param", "seed=7", "--no-schema")
    assert json.loads(again.out)["kept"] == 6
    assert server.requests == 6
    assert sorted(os.listdir(tmp_path)) == ["grades.answers.jsonl", "grades.jsonl", "pairs.csv"]
