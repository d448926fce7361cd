"""Tables with lists in their cells, and nested Python objects, as rows."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

from idealrank._core import BadInput, Frame, from_columns, read_objects
from idealrank.data.formats.head import JsonDocuments
from idealrank.data.formats.list_names import (
    AROUND_HITS,
    EITHER,
    NUMBERS,
    QUERIES,
    are_columns,
    is_clear,
    is_document_list,
    is_name,
    is_plain,
    may_contain_documents,
    number_name,
)
from idealrank.data.formats.messages import bad_input, half_character, with_article
from idealrank.data.formats.nested_plan import NestedPlan
from idealrank.data.formats.objects import (
    CELLS,
    Unfit,
    compact_json,
    documents_of_array,
    find_unfit,
    frame_of_columns,
    is_row,
    object_as_frame,
    object_columns,
    to_plain,
)
from idealrank.data.formats.pandas_json import columns_of_frame, is_table_of_columns, refuse_unclear_names
from idealrank.data.formats.source import Source
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError


def explode_cells(table: Source, docs: str = "") -> Source:
    """Return a table whose cells contain lists of documents as rows; others are returned as they are.

    Parameters
    ----------
    docs
        The column of lists of documents, as the user named it; "" for none.
    """
    if table.frame.format == "dicts":
        return table  # its cells are the keys of dicts: a document called "[1]" is no list
    names = table.frame.names
    numbers = [place for place, name in enumerate(names) if number_name(name) is not None]
    beside = [place for place in numbers if _has_lists(table, place)]
    clear = any(fold(names[place]) in NUMBERS for place in numbers if place not in beside)
    # A list whose name does not say what it contains stands beside no grade and no score, which would be that of all.
    possible = [place for place, name in enumerate(names) if may_contain_documents(name)]
    named = [place for place in possible if not clear or is_clear(names[place])]
    named = [place for place, name in enumerate(names) if docs and fold(name) == fold(docs)] or named
    lists = [place for place in named if place not in beside and _has_lists(table, place)]
    blank = [place for place in named if place not in (*beside, *lists) and _has_blanks_between(table, place)]
    lists += blank
    if not (possible or named):
        lists += [place for place in range(len(names)) if place not in beside and _has_hits(table, place)]
    if not lists and not any(is_clear(names[place]) for place in beside):
        return table
    lists += [place for place in range(len(names)) if place not in (*lists, *beside) and table.is_nested(place)]
    lists += beside
    from idealrank.data.formats.parallel_lists import paired_rows

    columns = [table.frame.column(place).to_list(None) for place in range(len(names))]
    for place in lists:
        split = str.split if place in blank else _parse_list
        columns[place] = [split(value) if isinstance(value, str) else value for value in columns[place]]
        if place in named or place in beside:
            _refuse_no_lists(columns[place], names[place], table)
    records = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    found = _read_by_plan(paired_rows(records, table.place), table, table.where, docs)
    return table if isinstance(found, DataError) else found


def _has_lists(table: Source, place: int) -> bool:
    if table.is_nested(place):
        return True
    column = table.frame.column(place)
    return column.kind == "text" and any(_parse_list(value) is not value for value in column.distinct(20))


def _has_hits(table: Source, place: int) -> bool:
    """Whether the cells of a column are lists of hits, as an engine returns them."""
    column = table.frame.column(place)
    cells = [_parse_list(cell) for cell in column.distinct(20)] if column.kind == "text" else []
    return any(cells) and all(cell == [] or _are_hits(cell, table.column_names[place]) for cell in cells)


_SEVERAL = re.compile(r"\s*[^\s,;]*\d[^\s,;]*(?:\s+[^\s,;]*\d[^\s,;]*)*\s*")
"""Ids between blanks: each has a digit, as the words of a text do not."""


def _has_blanks_between(table: Source, place: int) -> bool:
    """Whether all cells of a column of lists have ids, and some have several between blanks, as Kaggle writes them."""
    name = table.column_names[place]
    several = is_clear(name) or (fold(name) in EITHER) or (fold(name).endswith("s") and may_contain_documents(name))
    column = table.frame.column(place) if several else None
    if column is None or column.kind != "text" or not all(map(_SEVERAL.fullmatch, filter(None, column.distinct(20)))):
        return False
    cells = [cell for cell in column.to_list(None) if cell]
    ids = [cell.split() for cell in cells]
    distinct = all(len({*each}) == len(each) for each in ids)
    return distinct and any(len(each) > 1 for each in ids) and all(map(_SEVERAL.fullmatch, cells))


_NUMPYS_ITEM = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d*)?(?:e[+-]?\d+)?|\.\.\.)"""
_NUMPYS = rf"\[\s*{_NUMPYS_ITEM}(?:\s+{_NUMPYS_ITEM})+\s*\]"
"""What NumPy prints of an array of texts or numbers: no commas between them."""


