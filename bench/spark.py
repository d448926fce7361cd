"""Spark on this machine: our job against RankingMetrics, with twice the rows, and with one worker instead of two.

    python bench/spark.py [--queries N] [--runs N]

Ten judgments and twenty results per query, in Parquet. Each job runs in a session of its own, once to warm up, then
counted; starting a session is not. From the seconds and the shuffled bytes of our tasks follows what more rows would
take: on paper, nothing of it was run. Needs a Java 17 or 21. Prints seconds and ratios as JSON. Not part of `make
bench`.
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


def timed(job: Callable[[Any, Any], dict[str, float]], master: str, queries: int, runs: int) -> None:
    """Print the means of a job and the median of its seconds."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    session = session.config("spark.driver.memory", "4g").config("spark.sql.shuffle.partitions", "8")
    with tempfile.TemporaryDirectory() as log:
        session = session.config("spark.eventLog.enabled", "true").config("spark.eventLog.compress", "false")
        session = session.config("spark.eventLog.dir", f"file://{log}")
        session = session.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        tables, seconds, means = write(session, queries), list[float](), dict[str, float]()
        begun = time.time()
        for _ in range(runs + 1):
            start = time.perf_counter()
            means = job(*tables)
            seconds.append(time.perf_counter() - start)
        session.stop()
        costs = {name: cost / (runs + 1) for name, cost in of_tasks(Path(log), begun).items()}
    print(json.dumps({"seconds": median(seconds[1:]), "first": seconds[0], "means": means, **costs}))


def of_tasks(log: Path, begun: float) -> dict[str, float]:
    """The seconds of all tasks that began since, and the bytes they wrote for others to read."""
    files = (file for file in log.rglob("*") if file.name.startswith(("events", "local-")) and file.is_file())
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
    per_row, shuffled = cost["task seconds"] / rows, cost["shuffle bytes"] / rows
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

    def job(name: str, queries: int, master: str) -> dict[str, Any]:
        sizes = ("--queries", str(queries), "--runs", str(args.runs))
        return alone("--job", name, *sizes, "--master", master)

    found = {
        "ours": job("ours", args.queries, "local[2]"),
        "ours, twice the rows": job("ours", 2 * args.queries, "local[2]"),
        "ours, one worker": job("ours", args.queries, "local[1]"),
        "RankingMetrics": job("ranking_metrics", args.queries, "local[2]"),
    }
    seconds = {name: one["seconds"] for name, one in found.items()}
    ratios = {
        "twice the rows": seconds["ours, twice the rows"] / seconds["ours"],
        "two workers against one": seconds["ours, one worker"] / seconds["ours"],
        "RankingMetrics against ours": seconds["RankingMetrics"] / seconds["ours"],
    }
    rows = args.queries * (RESULTS + JUDGMENTS)
    paper = on_paper(found["ours"], rows)
    print(json.dumps({"rows": rows, "jobs": found, "ratios": ratios, "on paper": paper}, indent=1))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    main()
