"""Formats that other packages add, by an entry point of the group ``idealrank.formats``.

An entry point names a module or an object with:

- ``looks_like(start, name)``: whether a file is of the format, by its first bytes and its name
- ``read(source)``: the content of a file, by its path or its bytes, as any object that `ir.read_judgments` takes;
  or several by kind: ``{"judgments": …, "results": …, "queries": …, "documents": …}``
- ``write(kind, columns)``, if it can be written: the text or the bytes of a file, of judgments or results and their
  columns by name; ``endings``, the endings of such files

They are looked up where no format of idealrank knows a file, so they cost nothing elsewhere.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from idealrank._core import Progress
from idealrank.data.formats.head import Content, Form, Head, Tables
from idealrank.data.formats.objects import frame_of
from idealrank.data.formats.plan import Plan
from idealrank.errors import DataError, IdealrankError, UsageError

GROUP = "idealrank.formats"
KINDS = frozenset({"judgments", "results", "queries", "documents"})


@functools.cache
def foreign_formats() -> Mapping[str, Any]:
    """Return the formats of other packages by name.

    Raises
    ------
    UsageError
        If one cannot be imported.
    """
    from importlib.metadata import entry_points

    formats = {}
    for entry in entry_points(group=GROUP):
        try:
            formats[entry.name] = entry.load()
        except Exception as error:
            raise UsageError(
                f"The format {entry.name!r} of another package ({entry.value}) cannot be imported: {error}. Update or "
                "remove that package."
            ) from error
    return formats


def foreign_form(head: Head) -> Form | None:
    """Return the form of a file that another package knows, None for others."""
    for name, known in foreign_formats().items():
        if hasattr(known, "looks_like") and known.looks_like(head.start, head.name):
            reader = functools.partial(_read, name=name, known=known, file=head.name)
            return Form(name, reader, plan=Plan(f"a file of the format {name}", ()))
    return None


def _read(content: Content, progress: Progress | None, name: str, known: Any, file: str) -> Tables:
    try:
        read = known.read(content)
    except IdealrankError:
        raise
    except Exception as error:
        raise DataError(f"{file}: the package that reads the format {name} failed: {error}.") from error
    several = isinstance(read, Mapping) and read and KINDS.issuperset(read)
    return {kind: frame_of(table, kind) for kind, table in read.items()} if several else {"": frame_of(read, name)}
