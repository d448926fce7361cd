"""Markdown for a pull request: a comparison, or the outcome of a gate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from idealrank.comparison.moves import LEGEND, losses_with_moves
from idealrank.comparison.shown import difference_columns, notes
from idealrank.display.grid import Column
from idealrank.display.table import Table
from idealrank.errors import plural

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison
    from idealrank.comparison.gate.outcome import Gate

WORST = 10
"""Queries shown that lose most."""

MOST_PAIRS = 5
"""Pairs of systems whose queries are shown."""


def comparison_markdown(comparison: Comparison) -> str:
    """Write the verdicts, the differences, and for each system the queries that lose most with their rank moves."""
    found = comparison.verdict
    said = (f"- **{plain(v.system)}** instead of {plain(v.baseline)}: {plain(v.sentence)}" for v in found.values())
    parts = ["## Comparison", "\n".join(said)]
    parts += [columns_markdown(difference_columns(comparison, list(comparison.contrasts.values())))]
    for name in list(found)[:MOST_PAIRS]:
        parts += _worst(losses_with_moves(comparison, WORST, system=name), comparison, name)
    if len(found) > MOST_PAIRS:
        parts.append(f"Queries of {plural(len(found) - MOST_PAIRS, 'more pair')} are left out.")
    rule = f"- rule: {plain(next(iter(found.values())).rule)}"
    return "\n\n".join([*parts, f"{rule}\n{_foot(comparison)}"]) + "\n"


def gate_markdown(gate: Gate) -> str:
    """Write what came of every condition, and the queries that lose most with their rank moves."""
    table = [
        Column("outcome", [f.outcome for f in gate.findings], numeric=False),
        Column("condition", [f.condition for f in gate.findings], numeric=False),
        Column("found", [f.sentence for f in gate.findings], numeric=False),
    ]
    parts = [f"## Gate {plain(gate.sentence)}", columns_markdown(table)]
    worst, comparison = gate.worst(WORST), gate.comparison
    if worst is None or comparison is None:
        return "\n\n".join([*parts, f"- decisions: {plain(gate.scores.answers.line)}"]) + "\n"
    return "\n\n".join([*parts, *_worst(worst, comparison, comparison.systems[-1]), _foot(comparison)]) + "\n"


def _worst(table: Table, comparison: Comparison, name: str) -> list[str]:
    """Write the queries that lose most, under a heading."""
    label = comparison.scores.labels[0]
    if not len(table):
        return [f"No query of {plain(name)} loses under {plain(label)}."]
    columns = [Column("query", [code(query) for query in table["query"]], numeric=False)]
    if "text" in table.columns:
        columns.append(Column("text", [code(text) if text else "" for text in table["text"]], numeric=False))
    signs = {"baseline value": ".4f", "value": ".4f", "difference": "+.4f"}
    columns += [Column(name, [f"{x:{sign}}" for x in table[name]], numeric=True) for name, sign in signs.items()]
    columns.append(Column(LEGEND, [plain(text) for text in table["moves"]], numeric=False))
    head = f"### {plain(name)}: {plural(len(table), 'query')} that {'loses' if len(table) == 1 else 'lose'} most"
    return [f"{head} under {plain(label)}", _rows(columns)]


def _foot(comparison: Comparison) -> str:
    said = {"methods": comparison.methods.text, "decisions": comparison.scores.answers.line}
    said |= {f"pairing {i}" if i > 1 else "pairing": text for i, text in enumerate(notes(comparison), 1)}
    said |= {"ledger": comparison.ledger.line}
    return "\n".join(f"- {label}: {plain(text)}" for label, text in said.items())


def columns_markdown(columns: Sequence[Column]) -> str:
    """Write columns of text as a table; their cells are taken as they are."""
    escaped = [Column(plain(c.name), [plain(cell) for cell in c.cells], c.numeric) for c in columns]
    return _rows(escaped)


def _rows(columns: Sequence[Column]) -> str:
    """Write columns whose cells are Markdown already."""
    lines = [
        [column.name for column in columns],
        ["---:" if column.numeric else ":---" for column in columns],
        *(list(row) for row in zip(*(column.cells for column in columns), strict=True)),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_SPECIAL = re.compile(r"[\\`*\[\]<|~&]|(?<!\w)_|_(?!\w)")


def plain(text: str) -> str:
    r"""Escape what Markdown would read as something else; one line.

    Examples
    --------
    >>> print(plain("a|b *c*\nmy_d"))
    a\|b \*c\* my_d
    """
    return _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))


def code(text: str) -> str:
    r"""Write an id as code, in more backticks than it has itself; a bar is escaped for the table.

    Examples
    --------
    >>> print(code("q1"), code("a`b"), code("a|b"))
    `q1` `` a`b `` `a\|b`
    """
    line = " ".join(text.split())
    longest = max(map(len, re.findall("`+", line)), default=0)
    space = " " if longest else ""
    mark = "`" * (longest + 1)
    return f"{mark}{space}{line.replace('|', chr(92) + '|')}{space}{mark}"
