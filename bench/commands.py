"""What commands cost beside `evaluate`: processor seconds and peak memory of whole processes, in turn.

    python bench/commands.py [--against FOLDER] [--runs N] [--only WORDS]

The data come from a seed: systems of 20,000 queries × 10 results of which about half are judged, 500 and 2,000 small
systems, two systems of a million queries with a result each, and the first two million results of B. FOLDER is an
unpacked wheel of another state of this program: then both run in turn on the same files, and the ratio to it stands
beside each figure. Prints JSON.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from pathlib import Path

import numpy as np
from datasets import DATASETS, OUT
from generate import generate
from timing import Command, interleave

FOLDER = OUT.parent / "data" / "commands"
SYSTEMS, QUERIES, DEPTH, DOCUMENTS, JUDGED = 5, 20_000, 10, 30, 12
MANY, FEW_QUERIES = 500, 50
MOST_SYSTEMS, MILLION = 2000, 1_000_000
ROWS = 2_000_000


def write_systems() -> None:
    """Write judgments and systems of 20,000 queries, 1,000 of them once more, and 500 systems of 50."""
    rng = np.random.default_rng(1)
    FOLDER.mkdir(parents=True, exist_ok=True)

    def documents(queries: int, count: int) -> np.ndarray:
        return rng.permuted(np.tile(np.arange(DOCUMENTS), (queries, 1)), axis=1)[:, :count]

    def table(name: str, header: str, docs: np.ndarray, last: np.ndarray) -> None:
        with (FOLDER / name).open("w") as out:
            out.write(header + "\n")
            for q, (row, values) in enumerate(zip(docs.tolist(), last.tolist(), strict=True)):
                out.writelines(f"q{q},d{doc},{value}\n" for doc, value in zip(row, values, strict=True))

    grades = rng.choice([0, 0, 1, 1, 2, 3], (QUERIES, JUDGED))
    judged = documents(QUERIES, JUDGED)
    table("judgments.csv", "query,doc,grade", judged, grades)
    table("judgments-few.csv", "query,doc,grade", judged[:1000], grades[:1000])
    table("judgments-fifty.csv", "query,doc,grade", judged[:FEW_QUERIES], grades[:FEW_QUERIES])
    scores = np.tile(1000 - 7 * np.arange(DEPTH), (QUERIES, 1))
    for s in range(SYSTEMS):
        docs = documents(QUERIES, DEPTH)
        table(f"system-{s}.csv", "query,doc,score", docs, scores)
        table(f"system-{s}-few.csv", "query,doc,score", docs[:1000], scores[:1000])
    for name, many in (("many", MANY), ("most", MOST_SYSTEMS)):
        with (FOLDER / f"{name}.csv").open("w") as out:
            out.write("system,query,doc,score\n")
            for s in range(many):
                for q, row in enumerate(documents(FEW_QUERIES, DEPTH).tolist()):
                    out.writelines(f"s{s},q{q},d{doc},{1000 - place}\n" for place, doc in enumerate(row))


def write_million() -> None:
    """Write two systems of a million queries with one result each, of which about half are judged."""
    rng = np.random.default_rng(2)
    docs = rng.integers(0, 4, (3, MILLION))
    grades = rng.integers(0, 4, MILLION)
    for name, value, last in (("judgments", "grade", grades), ("a", "score", None), ("b", "score", None)):
        with (FOLDER / f"million-{name}.csv").open("w") as out:
            out.write(f"query,doc,{value}\n")
            column = docs[["judgments", "a", "b"].index(name)]
            numbers = np.ones(MILLION, np.int64) if last is None else last
            out.writelines(
                f"q{q},d{d},{v}\n" for q, (d, v) in enumerate(zip(column.tolist(), numbers.tolist(), strict=True))
            )


def write_two_million() -> Path:
    """Write the first rows of B."""
    if not DATASETS["B"].is_current():
        generate(DATASETS["B"])
    path = FOLDER / "two-million.txt"
    if not path.exists():
        with DATASETS["B"].run.open() as lines, path.open("w") as out:
            out.writelines(itertools.islice(lines, ROWS))
    return path


def calls() -> dict[str, list[str]]:
    """The command lines by what they are."""
    judged, few = str(FOLDER / "judgments.csv"), str(FOLDER / "judgments-few.csv")
    systems = [str(FOLDER / f"system-{s}.csv") for s in range(SYSTEMS)]
    rows, qrels = str(write_two_million()), str(DATASETS["B"].qrels)
    return {
        "compare 2 × 20,000 × 10": ["compare", judged, *systems[:2]],
        "compare 5 × 20,000 × 10": ["compare", judged, *systems],
        "compare 2 × 1,000 × 10": ["compare", few, *(one.replace(".csv", "-few.csv") for one in systems[:2])],
        "report 3 × 20,000 × 10": ["report", judged, *systems[:3], "-o", str(FOLDER / "report.html")],
        "leaderboard 5 × 20,000 × 10": ["leaderboard", judged, *systems],
        "leaderboard 500 × 50 × 10": ["leaderboard", str(FOLDER / "judgments-fifty.csv"), str(FOLDER / "many.csv")],
        "leaderboard 2,000 × 50 × 10": ["leaderboard", str(FOLDER / "judgments-fifty.csv"), str(FOLDER / "most.csv")],
        "compare 2 × 1,000,000 × 1": [
            "compare",
            *(str(FOLDER / f"million-{name}.csv") for name in ("judgments", "a", "b")),
        ],
        "peek 2,000,000 rows": ["peek", qrels, rows],
        "doctor 2,000,000 rows": ["doctor", qrels, rows],
        "identify 50 × 1,000": ["identify", str(DATASETS["A"].qrels), str(DATASETS["A"].run), "nDCG@10=0.18"],
    }


def in_turn(words: list[str], against: str | None) -> dict[str, Command]:
    """The command of this state, and of the other if there is one."""
    # doctor and identify end with 1 where they find something, or nothing.
    call = [sys.executable, "-c", f"import sys; from idealrank.cli import main; sys.argv = {['idealrank', *words]!r}\n"
            "try: main()\nexcept SystemExit as end: sys.exit((end.code or 0) > 1)"]  # fmt: skip
    return {"now": (call, {})} | ({"before": (call, {"PYTHONPATH": against})} if against else {})


def main() -> None:
    """Print what each command costs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--against")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    if not (FOLDER / "most.csv").exists():
        write_systems()
    if not (FOLDER / "million-b.csv").exists():
        write_million()
    if not DATASETS["A"].is_current():
        generate(DATASETS["A"])
    found: dict[str, float | str | None] = {}
    for name, words in calls().items():
        if not name.startswith(args.only):
            continue
        series = interleave(in_turn(words, args.against), args.runs, lambda text: print(text, file=sys.stderr))
        for cost, unit in (("cpu", 1.0), ("peak", 1e6)):
            for state, one in series.items():
                value = one.middle(cost)
                found[f"{name}, {cost}, {state}"] = one.error or (value and value / unit)
            if args.against and not any(one.error for one in series.values()):
                found[f"{name}, {cost}, ratio"] = series["now"].middle(cost) / series["before"].middle(cost)
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
