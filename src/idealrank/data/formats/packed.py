"""Compressed files, archives and UTF-16: unpacked in memory, within limits; gz and zst are left to the core."""

from __future__ import annotations

import bz2
import io
import lzma
import zipfile
from collections.abc import Callable
from typing import IO, Any

from idealrank.data.formats.head import Whole, packing
from idealrank.data.formats.workbook import UNREADABLE, is_workbook, sheet_text
from idealrank.errors import DataError, some

MOST = 1 << 32
"""Bytes that a file may have once it is unpacked."""

FREE, RATIO = 1 << 26, 1000
"""Beyond so many bytes, how many times its packed size a file may have."""

_PIECE = 1 << 20


def unpacked(content: Whole, name: str, part: str = "") -> Whole:
    """Unpack a file, and decode UTF-16; other files are returned as they are.

    Parameters
    ----------
    part
        The file of an archive, or the sheet of a workbook, if there are several.

    Raises
    ------
    DataError
        If it cannot be unpacked, or becomes too large.
    """
    while how := packing(content):
        try:
            with io.BytesIO(content) if isinstance(content, bytes) else open(content, "rb") as file:
                content, part = _UNPACKERS[how](file, name, part), ""
        except EOFError:
            raise DataError(f"{name}: the compressed data ends early. Copy or compress the file again.") from None
        except (*UNREADABLE, lzma.LZMAError) as error:
            raise DataError(f"{name}: cannot be unpacked ({error}). Check the file, or unpack it yourself.") from None
    return content


def _of_bz2(file: IO[bytes], name: str, part: str) -> bytes:
    return _limited(bz2.BZ2File(file), name, _size(file))


def _of_xz(file: IO[bytes], name: str, part: str) -> bytes:
    return _limited(lzma.LZMAFile(file), name, _size(file))


def _of_lz4(file: IO[bytes], name: str, part: str) -> bytes:
    try:
        import lz4.frame
    except ImportError:
        raise DataError(f"{name}: lz4 data. Reading it needs lz4 (pip install lz4); or unpack the file.") from None
    return _limited(lz4.frame.open(file), name, _size(file))


def _of_utf16(file: IO[bytes], name: str, part: str) -> bytes:
    return file.read().decode("utf-16").encode()


def _of_zip(file: IO[bytes], name: str, part: str) -> bytes:
    """Read the only file of an archive, or the one asked for; nothing is written to disk."""
    with zipfile.ZipFile(file) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if size > MOST:
            raise _too_large(name)
        if is_workbook(archive):
            if size > FREE and size > RATIO * _size(file):
                raise _too_large(name)
            return sheet_text(file, archive, name, part)
        files = {entry.filename: entry for entry in archive.infolist() if not _is_hidden(entry)}
        if part not in files and (part or len(files) != 1):
            raise DataError(
                f"{name}: {f'no {part!r} in ' if part else ''}a zip archive with {len(files)} files ({some(files)}). "
                f"Say which: {name.partition('#')[0]}#{next(iter(files), 'FILE')}."
            )
        entry = files[part] if part else next(iter(files.values()))
        return _limited(archive.open(entry), name, max(entry.compress_size, 1))


def _is_hidden(entry: zipfile.ZipInfo) -> bool:
    parts = entry.filename.split("/")
    return not entry.filename or entry.is_dir() or parts[0] == "__MACOSX" or parts[-1].startswith(".")


def _size(file: IO[bytes]) -> int:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return size


def _limited(file: Any, name: str, packed: int) -> bytes:
    """Read an unpacking file piece by piece, unless it becomes too large."""
    pieces: list[bytes] = []
    size = 0
    while piece := file.read(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > MOST or (size > FREE and size > RATIO * packed):
            raise _too_large(name)
    return b"".join(pieces)


def _too_large(name: str) -> DataError:
    return DataError(
        f"{name}: larger than 4 GiB, or more than {RATIO:,} times its packed size, once unpacked. If that is right, "
        "unpack the file yourself."
    )


_UNPACKERS: dict[str, Callable[[IO[bytes], str, str], bytes]] = {
    "bz2": _of_bz2,
    "xz": _of_xz,
    "lz4": _of_lz4,
    "zip": _of_zip,
    "utf-16": _of_utf16,
}
