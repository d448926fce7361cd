"""A run that is killed: nothing that was answered is asked again, and nothing is lost."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.amounts import costly
from tests.heavy.engines.faulty import Faulty

KILLS, AT_A_TIME = costly(50, 10), 4
QUERIES = 14 * KILLS

COPIES = """
import os, sys
import aiohttp, idealrank.cli.commands.replay, idealrank.engines.replay
for line in sys.stdin:
    if not (copy := os.fork()):
        sys.argv[1:] = line.rstrip("\\n").split("\\t")
        from idealrank.cli import main
        main()
    print(copy, flush=True)
    os.waitpid(copy, 0)
    print("gone", flush=True)
"""
"""Runs a command in a copy of a process that has imported everything, per line of its input."""


def journaled(journal: Path) -> set[str]:
    """Return the texts whose answers the journal has, whole lines only."""
    if not journal.exists():
        return set()
    lines = journal.read_bytes().split(b"\n")[1:-1]
    return {entry["hits"][0][0].rpartition(" ")[0] for entry in map(json.loads, lines) if "hits" in entry}


def asked(faulty: Faulty) -> Iterator[str]:
    """Yield every text that was asked, in the order of the requests."""
    for event in faulty.events("asked"):
        yield from event["texts"]


def test_killed_again_and_again(faulty: Faulty, tmp_path: Path) -> None:
    """Killed at ten random points, or fifty, a run asks again only what was under way, and ends with every answer."""
    out, queries, draw = tmp_path / "out", tmp_path / "queries.csv", random.Random(17)
    queries.write_text("query_id,query\n" + "".join(f"q{i},text {i}\n" for i in range(QUERIES)))
    journal = out / "replay" / "s.journal.jsonl"
    engine = f"s=opensearch+{faulty.address}/products"
    command = [sys.executable, "-m", "idealrank", "replay", str(queries), engine, "-k", "3", "-o", str(out)]
    command += ["--concurrency", str(AT_A_TIME), "--rate", "400"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", COPIES], text=True, **pipes) as copies:
        assert copies.stdin
        assert copies.stdout
        assert copies.stderr
        for _ in range(KILLS):
            before, count = journaled(journal), len(list(asked(faulty)))
            print(*command[3:], sep="\t", file=copies.stdin, flush=True)
            run = int(copies.stdout.readline())
            wanted, until = count + draw.randint(0, 12), time.monotonic() + 30
            while len(list(asked(faulty))) < wanted and time.monotonic() < until:
                time.sleep(draw.random() * 0.004)
            os.kill(run, signal.SIGKILL)
            assert copies.stdout.readline() == "gone\n"
            assert not before & set(list(asked(faulty))[count:])
            assert before <= journaled(journal)
        copies.stdin.close()
        assert copies.stderr.read() == ""
    before, count = journaled(journal), len(list(asked(faulty)))
    last = subprocess.run(command, check=True, capture_output=True, text=True)
    texts = list(asked(faulty))
    assert not before & set(texts[count:])
    assert f"{len(before)} answers of an earlier run kept" in last.stdout
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
    assert run.returncode == 130
    assert said.endswith("replay: the same command goes on from there.\n\nidealrank: interrupted.\n")
    assert not list(out.glob("*.csv"))
    again = subprocess.run([*command[:-2], "--rate", "1000"], check=True, capture_output=True, text=True)
    assert "of an earlier run kept" in again.stdout
