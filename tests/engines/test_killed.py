"""A run that is killed: nothing that was answered is asked again, and nothing is lost."""

from __future__ import annotations

import csv
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.engines.faulty import Faulty

KILLS, QUERIES, AT_A_TIME = 50, 700, 4


def journaled(journal: Path) -> set[str]:
    """Return the texts whose answers the journal has, whole lines only."""
    if not journal.exists():
        return set()
    lines = [line for line in journal.read_bytes().split(b"\n")[1:-1]]
    return {entry["hits"][0][0].rpartition(" ")[0] for entry in map(json.loads, lines)}


def asked(faulty: Faulty) -> Iterator[str]:
    """Yield every text that was asked, in the order of the requests."""
    for event in faulty.events("asked"):
        yield from event["texts"]


def test_killed_fifty_times(faulty: Faulty, tmp_path: Path) -> None:
    """Killed at fifty random points, a run asks again only what was under way, and ends with every answer."""
    out, queries, draw = tmp_path / "out", tmp_path / "queries.csv", random.Random(17)
    queries.write_text("query_id,query\n" + "".join(f"q{i},text {i}\n" for i in range(QUERIES)))
    journal = out / "replay" / "s.journal.jsonl"
    engine = f"s=opensearch+{faulty.address}/products"
    command = [sys.executable, "-m", "idealrank", "replay", str(queries), engine, "-k", "3", "-o", str(out)]
    command += ["--concurrency", str(AT_A_TIME), "--rate", "400"]
    for _ in range(KILLS):
        before, count = journaled(journal), len(list(asked(faulty)))
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wanted, until = count + draw.randint(0, 12), time.monotonic() + 30
        while len(list(asked(faulty))) < wanted and run.poll() is None and time.monotonic() < until:
            time.sleep(draw.random() * 0.004)
        run.send_signal(signal.SIGKILL)
        assert run.communicate()[1] == b""
        assert run.returncode == -signal.SIGKILL
        assert not before & set(list(asked(faulty))[count:])
        assert before <= journaled(journal)
    before, count = journaled(journal), len(list(asked(faulty)))
    last = subprocess.run(command, check=True, capture_output=True, text=True)
    texts = list(asked(faulty))
    assert not before & set(texts[count:])
    assert f"{len(before)} answers of an earlier run kept" in last.stderr
    assert QUERIES <= len(texts) <= QUERIES + KILLS * AT_A_TIME
    with (out / "s.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["query_id"], row["doc_id"]) for row in rows] == [
        (f"q{i}", f"text {i} {rank}") for i in range(QUERIES) for rank in (1, 2, 3)
    ]
    assert sorted(path.name for path in out.rglob("*")) == ["replay", "s.csv", "s.json"]


def test_interrupted(faulty: Faulty, tmp_path: Path) -> None:
    """Ctrl-C ends a run with one line and the code 130; the same command goes on."""
    out, queries = tmp_path / "out", tmp_path / "queries.txt"
    queries.write_text("".join(f"text {i}\n" for i in range(40)))
    command = [sys.executable, "-m", "idealrank", "replay", str(queries), f"opensearch+{faulty.address}/products"]
    command += ["-o", str(out), "--rate", "20"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while len(list(asked(faulty))) < 5 and run.poll() is None:
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate()
    assert (run.returncode, said) == (130, "idealrank: interrupted.\n")
    assert not list(out.glob("*.csv"))
    again = subprocess.run([*command[:-2], "--rate", "1000"], check=True, capture_output=True, text=True)
    assert "of an earlier run kept" in again.stderr
