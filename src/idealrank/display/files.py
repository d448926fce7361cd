"""Files written whole, or not at all."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from idealrank.errors import UsageError


def write_file(name: str, content: str | bytes, flag: str) -> None:
    """Write a file whole: to a temporary file beside it, then renamed. A device or a pipe is written to as it is.

    Parameters
    ----------
    content
        Text is written as UTF-8.
    flag
        What named the file, for the message.

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
            with whole_file(path.resolve(), mode) as out:
                out.write(data)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}. Give another {flag}.") from None


@contextlib.contextmanager
def whole_file(path: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """Give a file to write to, beside the one named, that takes its place when it is whole.

    Parameters
    ----------
    mode
        The mode of the file that it replaces; None if there is none.
    """
    import tempfile

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
        os.chmod(name, 0o666 & ~_umask() if mode is None else stat.S_IMODE(mode))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
