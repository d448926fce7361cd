"""Files that options name: refused at once where they cannot be written, or are inputs too."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from idealrank.errors import UsageError


class Written(click.Path):
    """A file to write, the value of an option: one that cannot be is refused at once, not after the work is done."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse a folder, and a file in a folder that is not there or cannot be written to."""
        path, flag = Path(value), param.opts[0] if param else "-o"
        why = "" if str(value) == "-" else hindrance(path)
        if why:
            raise UsageError(f"{path}: cannot be written: {why}. Give another {flag} FILE.")
        return value


def hindrance(path: Path) -> str:
    """Say why a file could not be written; "" where nothing is in the way."""
    from idealrank.display.files import is_device, link

    if why := link(path):
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
