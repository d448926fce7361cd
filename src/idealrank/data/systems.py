"""Results of several systems: a list, a dict by name, or one table with a system column."""

import dataclasses
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idealrank.data.formats.folders import explain_stray_file, folder_of, refuse_answers_as_systems
from idealrank.data.formats.reader import system_files
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.data.read import empty_results, read_results
from idealrank.data.results import Results
from idealrank.data.roles import ALIASES, fold

_ENDINGS = (
    r"(\.(gz|zst|zstd|bz2|xz|lz4|zip|xlsx|ods|csv|tsv|txt|jsonl?|ndjson|ya?ml|parquet|arrow|feather|run|trec|res"
    r"|scores))+$"
)
_QUERIES = frozenset().union(*(tier for role in ("query", "text", "user", "system") for tier in ALIASES[role]))
_PART = r"(?is).*\.(?:zip|xlsx|ods)#(.+)"


def read_systems(results: Any, judgments: Judgments | None = None) -> list[Results]:
    """Read results that may be several: a list, a dict of systems, a folder of files, or one table.

    Parameters
    ----------
    judgments
        The judgments whose rows files of predictions are about.

    Examples
    --------
    >>> [one.label for one in read_systems({"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 2.0}}})]
    ['a', 'b']
    """
    if is_systems(results) and not _is_by_query(results, judgments):
        return [_read_named(value, str(key), judgments) for key, value in results.items()]
    if isinstance(results, (str, os.PathLike)) and (files := system_files(os.fspath(results))) != [os.fspath(results)]:
        with explain_stray_file([os.fspath(results)]):
            return read_systems(files, judgments)
    if isinstance(results, (list, tuple)) and results and _are_systems(results):
        names = system_names(results)
        read = [read_results(item, name=name, judgments=judgments) for item, name in zip(results, names, strict=True)]
        refuse_answers_as_systems([one.source for one in read])
        return [_label_by_place(one, place) if len(read) > 1 else one for place, one in enumerate(read, 1)]
    return [read_results(results, name=system_name(results), judgments=judgments)]


def _are_systems(items: Sequence[Any]) -> bool:
    """Whether the items of a list are systems: not rows, nor the documents of a tool."""
    if all(isinstance(item, (str, os.PathLike, Results)) for item in items):
        return True
    from idealrank.data.formats.objects import is_numbers_by_document

    if all(map(is_numbers_by_document, items)):
        return True
    from idealrank.data.formats.nested import is_tool_data

    return not _is_rows(items) and not is_tool_data(items)


def is_systems(data: Any) -> bool:
    """Whether a mapping names systems: its values are whole tables, not columns, and not documents with numbers.

    Examples
    --------
    >>> is_systems({"bm25": "bm25.run"}), is_systems({"q1": {"d1": 1.0}}), is_systems({"a": {"q1": {"d1": 1.0}}})
    (True, False, True)

    A system that returned nothing for any query may be an empty dict or list.

    >>> is_systems({"a": {"q1": {"d1": 1.0}}, "b": {}}), is_systems({"q1": {"d1": 1.0}, "q2": {}})
    (True, False)
    """
    if not isinstance(data, Mapping):
        return False
    from idealrank.data.formats.pandas_json import columns_of_frame

    if columns_of_frame(data) is not None and not any(map(_has_query_column, data.values())):
        return False  # one table, its rows called 0, 1, … or beside a schema
    # An empty value may be the results of a system or of a query: the others decide.
    filled = [value for value in data.values() if not _is_empty(value)]
    return bool(filled) and all(map(_is_results, filled))


def system_name(source: Any) -> str:
    """Name a system after its file, without extensions for format and compression; "" for other sources.

    Nor has it the ``input.`` before the tag that TREC's runs have.

    Examples
    --------
    >>> system_name("runs/bm25.trec.gz")
    'bm25'
    >>> system_name("trec8/input.acsys8alo.gz")
    'acsys8alo'
    """
    if not isinstance(source, (str, os.PathLike)) or os.fspath(source) == "-":
        return ""
    part = re.fullmatch(_PART, str(source))
    name = os.path.basename(part[1] if part else folder_of(os.fspath(source)))
    return re.sub(_ENDINGS, "", name, flags=re.I).removeprefix("input.") or name