def _parse_list(text: Any) -> Any:
    """Return the list that a text spells as JSON, or as Python or NumPy prints it; anything else as it is."""
    if not isinstance(text, str) or text[:1] not in ("[", "{", "("):
        return text
    import json

    if re.fullmatch(_NUMPYS, text):  # Python would read ['a' 'b'] as one text, 'ab'
        items = re.findall(_NUMPYS_ITEM, text)
        return text if "..." in items else [ast.literal_eval(item) for item in items]
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return value if isinstance(value, (list, tuple, set, dict)) else text
    return text


def _refuse_no_lists(values: Sequence[Any], name: str, table: Source) -> None:
    """Refuse a cell that begins like a list and cannot be read as one: all of it would be taken for a document."""
    for row, value in enumerate(values):
        if isinstance(value, str) and value[:1] in ("[", "{", "("):
            short = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
            raise DataError(
                f"{table.place(row)}: {name} is a list in other rows, but cannot be read as one here: {short!r}. Write "
                'lists as JSON, such as ["d1", "d2"]. In pandas, make lists of arrays before you save them: '
                "df[column].map(list)."
            )


_SHOWN = 60
"""Characters of a cell that are shown in a message."""


def nested_rows(data: Any, kind: str, docs: str = "") -> Source | None:
    """Return nested Python objects as tables; None for data of another form.

    Parameters
    ----------
    docs
        The list of documents, as the user named it; "" for none.
    """
    data = _unwrap(data, kind, docs)
    if kind == "results":
        _refuse_sets(data)
    _refuse_strange_ids(data, kind)
    if kind == "judgments" and (labelled := _rows_of_labels(data)) is not None:
        return labelled
    listed = kind not in ("queries", "documents") and _has_document_lists(data)
    if not listed and not is_tool_data(data, kind):
        return None
    found = _read_documents(to_plain(data), Source(kind, from_columns([], [])), _row_number, docs)
    return None if isinstance(found, DataError) else found


def _rows_of_labels(data: Any) -> Source | None:
    """Return {query: {document: label}} as rows, whose grades may be words; None for data of another form."""
    if not isinstance(data, Mapping) or not all(isinstance(graded, Mapping) for graded in data.values()):
        return None
    kinds = {kind for graded in data.values() for kind in set(map(type, graded.values()))}
    if str not in kinds or not kinds <= CELLS or any(map(is_name, itertools.chain(data, *data.values()))):
        return None
    rows = [(query, doc, label) for query, graded in data.items() for doc, label in (graded or {None: None}).items()]
    frame = frame_of_columns(
        ["query_id", "doc_id", "grade"], [list(cells) for cells in zip(*rows, strict=True)], "judgments"
    )
    return Source("judgments", frame, locate_row=lambda row: "query {!r}, document {!r}".format(*rows[row]))


def _refuse_sets(data: Any) -> None:
    """Refuse the results of a query as a set: it has no order, so any rank would be made up."""
    for place, documents in _listed(data):
        if isinstance(documents, (set, frozenset)) and len(documents) > 1:
            raise DataError(f"results{place}: {NO_ORDER}")


NO_ORDER = (
    "a set has no order, so it does not say which document comes first. Give a list, the best first, or "
    "{document: score}."
)


_KNOWN = CELLS | {dict, list, tuple}


