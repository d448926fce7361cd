"""What a table was read from, as one content that the store keeps: a file, or the files of a folder."""

from __future__ import annotations

import contextlib
import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import get_ident
from typing import NamedTuple

from idealrank.data.formats.folders import folder_of, matching_files
from idealrank.data.formats.reader import file_and_part
from idealrank.errors import DataError

FOLDER, PATTERN = "/", "/**/*"
"""What is read of packed files: the folder that they were, or all of them, as a pattern named them."""


MOST_FILES = 50_000
"""Files of a folder that is kept: they are written again whenever the project is opened."""

_SUFFIX = re.compile(r"\.[a-z0-9]{1,16}")


class FileToKeep(NamedTuple):
    """A content, what its owner calls it, and what of it is read.

    `part` is "" for a file, ``#SHEET`` for a part of one, `FOLDER` or `PATTERN`.
    """

    content: bytes
    name: str
    part: str = ""


def file_to_keep(path: str) -> FileToKeep:
    """Return what a path names as one content: the files of a folder, or of a pattern, are packed.

    Raises
    ------
    DataError
        If there is no such file, or a folder has more than `MOST_FILES`.
    """
    name = os.path.basename(path.rstrip("/")) or path
    if os.path.isdir(path):
        folder = Path(path)
        return FileToKeep(pack_files(folder, filter(Path.is_file, _visible_in(folder))), name, FOLDER)
    if files := matching_files(path):
        return FileToKeep(pack_files(Path(folder_of(path) or "."), map(Path, files)), name, PATTERN)
    file, part = file_and_part(path)
    if not os.path.isfile(file):
        raise DataError(f"{path}: no such file, and a file is what the studio keeps. Write it to one, and name that.")
    part = f"#{part}" * bool(part)
    return FileToKeep(Path(file).read_bytes(), os.path.basename(file) + part, part)


def _visible_in(folder: Path) -> Iterator[Path]:
    """Yield what is in a folder but what is hidden, as `.git` with all within it is: a project is sent to others."""
    for path in folder.rglob("*"):
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def write_kept(kept: FileToKeep, place: Path) -> str:
    """Write what was kept at a place, if it is not there, and return the path by which it is read as it was before."""
    packed = kept.part in (FOLDER, PATTERN)
    suffix = Path(kept.name.removesuffix(kept.part)).suffix.lower()
    own = place if packed else place.with_suffix(suffix if _SUFFIX.fullmatch(suffix) else "")
    if not own.exists():
        new = own.with_name(f"{own.name}.{get_ident()}")  # what another thread sees is whole
        if packed:
            _write_files(kept, new)
        else:
            new.write_bytes(kept.content)
        with contextlib.suppress(OSError):  # another thread was faster: a folder takes no other's place
            new.replace(own)
    return f"{own}{kept.part.rstrip('/')}"


def _write_files(kept: FileToKeep, folder: Path) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(kept.content)) as files:
            packed = files.infolist()
            if sum(file.file_size for file in packed) > len(kept.content):  # `pack_files` compresses nothing
                raise DataError(f"{kept.name}: its files are larger than what is kept of them. Add the folder again.")
            _refuse_many(kept.name, len(packed))
            files.extractall(folder)
    except DataError:
        raise
    except _NO_ZIP:
        raise DataError(f"{kept.name}: what is kept of this folder is damaged. Add it again.") from None


_NO_ZIP = (zipfile.BadZipFile, OSError, ValueError, IndexError, RuntimeError, zlib.error)
"""What is raised of a damaged archive: of lengths, names, bytes that are no text, secrets, folders within folders."""


def _refuse_many(name: str, files: int) -> None:
    if files > MOST_FILES:
        raise DataError(
            f"{name}: it has {files:,} files, and the studio keeps {MOST_FILES:,}. Write fewer, larger ones."
        )


def pack_files(folder: Path, files: Iterable[Path]) -> bytes:
    """Return files of a folder as one, not compressed, which the store does; the same files are the same bytes."""
    found, out = sorted(files), io.BytesIO()
    _refuse_many(str(folder), len(found))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as packed:
        for file in found:
            packed.writestr(zipfile.ZipInfo(file.relative_to(folder).as_posix()), file.read_bytes())
    return out.getvalue()
