"""A folder of files with everything awkward, and a call for each schema."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir

QUERIES = [f"q{i:02}" for i in range(24)]
SYSTEMS = {"q boost=1": 3, "q boost=2": 1, "q boost=4": 2}
HEAD = "query_id,doc_id,rank,score,latency_ms,took_ms,status,error"


def _results(rank: int, failed: str, empty: str) -> str:
    """Return results with the relevant document at about this rank, holes, ties, a failed search and an empty one."""
    lines = [HEAD, f"{failed},,,,,,failed,HTTP 500", f"{empty},,,,7,2,empty,", "q99,d,1,1,5,1,answered,"]
    for place, query in enumerate(QUERIES):
        if query in (failed, empty):
            continue
        docs = [*["x1", "hole", "x3"][: rank - (place % 3 == 0)], "d", "tied"]
        scores = [9 - i for i in range(len(docs) - 1)] + [10 - len(docs)]
        scores[-1] = scores[-2]
        rows = zip(docs, scores, strict=True)
        lines += [
            f"{query},{doc},{i},{score},{10 * rank + place},{rank},answered," for i, (doc, score) in enumerate(rows, 1)
        ]
    return "\n".join([*lines, ""])


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder: judgments, results of three settings, queries with weights, documents with types."""
    folder = tmp_path_factory.mktemp("schemas")
    for name in ("runs", "nightly", "systems/2026-11-01", "systems/2026-11-02"):
        (folder / name).mkdir(parents=True)
    judged = [line for query in QUERIES for line in (f"{query},d,2", f"{query},x1,1", f"{query},x3,0")]
    (folder / "judgments.csv").write_text("\n".join(["query_id,doc_id,grade", *judged, "q24,x3,0", ""]), "utf-8")
    again = [line.replace(",1", ",2") for line in judged]
    (folder / "rated.csv").write_text("\n".join(["query_id,doc_id,grade", *again, ""]), "utf-8")
    for name, rank in SYSTEMS.items():
        failed, empty = ("q03", "q04") if rank == 3 else ("q05", "q06")
        (folder / "runs" / f"{name}.csv").write_text(_results(rank, failed, empty), "utf-8")
    for name, rank in (("a", 3), ("b", 1)):
        (folder / f"{name}.csv").write_text(_results(rank, "q05", "q06"), "utf-8")
    for name, rank in (("nightly/2026-11-01", 3), ("nightly/2026-11-02", 1)):
        (folder / f"{name}.csv").write_text(_results(rank, "q05", "q06"), "utf-8")
    for place, (name, rank) in enumerate(SYSTEMS.items()):
        (folder / f"systems/2026-11-0{1 + place % 2}/{name}.csv").write_text(_results(rank, "q05", "q06"), "utf-8")
    rows = [f"{q},text of {q},{'head' if i % 2 else 'tail'},{i * 10}" for i, q in enumerate([*QUERIES, "q24"])]
    (folder / "queries.csv").write_text("\n".join(["query_id,query,segment,frequency", *rows, ""]), "utf-8")
    shown = [f"s{n % 9},q{n % 3},d{n % 4},{1 + n % 2},{int(n % 5 == 0)}" for n in range(60)]
    (folder / "clicks.csv").write_text("\n".join(["session,query,doc,position,clicked", *shown, ""]), "utf-8")
    (folder / "documents.csv").write_text("doc_id,title,type\nd,A page,page\nx1,A file,pdf\n", "utf-8")
    (folder / "pairs.csv").write_text("query,doc_id,text\nred,d,A page\nred,x1,A file\n", "utf-8")
    answer = '"O: 10" if "file" in prompt else {"grade": 3, "reason": "It says so."}'
    (folder / "grader.py").write_text(f"def grade(prompt):\n    return {answer}\n", "utf-8")
    for name, system in (("base", "b"), ("2026-11-02", "a")):
        scores = ir.evaluate(folder / "judgments.csv", folder / f"{system}.csv", ["nDCG@10", "RR"], failed="0")
        ir.bless(scores, folder / f"{name}.json")
    return folder
