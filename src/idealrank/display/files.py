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
        If it cannot be written, or is a symbolic link.
    """
    path, data = Path(name), content.encode() if isinstance(content, str) else content
    try:
        if is_device(path):
            path.write_bytes(data)
        else:
            with whole_file(path) as out:
                out.write(data)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}. Give another {flag}.") from None


def is_device(path: Path) -> bool:
    """Whether a path is written to as it is: a device, a pipe, or a name of an open one such as /dev/stdout."""
    with contextlib.suppress(OSError):
        return not stat.S_ISREG(path.stat().st_mode) or path.is_relative_to("/dev")
    return False


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write to, beside the one named, that takes its place and its mode when it is whole.

    A new file has the mode that the system gives it under the umask of the process.

    Raises
    ------
    OSError
        If it cannot be written, or is a symbolic link: whoever could plant one would choose what is overwritten.
    """
    if why := explain_link(path):
        raise OSError(why)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    handle, name = _open_beside(path, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            if mode is not None:
                os.chmod(name, mode)
            os.fsync(handle)  # or after a power loss there is the new name, and nothing in it
        os.replace(name, path)
        _sync_folder(path.parent)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _open_beside(path: Path, mode: int) -> tuple[int, str]:
    """Open a new file beside another. The system takes the umask off its mode: asking for the umask would change it."""
    import secrets

    while True:
        name = str(path.parent / f".{path.name[:200]}.{secrets.token_hex(4)}")
        with contextlib.suppress(FileExistsError):
            return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode), name


def _sync_folder(folder: Path) -> None:
    """Have the system write the names of a folder; where it cannot, they are written later."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def explain_link(path: Path) -> str:
    """Say that a path is a symbolic link, and what to give instead; "" if it is none."""
    if not path.is_symlink() or is_device(path):
        return ""
    target = os.readlink(path)
    return f"it is a symbolic link to {target}, which is not written through; name that file, or remove the link"
