"""Files written whole, or not at all."""

import os
import stat
from pathlib import Path

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
            _replace(path.resolve(), data, mode)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}. Give another {flag}.") from None


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
