"""Where output goes: words and tables for people, or data as TSV, CSV or JSON; a whole file or none."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from idealrank.cli.help import ENDINGS
from idealrank.display import terminal
from idealrank.display.terminal import give, say
from idealrank.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from idealrank.display.blocks import Block
    from idealrank.display.table import Table
    from idealrank.evaluation.ledger.ledger import Ledger


class Notes(NamedTuple):
    """What is said with the numbers.

    Attributes
    ----------
    below
        Return the lines below a table for people, within a width; with --verbose they stand beside data, too.
    beside
        The sentences beside data, on standard error.
    """

    below: Callable[[int], list[str]]
    beside: Sequence[str] = ()


def verbose() -> bool:
    """Whether everything is asked for, by --verbose."""
    return _flag("verbose")


def _flag(name: str) -> bool:
    """Whether a flag that the context of the call keeps was given."""
    import click

    return bool(click.get_current_context().meta.get(f"idealrank.{name}"))


NO_NOTES = Notes(lambda width: [])


def sentence_notes(sentences: Sequence[str]) -> Notes:
    """Return notes that say the same below a table and beside data."""
    from idealrank.display.blocks import wrap

    return Notes(lambda width: wrap(sentences, width), sentences)


def warn(warnings: Ledger | Iterable[str]) -> None:
    """Print warnings on standard error, also with --quiet.

    Parameters
    ----------
    warnings
        The warnings, or the ledger that has them.
    """
    from idealrank.display.blocks import label_lines
    from idealrank.evaluation.ledger.ledger import Ledger

    for text in warnings.warnings if isinstance(warnings, Ledger) else warnings:
        for line in label_lines("warning", text, screen_width(2)) if sys.stderr.isatty() else [labelled_warning(text)]:
            say(line)


def labelled_warning(text: str) -> str:
    """Write a warning as one line, however long: a line of a log can be found by grep."""
    return f"{'warning':<10} {text}"


def warning_lines(warnings: Iterable[str], width: int) -> list[str]:
    """Return warnings as lines of a terminal; where standard output is none, say them on standard error instead."""
    from idealrank.display.blocks import label_lines

    if sys.stdout.isatty():
        return [line for text in warnings for line in label_lines("warning", text, width)]
    warn(warnings)
    return []


def warn_unknown(lost: Table) -> None:
    """Say which queries have no frequency, and so no lost value."""
    from idealrank.errors import listed, plural

    queries = [row["query"] for row in lost if row["frequency"] != row["frequency"]]
    if queries:
        say(f"warning    {plural(len(queries), 'query')} without a frequency: {listed(queries)}")


def to_json_text(value: Any) -> str:
    """Return a value as JSON; of its text, only characters that some programs take for line ends are escaped."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text.replace("\x85", r"\u0085").replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")


def is_for_people(form: str | None, output: str | None) -> bool:
    """Whether words and tables are asked for, and no data: without a form and a file, on a terminal and in a pipe."""
    return form == "table" or (form is None and output is None)


def write(
    table: Table,
    whole: Callable[[], str],
    form: str | None,
    output: str | None,
    notes: Notes = NO_NOTES,
    brief: Mapping[str, Table] | None = None,
) -> None:
    """Write a table for people with the notes below it, or as data with the notes on standard error.

    `whole` returns everything as JSON. `brief` is what people see in place of the table:
    tables with their headings, if any.
    """
    if not is_for_people(form, output):
        write_table(table, whole, form, output)
        print_error(notes)
        return
    from idealrank.display.text import lines

    width = screen_width()
    tables = brief or {"": table}
    drawn = ([*([head] if head else []), *lines([each.grid()], width)] for head, each in tables.items())
    show(drawn, notes.below(width))


def write_table(table: Table, whole: Callable[[], str], form: str | None, output: str | None) -> None:
    """Write a table as CSV, TSV or JSON; TSV on standard output is without the fingerprints, as tables for people."""
    form = form or format_by_ending(output)
    piped = form == "tsv" and output in (None, "-")
    table = table.with_fingerprints({}).in_lines() if piped else _narrow(table)
    write_text(whole() + "\n" if form == "json" else to_delimited(table, form, output), output)


