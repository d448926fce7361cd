"""Compare per-query values of this program with those of the peers, under their convention.

    python bench/agree.py DATA TOOL [TOOL ...]        prints one JSON object per tool

pytrec_eval and ir_measures break ties as trec_eval does, so every query counts. ranx and
pandas break them in no stated order: with them only queries without tied scores count.
"""

from __future__ import annotations

import argparse
import csv
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from datasets import DATASETS, DataSet
from timing import CommandError, output

from tools import MEASURES, OURS, per_query

TOLERANCE = 1e-12
SAME_TIES = {"pytrec_eval", "ir_measures"}

Values = dict[tuple[str, str], float]


def our_values(text: str) -> Values:
    """(query, measure) → value from the command's CSV; an empty cell is a skipped query."""
    rows = csv.DictReader(text.splitlines())
    return {(row["query"], name): float(row[name]) for row in rows for name in MEASURES if row[name]}


def tsv_values(text: str) -> Values:
    """(query, measure) → value from a peer script's file."""
    rows = (line.split("\t") for line in text.splitlines())
    return {(query, name): float(value) for query, name, value in rows}


def jsonl_values(text: str) -> Values:
    """(query, measure) → value from ir_measures' JSON lines."""
    rows = (json.loads(line) for line in text.splitlines())
    return {(row["query_id"], row["measure"]): float(row["value"]) for row in rows}


def values_of(tool: str, data: DataSet, folder: Path) -> Values:
    """Every value of every query of one tool."""
    path = folder / f"{tool}.txt"
    printed = output(*per_query(tool, data, path))
    if tool == "ir_measures":
        return jsonl_values(printed)
    text = path.read_text(encoding="utf-8")
    return our_values(text) if tool == OURS else tsv_values(text)


def queries_with_ties(path: Path) -> set[str]:
    """Queries in which two results have the same score."""
    seen: set[tuple[str, str]] = set()
    tied = set()
    for query, score in _scores(path):
        if (query, score) in seen:
            tied.add(query)
        seen.add((query, score))
    return tied


def _scores(path: Path) -> Iterator[tuple[str, str]]:
    """Query and score of each line; equal scores are written alike."""
    with path.open() as file:
        for line in file:
            query, _, _, _, score, _ = line.split()
            yield query, score


def differences(ours: Values, theirs: Values, without: set[str]) -> dict:
    """How many values were compared and how far apart they are."""
    mine, yours = ({k for k in values if k[0] not in without} for values in (ours, theirs))
    both = mine & yours
    apart = {key: abs(ours[key] - theirs[key]) for key in both}
    off = [key for key, by in apart.items() if not by <= TOLERANCE]
    return {
        "values": len(both),
        "queries": len({query for query, _ in both}),
        "only_ours": len(mine - yours),
        "only_theirs": len(yours - mine),
        "largest": max(apart.values(), default=0.0),
        "beyond_tolerance": len(off),
        "example": [*min(off), ours[min(off)], theirs[min(off)]] if off else None,
        "agrees": bool(both) and not off and mine == yours,
    }


def main() -> None:
    """Compare each tool named with this program."""
    parser = argparse.ArgumentParser(description="Compare per-query values with the peers'.")
    parser.add_argument("data", choices=DATASETS)
    parser.add_argument("tools", nargs="+")
    args = parser.parse_args()
    data = DATASETS[args.data]
    tied = set() if SAME_TIES.issuperset(args.tools) else queries_with_ties(data.run)
    with tempfile.TemporaryDirectory() as folder:
        ours = values_of(OURS, data, Path(folder))
        for tool in args.tools:
            try:
                found = differences(ours, values_of(tool, data, Path(folder)), set() if tool in SAME_TIES else tied)
            except CommandError as error:
                found = {"agrees": False, "error": str(error)}
            print(json.dumps({"data": data.name, "tool": tool, **found}), flush=True)


if __name__ == "__main__":
    main()
