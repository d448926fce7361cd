"""Files written whole, or not at all."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from idealrank.errors import UsageError


def write_file(name: str, content: str | bytes, flag: str = "-o") -> None:
    """Write a file whole: to a temporary file beside it, then renamed. A device or a pipe is written to as it is.

    Parameters
    ----------
    content
        Text is written as UTF-8.
    flag
        The option that named the file, for the message.

    Raises
    ------
    UsageError
        If it cannot be written.
    """
    path, data = Path(name), content.encode() if isinstance(content, str) else content
    try:
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data, mode)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}. Give another {flag} FILE.") from None


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
    folder = path.resolve().parent
    try:
        if path.is_dir():
            return "Is a directory"
        special = path.exists() and not path.is_file()  # a device or a pipe is written to as it is
        place = path if special else folder
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


def _replace(path: Path, data: bytes, mode: int | None) -> None:
    import tempfile

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        os.chmod(name, 0o666 & ~_umask() if mode is None else stat.S_IMODE(mode))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
