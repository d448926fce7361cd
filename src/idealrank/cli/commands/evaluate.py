"""idealrank evaluate."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import Command, added, option
from idealrank.cli.options import inputs, measure_option, output_options

if TYPE_CHECKING:
    from idealrank.cli.output import Said
    from idealrank.conventions.project import Project
    from idealrank.display.table import Table
    from idealrank.evaluation.scores import Scores

_SHOW = "What to show (without: the means)"
_COUNT = click.IntRange(min=1)
_LOST = (
    "The N [10] queries of each system with the most frequency x (ideal - actual). The frequency is a column of "
    "--queries-table; or --weights, which weight the means too."
)


def most(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Read a number that may be left out where another option follows."""
    if value is None or (value.isascii() and value.isdigit() and int(value) > 0):
        return None if value is None else int(value)
    raise click.BadParameter(
        f"{value!r} is no whole number from 1 up. Files stand before --lost-value, or after --lost-value 10.",
        ctx,
        param,
    )


_VIEWS = added(
    option("--per-query", is_flag=True, topic=_SHOW, help="One line a query."),
    option("--describe", is_flag=True, topic=_SHOW, help="Count, mean, sd and quartiles."),
    option("--by", metavar="ATTRIBUTE|1..50,51..100", topic=_SHOW, help="The same by attribute, or by ranges of ids."),
    option(
        "--worst", type=_COUNT, metavar="N", topic=_SHOW, help="The N queries of each system with the lowest values."
    ),
    option(
        "--best", type=_COUNT, metavar="N", topic=_SHOW, help="The N queries of each system with the highest values."
    ),
    option("--lost-value", is_flag=False, flag_value="10", callback=most, metavar="[N]", topic=_SHOW, help=_LOST),
    option("--tie-range", is_flag=True, topic=_SHOW, help="Means, lowest and highest over the orders of tied results."),
    option("--reading", is_flag=True, topic=_SHOW, help="What the readers of C/W/L measures read and get; residuals."),
    option("--ledger", is_flag=True, topic=_SHOW, help="What became of every query; the fingerprints."),
)
_SHOWN = ("per_query", "describe", "worst", "best", "lost_value", "tie_range", "reading", "ledger")
_EXAMPLES = (
    "idealrank evaluate qrels.txt run.txt",
    "idealrank evaluate qrels.txt bm25.run dense.run -m nDCG@10 -m 'P(rel=2)@5'",
    "idealrank evaluate judgments.csv results.csv --as sklearn --json",
    'idealrank evaluate qrels.txt run.txt --as "trec_eval-9.0.8, no_results=0" --per-query',
    "idealrank evaluate j.csv r.csv --queries-table queries.csv --by segment",
    "idealrank evaluate j.csv r.csv --queries-table queries.csv --lost-value 20",
    "zcat run.gz | idealrank evaluate qrels.txt - -m AP",
)


@click.command("evaluate", cls=Command, examples=_EXAMPLES)
@measure_option(multiple=True, help="As nDCG@10, nDCG@5,10 or 'P(rel=2)@5'; may be repeated.")
@_VIEWS
@output_options
@inputs
def command(measure: tuple[str, ...], form: str | None, output: str | None, quiet: bool, **given: Any) -> None:
    """Score RESULTS against JUDGMENTS; several files are several systems.

    One file alone holds both; - is standard input. Without -m: nDCG@10, P@10, R@100, RR, AP.
    --worst, --best and --lost-value go by the first measure. A table on a terminal, TSV when piped.
    """
    from idealrank.cli.loading import call_of
    from idealrank.cli.output import NOTHING, warn, write

    view = _view(given)
    call, project = call_of(given, measure)
    from idealrank.evaluation.evaluate import evaluate

    scores = evaluate(measures=list(measure or project.measures) or None, **call)
    if view == "ledger":
        _write_ledger(scores, form, output, _said(scores, project), quiet)
        return
    table = _table(scores, view, given)
    if view == "lost_value":
        warn_unknown(scores.lost_value(system=scores.systems[0]))
    groups = _by_group(table) if given["by"] else None
    said = NOTHING if quiet or form == "json" else _said(scores, project)
    if quiet and form != "json":
        warn(scores.ledger)
    write(table, lambda: _json(scores, table, view), form, output, said, groups)