def system_names(sources: Sequence[Any]) -> list[str]:
    """Name systems after their files; if names repeat in several folders, add the folder, or after it alone.

    Examples
    --------
    >>> system_names(["main/results.csv", "branch/results.csv", "bm25.run"])
    ['main/results', 'branch/results', 'bm25']
    >>> system_names(["runs/e5/predictions.csv", "runs/bge/predictions.csv"])
    ['e5', 'bge']
    """
    names = [system_name(source) for source in sources]
    if len(names) > 1 and set(names) != {""} and len(set(names)) == 1:
        folders = [_folder_name(source) for source in sources]
        names = folders if len(set(folders)) == len(names) else names
    twice = [bool(name) and names.count(name) > 1 for name in names]
    return [_with_folder(*each) if more else each[1] for more, *each in zip(twice, sources, names, strict=True)]


def _with_folder(source: str, name: str) -> str:
    return f"{_folder_name(source)}/{name}"


def _folder_name(source: str) -> str:
    return os.path.basename(os.path.dirname(os.path.abspath(source)))


def _is_results(value: Any) -> bool:
    if isinstance(value, (str, os.PathLike, Results, Judgments)):
        return True
    from idealrank.data.formats.objects import is_row, is_table

    if is_table(value):
        return True
    if isinstance(value, Mapping):
        return not is_row(value)
    return isinstance(value, (list, tuple)) and _is_rows(value)


def _is_empty(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple)) and not value


def _is_by_query(results: Mapping[Any, Any], judgments: Judgments | None) -> bool:
    """Whether a dict contains the documents of queries: answers, or lists of objects that do not name their query."""
    if judgments is not None and judgments.one_query:
        return False
    from idealrank.data.formats.nested import has_documents, is_tool_data
    from idealrank.data.formats.objects import is_numbers_by_document

    if not all(map(is_numbers_by_document, results.values())) and is_tool_data(results):
        return True
    filled = [value for value in results.values() if not _is_empty(value)]
    rows = [row for value in filled for row in (value if isinstance(value, (list, tuple)) else [value])]
    lists = all(
        isinstance(value, (list, tuple)) or ((has_documents(value) or _is_query(value)) and not is_tool_data(value))
        for value in filled
    )
    if not lists or not all(isinstance(row, Mapping) or hasattr(row, "_fields") for row in rows):
        return False
    if any(_has_query_column(value) for value in filled):
        return False
    names = {fold(str(name)) for row in rows for name in getattr(row, "_fields", row)}
    return not names & _QUERIES or _are_judged(results, judgments)


def _has_query_column(value: Any) -> bool:
    """Whether a value is a table by columns, with the query of each row."""
    columns = value.items() if isinstance(value, Mapping) else ()
    return any(fold(str(name)) in _QUERIES and not isinstance(column, (str, int)) for name, column in columns)


def _are_judged(queries: Iterable[Any], judgments: Judgments | None) -> bool:
    """Whether one of the keys of a dict is a judged query."""
    judged = () if judgments is None else judgments.keys.query.distinct(1 << 20)
    return not {id_text(key) for key in judged}.isdisjoint(map(id_text, queries))


def _read_named(value: Any, name: str, judgments: Judgments | None) -> Results:
    return (
        empty_results(name)
        if _is_empty(value)
        else _with_label(read_results(value, name=name, judgments=judgments), name)
    )


def _is_rows(values: Sequence[Any]) -> bool:
    from idealrank.data.formats.objects import is_row

    return len(values) > 0 and (is_row(values[0]) or _is_query(values[0]))


def _is_query(row: Any) -> bool:
    """Whether a row is a query with its documents, not a dict of columns."""
    values = row.values() if isinstance(row, Mapping) else ()
    if not any(isinstance(value, (str, int)) for value in values):
        return False
    from idealrank.data.formats.nested import wraps_documents

    return any(map(wraps_documents, (row, *values)))


def _label_by_place(results: Results, place: int) -> Results:
    """Name a system after its place in a list, if nothing else names it."""
    return results if results.label or results.column("system") else _with_label(results, f"results {place}")


def _with_label(results: Results, name: str) -> Results:
    return results if results.label == name else dataclasses.replace(results, label=name)
