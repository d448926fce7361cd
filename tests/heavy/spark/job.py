"""A job on classic Spark, in a process of its own: what it found goes to standard output as JSON.

python -m tests.heavy.spark.job MASTER PARTITIONS,… [PID of a worker whose executor is killed]
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from tests.heavy.spark.conftest import TYPES, by_query
from tests.heavy.spark.worlds import JUDGED, RETURNED, judged, returned

QUERIES = 150
MEASURES = ["nDCG@10", "AP", "RBP"]


def executor_of(worker: int) -> int | None:
    """Return the process of an executor that a worker started, or None."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(folder.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            if parent == worker and b"CoarseGrainedExecutorBackend" in folder.joinpath("cmdline").read_bytes():
                return int(folder.name)
        except OSError:
            continue
    return None


def kill_executor(worker: str) -> bool:
    """Kill the executor of a worker; say whether there was one."""
    process = executor_of(int(worker))
    if process:
        os.kill(process, signal.SIGKILL)
    return bool(process)


def midway(context: Any, worker: str, said: dict[str, Any]) -> None:
    """Kill the executor of a worker once some tasks of a stage with many have finished, and others run."""
    while "completed" not in said:
        for stage in context.statusTracker().getActiveStageIds():
            info = context.statusTracker().getStageInfo(stage)
            midst = info and info.numTasks >= 16 and 2 <= info.numCompletedTasks < info.numTasks - 8
            if midst and kill_executor(worker):
                said["completed"] = [info.numCompletedTasks, info.numTasks]
                return
        time.sleep(0.01)


def of_log(folder: str) -> dict[str, int]:
    """Count the speculative tasks in the log of a finished job."""
    files = [file for file in Path(folder).rglob("*") if file.is_file() and "." not in file.name[:1]]
    events = [json.loads(line) for file in files for line in file.read_text().splitlines() if line.startswith("{")]
    ended = [event["Task Info"]["Speculative"] for event in events if event["Event"] == "SparkListenerTaskEnd"]
    return {"speculative": sum(ended)}


def session(master: str, log: str) -> Any:
    """Return a session with speculation on and a log, whose tasks are as many as there are partitions."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.host": "127.0.0.1",
        "spark.speculation": "true", "spark.speculation.quantile": "0.1", "spark.speculation.multiplier": "1.01",
        "spark.speculation.interval": "20ms", "spark.speculation.minTaskRuntime": "1ms",
        "spark.sql.adaptive.enabled": "false",
        "spark.eventLog.enabled": "true", "spark.eventLog.compress": "false", "spark.eventLog.dir": f"file://{log}",
        "spark.executor.memory": "512m", "spark.executor.cores": "1", "spark.driver.memory": "1g",
    }  # fmt: skip
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def main(master: str, partitions: str, worker: str = "") -> None:
    """Evaluate the same tables as the test does, and print values and states, and what the log says."""
    with tempfile.TemporaryDirectory() as log:
        said = evaluated(session(master, log), partitions.split(","), worker)
        said |= of_log(log)
    print(json.dumps(said))


def evaluated(own: Any, partitions: list[str], worker: str) -> dict[str, Any]:
    """Evaluate with each number of partitions, and stop the session."""
    from idealrank.distributed import spark
    from idealrank.distributed.spark import tasks

    tasks.BUCKET_ROWS = 500  # several buckets in a partition
    said = dict[str, Any]()
    own.sparkContext.setLogLevel("ERROR")
    frames = [
        own.createDataFrame(rows, ", ".join(f"{name} {TYPES[name]}" for name in names))
        for names, rows in ((JUDGED, judged(queries=QUERIES)), (RETURNED, returned(last=QUERIES)))
    ]
    if worker:
        ours = (own.sparkContext, worker, said)
        threading.Thread(target=midway, args=ours, daemon=True).start()
    for each in partitions:
        own.conf.set("spark.sql.shuffle.partitions", each)
        values = by_query(spark.evaluate(*frames, MEASURES))
        said[each] = [[*key, *row] for key, row in values.items()]
    own.stop()
    return said


if __name__ == "__main__":
    main(*sys.argv[1:])