def _view(given: dict[str, Any]) -> str:
    """Return the one view asked for."""
    given["describe"] = given["describe"] or given["by"] is not None
    asked = [name for name in _SHOWN if given[name]]
    if len(asked) > 1:
        flags = " and ".join(f"--{name.replace('_', '-')}" for name in asked)
        raise click.UsageError(f"{flags} are different tables. Ask for one at a time.")
    return asked[0] if asked else "means"


def _table(scores: Scores, view: str, given: dict[str, Any]) -> Table:
    if view == "describe":
        by = given["by"]
        return scores.describe(by.split(",") if by and ".." in by else by)
    if view in ("worst", "best"):
        return scores.worst(given[view]) if view == "worst" else scores.best(given[view])
    if view == "lost_value":
        return scores.lost_value(n=given["lost_value"])
    if view == "tie_range":
        return scores.tie_ranges
    if view == "reading":
        return scores.readings
    return scores.per_query if view == "per_query" else scores.means


def warn_unknown(lost: Table) -> None:
    """Say which queries have no frequency, and so no lost value."""
    from idealrank.errors import plural
    from idealrank.evaluation.ledger.entries import named

    names = [row["query"] for row in lost if row["frequency"] != row["frequency"]]
    if names:
        print(f"warning    {plural(len(names), 'query')} without a frequency: {named(names)}", file=sys.stderr)


def _json(scores: Scores, table: Table, view: str) -> str:
    """Return the view with the means, the decisions and the ledger."""
    if view in ("means", "per_query"):
        return scores.to_json(per_query=view == "per_query")
    import json

    return json.dumps({**scores.to_dict(), view: table.rows()}, ensure_ascii=False, indent=2)


def _by_group(table: Table) -> dict[str, Table]:
    """Split a table by its first column: one table a group, headed by its name."""
    from idealrank.display.table import Table

    labels = table[table.columns[0]]
    parts = {name: table.take([i for i, label in enumerate(labels) if label == name]) for name in dict.fromkeys(labels)}
    return {name: Table({c: part.array(c) for c in part.columns[1:]}) for name, part in parts.items()}


def _said(scores: Scores, project: Project) -> Said:
    from idealrank.cli.output import account

    def drawn(width: int) -> list[str]:
        from idealrank.display.text import footer

        return footer(scores, width)

    return account(scores.answers, scores.ledger, drawn, project.line)


def _write_ledger(scores: Scores, form: str | None, output: str | None, said: Said, quiet: bool) -> None:
    from idealrank.cli.output import Said, complain, form_of, screen, show, warn, write_table
    from idealrank.display.text import ledger_report

    prints = scores.fingerprints
    if output is None and form is None and sys.stdout.isatty():
        width = screen()
        show([*ledger_report(scores.ledger, width), ["fingerprints", *_printed(prints, width)]])
        return
    queries = scores.ledger.queries

    def as_json() -> str:
        import json

        whole = {"fingerprints": prints, **scores.ledger.to_dict(), "queries": list(queries)}
        return json.dumps(whole, ensure_ascii=False, indent=2)

    write_table(queries, as_json, form, output)
    if (form or form_of(output)) == "json":
        return
    if quiet:
        warn(scores.ledger)
    else:
        plain = [f"{label:<10} {text}" for label, text in prints.items()]
        complain(Said(lambda width: said.drawn(width) + _printed(prints, width), said.plain + plain))


def _printed(prints: dict[str, str], width: int) -> list[str]:
    from idealrank.display.grid import labelled

    return [line for label, text in prints.items() for line in labelled(label, text, width)]
