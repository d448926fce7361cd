"""What it costs to roll results up to their units: B and C with a third of the results as further chunks.

    python bench/units.py

The ids of results become ids of chunks, those of judgments stay, or become the first chunk's. The same file of results
is evaluated with ``--unit 'before(#)'`` and as it was returned, whole processes in turn. Prints seconds and their ratio
as JSON.
"""

from __future__ import annotations

import json
from pathlib import Path

from datasets import DATASETS, DataSet
from generate import generate
from timing import Command, interleave

from tools import MEASURES, script

RUNS = 5


def write(data: DataSet) -> tuple[Path, Path]:
    """The results as chunks, every third of the document before it; and judgments of first chunks."""
    run, qrels = data.folder / "run-of-chunks.txt", data.folder / "qrels-of-chunks.txt"
    if run.exists() and run.stat().st_mtime > data.run.stat().st_mtime:
        return run, qrels
    with data.run.open() as lines, run.open("w") as out:
        before = ("", "")
        for number, line in enumerate(lines):
            query, zero, doc, *rest = line.split()
            again = number % 3 == 2 and before[0] == query
            doc = before[1] if again else doc
            out.write(" ".join([query, zero, f"{doc}#{number % 7 + 1 if again else 0}", *rest]) + "\n")
            before = (query, doc)
    with data.qrels.open() as lines, qrels.open("w") as out:
        for line in lines:
            query, zero, doc, grade = line.split()
            out.write(f"{query} {zero} {doc}#0 {grade}\n")
    return run, qrels


def commands(run: Path, qrels: Path, judged: Path) -> dict[str, Command]:
    """The two ways."""
    wanted = [part for measure in MEASURES for part in ("-m", measure)]
    plain = [script("idealrank"), "evaluate", str(qrels), str(run), *wanted]
    return {"as returned": (plain, {}), "units": ([*plain[:2], str(judged), *plain[3:], "--unit", "before(#)"], {})}


def main() -> None:
    """Print the seconds and their ratio."""
    found: dict[str, float | None] = {}
    for name in ("B", "C"):
        data = DATASETS[name]
        if not data.is_current():
            generate(data)
        series = interleave(commands(*write(data), data.qrels), RUNS, lambda *_: None)
        for cost in ("wall", "cpu"):
            as_returned, units = (series[way].middle(cost) for way in ("as returned", "units"))
            found |= {f"{name}, as returned, {cost}": as_returned, f"{name}, units, {cost}": units}
            if as_returned and units:
                found[f"{name}.{cost}"] = units / as_returned
    print(json.dumps(found))


if __name__ == "__main__":
    main()
