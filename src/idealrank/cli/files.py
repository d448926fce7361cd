"""Files written whole, or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from idealrank.errors import UsageError


def write_file(name: str, text: str, flag: str = "-o") -> None:
    """Write a file whole: to a temporary file beside it, then renamed. A device or a pipe is written to as it is.

    Parameters
    ----------
    flag
        The option that named the file, for the message.

    Raises
    ------
    UsageError
        If it cannot be written.
    """
    path = Path(name)
    try:
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            path.write_text(text, encoding="utf-8", newline="")
        else:
            _replace(path.resolve(), text, mode)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}. Give another {flag} FILE.") from None


def _replace(path: Path, text: str, mode: int | None) -> None:
    import tempfile

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        os.chmod(name, 0o666 & ~_umask() if mode is None else stat.S_IMODE(mode))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
