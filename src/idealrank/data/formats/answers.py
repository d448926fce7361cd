"""Folders of answers: one file for each query, which are together the results of one system."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from idealrank._core import BadInput
from idealrank.data.formats.head import Form
from idealrank.data.formats.objects import frame_from
from idealrank.data.formats.paths import files_of
from idealrank.data.formats.source import Source
from idealrank.errors import DataError

_NOTE = "one file per query, each named after its file"


def is_answers(path: str, form_of: Callable[[str], Form]) -> bool:
    """Whether a path is a folder of several files, each the answer to one query, no two to the same.

    Parameters
    ----------
    form_of
        Recognizes the form of a file.
    """
    if not os.path.isdir(path):
        return False
    try:
        files = files_of(path)
        queries = {_query(form_of(file)) for file in files}
    except (DataError, BadInput, OSError):
        return False
    return "" not in queries and 1 < len(files) == len(queries)


def _query(form: Form) -> str:
    """Say which query a file answers; "" if it does not answer just one."""
    return form.plan.notes[0] if form.plan is not None and form.plan.of_one_query and form.plan.notes else ""


def read_answers(path: str, read: Callable[[str], Source]) -> Source:
    """Read a folder of answers as one table.

    Parameters
    ----------
    read
        Reads one of its files.
    """
    sources = [read(file).of("results") for file in files_of(path)]
    names = [*dict.fromkeys(name for source in sources for name in source.frame.names)]
    columns = [[value for source in sources for value in _values(source, name)] for name in names]
    frame = frame_from(names, columns, path)
    places = [source.place(row) for source in sources for row in range(source.frame.rows)]
    return replace(
        sources[0], name=path, frame=frame, tables={"results": frame}, came_from={"results": places}, notes=(_NOTE,),
        origin=None,
    )  # fmt: skip


def _values(source: Source, name: str) -> list[Any]:
    names = source.frame.names
    return source.frame.column(names.index(name)).to_list(None) if name in names else [None] * source.frame.rows