def _refuse_strange_ids(data: Any, kind: str) -> None:
    """Refuse lists of objects that are neither ids nor documents: their printed form would be a meaningless id."""
    for place, documents in _listed(data):
        if odd := {*map(type, documents)} - _KNOWN:
            for item in (item for item in documents if type(item) in odd and not hasattr(item, "dtype")):
                if is_plain(item) and to_plain(item) is item:
                    raise DataError(
                        f"{kind}{place}: {with_article(type(item).__name__)} is no id of a document. Give ids as text "
                        "or whole numbers, or objects with an id and a score."
                    )


def _listed(data: Any) -> Iterator[tuple[str, Any]]:
    """Yield the list or set that stands for the documents of each query, and where it is.

    It is in a dict by query, in rows or in columns.
    """
    if isinstance(data, Mapping) and not are_columns(data):
        yield from ((f"[{query!r}]", documents) for query, documents in data.items() if isinstance(documents, _LISTS))
    elif columns := object_columns(data):
        yield from (
            (f" row {place}: {name}", cell)
            for name, cells in columns.items()
            if is_document_list(name)
            for place, cell in enumerate(cells)
            if isinstance(cell, _LISTS)
        )
    elif isinstance(data, (list, tuple)) and data and isinstance(data[0], Mapping):
        names = [name for name in data[0] if is_document_list(name)]
        yield from (
            (f" row {place}: {name}", row[name])
            for place, row in (enumerate(data) if names else ())
            if isinstance(row, (dict, Mapping))
            for name in names
            if isinstance(row.get(name), _LISTS)
        )


_LISTS = (list, tuple, set, frozenset)


def _unwrap(data: Any, kind: str, docs: str) -> Any:
    """Return what a dataset (LlamaIndex, Ragas) or a frame as an object contains, and {query: id} as {query: [id]}."""
    if hasattr(data, "relevant_docs") and hasattr(data, "queries"):
        return {name: getattr(data, name, {}) for name in ("queries", "corpus", "relevant_docs")}
    samples = data if isinstance(data, (list, tuple)) else getattr(data, "samples", None)
    if isinstance(samples, (list, tuple)) and samples and all(hasattr(one, "user_input") for one in samples):
        return [to_plain(one) for one in samples]
    if not isinstance(data, Mapping) or not data:
        return data
    if (columns := columns_of_frame(data, docs=docs)) is not None:
        return columns
    if all(getattr(value, "ndim", 0) == 1 for value in data.values()) and not any(map(is_name, data)):
        return {key: documents_of_array(value) for key, value in data.items()}
    single = kind == "judgments" and not any(map(is_name, data))
    if single and all(isinstance(value, str) and not any(map(str.isspace, value)) for value in data.values()):
        return {key: [value] for key, value in data.items()}
    return data


def is_tool_data(data: Any, kind: str = "") -> bool:
    """Whether data is a tool's document, several of them in a list, or the answer of a search engine by query.

    Examples
    --------
    >>> is_tool_data({"q1": {"hits": {"hits": [{"_id": "d1"}]}}}), is_tool_data({"q1": {"d1": 1.0}})
    (True, False)
    """
    if isinstance(data, (list, tuple)):
        return bool(data) and not is_row(data[0]) and _is_tool(list(data), kind)
    return isinstance(data, Mapping) and _is_tool(data, kind)


def _is_tool(document: Any, kind: str) -> bool:
    from idealrank.data.formats.shapes import plan_of_tool

    return isinstance(plan_of_tool([document], kind), NestedPlan)


def tables_of_documents(read: JsonDocuments, name: str, docs: str = "") -> Source:
    """Return the documents of a file as tables, the list of documents being that of a name that the user gave.

    Raises
    ------
    DataError
        If they contain no documents, or a list of numbers differs in length from its documents.
    """
    if is_table_of_columns(read.data) or columns_of_frame(read.data, docs=docs) is not None:
        return explode_cells(Source(name, object_as_frame(read.data, name, docs)), docs)
    if isinstance(read.data, Mapping):
        refuse_unclear_names(read.data, name)
    where = (lambda place: f"line {read.lines[place]}") if read.lines else _row_number
    found = _read_documents(read.data, Source(name, from_columns([], [])), where, docs)
    if isinstance(found, DataError):
        raise found
    return found


def _row_number(place: int) -> str:
    return f"row {place}"


