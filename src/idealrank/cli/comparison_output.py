"""What compare writes: one view in the form asked for, or the verdict with its evidence."""

import sys
import textwrap
from typing import Any

import numpy as np

from idealrank.cli.brief import folded
from idealrank.cli.colours import ORANGE, show
from idealrank.cli.comparison_brief import closing, numbers, verdicts, warnings
from idealrank.cli.output import (
    NOTHING,
    Notes,
    account,
    as_json,
    complain,
    form_of,
    screen,
    verbose,
    warn,
    warn_unknown,
    write,
    write_table,
)
from idealrank.cli.query_view import by_system
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.shown import conclusion, evidence
from idealrank.conventions.project import Project
from idealrank.display.table import Table
from idealrank.display.text import lines, paragraphs
from idealrank.errors import UsageError, listed


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
    if view == "latency":
        write(comparison.latency, comparison.latency.to_json, form, output)
        return
    if view == "lost_value":
        table = comparison.lost_value(count)
        write(table, table.to_json, form, output)
        warn_unknown(comparison.lost_value(system=next(iter(comparison.verdict))))
        return
    if view in ("grid", "tuning"):
        table = _grid(comparison) if view == "grid" else _tuning(comparison)
        write(table, table.to_json, form, output)
        return
    tables = [getattr(comparison, view)(count, system=name) for name in comparison.verdict]
    table = _joined(tables)
    write(table, table.to_json, form, output, brief=by_system(comparison, tables, screen()))


def _grid(comparison: Comparison) -> Table:
    if comparison.grid is None:
        raise UsageError(
            f"--grid: no two systems are settings of one template: {listed(comparison.systems)}. "
            "Name their files by their settings, as 'query boost=1.csv' and 'query boost=2.csv'."
        )
    return comparison.grid


def _tuning(comparison: Comparison) -> Table:
    if comparison.tuning is None:
        raise UsageError("--tuning shows what the best system was chosen by. Add --hold-out 0.5.")
    return comparison.tuning.means


def _write_segments(comparison: Comparison, form: str | None, output: str | None, quiet: bool) -> None:
    segments = comparison.segments
    if output is None and form is None and sys.stdout.isatty():
        show(paragraphs(segments.grid if quiet else segments.shown(), screen()))
        return
    notes = Notes(lambda width: lines(segments.account(), width), lines(segments.account(), 10_000))
    write(
        segments.table, lambda: as_json(segments.to_dict()), form, output, NOTHING if quiet or form == "json" else notes
    )


def _write_robustness(comparison: Comparison, form: str | None, output: str | None, quiet: bool) -> None:
    flavours = comparison.robustness
    sentences = [f"{pair}: {flavours.sentence(pair)}" for pair in flavours.pairs]
    sentences += [f"not computed: {text}" for text in flavours.refused]
    notes = Notes(lambda width: [line for text in sentences for line in textwrap.wrap(text, width)], sentences)
    silent = quiet or form == "json"
    write(flavours.table, lambda: as_json(flavours.to_dict()), form, output, NOTHING if silent else notes)


def _write_changes(comparison: Comparison, query: str, form: str | None, output: str | None) -> None:
    changes = [comparison.changes(query, system=name) for name in comparison.verdict]
    heads = [each.heading for each in changes]
    feet = [each.footnote for each in changes if each.footnote]
    plain = [each.to_dict() for each in changes]
    whole = as_json(plain[0] if len(plain) == 1 else plain)
    table = changes[0].table if len(changes) == 1 else _joined([each.table for each in changes])
    notes = Notes(lambda width: folded(feet, width), [*heads, *feet])
    brief = {head: each.table for head, each in zip(heads, changes, strict=True)}
    write(table, lambda: whole, form, output, NOTHING if form == "json" else notes, brief)


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
    comparison: Comparison, project: Project, form: str | None, output: str | None, quiet: bool, *, by_name: bool
) -> None:
    """Write the differences, and say the verdict with its evidence; on a terminal the verdict comes first.

    `by_name`: of two systems the first by name is the baseline, which is said.
    """
    first = _first(comparison) if by_name else ""
    if output is None and form is None and sys.stdout.isatty():
        _show(comparison, project, quiet, first)
        return
    write_table(comparison.differences, comparison.to_json, form, output)
    if quiet and (form or form_of(output)) != "json":
        warn(comparison.warnings)
    elif (form or form_of(output)) != "json":
        complain(_notes(comparison, project, first))


def _first(comparison: Comparison) -> str:
    """Say which of two systems is the baseline because its name comes first."""
    if comparison.many or len(comparison.verdict) > 1:
        return ""
    return f"{comparison.baseline} (first by name); --baseline NAME changes it"


def _line(first: str) -> list[str]:
    return [f"{'baseline':<10} {first}"] if first else []


def _show(comparison: Comparison, project: Project, quiet: bool, first: str) -> None:
    """Show the verdict with its numbers on a terminal, in brief or with all evidence."""
    width = screen()
    if verbose():
        everything = [evidence(comparison), *comparison.scores.account()]
        show([*paragraphs(conclusion(comparison), width), [] if quiet else [*_line(first), *lines(everything, width)]])
        return
    told = verdicts(comparison, width)
    below = [*numbers(comparison, width), *([] if quiet else closing(comparison, project.line, width, first))]
    told = [(ORANGE, warnings(comparison, width)), *told]
    show([block for _, block in told], below, [colour for colour, block in told if block])


def _notes(comparison: Comparison, project: Project, first: str) -> Notes:
    """Return what is said beside the differences: the verdicts, the evidence, the decisions and the ledger."""
    scores, proof = comparison.scores, [evidence(comparison)._replace(title="")]
    rest = account(scores, scores.ledger, scores.account(), project.line)
    words = (
        [line for v in comparison.verdict.values() for line in (v.headline, *v.summary)] if not comparison.many else []
    )
    warned = [f"{'warning':<10} {text}" for text in comparison.warnings]
    plain = [*warned, *words, *_line(first), *lines(proof, 10_000), *rest.plain]

    def brief(width: int) -> list[str]:
        told = [*warnings(comparison, width), *(line for _, block in verdicts(comparison, width) for line in block)]
        return [*told, *closing(comparison, project.line, width, first)]

    return Notes(lambda width: [*_line(first), *lines(proof, width), *rest.drawn(width)], plain, brief)
