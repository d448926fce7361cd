"""A job on classic Spark, in a process of its own: what it found goes to standard output as JSON.

python -m tests.distributed.spark.job MASTER PARTITIONS,… [PID of a worker whose executor is killed]
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tests.distributed.spark.conftest import TYPES, by_query
from tests.distributed.spark.worlds import JUDGED, RETURNED, judged, returned

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


def kill_midway(context: Any, worker: int, said: dict[str, Any]) -> None:
    """Kill a worker's executor once some tasks of a stage with many have finished, and others run."""
    while "killed" not in said:
        for stage in context.statusTracker().getActiveStageIds():
            info = context.statusTracker().getStageInfo(stage)
            process = executor_of(worker)
            if info and process and info.numTasks >= 16 and 2 <= info.numCompletedTasks < info.numTasks - 8:
                os.kill(process, signal.SIGKILL)
                said["killed"] = [info.numCompletedTasks, info.numTasks]
                return
        time.sleep(0.01)


def session(master: str) -> Any:
    """Return a session with speculation on, whose tasks are as many as there are partitions."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.host": "127.0.0.1",
        "spark.speculation": "true", "spark.speculation.quantile": "0.1", "spark.speculation.multiplier": "1.01",
        "spark.speculation.interval": "20ms", "spark.speculation.minTaskRuntime": "1ms",
        "spark.sql.adaptive.enabled": "false",
        "spark.executor.memory": "512m", "spark.executor.cores": "1", "spark.driver.memory": "1g",
    }  # fmt: skip
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def main(master: str, partitions: str, worker: str = "") -> None:
    """Evaluate the same tables as the test does, and print values and states."""
    from idealrank.distributed import spark
    from idealrank.distributed.spark import tasks

    tasks.BUCKET_ROWS = 500  # several buckets in a partition
    own, said = session(master), dict[str, Any]()
    own.sparkContext.setLogLevel("ERROR")
    frames = [
        own.createDataFrame(rows, ", ".join(f"{name} {TYPES[name]}" for name in names))
        for names, rows in ((JUDGED, judged(queries=QUERIES)), (RETURNED, returned(last=QUERIES)))
    ]
    if worker:
        threading.Thread(target=kill_midway, args=(own.sparkContext, int(worker), said), daemon=True).start()
    for each in partitions.split(","):
        own.conf.set("spark.sql.shuffle.partitions", each)
        values = by_query(spark.evaluate(*frames, MEASURES))
        said[each] = [[*key, *row] for key, row in values.items()]
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
