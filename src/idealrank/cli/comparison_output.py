"""What compare writes: one view in the form asked for, or the verdict with its evidence."""

from __future__ import annotations

import json
import sys
import textwrap
from typing import Any

import numpy as np

from idealrank.cli.commands.evaluate import warn_unknown
from idealrank.cli.output import (
    NOTHING,
    Said,
    account,
    complain,
    form_of,
    screen,
    show,
    warn,
    write,
    write_table,
)
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.segments.shown import explaining_lines, segment_lines
from idealrank.comparison.shown import account_lines, comparison_blocks, evidence_lines
from idealrank.conventions.project import Project
from idealrank.display.table import Table


def write_view(
    comparison: Comparison, view: str, count: Any, form: str | None, output: str | None, quiet: bool
) -> None:
    """Write one view: queries, documents, flavours or segments."""
    if view == "per_query":
        table = comparison.per_query
        write(table, lambda: comparison.to_json(per_query=True), form, output)
        return
    if view == "by_segment":
        _write_segments(comparison, form, output, quiet)
        return
    if view == "robustness":
        _write_robustness(comparison, form, output, quiet)
        return
    if view == "changes":
        _write_changes(comparison, count, form, output)
        return
    if view == "lost_value":
        table = comparison.lost_value(count)
        write(table, table.to_json, form, output)
        warn_unknown(comparison.lost_value(system=next(iter(comparison.verdict))))
        return
    tables = [getattr(comparison, view)(count, system=name) for name in comparison.verdict]
    table = _joined(tables)
    write(table, table.to_json, form, output)


def _write_segments(comparison: Comparison, form: str | None, output: str | None, quiet: bool) -> None:
    found = comparison.segments
    if output is None and form is None and sys.stdout.isatty():
        show([segment_lines(found, screen()), [] if quiet else explaining_lines(found, screen())])
        return
    said = Said(lambda width: explaining_lines(found, width), explaining_lines(found, 10_000))
    write(
        found.table,
        lambda: json.dumps(found.to_dict(), ensure_ascii=False, indent=2),
        form,
        output,
        NOTHING if quiet or form == "json" else said,
    )


def _write_robustness(comparison: Comparison, form: str | None, output: str | None, quiet: bool) -> None:
    found = comparison.robustness
    said = [f"{pair}: {found.sentence(pair)}" for pair in found.pairs]
    said += [f"not computed: {text}" for text in found.refused]
    lines = Said(lambda width: [line for text in said for line in textwrap.wrap(text, width)], said)
    whole = json.dumps(found.to_dict(), ensure_ascii=False, indent=2)
    write(found.table, lambda: whole, form, output, NOTHING if quiet or form == "json" else lines)


def _write_changes(comparison: Comparison, query: str, form: str | None, output: str | None) -> None:
    found = [comparison.changes(query, system=name) for name in comparison.verdict]
    heads = [each.heading for each in found]
    whole = [each.to_dict() for each in found]
    as_json = json.dumps(whole[0] if len(whole) == 1 else whole, ensure_ascii=False, indent=2)
    table = found[0].table if len(found) == 1 else _joined([each.table for each in found])
    brief = {head: each.table for head, each in zip(heads, found, strict=True)}
    write(table, lambda: as_json, form, output, NOTHING if form == "json" else Said(lambda width: [], heads), brief)


def _joined(tables: list[Table]) -> Table:
    first = tables[0]
    whole = {name: np.concatenate([table.array(name) for table in tables]) for name in first.columns}
    columns = {name: values if first.numeric(name) else values.tolist() for name, values in whole.items()}
    prints = [text for table in tables for text in _each(table)]
    return Table(columns, first.title, {"fingerprint": prints})


def _each(table: Table) -> list[str]:
    """Return the fingerprint of each row."""
    stated = table.stated["fingerprint"]
    return [stated] * len(table) if isinstance(stated, str) else list(stated)


def write_comparison(
    comparison: Comparison, project: Project, form: str | None, output: str | None, quiet: bool
) -> None:
    """Write the differences, and say the verdict with its evidence; on a terminal the verdict comes first."""
    if output is None and form is None and sys.stdout.isatty():
        blocks = comparison_blocks(comparison, screen())
        show(blocks[:-1] if quiet else blocks)
        return
    write_table(comparison.differences, comparison.to_json, form, output)
    if quiet and (form or form_of(output)) != "json":
        warn(comparison.ledger)
    elif (form or form_of(output)) != "json":
        said = [str(verdict) for verdict in comparison.verdict.values()]
        rest = account(
            comparison.scores.answers, comparison.ledger, lambda width: account_lines(comparison, width), project.line
        )
        plain = [*(f"verdict    {line}" for line in said), *evidence_lines(comparison, 10_000), *rest.plain]
        complain(Said(lambda width: [*said, *evidence_lines(comparison, width), *rest.drawn(width)], plain))
