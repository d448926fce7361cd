"""Spark on this machine: our job against the command line, RankingMetrics, twice the rows, and one worker.

    python bench/spark.py [--queries N] [--runs N]

Ten judgments and twenty results per query, in Parquet. Each job runs in a session of its own, once to warm up, then
counted; starting a session is not. The command line divides the same files into buckets on disk. From the processor
seconds and the shuffled bytes of our job follows what more rows would take: on paper, nothing of it was run. Needs
PySpark and a Java 17 or 21. Prints seconds, ratios and the load of the machine as JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from datasets import BENCH
from timing import measure

from tools import script

RESULTS, JUDGMENTS = 20, 10


def write(session: Any, queries: int) -> tuple[Any, Any]:
    """Judgments and results of so many queries, as DataFrames of Parquet; half of the judged documents are relevant."""
    from pyspark.sql import functions as f

    folder = BENCH / "data" / f"spark-{queries}"
    if not (folder / "results" / "_SUCCESS").exists():
        for name, each in (("judgments", JUDGMENTS), ("results", RESULTS)):
            rows = session.range(queries * each).select(
                f.concat(f.lit("q"), (f.col("id") / each).cast("long")).alias("query_id"),
                f.concat(f.lit("d"), f.col("id") % each * (3 if name == "judgments" else 2)).alias("doc_id"),
                (f.pmod(f.hash("id"), f.lit(2)).alias("grade") if name == "judgments" else f.rand(7).alias("score")),
            )
            rows.write.mode("overwrite").parquet(str(folder / name))
    return tuple(session.read.parquet(str(folder / name)) for name in ("judgments", "results"))


def ours(judgments: Any, results: Any) -> dict[str, float]:
    """Three measures by our job."""
    from idealrank.distributed import spark

    scores = spark.evaluate(judgments, results, ["nDCG@10", "P@10", "AP"], no_relevant="skip").scores()
    return {label: scores[label] for label in scores.labels}


def ranking_metrics(judgments: Any, results: Any) -> dict[str, float]:
    """The same by PySpark's RankingMetrics, which computes one mean per call over an RDD of lists."""
    from pyspark.mllib.evaluation import RankingMetrics
    from pyspark.sql import functions as f

    relevant = judgments.filter("grade > 0").groupBy("query_id").agg(f.collect_list("doc_id").alias("relevant"))
    scored = f.sort_array(f.collect_list(f.struct("score", "doc_id")), asc=False)
    ranked = results.groupBy("query_id").agg(scored.alias("list"))
    joined = relevant.join(ranked, "query_id").select(f.col("list.doc_id").alias("list"), "relevant")
    pairs = joined.rdd.map(lambda row: (row[0], row[1])).cache()
    metrics = RankingMetrics(pairs)
    return {"nDCG@10": metrics.ndcgAt(10), "P@10": metrics.precisionAt(10), "AP": metrics.meanAveragePrecision}


def command_line(queries: int) -> dict[str, Any]:
    """The command line on the same files, in buckets on disk."""
    folder = BENCH / "data" / f"spark-{queries}"
    words = [script("idealrank"), "evaluate", str(folder / "judgments"), str(folder / "results"), "--memory", "1GB"]
    words += ["-m", "nDCG@10", "-m", "P@10", "-m", "AP", "--no-relevant", "skip"]
    cost = measure(words)
    return {"seconds": cost.wall, "processor seconds": cost.cpu, "load": os.getloadavg()[0]}


def timed(job: Callable[[Any, Any], dict[str, float]], master: str, queries: int, runs: int) -> None:
    """Print the means of a job, the median of its seconds, and what it cost on average."""
    with tempfile.TemporaryDirectory() as log:
        session = started(master, log)
        tables = write(session, queries)
        first, means = clocked(job, tables)
        begun, before = time.time(), processor_seconds()
        seconds = [clocked(job, tables)[0] for _ in range(runs)]
        spent = processor_seconds() - before
        session.stop()
        costs = {name: cost / runs for name, cost in of_tasks(Path(log), begun).items()}
    costs |= {"seconds": median(seconds), "first": first, "processor seconds": spent / runs, "load": os.getloadavg()[0]}
    print(json.dumps({"means": means, **costs}))