def to_delimited(table: Table, form: str, output: str | None) -> str:
    """Return a table as CSV or TSV; what may go to the log of a build has the line ends in its texts as text.

    A log obeys some lines, such as those that begin with ``::error::``. Elsewhere, and in files, a quoted cell keeps
    its line ends, so that whoever reads the table gets the ids as they are.
    """
    separator = "," if form == "csv" else "\t"
    text = table.to_csv(separator)
    if output not in (None, "-") or not _may_be_log():
        return text
    shown = table.in_lines().to_csv(separator)
    if shown != text:
        warn(["line ends in texts are written as \\n, since a log may obey a line (CI is set). "
              "For the texts as they are: -o FILE"])  # fmt: skip
    return shown


def _may_be_log() -> bool:
    """Whether standard output may be the log of a build: CI is set, as all of them do, and it is no plain file."""
    if os.environ.get("CI", "").lower() in ("", "0", "false"):
        return False
    try:
        return not stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # closed, or not of the system
        return True


def _narrow(table: Table) -> Table:
    """Leave out the fingerprints of a table by query, each a long column of one cell, unless they are asked for."""
    from idealrank.display.table import OF_COLUMNS

    if _flag("fingerprints") or "query" not in table.columns:
        return table
    return table.with_fingerprints(
        {name: text for name, text in table.stated.items() if not name.startswith(OF_COLUMNS)}
    )


def show_lines(blocks: list[Block]) -> None:
    """Show blocks for people."""
    from idealrank.display.text import paragraphs

    show(paragraphs(blocks, screen_width()))


def write_text(text: str, output: str | None) -> None:
    """Write text to standard output, or to a file as a whole."""
    if output is None or output == "-":
        give(text)
    else:
        from idealrank.display.files import write_file

        write_file(output, text, "-o FILE")


def print_error(notes: Notes) -> None:
    """Print on standard error what stands beside data: some sentences, or everything with --verbose."""
    from idealrank.display.blocks import wrap

    width = screen_width(2)
    lines = wrap(notes.beside, width) if sys.stderr.isatty() else notes.beside
    for line in notes.below(width) if verbose() else lines:
        say(line)


NO_WIDTH = 10_000
"""Columns of a pipe, which has no width: tables are whole, and prose is folded at `PROSE`."""


def screen_width(handle: int = 1) -> int:
    """Width of the terminal, or what COLUMNS says; where there is neither, `NO_WIDTH`."""
    if "COLUMNS" not in os.environ:
        if not os.isatty(handle):
            return NO_WIDTH
        if columns := os.get_terminal_size(handle).columns:
            return columns
    import shutil

    return shutil.get_terminal_size().columns


UNWRITTEN_ENDINGS = (
    ".scores",
    *(".xlsx", ".xls", ".ods", ".html", ".htm", ".md", ".pdf", ".svg", ".png"),
    *(".parquet", ".jsonl", ".gz", ".zst", ".zip"),
)
"""Endings of formats in which no table is written."""


_OTHERWISE = {
    ".html": " A page is written by idealrank report.",
    ".scores": " Scores are saved by idealrank evaluate --save.",
}
"""What writes the file of an ending, where another command or option does."""


def check_ending(form: str | None, output: str | None) -> None:
    """Refuse a file whose ending names another form than the flag, or one that is not written.

    Raises
    ------
    UsageError
        With what is written.
    """
    import click

    ending = os.path.splitext(output or "")[1].lower()
    writes = getattr(click.get_current_context().command, "writes", ENDINGS)
    if ending in UNWRITTEN_ENDINGS and ending not in writes:
        *others, last = writes
        other = _OTHERWISE.get(ending, "")
        raise UsageError(f"-o {output}: {ending[1:]} is not written. Name it {', '.join(others)} or {last}.{other}")
    if form == "table" and output not in (None, "-"):
        raise UsageError(f"--format table and -o {output}: a file gets data. Leave one out, or send it on: > {output}")
    if form and writes.get(ending, form) != form:
        raise UsageError(
            f"--format {form} and -o {output}: the file's ending says {ending[1:]}. Leave one of them out."
        )


def format_by_ending(output: str | None) -> str:
    """Return the form the ending of a file's name asks for."""
    ending = os.path.splitext(output or "")[1].lower()
    return ENDINGS.get(ending, "tsv")


# The colours of the terminal: the page's blue for better, its orange for worse; none where none are wanted.


BOLD, END = "\x1b[1m", "\x1b[0m"
BLUE, ORANGE = "\x1b[38;5;32m", "\x1b[38;5;166m"
"""Both are legible on black and on white."""

