"""idealrank evaluate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.evaluation_summary import ledger_notes
from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.inputs import by_document_option, evaluate_inputs, memory_options, read_documents_option
from idealrank.cli.options import input_options, lost_value_option, measure_option, output_options, requested_view
from idealrank.cli.output import (
    NO_NOTES,
    Notes,
    is_for_people,
    print_error,
    screen_width,
    show,
    to_json_text,
    verbose,
    warn,
    warn_unknown,
    write,
    write_table,
)
from idealrank.display.terminal import say
from idealrank.errors import NoColumnError, UsageError

if TYPE_CHECKING:
    from idealrank.conventions.project import Project
    from idealrank.display.table import Table
    from idealrank.evaluation.document_segments import DocumentSegments
    from idealrank.evaluation.scores import Scores

_SHOW = "What to show (without: the means)"
_COUNT = click.IntRange(min=1)
_LOST = (
    "Show the N [10] queries of each system with the most frequency x (ideal - actual). The frequency is a column of "
    "--queries-table; or --weights, which weight the means too."
)
_BY_DOCUMENT = (
    "Show means, recall and shares of the loss by segment of the documents: by a column of --documents, such as type."
)

_VIEWS = add_parameters(
    option("--per-query", is_flag=True, topic=_SHOW, help="Show one line per query."),
    option("--describe", is_flag=True, topic=_SHOW, help="Show count, mean, sd and quartiles."),
    option(
        "--by",
        metavar="ATTRIBUTE|1..50,51..100",
        topic=_SHOW,
        help="Describe the queries by attribute, or by ranges of ids.",
    ),
    option(
        "--worst",
        type=_COUNT,
        metavar="N",
        topic=_SHOW,
        help="Show the N queries of each system with the lowest values.",
    ),
    option(
        "--best",
        type=_COUNT,
        metavar="N",
        topic=_SHOW,
        help="Show the N queries of each system with the highest values.",
    ),
    lost_value_option(_SHOW, _LOST),
    by_document_option(_SHOW, _BY_DOCUMENT),
    option("--documents", metavar="FILE", topic=_SHOW, type=click.Path(), help="The documents table: ids and columns."),
    option(
        "--tie-range",
        is_flag=True,
        topic=_SHOW,
        help="Show the lowest and highest means over all orders of tied results.",
    ),
    option(
        "--reading",
        is_flag=True,
        topic=_SHOW,
        help="Show what the readers of C/W/L measures read and get, and residuals.",
    ),
    option("--latency", is_flag=True, topic=_SHOW, help="Show how long the searches took: p50, p95, p99."),
    option("--ledger", is_flag=True, topic=_SHOW, help="Show what happened to every query, and the fingerprints."),
)
_SHOWN = (
    "per_query",
    "describe",
    "worst",
    "best",
    "lost_value",
    "by_document",
    "tie_range",
    "reading",
    "latency",
    "ledger",
)
_EXAMPLES = (
    "idealrank evaluate qrels.txt run.txt",
    "idealrank evaluate qrels.txt bm25.run dense.run -m nDCG@10 -m 'P(rel=2)@5'",
    "idealrank evaluate judgments.csv results.csv --as sklearn --json",
    'idealrank evaluate qrels.txt run.txt --as "trec_eval-9.0.8, no_results=0" --per-query',
    "idealrank evaluate j.csv r.csv --queries-table queries.csv --by segment",
    "idealrank evaluate j.csv r.csv --queries-table queries.csv --lost-value 20",
    "idealrank evaluate j.csv r.csv --documents documents.csv --by-document type",
    "idealrank evaluate qrels.txt year.parquet --memory 4GB -m nDCG@10",
    "idealrank evaluate qrels.txt run.txt --save monday.scores",
    "zcat run.gz | idealrank evaluate qrels.txt - -m AP",
)


@click.command("evaluate", cls=ExampleCommand, examples=_EXAMPLES)
@measure_option(multiple=True, help="As nDCG@10, nDCG@5,10 or 'P(rel=2)@5'; may be repeated.")
@_VIEWS
@option(
    "--save",
    metavar="FILE",
    type=click.Path(),
    help="Save the scores, to compare with later ones: idealrank compare last.scores now.scores.",
)
@output_options
@memory_options
@input_options
def evaluate_command(
    measure: tuple[str, ...], form: str | None, output: str | None, quiet: bool, **options: Any
) -> None:
    """Score RESULTS against JUDGMENTS; several files are several systems.

    One file alone may contain both; - is standard input. Without -m: nDCG@10, P@10, R@100, RR, AP.
    --worst, --best and --lost-value go by the first measure.
    """
    options["describe"] = options["describe"] or options["by"] is not None
    view = requested_view(options, _SHOWN) or "means"
    _refuse_unread_documents(options)
    save = options.pop("save")
    if save == "-":
        raise UsageError("--save -: scores are saved to a file, to be read again. Name one, as monday.scores.")
    scores, _, project = evaluate_inputs(options, measure)
    if save:
        scores.save(save, lists=scores.lists.in_memory)
        say(f"saved      {save}{'' if scores.lists.in_memory else ' without lists, which are not in memory'}")
    documents = read_documents_option(options)
    if view == "ledger":
        _write_ledger(scores, form, output, _scores_notes(scores, project), quiet)
        return
    if view == "by_document":
        segments = scores.by_document(options["by_document"], documents)
        _write_document_segments(scores, segments, form, output, quiet, project)
        return
    table = _view_table(scores, view, options)
    if view == "lost_value":
        # Frequencies belong to the queries, so one system tells for all; without a count its table has every query.
        warn_unknown(scores.lost_value(system=scores.systems[0]))
    brief = None
    if options["by"]:
        brief = _split_by_group(table)
    elif view == "means":
        brief = _transpose_means(table)
    notes = NO_NOTES if quiet or form == "json" else _scores_notes(scores, project)
    if quiet and form != "json":
        warn(scores.ledger)
    write(table, lambda: _view_json(scores, table, view), form, output, notes, brief)


def _refuse_unread_documents(options: dict[str, Any]) -> None:
    """Refuse documents that no view reads."""
    if options["documents"] is not None and options["by_document"] is None:
        raise click.UsageError("--documents: a table to do what with? Name a column: --by-document type.")


def _write_document_segments(
    scores: Scores, segments: DocumentSegments, form: str | None, output: str | None, quiet: bool, project: Project
) -> None:
    """Write the segments of documents, with what the numbers are above the decisions and the ledger."""
    from idealrank.display.text import lines

    rest, notes = _scores_notes(scores, project), NO_NOTES
    if quiet and form != "json":
        warn(scores.ledger)
    elif form != "json":
        between = [] if verbose() else [""]
        notes = rest._replace(below=lambda width: [*lines(segments.account(), width), *between, *rest.below(width)])
    whole = {**scores.to_dict(), "by_document": segments.to_dict()}
    by_system = _split_by_group(segments.table, segments.table.columns.index("segment"))
    write(segments.table, lambda: to_json_text(whole), form, output, notes, by_system)


def _view_table(scores: Scores, view: str, options: dict[str, Any]) -> Table:
    if view == "describe":
        return scores.describe(options["by"])
    if view in ("worst", "best"):
        return scores.worst(options[view]) if view == "worst" else scores.best(options[view])
    if view == "lost_value":
        return scores.lost_value(n=options["lost_value"])
    if view == "tie_range":
        return scores.tie_ranges
    if view in ("reading", "latency"):
        return scores.readings if view == "reading" else _require_latency(scores)
    return scores.per_query if view == "per_query" else scores.means


def _require_latency(scores: Scores) -> Table:
    from idealrank.evaluation.latency import why_columns_unread

    if not len(scores.latency):
        every = range(len(scores.systems))
        unread = " ".join(filter(None, (why_columns_unread(scores, every, clock) for clock in ("latency", "took"))))
        raise NoColumnError(
            "--latency: no table of results says how long its searches took. Add a column such as latency_ms (the wall "
            "time) or took_ms (the engine's own) with the same value in every row of a search."
            + (f" Not read: {unread}" if unread else "")
        )
    return scores.latency


def _view_json(scores: Scores, table: Table, view: str) -> str:
    """Return the view with the means, the decisions and the ledger."""
    if view in ("means", "per_query", "latency"):
        return scores.to_json(per_query=view == "per_query")
    return to_json_text({**scores.to_dict(), view: table.rows()})


def _split_by_group(table: Table, heads: int = 1) -> dict[str, Table]:
    """Split a table by its first columns: one table per group, headed by its name."""
    from idealrank.display.table import Table

    labels = list(map(", ".join, zip(*(table[name] for name in table.columns[:heads]), strict=True)))
    parts = {name: table.take([i for i, label in enumerate(labels) if label == name]) for name in dict.fromkeys(labels)}
    return {name: Table({c: part.array(c) for c in part.columns[heads:]}) for name, part in parts.items()}


def _transpose_means(means: Table) -> dict[str, Table] | None:
    """Turn means into one row per system, where their columns do not fit the screen; None where they do."""
    import numpy as np

    from idealrank.display.blocks import fits
    from idealrank.display.table import Table

    systems = means.columns[1:]
    if len(systems) == 1 or fits(means.grid().columns, screen_width()):
        return None
    rows = {row["measure"]: [row[name] for name in systems] for row in means}
    return {"": Table({"system": systems, **{label: np.array(values) for label, values in rows.items()}})}


def _scores_notes(scores: Scores, project: Project) -> Notes:
    blocks = scores.account()
    if scores.has_times:
        from idealrank.evaluation.latency import latency_blocks

        blocks = [*latency_blocks(scores), *blocks]
    return ledger_notes(scores, blocks, project.line)


def _write_ledger(scores: Scores, form: str | None, output: str | None, notes: Notes, quiet: bool) -> None:
    from idealrank.display.text import lines, paragraphs

    prints = scores.fingerprints
    if is_for_people(form, output):
        width = screen_width()
        ledger = scores.ledger
        tables = paragraphs(ledger.accounts_in_full(), width)
        show([lines(ledger.account(), width), *tables, ["fingerprints", *_fingerprint_lines(prints, width)]])
        return
    queries = scores.ledger.queries
    whole = {"fingerprints": prints, **scores.ledger.to_dict(), "queries": list(queries)}
    write_table(queries, lambda: to_json_text(whole), form, output)
    if form == "json":
        return
    if quiet:
        warn(scores.ledger)
    else:
        print_error(notes._replace(below=lambda width: [*notes.below(width), *_fingerprint_lines(prints, width)]))


def _fingerprint_lines(prints: dict[str, str], width: int) -> list[str]:
    from idealrank.display.blocks import label_lines

    return [line for label, text in prints.items() for line in label_lines(label, text, width)]
