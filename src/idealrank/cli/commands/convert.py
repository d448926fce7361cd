"""idealrank convert."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.options import ROLES, check_stdin, column_names, column_options
from idealrank.cli.output import refuse_inputs, screen_width, show
from idealrank.errors import UsageError

if TYPE_CHECKING:
    from idealrank.data.ids import Keyed
    from idealrank.data.writing.rows import RowsToWrite

_EXAMPLES = (
    "idealrank convert judgments.csv qrels.txt --raters median",
    "idealrank convert qrels.txt book.json --to quepid-book --queries-table queries.csv",
    "idealrank convert bm25.run hybrid.run both.csv",
    "idealrank convert runs/ every.csv --duplicates first",
    "idealrank convert judgments.csv qrels.txt --scale-grades 10",
)
_OUT = "Output"
_TO = (
    "The format, if the ending of OUT does not say it: trec, csv, tsv, jsonl, parquet, beir (a folder), quepid, "
    "quepid-book, rre, opensearch, rank_eval, pytrec_eval, svmlight, or that of another package."
)
_OPTIONS = add_parameters(
    option(
        "-o", "--output", metavar="FILE", default="", topic=_OUT, help="Write to FILE. [the last file that is named]"
    ),
    option("--to", metavar="FORMAT", default="", topic=_OUT, help=_TO),
    option("--scale-grades", type=float, default=1.0, metavar="N", topic=_OUT, help="Multiply the grades by N."),
    option(
        "--formulas",
        metavar="keep|escape",
        default="keep",
        topic=_OUT,
        help="In CSV, put an apostrophe before cells that a spreadsheet would run. [keep]",
    ),
    option("--index", default="", metavar="NAME", topic=_OUT, help="The index of the documents, for rank_eval."),
    option("--kind", metavar="judgments|results", topic="Input", help="What to convert, if the files contain both."),
    option(
        "--raters",
        metavar="median|mean|majority|max|min",
        topic="Input",
        help="Make one grade of several ratings. Without: keep them apart.",
    ),
    option(
        "--duplicates",
        metavar="error|first|last|max",
        default="error",
        topic="Input",
        help="Keep one row if a document comes twice for a query: the first, the last or that of the highest number. "
        "[error]",
    ),
    option("--system", default="", metavar="NAME", topic="Input", help="Convert only this system."),
    option("--queries-table", metavar="FILE", type=click.Path(), topic="Input", help="The texts of queries."),
    option("--documents", metavar="FILE", type=click.Path(), topic="Input", help="The titles of documents."),
)


@click.command("convert", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="IN… OUT")
@_OPTIONS
@add_parameters(*column_options(ROLES))
def convert_command(files: tuple[str, ...], kind: str | None, **options: Any) -> None:
    """Write the judgments, or the results, of IN to OUT in another format; several files or a folder become one.

    What the format has no place for is refused, or left out and named. Files of results are several systems.
    """
    given, out = (files, options["output"]) if options["output"] else (files[:-1], files[-1])
    from idealrank.data.formats.folders import is_beir
    from idealrank.data.formats.reader import system_files

    sources = [file for name in given for file in ([name] if is_beir(name) else system_files(name))]
    if not sources:
        raise UsageError("convert needs a file to read and one to write: idealrank convert IN OUT.")
    check_stdin((*given, out))
    refuse_inputs(out, [*sources, options["queries_table"], options["documents"]], "OUT")
    from idealrank.data.writing.rows import join_tables
    from idealrank.data.writing.write import write
    from idealrank.data.writing.writer import WriteOptions
    from idealrank.display.text import lines

    wishes = WriteOptions(options["scale_grades"], options["formulas"], options["index"], options["duplicates"])
    rows = join_tables(_read_rows(sources, kind or _find_kind(sources[0], out, options["to"]), options))
    written = write(rows, out, options["to"], wishes)
    show([], lines(written.shown(), screen_width()))


def _read_rows(files: Sequence[str], kind: str, options: dict[str, Any]) -> list[RowsToWrite]:
    if kind not in ("judgments", "results"):
        raise UsageError(f"--kind {kind}: give judgments or results.")
    from idealrank.cli.inputs import read_files, read_judgment_files
    from idealrank.data.writing.write import with_texts

    def add_texts(rows: RowsToWrite, table: Keyed) -> RowsToWrite:
        return with_texts(rows, table, options["queries_table"], options["documents"])

    names = column_names({**options, "results": tuple(files)}, ())
    if kind == "results":
        return [add_texts(one.sound_rows(options["system"]), one) for one in read_files(files, names)]
    return [
        add_texts(one.rows_to_write(options["raters"], options["duplicates"]), one)
        for one in read_judgment_files(files, names)
    ]


def _find_kind(file: str, out: str, to: str) -> str:
    """Return what is converted: what the file contains, and the format has a place for."""
    from idealrank.data.formats.reader import read_all_tables
    from idealrank.data.recognition.recognize import kinds_in
    from idealrank.data.writing.write import choose_writer

    if file == "-":
        raise UsageError("Standard input is read once. Say what it contains: --kind judgments, or --kind results.")
    writer = choose_writer(out, to)
    kinds = [kind for kind in kinds_in(read_all_tables(file, file)) if kind in ("judgments", "results")]
    writable = [kind for kind in kinds if kind in writer.layouts]
    if len(writable) > 1:
        raise UsageError(f"{file} contains judgments and results. Say which to convert: --kind judgments or results.")
    return (writable or kinds or ["judgments"])[0]