_SIGNS = {"▲": BLUE, "▼": ORANGE}
_CHANGE = r"([▲▼])( [+\-−]?[\d.,]+)?"


def is_coloured() -> bool:
    """Whether standard output is a terminal that may be written to in bold and in colour."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def colour_signs(line: str) -> str:
    r"""Colour the signs of better and worse with their numbers.

    Examples
    --------
    >>> colour_signs("RR  ▼ -0.2500")
    'RR  \x1b[38;5;166m▼ -0.2500\x1b[0m'
    """
    return re.sub(_CHANGE, lambda found: f"{_SIGNS[found[1]]}{found[0]}{END}", line)


def show(blocks: Iterable[list[str]], below: Iterable[str] = (), colours: Sequence[str] = ()) -> None:
    """Write blocks of lines to the terminal, a blank line between; the first line of each is a header, in bold.

    Parameters
    ----------
    below
        Lines that have no header.
    colours
        Of the first headers.
    """
    drawn, rest, paint = [block for block in blocks if block], list(below), colour_signs if is_coloured() else str
    for block, colour, space in zip(drawn, chain(colours, repeat("")), chain([[]], repeat([""])), strict=False):
        around = (BOLD + colour, END) if is_coloured() else ("", "")
        terminal.show(space)
        terminal.show(block, *around, paint)
    terminal.show(["", *rest] if drawn and rest else rest, paint=paint)
    sys.stdout.flush()


# Files that options name: refused at once where they cannot be written, or are inputs too.


class OutputFile(click.Path):
    """The value of an option that names a file to write; refused before the work if it cannot be written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse a folder, and a file in a folder that is not there or cannot be written to."""
        from pathlib import Path

        path, flag = Path(value), param.opts[0] if param else "-o"
        why = "" if str(value) == "-" else why_unwritable(path)
        if why:
            raise UsageError(f"{path}: cannot be written: {why}. Give another {flag} FILE.")
        if path.is_file():
            _refuse_kept(path, flag)
        return value


def _refuse_kept(path: Path, flag: str) -> None:
    """Refuse to write over what later builds are compared with: only what wrote it may."""
    from idealrank.data.formats.head import is_baseline, is_saved_scores

    for is_kept, what, writer in (
        (is_saved_scores, "saved scores", "evaluate --save"),
        (is_baseline, "a baseline", "gate --bless"),
    ):
        if is_kept(path):
            raise UsageError(f"{flag} {path}: contains {what}, which only {writer} writes over. Give another name.")


def why_unwritable(path: Path) -> str:
    """Say why a file could not be written; "" if it can."""
    from idealrank.display.files import explain_link, is_device

    if why := explain_link(path):
        return why
    folder = path.absolute().parent
    try:
        if path.is_dir():
            return "Is a directory"
        place = path if is_device(path) else folder
        folder.stat()
    except OSError as error:
        return error.strerror or str(error)
    if not folder.is_dir():
        return "Not a directory"
    return "" if os.access(place, os.W_OK) else "Permission denied"


def refuse_inputs(name: str | None, inputs: Iterable[str | None], flag: str = "-o") -> None:
    """Refuse to write over a file that this very call reads.

    Raises
    ------
    UsageError
        If one of the inputs is that file.
    """
    for file in inputs:
        if name and file and os.path.exists(name) and os.path.exists(file) and os.path.samefile(name, file):
            raise UsageError(f"{flag} {name}: also an input of this call. Give another name.")


def refuse_filled_in(name: str | None, flag: str) -> None:
    """Refuse to write over a file that people may have filled in; an empty file and a device have nothing to lose.

    Raises
    ------
    UsageError
        If something is in the file.
    """
    if name and os.path.exists(name) and os.path.getsize(name):
        raise UsageError(f"{flag} {name}: is there already and may hold grades. Name another file, or remove it.")


def refuse_same_file(name: str | None, other: str | None, flag: str) -> None:
    """Refuse two outputs of one call in one place: the second would replace the first; `other` is that of -o.

    Raises
    ------
    UsageError
        If both are one file, or both standard output.
    """
    if name and name == "-" and other in (None, "-"):
        raise UsageError(f"{flag} -: the table goes to standard output, too. Give a file: {flag} FILE.")
    if name and other and os.path.realpath(name) == os.path.realpath(other):
        raise UsageError(f"{flag} {name}: also the file of -o. Give another name.")
