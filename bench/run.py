"""The benchmark: this program and its peers on the same files, in one go.

    python bench/run.py [--only A,B,…] [--runs N] [--quick] [--no-agreement]

Writes bench/out/results.json and bench/out/results.md. It measures and reports; a missed
target or a missing peer is printed and never ends it with an error.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from importlib import metadata

import report
from datasets import BENCH, DATASETS, OUT, DataSet
from starting import QUICK_COMMANDS, measure_starts, numpy_modules
from timing import CommandError, Series, interleave, measure, output

from tools import (
    DISTRIBUTIONS,
    JOBS,
    NUMBA_CACHE,
    OURS,
    PEERS,
    REFERENCE,
    SIGNIFICANCE_TOOLS,
    all_trec,
    command,
    present,
    significance,
)

SECTIONS = (
    "A", "B", "B-shuffled", "B-doubled", "C", "D", "all_trec", "in-process", "calls", "significance", "plots", "page",
    "overlap", "hits", "units", "commands", "replaying", "large", "spark", "starting",
)  # fmt: skip
_ALONE = ("calls", "page", "overlap", "hits", "units", "commands", "replaying", "large", "spark")
QUICK = ("A", "B", "starting")
ALL_PEERS_ON = ("A", "B")
LARGE = ("C", "D")
ALL_MEASURES_ON = ("A", "C")


def say(text: str) -> None:
    """Progress, on standard error."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    """What to run."""
    parser = argparse.ArgumentParser(description="Compare this program with its peers in time and memory.")
    parser.add_argument("--only", metavar="A,B,…", help=f"sections to run, of {', '.join(SECTIONS)}")
    parser.add_argument("--runs", type=int, metavar="N", help="counted runs (default 5; 3 on C and D)")
    parser.add_argument("--quick", action="store_true", help="A, B and starting, one run, pytrec_eval only")
    parser.add_argument("--no-agreement", action="store_true", help="leave out the comparison of values")
    args = parser.parse_args()
    args.sections = tuple(args.only.split(",")) if args.only else QUICK if args.quick else SECTIONS
    unknown = set(args.sections) - set(SECTIONS)
    if unknown:
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    return args


def tools_for(data: DataSet, quick: bool) -> list[str]:
    """Ours and the peers that are to run on this data set and are installed."""
    if data.name == "B-doubled":
        wanted: tuple[str, ...] = (OURS,)
    elif data.name in ALL_PEERS_ON and not quick:
        wanted = (OURS, *PEERS)
    else:
        wanted = (OURS, REFERENCE)
    for tool in wanted:
        if not present(tool):
            say(f"{tool} is not installed here: left out")
    return [tool for tool in wanted if present(tool)]


def runs_for(name: str, args: argparse.Namespace) -> int:
    """How many counted runs."""
    return args.runs or (1 if args.quick else 3 if name in LARGE else 5)


def ensure_data(names: list[str]) -> None:
    """Generate what is missing, in a process of its own."""
    missing = [name for name in names if not DATASETS[name].is_current()]
    if missing:
        say(f"generating {', '.join(missing)}")
        subprocess.run([sys.executable, str(BENCH / "generate.py"), *missing], check=True, stdout=sys.stderr)


def time_data(data: DataSet, args: argparse.Namespace) -> dict[str, Series]:
    """All tools on one data set, in turn."""
    commands = {tool: command(tool, data) for tool in tools_for(data, args.quick)}
    return interleave(commands, runs_for(data.name, args), lambda text: say(f"{data.name}  {text}"))


def time_all_trec(data: DataSet, args: argparse.Namespace) -> dict[str, Series]:
    """Every measure of trec_eval on one data set: the drop-in, and pytrec_eval with all it has."""
    commands = {tool: all_trec(tool, data) for tool in (OURS, REFERENCE) if present(tool)}
    return interleave(commands, runs_for(data.name, args), lambda text: say(f"{data.name} all_trec  {text}"))


def time_significance(runs: int) -> dict[str, dict]:
    """Tests of many systems on the same values, job by job."""
    tools = [tool for tool in SIGNIFICANCE_TOOLS if present(tool)]
    found = {}
    for job in JOBS:
        commands = {tool: significance(tool, job) for tool in tools}
        series = interleave(commands, runs, lambda text, job=job: say(f"significance {job}  {text}"))
        found[job] = {tool: one.to_dict() for tool, one in series.items()}
    return found


def compile_time() -> float | None:
    """The seconds ranx needs before its first answer when numba's cache is empty."""
    shutil.rmtree(NUMBA_CACHE, ignore_errors=True)
    NUMBA_CACHE.mkdir(parents=True)
    try:
        seconds = measure(*command("ranx", DATASETS["A"])).start_up
    except CommandError as error:
        say(f"ranx: {error}")
        return None
    say(f"ranx: imports and compiles for {seconds:.1f} s")
    return seconds


