"""The results as tables: costs per data set, agreement, calls in one process, targets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from starting import QUICK_COMMANDS
from targets import TARGETS

from tools import JOBS, OURS, REFERENCE

MIB = 1 << 20
ALONE = {
    "page": "## The page of a report, in Chromium (milliseconds)",
    "calls": "## Single calls of Python (processor ms; faster: times as fast as pytrec_eval)",
    "overlap": "## Overlap of two systems (seconds)",
    "commands": "## Commands beside evaluate (processor seconds; peak memory in MB)",
    "units": "## Rolling results up to units (seconds, and times the same file without)",
    "replaying": "## Replaying queries (a second; memory in MB)",
    "hits": "## Hits out of JSON, on one core (MB per processor second)",
}
"""Sections that print a few numbers, with their headings."""


def ratio(above: float | None, below: float | None) -> float | None:
    """A quotient, None when either side was not measured."""
    return above / below if above is not None and below else None


def middle(found: dict, data: str, tool: str, cost: str) -> float | None:
    """The median cost of a tool on a data set."""
    return found["data"].get(data, {}).get(tool, {}).get("median", {}).get(cost)


def target_values(found: dict) -> dict[str, float]:
    """The measured value of every target that was measured."""
    values = {
        **data_values(found),
        **all_trec_values(found),
        **in_process_values(found),
        **significance_values(found),
        **plots_values(found),
        **starting_values(found),
        **{f"{section}.{name}": one for section in ALONE for name, one in found.get(section, {}).items()},
    }
    return {key: value for key, value in values.items() if value is not None}


def data_values(found: dict) -> dict[str, float | None]:
    """Speed and memory against pytrec_eval, and the doubling."""
    values: dict[str, float | None] = {}
    for name in found["data"]:
        ours, theirs = ({c: middle(found, name, t, c) for c in ("wall", "peak")} for t in (OURS, REFERENCE))
        values[f"{name}.faster"] = ratio(theirs["wall"], ours["wall"])
        values[f"{name}.memory"] = ratio(ours["peak"], theirs["peak"])
    values["scaling"] = ratio(middle(found, "B-doubled", OURS, "wall"), middle(found, "B", OURS, "wall"))
    return values


def all_trec_values(found: dict) -> dict[str, float | None]:
    """How much faster all measures are than with pytrec_eval."""
    walls = {
        name: [series.get(tool, {}).get("median", {}).get("wall") for tool in (REFERENCE, OURS)]
        for name, series in found.get("all_trec", {}).items()
    }
    return {f"all_trec.{name}": ratio(*pair) for name, pair in walls.items()}


def in_process_values(found: dict) -> dict[str, float | None]:
    """How much faster our calls are than pytrec_eval's."""
    times = {n: median(f["seconds"]) for n, f in found.get("in_process", {}).items() if f["seconds"]}
    theirs = times.pop(REFERENCE, None)
    return {f"in-process.{name}": ratio(theirs, seconds) for name, seconds in times.items()}


def _ready_seconds(cost: dict) -> float | None:
    """Wall time without imports and making the data."""
    return None if cost["wall"] is None or cost["start_up"] is None else cost["wall"] - cost["start_up"]


def plots_values(found: dict) -> dict[str, float]:
    """Processor seconds of the slowest plot; of each the fastest run."""
    times = [min(seconds) for seconds in found.get("plots", {}).values()]
    return {"plots": max(times)} if times else {}


def significance_values(found: dict) -> dict[str, float | None]:
    """Seconds of the tests of many systems, and memory of the larger job."""
    ours = {job: series[OURS]["median"] for job, series in found.get("significance", {}).items() if OURS in series}
    values = {f"significance.{job}": _ready_seconds(cost) for job, cost in ours.items()}
    if "baseline" in ours and ours["baseline"]["peak"]:
        values["significance.baseline.memory"] = ours["baseline"]["peak"] / (1 << 30)
    return values


