"""Where output goes: a table on a terminal, TSV when piped, a whole file or none."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from idealrank.errors import UsageError
from idealrank.table import Table


def write(table: Table, as_json: Callable[[], str], form: str | None, output: str | None, talk: list[str]) -> None:
    """Write a table in the form asked for, then the talk: below the table on a terminal, else to standard error."""
    if output is None and form is None and sys.stdout.isatty():
        _draw(table, talk)
        return
    text = _text(table, as_json, form or _form_of(output))
    if output is None or output == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_file(Path(output), text)
    for line in talk:
        print(line, file=sys.stderr)


def write_text(text: str, as_json: Callable[[], str], form: str | None, output: str | None) -> None:
    """Write prose, or JSON where that is asked for."""
    whole = as_json() if form == "json" or _form_of(output) == "json" else text
    if output is None or output == "-":
        print(whole)
    else:
        write_file(Path(output), whole + "\n")


def _draw(table: Table, talk: list[str]) -> None:
    from rich.console import Console

    from idealrank.report.text import rich_table

    console = Console(highlight=False)
    console.print(rich_table(table, None))
    for line in talk:
        console.print(line, markup=False, style="dim")


def _text(table: Table, as_json: Callable[[], str], form: str) -> str:
    if form == "json":
        return as_json() + "\n"
    return table.to_csv("," if form == "csv" else "\t")


def _form_of(output: str | None) -> str:
    ending = Path(output).suffix.lower() if output else ""
    return {".json": "json", ".csv": "csv"}.get(ending, "tsv")


def write_file(path: Path, text: str) -> None:
    """Write a file whole: to a temporary file beside it, then renamed.

    Raises
    ------
    UsageError
        If it cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}.") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
