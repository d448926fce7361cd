"""A folder of files, one a system."""

from __future__ import annotations

import os

from idealrank.errors import DataError


def files_of(name: str) -> list[str]:
    """Return the files of a folder by name, hidden ones left out; what is no folder as it is.

    Raises
    ------
    DataError
        If the folder holds no file.
    """
    if not os.path.isdir(name):
        return [name]
    paths = (os.path.join(name, file) for file in sorted(os.listdir(name)) if not file.startswith("."))
    found = [path for path in paths if os.path.isfile(path)]
    if not found:
        raise DataError(f"{name}: a folder without files. Give one file of results a system.")
    return found