def _read_documents(data: Any, table: Source, where: Callable[[int], str], docs: str) -> Source | DataError:
    """Return documents as tables, with the numbers that are in lists beside the documents' ids."""
    from idealrank.data.formats.parallel_lists import pair_lists, paired_rows

    if _is_tool(data, table.name):
        return _read_by_plan(data, table)
    if isinstance(data, list):
        return _read_by_plan(paired_rows(data, lambda place: f"{table.name} {where(place)}"), table, where, docs)
    found = pair_lists(data, table.name)
    if not isinstance(found, Mapping) or are_columns(found) or any(map(is_plain, found.values())):
        return _read_by_plan(found, table, None, docs)
    keys = list(found)
    return _read_by_plan([{key: found[key]} for key in keys], table, lambda place: repr(keys[place]), docs)


def _read_by_plan(
    data: Any, table: Source, where: Callable[[int], str] | None = None, docs: str = ""
) -> Source | DataError:
    """Return the tables of a document; with `where`, of a list of documents, whose places it names."""
    from idealrank.data.formats.shapes import find_plan

    documents = [data] if where is None else data
    plan = find_plan(documents, table.name, docs)
    if isinstance(plan, DataError):
        return plan
    tables, unfits = (
        _build_tables(plan, documents, table.name)
        if plan.build
        else _walk_documents(plan, documents, table.name, where)
    )
    places = {} if where is None or plan.build else {kind: RowPlaces(where, one) for kind, one in tables.items()}
    read = dataclasses.replace(
        table, frame=next(iter(tables.values())), unfit=next(iter(unfits.values())), what=plan.what, tables=tables,
        notes=plan.notes, row_places=places, unfit_by_table=unfits, system=plan.system, plan=plan,
    )  # fmt: skip
    read.refuse_results_without_ids(plan)
    return read


_TablesAndUnfits = tuple[dict[str, Frame], dict[str, dict[str, Unfit]]]


def _build_tables(plan: NestedPlan, documents: list[Any], name: str) -> _TablesAndUnfits:
    """Return the tables that a plan builds out of whole documents."""
    columns = plan.build(documents) if plan.build is not None else {}
    tables = {kind: frame_of_columns(list(values), list(values.values()), name) for kind, values in columns.items()}
    return tables, {kind: find_unfit(values) for kind, values in columns.items()}


def _walk_documents(
    plan: NestedPlan, documents: list[Any], name: str, where: Callable[[int], str] | None
) -> _TablesAndUnfits:
    """Return the tables of a plan as the core reads them.

    Raises
    ------
    DataError
        If a document is not what the plan says, or a text contains half a character.
    """
    try:
        found = read_objects(plan.for_core, documents, compact_json, where is not None)
    except BadInput as bad:
        kind, number, _, value, detail = bad.args
        spot = name if where is None else f"{name} {where(number - 1)}"
        raise bad_input(spot, kind, 0, "", value, detail) from None
    except UnicodeEncodeError as error:
        if (cell := getattr(error, "cell", None)) is None:
            raise half_character(name, "the key", error.object.removeprefix(".")) from None
        raise half_character(f"{name} row {cell[0]}", cell[1], error.object) from None
    tables = {kind: frame for kind, frame, _ in found}
    return tables, {
        kind: {column: Unfit(row, text, False) for column, row, text in foreign} for kind, _, foreign in found
    }


class RowPlaces(Sequence[str]):
    """Where the rows of a table come from, said when one asks.

    Parameters
    ----------
    where
        Says where a document is.
    frame
        The table, whose lines are the numbers of the rows' documents, from 1.
    """

    def __init__(self, where: Callable[[int], str], frame: Frame) -> None:
        self._where, self._frame = where, frame

    def __len__(self) -> int:
        return self._frame.rows

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[str]: ...
    def __getitem__(self, row: int | slice) -> str | Sequence[str]:
        if isinstance(row, slice):
            return [self[one] for one in range(len(self))[row]]
        return self._where(self._frame.line(row) - 1)


