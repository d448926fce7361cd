"""Folders of answers: one file for each query, which are together the results of one system."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from idealrank._core import BadInput
from idealrank.data.formats.head import Form
from idealrank.data.formats.objects import frame_from
from idealrank.data.formats.paths import files_of
from idealrank.data.formats.shapes.query import is_after_file
from idealrank.data.formats.source import Source
from idealrank.errors import DataError, listed, plural

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
    queries = set()
    try:
        files = files_of(path)
        for file in files:
            if not (query := _query(form_of(file))):
                return False
            queries.add(query)
    except (DataError, BadInput, OSError):
        return False
    return 1 < len(files) == len(queries)


def refuse_apart(sources: Sequence[Source]) -> None:
    """Refuse files that each answer one query, no two the same, as systems: they are one system, or unnamed queries.

    Raises
    ------
    DataError
        If they are such files.
    """
    notes = [next(filter(is_after_file, source.notes), "") for source in sources]
    if "" in notes or not 1 < len(notes) == len(set(notes)):
        return
    folders = {os.path.dirname(source.name) or "." for source in sources}
    raise DataError(
        f"{sources[0].name} and {plural(len(sources) - 1, 'more file')}: each is the answer to one query, which it "
        "does not name, so the query is called after the file, and each file would be a system with one query. If they "
        f"are the answers of one system, give the folder that contains nothing else: {listed(sorted(folders))}. If "
        'they are several systems, say which query each answers: {"QUERY": ANSWER}.'
    )


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
