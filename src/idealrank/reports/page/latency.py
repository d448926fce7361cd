"""How long searches took, a part of the method: quantiles of each system, and how much they change."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from idealrank.display.amounts import milliseconds, span
from idealrank.errors import plural
from idealrank.evaluation.latency import timed
from idealrank.reports.page.markup import count, name, table
from idealrank.statistics.quantiles import QUANTILES

CLOCKS = {"latency": ("", "latency"), "took": ("took ", "engine time")}
"""What stands before the quantiles of a clock, and what it is called."""


def latency(found: dict[str, Any] | None) -> str:
    """Write the quantiles with their intervals, and the changes; nothing where the results do not say."""
    if found is None:
        return ""
    systems = found["systems"]
    clocks = [clock for clock, (before, _) in CLOCKS.items() if f"{before}p50" in systems[0]]
    lacking = [kind for kind in ("failed", "untimed") if any(row[kind] for row in systems)]
    head = ["system", "queries", *lacking]
    head += [f"{q} {CLOCKS[clock][1]}" for clock in clocks for q in QUANTILES]
    rows = [
        [name(row["system"]), count(row["queries"]), *(count(row[kind]) for kind in lacking), *_cells(row, clocks)]
        for row in systems
    ]
    return (
        f"<p>Milliseconds per search, with 95% intervals; a dash where {_few(systems)} too few. Latency is the wall "
        "time as the client saw it, engine time the engine's own; failed searches are not counted."
        f"{_untimed(systems)}</p>"
        f"{table(head, rows, 'Latency of the systems')}{_changes(found['differences'])}"
    )


def _few(systems: list[dict[str, Any]]) -> str:
    counts = {row["queries"] for row in systems}
    most = max(counts)
    return f"{plural(most, 'query')} {'is' if most == 1 else 'are'}"


def _untimed(systems: list[dict[str, Any]]) -> str:
    """Say which systems lack times of queries that they answered."""
    few = [row for row in systems if row["untimed"]]
    said = (f" {name(row['system'])}: {timed(row['queries'], row['queries'] + row['untimed'])}." for row in few)
    return "".join(said)


def _cells(row: dict[str, Any], clocks: list[str]) -> list[str]:
    names = [f"{CLOCKS[clock][0]}{q}" for clock in clocks for q in QUANTILES]
    return [_cell(row[each], row[f"{each} low"], row[f"{each} high"]) for each in names]


def _cell(value: float | None, low: float | None, high: float | None) -> str:
    ends = [milliseconds(math.nan if end is None else end) for end in (low, high)]
    held = f'<small class="held">{ends[0]} to {ends[1]}</small>' if ends != ["–", "–"] else ""
    return f"<b>{milliseconds(math.nan if value is None else value)}</b>{held}"


def _changes(rows: list[dict[str, Any]]) -> str:
    """Write how much each quantile changes."""
    if not rows:
        return ""
    head = ["system", "against", "what", "queries", "before", "after", "change", "interval", "change in %"]
    cells = [
        [
            name(row["system"]),
            name(row["baseline"]),
            escape(f"{row['quantile']} {CLOCKS[row['clock']][1]}"),
            count(row["queries"]) if row["queries"] == row["asked"] else f"{row['queries']:,} of {row['asked']:,}",
            milliseconds(row["baseline ms"]),
            milliseconds(row["ms"]),
            milliseconds(row["difference"], sign=True),
            "–" if row["low"] is None or row["high"] is None else span(row["low"], row["high"], sign=True),
            "–" if row["percent"] is None else f"{row['percent']:+.1f}%".replace("-", "−"),
        ]
        for row in rows
    ]
    return f"<h4>Changes</h4>{table(head, cells, 'Changes of latency', 3)}"