def agreement(name: str, tools: list[str]) -> list[dict]:
    """Per-query values of ours and the peers, compared in a process of its own."""
    peers = [tool for tool in tools if tool != OURS]
    if OURS not in tools or not peers:
        return []
    say(f"{name}  comparing values")
    try:
        printed = output([sys.executable, str(BENCH / "agree.py"), name, *peers])
    except CommandError as error:
        return [{"data": name, "tool": ", ".join(peers), "agrees": False, "error": str(error)}]
    return [json.loads(line) for line in printed.splitlines()]


def in_process(runs: int) -> dict:
    """Calls on ready objects, in a process of their own."""
    say("in-process calls on B")
    try:
        return json.loads(output([sys.executable, str(BENCH / "inprocess.py"), "--runs", str(runs)]))
    except CommandError as error:
        say(f"in-process calls: {error}")
        return {}


def alone(section: str, *words: str) -> dict:
    """What the script of a section prints, in a process of its own; nothing where it cannot run."""
    say(section)
    try:
        return json.loads(output([sys.executable, str(BENCH / f"{section}.py"), *words]))
    except CommandError as error:
        say(f"{section}: {error}")
        return {}


def starting(runs: int) -> dict:
    """Imports and quick commands: times, and NumPy modules imported."""
    series = measure_starts(max(runs, 15), lambda text: None)
    return {
        "times": {name: one.to_dict() for name, one in series.items()},
        "numpy_modules": {word: numpy_modules(word) for word in QUICK_COMMANDS},
    }


def versions() -> dict[str, str]:
    """What was compared with what."""
    found = {"python": platform.python_version()}
    for name in DISTRIBUTIONS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def collect(args: argparse.Namespace) -> dict:
    """Run all sections asked for."""
    names = [name for name in args.sections if name in DATASETS]
    also = (["B"] if "in-process" in args.sections else []) + list(
        ALL_MEASURES_ON if "all_trec" in args.sections else ()
    )
    ensure_data(names + also)
    found: dict = {"versions": versions(), "processors": os.cpu_count(), "data": {}, "agreement": []}
    if set(names) & set(ALL_PEERS_ON) and not args.quick and present("ranx"):
        found["ranx_compiles"] = compile_time()
    for name in names:
        series = time_data(DATASETS[name], args)
        found["data"][name] = {tool: one.to_dict() for tool, one in series.items()}
        if not args.no_agreement:
            found["agreement"] += agreement(name, list(series))
    if "all_trec" in args.sections:
        found["all_trec"] = {
            name: {tool: one.to_dict() for tool, one in time_all_trec(DATASETS[name], args).items()}
            for name in ALL_MEASURES_ON
        }
    if "in-process" in args.sections:
        found["in_process"] = in_process(runs_for("B", args))
    if "significance" in args.sections:
        found["significance"] = time_significance(args.runs or 3)
    if "plots" in args.sections:
        found["plots"] = alone("plots", "--runs", str(args.runs or 5))
    found |= {section: alone(section) for section in _ALONE if section in args.sections}
    if "starting" in args.sections and present(OURS):
        found["starting"] = starting(runs_for("starting", args))
    return found


def main() -> None:
    """Measure, judge, print and write."""
    args = arguments()
    OUT.mkdir(parents=True, exist_ok=True)
    found = collect(args)
    found["values"] = report.target_values(found)
    (OUT / "results.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    text = report.markdown(found)
    (OUT / "results.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
