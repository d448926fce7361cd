"""Paths of files: what exists, and what was probably meant."""

import contextlib
import os
import stat

from idealrank.data.formats.messages import TAR, quoted
from idealrank.errors import DataError


def existing(path: str) -> str | bytes:
    """Return the path of a file, or the content of a pipe, which can only be read once.

    Raises
    ------
    DataError
        If there is no file, or it cannot be read.
    """
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISDIR(mode):
            return path if stat.S_ISREG(mode) else _piped(path)
    except FileNotFoundError:
        raise _not_there(path) from None
    except DataError:
        raise
    except (OSError, ValueError) as error:  # a ValueError if no file can have this name
        raise DataError(f"{quoted(path)}: cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    raise DataError(f"{path}: this is a folder. Give a file with judgments or results.")


def refuse_endless(path: str) -> None:
    """Refuse a device that can be read for ever, such as /dev/zero; a terminal ends, and /dev/null is empty.

    Raises
    ------
    DataError
        If it is one.
    """
    if stat.S_ISCHR(os.stat(path).st_mode) and not os.path.samefile(path, os.devnull):
        with open(path, "rb") as device:
            if not device.isatty():
                raise DataError(f"{path}: a device, which has no end. Give a file, or a pipe.")


def _piped(path: str) -> bytes:
    refuse_endless(path)
    with open(path, "rb") as pipe:
        return pipe.read()


def _not_there(path: str) -> DataError:
    file, _, part = path.rpartition("#")
    if part and os.path.isfile(file):
        tar = ".tar" in file or file.endswith(".tgz")
        return DataError(f"{file}: {TAR}" if tar else f"{path}: no such file, and {file} is no archive. Give {file}.")
    folder = os.path.dirname(path)
    if not os.path.isdir(folder or "."):
        return DataError(f"{path}: no such file; the folder {folder} does not exist either. Check the path.")
    return DataError(f"{path}: no such file.{near_file(path) or ' Check the path.'}")


def near_file(path: str) -> str:
    """Return " Did you mean …?" for the file with the closest name in the same folder, or an empty string."""
    import difflib  # only if something is misspelt

    if os.path.isdir(path):
        return " It is a folder."
    folder, name = os.path.split(path)
    names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    close = difflib.get_close_matches(name, names, n=1)
    return f" Did you mean {os.path.join(folder, close[0])}?" if close else ""


def files_of(name: str) -> list[str]:
    """Return the files of a folder by name, without hidden ones; anything else is returned as it is.

    A folder of folders, such as one per system, has the files of these, however deep.

    Raises
    ------
    DataError
        If the folder contains no file.
    """
    if not os.path.isdir(name):
        return [name]
    paths = [os.path.join(name, file) for file in sorted(os.listdir(name)) if not file.startswith(".")]
    files = [path for path in paths if os.path.isfile(path)] or _within(paths)
    if not files:
        raise DataError(f"{name}: this folder contains no files. Give one file of results per system.")
    return files


def _within(folders: list[str]) -> list[str]:
    """Return the files of the folders that contain any."""
    found = []
    for folder in folders:
        with contextlib.suppress(DataError):
            found += files_of(folder)
    return found
