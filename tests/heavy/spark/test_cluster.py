"""Classic Spark, in one process and on a cluster of its own: a master and two workers on this machine."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.heavy.spark.conftest import local
from tests.heavy.spark.job import MEASURES, QUERIES
from tests.heavy.spark.worlds import JUDGED, RETURNED, columns, judged, returned

ROOT = Path(__file__).parents[3]
CONNECTED = "SPARK_CONNECT_MODE_ENABLED"
"""What a session of Spark Connect leaves in the environment; with it there is no classic Spark."""


@pytest.fixture(autouse=True)
def _whole(request: pytest.FixtureRequest) -> None:
    """Run only with `make test-all`, and where there is a Java 17 or 21."""
    if request.config.getoption("ring") == "first":
        pytest.skip("a cluster is started by make test-all only")
    if java() is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(
            "NOT TESTED: Spark on a cluster. There is no Java 17 or 21: apt-get install default-jre-headless"
        )


def java() -> str | None:
    """Return the home of a Java that Spark 4 runs on, or None."""
    homes = [os.environ.get("JAVA_HOME", ""), *map(str, Path("/usr/lib/jvm").glob("*"))]
    if (found := shutil.which("java")) is not None:
        homes.append(str(Path(found).resolve().parents[1]))
    for home in filter(None, homes):
        release = Path(home, "release")
        if release.is_file() and re.search(r'JAVA_VERSION="(17|21)\.', release.read_text()):
            return home
    return None


def surroundings() -> dict[str, str]:
    """Return the environment of Spark's processes: this Python, on loopback, without the session of another test."""
    own = {"JAVA_HOME": java() or "", "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    others = {name: value for name, value in os.environ.items() if name not in ("SPARK_REMOTE", CONNECTED)}
    return others | own | {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}


def done(*words: str) -> dict[str, Any]:
    """Run a job and return what it printed."""
    command = [sys.executable, "-m", "tests.heavy.spark.job", *words]
    run = subprocess.run(command, cwd=ROOT, env=surroundings(), capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr[-3000:]
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def done_until(happened: Callable[[dict[str, Any]], bool], *words: str) -> dict[str, Any]:
    """Run the job until what it provokes has happened: on a busy machine it may come too late, three times at most."""
    for _ in range(3):
        found = done(*words)
        if happened(found):
            break
    assert happened(found), found
    return found


def expected() -> dict[tuple[str, str], list[Any]]:
    """Return the values of the local path."""
    ours, theirs = columns(JUDGED, judged(queries=QUERIES)), columns(RETURNED, returned(last=QUERIES))
    return local(ir.evaluate(ours, theirs, MEASURES))


def by_key(values: list[list[Any]]) -> dict[tuple[str, str], list[Any]]:
    """Return printed values by query and system."""
    return {(row[0], row[1]): row[2:] for row in values}


def test_classic() -> None:
    """On classic Spark with 1, 2, 7 and 64 tasks, every value is that of the local path to the last bit."""
    found, values = done("local[2]", "1,2,7,64"), expected()
    assert all(by_key(found[partitions]) == values for partitions in ("1", "2", "7", "64"))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, int]]:
    """Start a master and two workers; return the master's address and the process of the first worker."""
    import pyspark

    runner, folder = Path(pyspark.__file__).parent / "bin" / "spark-class", "org.apache.spark.deploy"
    log, running = (tmp_path / "master.log"), list[subprocess.Popen[bytes]]()

    def start(log: Path, host: str, *words: str) -> None:
        environment = (
            surroundings()
            | {"SPARK_LOCAL_IP": host}
            | {"SPARK_WORKER_DIR": str(tmp_path), "SPARK_LOCAL_DIRS": str(tmp_path)}
        )
        with log.open("wb") as out:
            running.append(subprocess.Popen([str(runner), *words], stdout=out, stderr=out, env=environment))

    start(log, "127.0.0.1", f"{folder}.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
    try:
        address = found_in(log, r"Starting Spark master at (spark://\S+)")
        for number in (1, 2):
            host = f"127.0.0.{number}"  # a task is never run a second time on the same host
            words = ("--host", host, "--webui-port", "0", "--cores", "1", "--memory", "1g")
            start(tmp_path / f"{number}.log", host, f"{folder}.worker.Worker", *words, address)
            found_in(tmp_path / f"{number}.log", "Successfully registered with master")
        yield address, running[1].pid
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait(20)


def found_in(log: Path, pattern: str) -> str:
    """Wait until a log says something, and return what."""
    for _ in range(600):
        if (found := re.search(pattern, log.read_text(errors="replace"))) is not None:
            return found[found.re.groups]
        time.sleep(0.1)
    raise AssertionError(log.read_text(errors="replace")[-2000:])


def test_an_executor_is_killed(cluster: tuple[str, int]) -> None:
    """With one of two executors killed while tasks run, and what it wrote lost, every value stays the same."""
    found = done_until(
        lambda found: 2 <= found["completed"][0] < found["completed"][1], cluster[0], "64", str(cluster[1])
    )
    assert by_key(found["64"]) == expected()


def test_tasks_run_twice(cluster: tuple[str, int]) -> None:
    """With speculation, some tasks run on both workers at once, and every value is there once, and the same."""
    found = done_until(lambda found: found["speculative"] > 0, cluster[0], "7,64")
    assert [len(found[partitions]) for partitions in ("7", "64")] == [len(expected())] * 2
    assert by_key(found["7"]) == by_key(found["64"]) == expected()