def started(master: str, log: str) -> Any:
    """A session that writes a log of its tasks."""
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "4g",
        "spark.sql.shuffle.partitions": "8",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": f"file://{log}",
    }
    session = SparkSession.builder.master(master).config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def clocked(job: Callable[[Any, Any], dict[str, float]], tables: tuple[Any, Any]) -> tuple[float, dict[str, float]]:
    """The seconds of a job, and its means."""
    start = time.perf_counter()
    means = job(*tables)
    return time.perf_counter() - start, means


def processor_seconds() -> float:
    """What this process and all that it started, the JVM and the Python of the tasks, have computed so far."""
    every = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        every[int(file.parent.name)] = (int(fields[1]), sum(map(int, fields[11:15])))
    mine, ticks = {os.getpid()}, 0
    while mine:
        ticks += sum(every[process][1] for process in mine)
        mine = {process for process, (parent, _) in every.items() if parent in mine}
    return ticks / os.sysconf("SC_CLK_TCK")


def of_tasks(log: Path, begun: float) -> dict[str, float]:
    """The seconds of all tasks that began since, and the bytes they read and wrote for others to read."""
    files = (file for file in log.rglob("*") if file.name.startswith(("events", "local-", "app-")) and file.is_file())
    texts = (file.read_text() for file in files)
    lines = (json.loads(line) for text in texts for line in text.splitlines())
    ended = [line for line in lines if line["Event"] == "SparkListenerTaskEnd" and "Task Metrics" in line]
    mine = [line["Task Metrics"] for line in ended if line["Task Info"]["Launch Time"] >= begun * 1000]
    return {
        "task seconds": sum(task["Executor Run Time"] for task in mine) / 1000,
        "shuffle bytes": sum(task["Shuffle Write Metrics"]["Shuffle Bytes Written"] for task in mine),
    }


def on_paper(cost: dict[str, Any], rows: int) -> dict[str, dict[str, float]]:
    """What so many rows would take at the cost per row that was measured: nothing here was run."""
    per_row, shuffled = cost["processor seconds"] / rows, cost["shuffle bytes"] / rows
    return {
        f"{many:,} rows": {
            "shuffle GB": shuffled * many / 1e9,
            "buckets of 50,000 rows": many / 50_000,
            "core hours": per_row * many / 3600,
            "executors of 8 cores for one hour": math.ceil(per_row * many / 3600 / 8),
            "dollars at 0.06 per core hour": per_row * many / 3600 * 0.06,
        }
        for many in (1_000_000_000, 100_000_000_000)
    }


def alone(*words: str) -> dict[str, Any]:
    """What a job in a process of its own prints."""
    done = subprocess.run([sys.executable, __file__, *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Print seconds and ratios."""
    parser = argparse.ArgumentParser(description="Time classic Spark on this machine.")
    parser.add_argument("--queries", type=int, default=50_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--job", choices=("ours", "ranking_metrics"), help="one job, in this process")
    parser.add_argument("--master", default="local[2]")
    args = parser.parse_args()
    if args.job:
        timed({"ours": ours, "ranking_metrics": ranking_metrics}[args.job], args.master, args.queries, args.runs)
        return
    found = jobs(args.queries, args.runs)
    rows = args.queries * (RESULTS + JUDGMENTS)
    print(json.dumps({"rows": rows, **ratios(found), "jobs": found, "on paper": on_paper(found["ours"], rows)}))


def jobs(queries: int, runs: int) -> dict[str, dict[str, Any]]:
    """What each job cost."""

    def job(name: str, many: int, master: str) -> dict[str, Any]:
        return alone("--job", name, "--queries", str(many), "--runs", str(runs), "--master", master)

    return {
        "ours": job("ours", queries, "local[2]"),
        "command line": command_line(queries),
        "ours, twice the rows": job("ours", 2 * queries, "local[2]"),
        "ours, one worker": job("ours", queries, "local[1]"),
        "RankingMetrics": job("ranking_metrics", queries, "local[2]"),
    }


def ratios(found: dict[str, dict[str, Any]]) -> dict[str, float]:
    """Seconds against seconds, and processor seconds against processor seconds, which other programs change less."""
    pairs = {
        "times the command line": ("ours", "command line"),
        "twice the rows": ("ours, twice the rows", "ours"),
        "two workers against one": ("ours, one worker", "ours"),
        "RankingMetrics against ours": ("RankingMetrics", "ours"),
    }
    costs = (("", "seconds"), (", processor", "processor seconds"))
    return {
        f"{name}{suffix}": found[one][cost] / found[other][cost]
        for name, (one, other) in pairs.items()
        for suffix, cost in costs
    }


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    main()
