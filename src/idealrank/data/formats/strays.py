"""Files in a folder of results that cannot be read: which way out there is."""

import fnmatch
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from idealrank.data.formats.paths import files_of
from idealrank.errors import DataError


@contextmanager
def strays(folders: Iterable[str]) -> Iterator[None]:
    """Add to the error of a file in one of these folders how to read the others."""
    try:
        yield
    except DataError as error:
        for folder in folders:
            found = [file for file in files_of(folder) if str(error).startswith((f"{file}:", f"{file} "))]
            if found:
                way = _way_out(folder, max(found, key=len))
                error.args, error.typed = (f"{error}{way}",), f"{error.typed}{way}"
                break
        raise


def _way_out(folder: str, stray: str) -> str:
    """Say to remove the file, or which pattern leaves it out."""
    others = [file for file in files_of(folder) if file != stray]
    pattern = _pattern(folder, others)
    if not pattern or fnmatch.fnmatch(stray, pattern):
        return f" If it is not meant as results, remove it from {folder}." if others else ""
    return f" If it is not meant as results, remove it from {folder}, or give the files: {pattern}."


def _pattern(folder: str, files: list[str]) -> str:
    """Return the pattern of most files: a common name, or a common ending; "" without."""
    names = Counter(map(os.path.basename, files)).most_common(1)
    endings = Counter(os.path.splitext(file)[1] for file in files).most_common(1)
    depths = {os.path.relpath(file, folder).count(os.sep) for file in files}
    if len(depths) != 1 or not endings[0][0]:
        return ""
    name = names[0][0] if names[0][1] > 1 else f"*{endings[0][0]}"
    return os.path.join(folder, *["*"] * depths.pop(), name)