def _has_document_lists(data: Any) -> bool:
    """Whether data is {query: documents}, or rows with lists of documents."""
    if isinstance(data, Mapping):
        values = list(data.values())
        alike = _are_document_lists(values) or all(map(wraps_documents, values))
        return bool(values) and alike and not are_columns(data)
    if not isinstance(data, (list, tuple)) or not data:
        return False
    if not all(isinstance(row, (dict, Mapping)) for row in data):
        return False
    data = [row for row in data if not CELLS.issuperset(map(type, row.values()))]
    # Rows with a question are read as such even if the name of their list says nothing: it is named in messages.
    return any(map(has_documents, data)) or any(map(_has_query_and_list, data))


def _has_query_and_list(row: Mapping[Any, Any]) -> bool:
    """Whether a row contains a query and a list that may be of documents."""
    asked = any(fold(str(key)) in QUERIES and isinstance(value, (str, int)) for key, value in row.items())
    return asked and any(isinstance(value, (list, tuple)) or wraps_documents(value) for value in row.values())


def wraps_documents(value: Any) -> bool:
    """Whether an object contains a list of documents, or another around it, as an engine's answer does.

    Examples
    --------
    >>> wraps_documents({"took": 3, "hits": {"total": 1, "hits": [{"_id": "d1"}]}}), wraps_documents({"id": "d1"})
    (True, False)
    """
    return isinstance(value, Mapping) and any(map(has_documents, (value, *value.values())))


def has_documents(row: Any) -> bool:
    """Whether a row contains a list of documents.

    Examples
    --------
    >>> has_documents({"question": "a", "retrieved": ["d2", "d1"]}), has_documents({"query": "a", "doc": "d1"})
    (True, False)
    """
    return isinstance(row, Mapping) and any(
        ((is_clear(key) or fold(str(key)) in EITHER) and (_is_document_list(value) or _are_numbers(value)))
        or _are_hits(value, key)
        for key, value in row.items()
    )


def _are_numbers(value: Any) -> bool:
    """Whether a value is {document: number}."""
    return isinstance(value, Mapping) and bool(value) and all(
        isinstance(number, (int, float)) and not is_name(doc) for doc, number in value.items()
    )  # fmt: skip


_IDS, _SCORES = (frozenset().union(*ALIASES[role]) for role in ("doc", "score"))


def _are_hits(value: Any, called: object) -> bool:
    """Whether a list is one of objects with an id and a score, or with an id in a list called as a store's hits are."""
    scored = fold(str(called)) not in AROUND_HITS
    return isinstance(value, (list, tuple)) and bool(value) and all(
        isinstance(item, Mapping) and not {fold(str(name)) for name in item}.isdisjoint(_IDS)
        and not (scored and {fold(str(name)) for name in item}.isdisjoint(_SCORES))
        for item in value
    )  # fmt: skip


def _are_document_lists(values: Sequence[Any]) -> bool:
    """Whether the values of a dict are the documents of queries; columns differ in what they contain."""
    if any(isinstance(value, (set, frozenset)) for value in values):
        return all(map(_is_document_list, values))
    if not all(isinstance(value, (list, tuple)) for value in values):
        return False
    items = [item for value in values for item in value]
    objects = all(isinstance(item, dict) or to_plain(item) is not item for item in items)
    kinds = {*map(type, items)}
    ids = kinds == {str} or (kinds == {int} and _are_rankings(values))
    alike = objects or ids or len({*map(len, values)}) > 1
    return alike and all(map(_is_document_list, values))


def _are_rankings(values: Sequence[Sequence[int]]) -> bool:
    """Whether lists of whole numbers are ids: none repeats one, as columns of grades do, and they differ."""
    differ = len(values) == 1 or len({*map(tuple, values)}) > 1
    return differ and all(len({*value}) == len(value) for value in values)


def _is_document_list(value: Any) -> bool:
    """Whether a value is a set, or a list of ids or objects; not a column of numbers."""
    if isinstance(value, (set, frozenset)):
        return True
    if getattr(value, "ndim", 0) == 1:
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return False
    return all(_is_document(item) for item in value)


def _is_document(item: Any) -> bool:
    if isinstance(item, (str, int, dict)):
        return True
    from idealrank.data.formats.parallel_lists import is_pair

    return is_pair(item) or hasattr(item, "_asdict") or not isinstance(item, (float, list, tuple, type(None)))