def starting_values(found: dict) -> dict[str, float | None]:
    """Import over NumPy's, quick commands, NumPy modules."""
    if "starting" not in found:
        return {}
    times = {name: one["median"]["wall"] for name, one in found["starting"]["times"].items()}
    values: dict[str, float | None] = {f"start.{word}": times[word] for word in QUICK_COMMANDS}
    values |= {f"numpy.{n}": count for n, count in found["starting"]["numpy_modules"].items()}
    if None not in (both := (times["import idealrank"], times["import numpy"])):
        values["import"] = both[0] - both[1]
    return values


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, its columns aligned for reading on a terminal."""
    body = [list(header), *map(list, rows)]
    widths = [max(len(row[i]) for row in body) for i in range(len(header))]
    rule = ["-" * width for width in widths]
    lines = (" | ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)) for r in (body[0], rule, *body[1:]))
    return "\n".join(f"| {line} |" for line in lines)


def number(value: float | None, form: str) -> str:
    """A number, or a dash for what was not measured."""
    return "–" if value is None else format(value, form)


def cost_rows(found: dict, name: str) -> Iterable[list[str]]:
    """One row per tool on a data set, and one for ranx without its start-up."""
    ours = found["data"][name].get(OURS, {"median": {"wall": None, "peak": None}})["median"]
    for tool, series in found["data"][name].items():
        cost = series["median"]
        if series["error"]:
            yield [name, tool, f"failed: {series['error'][:60]}", *5 * ["–"]]
            continue
        spread = f"{min(s['wall'] for s in series['samples']):.2f}–{max(s['wall'] for s in series['samples']):.2f}"
        times, memory = ratio(cost["wall"], ours["wall"]), ratio(cost["peak"], ours["peak"])
        yield [
            name, tool, number(cost["wall"], ".2f"), spread, number(cost["cpu"], ".2f"),
            number(times, ".1f"), f"{cost['peak'] / MIB:,.0f}", number(memory, ".2f"),
        ]  # fmt: skip
        if cost["start_up"]:
            yield _without_start_up(name, tool, cost, ours)


def _without_start_up(name: str, tool: str, cost: dict, ours: dict) -> list[str]:
    """The row of a tool with its imports and compilation taken off."""
    rest = cost["wall"] - cost["start_up"]
    return [name, f"{tool}, compiled", f"{rest:.2f}", "", "", number(ratio(rest, ours["wall"]), ".1f"), "", ""]


def costs(found: dict) -> str:
    """The table of whole processes."""
    header = ("data", "tool", "seconds", "fastest–slowest", "processor s", "× ours", "peak MiB", "× ours' peak")
    rows = [row for name in found["data"] for row in cost_rows(found, name)]
    return table(header, rows)


def all_trec(found: dict) -> str:
    """The table of all measures."""
    rows = [row for name in found["all_trec"] for row in cost_rows({"data": found["all_trec"]}, name)]
    return table(
        ("data", "tool", "seconds", "fastest–slowest", "processor s", "× ours", "peak MiB", "× ours' peak"), rows
    )


def agreement(found: dict) -> str:
    """The table of values compared."""
    rows = []
    for one in found["agreement"]:
        verdict = "agrees" if one["agrees"] else one.get("error") or f"differs: {_difference(one)}"
        counts = (number(one.get(key), fmt) for key, fmt in (("queries", ",d"), ("values", ",d"), ("largest", ".1e")))
        rows.append([one["data"], one["tool"], *counts, verdict])
    return table(("data", "against", "queries", "values", "largest difference", "verdict"), rows)


def _difference(one: dict) -> str:
    """What is wrong, in few words."""
    return (
        f"{one['beyond_tolerance']} values apart (such as {one['example']}), "
        f"{one['only_ours']} only ours, {one['only_theirs']} only theirs"
    )


def in_process(found: dict) -> str:
    """The table of calls on ready objects, with the means' largest difference from pytrec_eval's."""
    base = found["in_process"].get(REFERENCE, {}).get("means")
    rows = []
    for name, one in found["in_process"].items():
        seconds = number(median(one["seconds"]) if one["seconds"] else None, ".3f")
        apart = max((abs(a - b) for a, b in zip(one.get("means") or [], base or [], strict=False)), default=None)
        faster = number(found["values"].get(f"in-process.{name}"), ".1f")
        rows.append([name, one["error"][:80] or seconds, faster, number(apart, ".1e")])
    return table(("evaluate on B, from", "seconds", "× faster than pytrec_eval", "means differ by"), rows)


def significance(found: dict) -> str:
    """The table of tests of many systems; the peers' seconds for all are those of one test times their number."""
    rows = []
    for job, series in found["significance"].items():
        words, tests = JOBS[job]
        for tool, one in series.items():
            cost, times = one["median"], 1 if tool == OURS else tests
            seconds = _ready_seconds(cost)
            rows.append([
                words, tool, one["error"][:60] or number(seconds, ".2f"), f"1 of {times}" if times > 1 else "all",
                number(None if seconds is None else seconds * times, ",.1f"), number(cost["cpu"], ".2f"),
                number(None if cost["peak"] is None else cost["peak"] / MIB, ",.0f"),
            ])  # fmt: skip
    return table(
        ("tests", "tool", "seconds", "of them", "seconds for all", "processor s, with start", "peak MiB"), rows
    )


def plots(found: dict) -> str:
    """The table of plots: the fastest run and the median."""
    rows = [[name, f"{min(s):.2f}", f"{median(s):.2f}"] for name, s in found["plots"].items()]
    return table(("plot", "processor s, fastest", "median"), rows)


def starting(found: dict) -> str:
    """The table of imports and quick commands."""
    named = found["starting"]["times"].items()
    words = ((f"idealrank {n}" if n in QUICK_COMMANDS else n, s["error"], s["median"]["wall"]) for n, s in named)
    return table(("start", "seconds"), ([name, error[:80] or number(wall, ".3f")] for name, error, wall in words))


def targets(found: dict) -> str:
    """The table of promises."""
    rows = []
    for target in TARGETS:
        value = found["values"].get(target.key)
        verdict = "not measured" if value is None else "met" if target.joined(value) else "NOT MET"
        rows.append([target.what, target.bound(), number(value, ".3g"), verdict])
    return table(("target", "bound", "measured", "verdict"), rows)


def markdown(found: dict) -> str:
    """All tables."""
    parts = ["# Benchmark", ", ".join(f"{name} {version}" for name, version in found["versions"].items())]
    if found["data"]:
        parts += ["## Whole process, from TREC text (medians)", costs(found)]
    if found.get("ranx_compiles"):
        parts.append(f"ranx imports and compiles for {found['ranx_compiles']:.1f} s when nothing is cached.")
    if found.get("all_trec"):
        parts += ["## Every measure of trec_eval, whole process", all_trec(found)]
    if found["agreement"]:
        parts += ["## Values, per query, under the peers' convention", agreement(found)]
    if found.get("in_process"):
        parts += ["## In one process", in_process(found)]
    if found.get("significance"):
        parts += ["## Tests of many systems, on values in memory", significance(found)]
    if found.get("plots"):
        parts += ["## Plots of 10,000 queries, as SVG, in one process", plots(found)]
    for section, heading in ALONE.items():
        if found.get(section):
            rows = ([name, number(value, ".3g")] for name, value in found[section].items())
            parts += [heading, table(("what", "measured"), rows)]
    if "starting" in found:
        parts += ["## Starting", starting(found)]
    return "\n\n".join([*parts, "## Targets", targets(found)]) + "\n"
