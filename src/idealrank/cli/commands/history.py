"""idealrank history."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import ENDINGS, ExampleCommand, add_parameters, option
from idealrank.cli.inputs import take_queries_table
from idealrank.cli.options import (
    ROLES,
    ColumnNames,
    column_names,
    column_options,
    convention_option,
    decision_answers,
    decision_options,
    measure_option,
    output_options,
)
from idealrank.cli.output import (
    check_ending,
    is_for_people,
    print_error,
    sentence_notes,
    show_lines,
    write_table,
    write_text,
)
from idealrank.conventions.project import project_defaults
from idealrank.decisions.decisions import questions
from idealrank.display.files import write_file

if TYPE_CHECKING:
    from idealrank.regression.dates import DatedFiles
    from idealrank.regression.history import History

_TOPIC = "Dates"
_PICTURES = {".svg": "svg", ".png": "png", ".pdf": "pdf"}
_WRITES = {**ENDINGS, ".md": "md", **_PICTURES}
_EXAMPLES = (
    "idealrank history results/*.csv --judgments judgments.csv",
    "idealrank history nightly/ -m nDCG@10 -m RR -o history.svg",
    "idealrank history baselines/*.json --json",
)
_JUDGMENTS = (
    "The judgments of every date. Without it: those beside the results, in the folder of the date or with its date."
)
_ONLY = "Use only these queries: a range, ids joined by commas, or a file of ids."
_TABLE = "Texts of queries by id, where one side has ids and the other texts."


@click.command("history", cls=ExampleCommand, examples=_EXAMPLES, writes=_WRITES)
@click.argument("results", nargs=-1, required=True, type=click.Path())
@option("--judgments", metavar="FILE", type=click.Path(), topic=_TOPIC, help=_JUDGMENTS)
@measure_option(multiple=True, help="What to follow; may be repeated. [nDCG@10; of baselines: all that they share]")
@option("--queries", "only", metavar="1..50|IDS|FILE", topic=_TOPIC, type=click.Path(), help=_ONLY)
@option("--queries-table", metavar="FILE", type=click.Path(), topic=_TOPIC, help=_TABLE)
@output_options
@add_parameters(*column_options(ROLES), convention_option, *decision_options(questions()))
def history_command(
    results: tuple[str, ...], judgments: str | None, measure: tuple[str, ...], form: str | None, output: str | None,
    quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Follow measures over dates: RESULTS are a file or a folder per date, or baselines that gate --bless wrote.

    The date is in the name (2026-11-23, 20261123, with a time or without, 2026-11, 2026-W41) or in the record of a
    replay; if one has none, the order is that in which files are given. A change is taken apart exactly: what lists
    did, what labels did (the old lists are evaluated under the new judgments), and what queries that came or went
    did. A folder of a date contains one file per system, and its judgments if there is no --judgments. The ending
    of -o FILE chooses the form: .json, .csv, .tsv, .md, or a plot as .svg, .png or .pdf.
    """
    check_ending(form, output)
    project = project_defaults()
    from idealrank.cli.inputs import read_queries_file
    from idealrank.regression.dates import files_by_date
    from idealrank.regression.history import history_of

    moments = files_by_date(results)
    files = tuple(file for moment in moments for file in moment.results)
    names = column_names({**options, "results": files}, project.columns)
    take_queries_table(options, names)
    table = options["queries_table"] and read_queries_file(options["queries_table"], names)
    convention = options.get("convention") or project.convention or "idealrank-1"
    history = history_of(
        moments,
        [_read_results(moment, names) for moment in moments],
        _read_judgments(moments, judgments, names),
        list(measure) or ([] if any(moment.baseline for moment in moments) else list(project.measures[:1])),
        {"convention": convention, "queries": table, "only": options["only"], **decision_answers(options)},
    )
    _write_history(history, form, output, quiet)


def _read_results(moment: DatedFiles, names: ColumnNames) -> Any:
    """Read the results of a date, with the column names that were given."""
    from idealrank.cli.inputs import read_files
    from idealrank.regression.baseline import read_baseline

    return read_baseline(moment.results[0]) if moment.baseline else read_files(moment.results, names)


def _read_judgments(moments: list[DatedFiles], file: str | None, names: ColumnNames) -> list[Any]:
    """Read the judgments of every date; a file that several have is read once."""
    from idealrank.cli.inputs import read_judgment_files

    paths = [file or moment.judgments for moment in moments]
    tables = {path: read_judgment_files([path], names)[0] for path in dict.fromkeys(paths) if path}
    return [tables.get(path) if path else None for path in paths]


def _write_history(history: History, form: str | None, output: str | None, quiet: bool) -> None:
    ending = os.path.splitext(output or "")[1].lower()
    if ending in _PICTURES:
        from idealrank.reports import plots

        write_file(str(output), plots.history(history).file(_PICTURES[ending]), "-o FILE")
    elif ending == ".md":
        write_text(history.to_markdown(), output)
    elif is_for_people(form, output):
        show_lines(history.shown())
    else:
        write_table(history.table, history.to_json, form, output)
        if not quiet:
            print_error(sentence_notes([text for _, text in history.notes]))
