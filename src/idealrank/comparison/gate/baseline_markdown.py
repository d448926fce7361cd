"""A gate against a baseline as a comment on a pull request: a table, and the rest folded."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from idealrank.comparison.exports import WORST
from idealrank.comparison.gate.against_baseline import AgainstBaseline
from idealrank.comparison.gate.finding import PASSED, Finding
from idealrank.display.grid import Column
from idealrank.display.markdown import bullets, code, columns_written, plain
from idealrank.display.numbers import decimal, number_text
from idealrank.display.table import Table
from idealrank.errors import plural

MARK = "<!-- idealrank gate -->"
"""The first line, which a reader does not see: by it a job finds its own comment again."""


def gate_markdown(
    sentence: str,
    kept: AgainstBaseline,
    findings: Sequence[Finding],
    tables: Mapping[str, Table],
    warnings: Sequence[str],
    chance: Sequence[str],
) -> str:
    """Write the outcome, a line per measure, other conditions that did not pass, and folded details.

    Parameters
    ----------
    tables
        The queries that lost, by measure.
    warnings, chance
        What is odd about the results, what is said of headroom, and which queries nobody judged; how often the
        conditions fail by chance.
    """
    others = [f for f in findings if f.kind != "drop" and f.outcome != PASSED]
    warned = [f"> {plain(text)}" for text in warnings if text]
    parts = [f"{MARK}\n## Gate {plain(sentence)}", *warned, columns_written(_measures(kept, findings))]
    parts += [bullets([(f.outcome, f.sentence) for f in others])] if others else []
    parts += [_queries(label, table) for label, table in tables.items() if len(table)]
    return "\n\n".join([*parts, _details("How this was decided", _account(kept, findings, chance))]) + "\n"


def _measures(kept: AgainstBaseline, findings: Sequence[Finding]) -> list[Column]:
    drops = [f for f in findings if f.kind == "drop"]
    contrasts = [kept.contrasts[kept.pairing.scores.place_of(f.measure)] for f in drops]
    return [
        Column("measure", [code(f.measure) for f in drops], numeric=False),
        Column("baseline", [decimal(contrast.baseline_mean) for contrast in contrasts], numeric=True),
        Column("now", [decimal(contrast.mean) for contrast in contrasts], numeric=True),
        Column("change", [number_text(f.value, "+.4f") for f in drops], numeric=True),
        Column("may lose", [f"{-f.limit:.4g}" for f in drops], numeric=True),
        Column("outcome", [f.outcome if f.outcome == PASSED else f"**{f.outcome}**" for f in drops], numeric=False),
    ]


def _queries(label: str, table: Table) -> str:
    first = table[:WORST]
    columns = [Column("query", [code(query) for query in first["query"]], numeric=False)]
    if "text" in table.columns:
        columns.append(Column("text", [code(text) if text else "" for text in first["text"]], numeric=False))
    forms = {"baseline value": ".4f", "value": ".4f", "difference": "+.4f"}
    columns += [Column(name, [number_text(x, form) for x in first[name]], numeric=True) for name, form in forms.items()]
    columns.append(Column("list", [plain(why) for why in first["list"]], numeric=False))
    more = f"\n\n{plural(len(table) - WORST, 'more query')} in the JUnit file." if len(table) > WORST else ""
    title = f"{plural(len(table), 'query')} below the baseline under {label}"
    return _details(title, f"{columns_written(columns)}{more}")


def _account(kept: AgainstBaseline, findings: Sequence[Finding], chance: Sequence[str]) -> str:
    rows = [
        ("baseline", f"{kept.name} ({kept.baseline.system}{', ' if kept.baseline.date else ''}{kept.baseline.date})")
    ]
    rows += [(f.condition, f.sentence) for f in findings]
    rows += [(f"change {i}", text) for i, text in enumerate(kept.differences.account, 1)]
    rows += [("by chance", "; ".join(chance))] if chance else []
    scores = kept.pairing.scores
    return bullets([*rows, ("decisions", scores.answers.line)])


def _details(title: str, text: str) -> str:
    return f"<details>\n<summary>{html.escape(title)}</summary>\n\n{text}\n\n</details>"
