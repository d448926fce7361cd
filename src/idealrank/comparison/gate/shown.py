"""The outcome of a gate as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from idealrank.comparison.moves import LEGEND
from idealrank.display.grid import labelled
from idealrank.display.table import Table
from idealrank.display.text import footer, screen_width, table_lines

if TYPE_CHECKING:
    from idealrank.comparison.gate.finding import Finding
    from idealrank.comparison.gate.outcome import Gate

_LABEL = 12


def render_gate(gate: Gate) -> str:
    """Draw the outcome, what came of every condition, and the queries that lose most."""
    return "\n\n".join("\n".join(block) for block in gate_blocks(gate, screen_width()) if block)


def gate_blocks(gate: Gate, width: int) -> list[list[str]]:
    """Draw the outcome, what came of every condition, and the queries that lose most."""
    lines = [line for f in gate.findings for line in labelled(f.outcome, f.sentence, width, _LABEL)]
    worst = gate.worst()
    return [[f"gate {gate.sentence}", *lines], [] if worst is None or not len(worst) else worst_lines(worst, width)]


def evidence_lines(gate: Gate, width: int) -> list[str]:
    """Write the methods, the decisions and the ledger."""
    methods = [] if gate.comparison is None else labelled("methods", gate.comparison.methods.text, width)
    return [*methods, *footer(gate.scores, width)]


def worst_lines(table: Table, width: int) -> list[str]:
    """Draw the queries that lose most, under a heading with their measure; the rank moves, where known, below."""
    shown = [name for name in ("query", "text", "baseline value", "value", "difference") if name in table.columns]
    kept = Table({name: table.array(name) for name in shown})
    head = [f"queries that lose most under {table['measure'][0]}", *table_lines(kept, width)]
    if "moves" not in table.columns:
        return head
    moves = [line for row in table for line in labelled(row["query"], row["moves"], width, _LABEL)]
    return [*head, f"in their lists: {LEGEND}", *moves]


def regressions_text(found: Iterable[tuple[Finding, Table]], width: int = 100) -> str:
    """Write what dropped, and the queries that lose most; "" where nothing did."""
    return "\n\n".join("\n".join([f.sentence, "", *worst_lines(table, width)]) for f, table in found)
