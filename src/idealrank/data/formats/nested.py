"""Tables with lists in their cells, and nested Python objects, as rows."""

from __future__ import annotations

import ast
import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from idealrank._core import Frame, from_columns, from_dicts
from idealrank.data.formats.head import JsonDocuments
from idealrank.data.formats.messages import bad_input
from idealrank.data.formats.nested_plan import (
    ANY,
    EACH,
    KEY,
    LOCAL,
    NO_ANSWER,
    NULL,
    PLACE,
    ROOT,
    THERE,
    NestedPlan,
    Path,
    RowSpec,
    Tables,
)
from idealrank.data.formats.objects import frame_from, is_row, unfit_in
from idealrank.data.formats.parallel_lists import is_pair, pair_lists, paired_rows
from idealrank.data.formats.shapes import known, plan_of
from idealrank.data.formats.shapes.names import EITHER, NUMBERS, is_clear, is_docs, is_name, is_plain, number_of
from idealrank.data.formats.source import Source
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError

_QUERIES = frozenset().union(*ALIASES["query"], *ALIASES["text"])
"""Names of the id and the text of a query, folded."""

_FIELDS = (
    *("id", "id_", "_id", "doc_id", "docid", "docno", "node_id", "document_id", "score"),
    *("metadata", "meta", "node", "payload", "user_input", "ref_doc_id", "start_char_idx", "end_char_idx"),
    *("retrieved_contexts", "reference_contexts", "retrieved_context_ids", "reference_context_ids"),
)
"""What is read of an object: ids and scores of documents, as frameworks for retrieval call them."""


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
    numbers = [place for place, name in enumerate(names) if number_of(name) is not None]
    beside = [place for place in numbers if _has_lists(table, place)]
    clear = any(fold(names[place]) in NUMBERS for place in numbers if place not in beside)
    # A list whose name does not say what it contains stands beside no grade and no score, which would be that of all.
    named = [place for place, name in enumerate(names) if is_docs(name) and (not clear or is_clear(name))]
    named = [place for place, name in enumerate(names) if docs and fold(name) == fold(docs)] or named
    lists = [place for place in named if place not in beside and _has_lists(table, place)]
    if not lists and not any(is_clear(names[place]) for place in beside):
        return table
    lists += [place for place in range(len(names)) if place not in (*lists, *beside) and is_nested(table, place)]
    lists += beside
    columns = [table.frame.column(place).to_list(None) for place in range(len(names))]
    for place in lists:
        columns[place] = [_parsed(value) for value in columns[place]]
        if place in named or place in beside:
            _refuse_no_lists(columns[place], names[place], table)
    records = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    found = _by_plan(paired_rows(records, table.place), table, table.where, docs)
    return table if isinstance(found, DataError) else found


def is_nested(table: Source, place: int) -> bool:
    """Whether a column contains lists or objects."""
    unfit = table.unfit.get(table.frame.names[place])
    return table.frame.nested(place) is not None or (unfit is not None and unfit.nested)


def _has_lists(table: Source, place: int) -> bool:
    if is_nested(table, place):
        return True
    column = table.frame.column(place)
    return column.kind == "text" and any(_parsed(value) is not value for value in column.distinct(20))


_NUMPYS_ITEM = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d*)?(?:e[+-]?\d+)?|\.\.\.)"""
_NUMPYS = re.compile(rf"\[\s*{_NUMPYS_ITEM}(?:\s+{_NUMPYS_ITEM})+\s*\]")
"""What NumPy prints of an array of texts or numbers: no commas between them."""


def _parsed(text: Any) -> Any:
    """Return the list that a text spells as JSON, or as Python or NumPy prints it; anything else as it is."""
    if not isinstance(text, str) or text[:1] not in ("[", "{", "("):
        return text
    if _NUMPYS.fullmatch(text):  # Python would read ['a' 'b'] as one text, 'ab'
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
    """Refuse a cell that begins like the lists of its column, and is not one: its query would have other documents."""
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
    data = _opened(data, kind)
    if kind == "results":
        _refuse_sets(data)
    listed = kind not in ("queries", "documents") and _is_nested(data)
    if not listed and not is_tools(data, kind):
        return None
    found = _read(plain(data), Source(kind, from_columns([], [])), _row, docs)
    return None if isinstance(found, DataError) else found


def _refuse_sets(data: Any) -> None:
    """Refuse the results of a query as a set: it has no order, so any rank would be made up."""
    for query, documents in data.items() if isinstance(data, Mapping) else ():
        if isinstance(documents, (set, frozenset)) and len(documents) > 1:
            raise DataError(
                f"results[{query!r}]: a set has no order, so it does not say which document comes first. Give a list, "
                "the best first, or {document: score}."
            )


def _opened(data: Any, kind: str) -> Any:
    """Return the data of a dataset's object, and a dict of single ids as one of lists."""
    if hasattr(data, "relevant_docs") and hasattr(data, "queries"):
        return {name: getattr(data, name, {}) for name in ("queries", "corpus", "relevant_docs")}
    samples = data if isinstance(data, (list, tuple)) else getattr(data, "samples", None)
    if isinstance(samples, (list, tuple)) and samples and all(hasattr(one, "user_input") for one in samples):
        return [plain(one) for one in samples]
    single = isinstance(data, Mapping) and bool(data) and kind == "judgments" and not any(map(is_name, data))
    if single and all(isinstance(value, str) and not any(map(str.isspace, value)) for value in data.values()):
        return {key: [value] for key, value in data.items()}
    return data


def is_tools(data: Any, kind: str = "") -> bool:
    """Whether data is a tool's document, several of them in a list, or the answer of a search engine by query.

    Examples
    --------
    >>> is_tools({"q1": {"hits": {"hits": [{"_id": "d1"}]}}}), is_tools({"q1": {"d1": 1.0}})
    (True, False)
    """
    if isinstance(data, (list, tuple)):
        return bool(data) and not is_row(data[0]) and _is_tool(list(data), kind)
    return isinstance(data, Mapping) and _is_tool(data, kind)


def _is_tool(document: Any, kind: str) -> bool:
    return isinstance(known([document], kind), NestedPlan)


def documents_read(read: JsonDocuments, name: str, docs: str = "") -> Source:
    """Return the documents of a file as tables, the list of documents being that of a name that the user gave.

    Raises
    ------
    DataError
        If they contain no documents, or a list of numbers differs in length from its documents.
    """
    where = (lambda place: f"line {read.lines[place]}") if read.lines else _row
    found = _read(read.data, Source(name, from_columns([], [])), where, docs)
    if isinstance(found, DataError):
        raise found
    return found


def _row(place: int) -> str:
    return f"row {place}"


def _read(data: Any, table: Source, where: Callable[[int], str], docs: str) -> Source | DataError:
    """Return documents as tables, with the numbers that are in lists beside the documents' ids."""
    if _is_tool(data, table.name):
        return _by_plan(data, table)
    if isinstance(data, list):
        return _by_plan(paired_rows(data, lambda place: f"{table.name} {where(place)}"), table, where, docs)
    found = pair_lists(data, table.name)
    if not isinstance(found, Mapping) or any(is_name(key) or is_plain(value) for key, value in found.items()):
        return _by_plan(found, table, None, docs)
    keys = list(found)
    return _by_plan([{key: found[key]} for key in keys], table, lambda place: repr(keys[place]))


def _by_plan(data: Any, table: Source, where: Callable[[int], str] | None = None, docs: str = "") -> Source | DataError:
    """Return the tables of a document; with `where`, of a list of documents, whose places it names."""
    documents = [data] if where is None else data
    plan = plan_of(documents, table.name, docs)
    if isinstance(plan, DataError):
        return plan
    try:
        columns, places = walk_plan(plan, documents)
    except _OtherShapeError as other:
        number = other.way.pop(0)
        spot = table.name if where is None else f"{table.name} {where(number - 1)}"
        raise bad_input(spot, "other_shape", 0, "", "", f"{other.place()}{other.args[0]}") from None
    tables = {
        name: _from_dicts(values) if name == "dicts" else frame_from(list(values), list(values.values()), table.name)
        for name, values in columns.items()
    }
    unfits = {name: unfit_in(values) for name, values in columns.items()}
    came_from = {kind: RowPlaces(where, rows) for kind, rows in places.items()} if where is not None else {}
    read = dataclasses.replace(
        table, frame=next(iter(tables.values())), unfit=next(iter(unfits.values())), what=plan.what, tables=tables,
        notes=plan.notes, came_from=came_from, unfits=unfits,
        system=plan.system, plan=plan,
    )  # fmt: skip
    read.refuse_results_without_ids(plan)
    return read


def _from_dicts(columns: Mapping[str, Sequence[Any]]) -> Frame:
    """Return the table of a dict of dicts, which is judgments or results by the place where it is given."""
    dicts: dict[Any, dict[Any, Any]] = {}
    for query, doc, value in zip(*(columns[name] for name in ("query_id", "doc_id", "value")), strict=True):
        documents = dicts.setdefault(query, {})
        if doc is not None:
            documents[doc] = value
    return from_dicts(dicts)


class RowPlaces(Sequence[str]):
    """Where the rows of a table come from, said when one asks.

    Parameters
    ----------
    where
        Says where a document is.
    documents
        The document of each row.
    """

    def __init__(self, where: Callable[[int], str], documents: Sequence[int]) -> None:
        self._where, self._documents = where, documents

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[str]: ...
    def __getitem__(self, row: int | slice) -> str | Sequence[str]:
        if isinstance(row, slice):
            return RowPlaces(self._where, self._documents[row])
        return self._where(self._documents[row])


def _is_nested(data: Any) -> bool:
    """Whether data is {query: documents}, or rows with lists of documents."""
    if isinstance(data, Mapping):
        values = list(data.values())
        alike = _are_documents(values) or all(map(has_documents, values))
        return bool(values) and not any(map(is_name, data)) and alike
    if not isinstance(data, (list, tuple)) or not data:
        return False
    if not all(isinstance(row, Mapping) for row in data):
        return False
    # Rows with a question are read as such even if the name of their list says nothing: it is named in messages.
    return any(map(has_documents, data)) or any(map(_asks, data))


def _asks(row: Mapping[Any, Any]) -> bool:
    """Whether a row contains a query and a list that may be of documents."""
    asked = any(fold(str(key)) in _QUERIES and isinstance(value, (str, int)) for key, value in row.items())
    return asked and any(isinstance(value, (list, tuple)) for value in row.values())


def has_documents(row: Any) -> bool:
    """Whether a row contains a list of documents.

    Examples
    --------
    >>> has_documents({"question": "a", "retrieved": ["d2", "d1"]}), has_documents({"query": "a", "doc": "d1"})
    (True, False)
    """
    return isinstance(row, Mapping) and any(
        (is_clear(key) or fold(str(key)) in EITHER) and _is_documents(value) for key, value in row.items()
    )


def _are_documents(values: Sequence[Any]) -> bool:
    """Whether the values of a dict are the documents of queries; columns differ in what they contain."""
    if any(isinstance(value, (set, frozenset)) for value in values):
        return all(map(_is_documents, values))
    if not all(isinstance(value, (list, tuple)) for value in values):
        return False
    items = [item for value in values for item in value]
    objects = all(plain(item) is not item for item in items)
    kinds = {*map(type, items)}
    ids = kinds == {str} or (kinds == {int} and _are_rankings(values))
    alike = objects or ids or len({*map(len, values)}) > 1
    return alike and all(map(_is_documents, values))


def _are_rankings(values: Sequence[Sequence[int]]) -> bool:
    """Whether lists of whole numbers are ids: none repeats one, as columns of grades do, and they differ."""
    differ = len(values) == 1 or len({*map(tuple, values)}) > 1
    return differ and all(len({*value}) == len(value) for value in values)


def _is_documents(value: Any) -> bool:
    """Whether a value is a set, or a list of ids or objects; not a column of numbers."""
    if isinstance(value, (set, frozenset)):
        return True
    if not isinstance(value, (list, tuple)):
        return False
    return all(_is_document(item) for item in value)


def _is_document(item: Any) -> bool:
    return is_pair(item) or hasattr(item, "_asdict") or not isinstance(item, (float, list, tuple, type(None)))


def plain(data: Any) -> Any:
    """Return objects as dicts and lists: of an object the fields that name a document and its score.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> plain({"q1": [SimpleNamespace(id="d1", score=0.5, content="…")], "q2": {"b", "a"}})
    {'q1': [{'id': 'd1', 'score': 0.5}], 'q2': ['a', 'b']}
    """
    if isinstance(data, Mapping):
        return {key: plain(value) for key, value in data.items()}
    if isinstance(data, (set, frozenset)):
        return sorted(map(plain, data), key=str)
    if isinstance(data, (list, tuple)) and not hasattr(data, "_asdict"):
        return list(map(plain, data))
    if hasattr(data, "_asdict"):
        return plain(data._asdict())
    if data is None or isinstance(data, (str, int, float)) or hasattr(data, "dtype"):
        return data.tolist() if getattr(data, "ndim", 0) else data
    fields = {name: getattr(data, name) for name in _FIELDS if getattr(data, name, None) is not None}
    return {name: plain(value) for name, value in fields.items()} if fields else data


# Follows a plan through Python objects, as the core does through JSON.


class _OtherShapeError(Exception):
    """A value on the way to rows that cannot lead there; `way` is where it is, the number of the document first."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.way: list[Any] = []

    def place(self) -> str:
        """Say where in its document it is, as "item 2: "; nothing for a document."""
        return "".join(f"item {key}: " if isinstance(key, int) else f"{key!r}: " for key in self.way)


_OBJECT = "{}"
"""Behind a path: an object there is no cell, since its values are cells or rows."""

Cells = Mapping[str, Any]


def tables_of(plan: NestedPlan, documents: Iterable[Any]) -> Tables:
    """Return the columns of each table of a plan.

    Examples
    --------
    >>> from idealrank.data.formats.nested_plan import rows
    >>> plan = NestedPlan("x", (rows("", "*[]", query_id="*@key", doc_id="+"),))
    >>> tables_of(plan, [{"q1": ["a", "b"]}])
    {'': {'query_id': ['q1', 'q1'], 'doc_id': ['a', 'b']}}
    """
    return walk_plan(plan, documents)[0]


def walk_plan(plan: NestedPlan, documents: Iterable[Any]) -> tuple[Tables, dict[str, list[int]]]:
    """Return the columns of each table of a plan, and for each table the number of each row's document, from 0."""
    tables: Tables = {}
    places: dict[str, list[int]] = {}
    documents = list(documents)
    if plan.build is not None:
        return plan.build(documents), {}
    known, cells = _known(plan), frozenset(place for kind in plan.rows for _, place in kind.columns)
    for kind in plan.rows:
        walk = _Walk(kind, known, cells)
        numbered = [
            (place - 1, row) for place, document in enumerate(documents, 1) for row in walk.rows(document, place)
        ]
        _append(tables.setdefault(kind.table, {}), kind, [row for _, row in numbered])
        places.setdefault(kind.table, []).extend(place for place, _ in numbered)
    return tables, places


def _append(columns: dict[str, list[Any]], kind: RowSpec, rows: list[Cells]) -> None:
    """Put rows below the columns of a table; a further value that is nested is a cell only of a known column."""
    before = max(map(len, columns.values()), default=0)
    known = dict.fromkeys(name for name, _ in kind.columns)
    for place, row in enumerate(rows, before):
        for name, value in row.items():
            if name in known or not _nested(value):
                known.setdefault(name)
                values = columns.setdefault(name, [])
                values.extend([None] * (place - len(values)))
                values.append(value)
    for name in [*columns, *known]:
        values = columns.setdefault(name, [])
        values.extend([None] * (before + len(rows) - len(values)))


def _known(plan: NestedPlan) -> frozenset[Path]:
    """Return every path that a plan names or passes, and where objects are no cells."""
    paths = [place for kind in plan.rows for place in (kind.path, *(place for _, place in kind.columns))]
    passed = {place[:end] for place in paths for end in range(len(place) + 1)}
    inside = {place[:-1] for place in passed if place[-1:] == (ANY,) or (place and place[-1].startswith("."))}
    return frozenset(passed | {(*place, _OBJECT) for place in (*inside, *(kind.path for kind in plan.rows))})


@dataclass(frozen=True)
class _Walk:
    """The way to one kind of rows."""

    kind: RowSpec
    known: frozenset[Path]
    cells: frozenset[Path]

    def rows(self, document: Any, place: int) -> Iterator[Cells]:
        """Yield the rows of a document."""
        nothing = {name: None for name, _ in self.kind.columns}
        own: dict[str, Any] = {name: place for name, path in self.kind.columns if path == (PLACE,)}
        own |= {name: path[0][1:] for name, path in self.kind.columns if _constant(path)}
        return self._item(document, ROOT, nothing, own, place)

    def _item(self, item: Any, way: Path, outer: Cells, own: Cells, key: Any) -> Iterator[Cells]:
        """Yield the rows within a document, an element of a list, or a value of an object."""
        try:
            if item is None and way[-1:] != (ANY,) and (*way, NULL) not in self.cells:
                self._refuse_other(item, way)
            yield from self._inside(item, way, outer, own)
        except _OtherShapeError as other:
            other.way.insert(0, key)
            raise

    def _refuse_other(self, value: Any, way: Path) -> None:
        """Refuse a value on the way to rows that cannot lead there, as the core does."""
        if isinstance(value, Mapping):
            fits, what = (*way, _OBJECT) in self.known, "an object"
        elif _nested(value):
            fits, what = (*way, EACH) in self.known, "a list"
        else:
            kinds = {str: "a text", bool: "true or false", type(None): "null"}
            fits, what = (*way, EACH) in self.known and value is not None, kinds.get(type(value), "a number")
        if not fits and not {way, (*way, LOCAL)} & self.cells:
            raise _OtherShapeError(what)

    def _inside(self, value: Any, way: Path, outer: Cells, own: Cells) -> Iterator[Cells]:
        """Yield the rows within a value.

        Its innermost element, or the document, has cells of its `own`, and shares those of what is around it.
        """
        if value is not None:
            self._refuse_other(value, way)
        own = {**own, **self._cells(value, way)}
        left = self.kind.path[len(way) :]
        if not left:
            yield {**outer, **own, **(self._further(value) if self.kind.further else {})}
            return
        none = True
        for row in self._ahead(value, way, outer, own):
            none = False
            yield row
        innermost = not any(step in (EACH, ANY) for step in left[:-1])
        if none and innermost and any(cell is not None for cell in own.values()):
            yield {**outer, **own}

    def _ahead(self, value: Any, way: Path, outer: Cells, own: Cells) -> Iterator[Cells]:
        """Yield the rows a step further on the way."""
        step = self.kind.path[len(way)]
        ahead = (*way, step)
        if step not in (EACH, ANY):
            if isinstance(value, Mapping) and step[1:] in value:
                yield from self._inside(value[step[1:]], ahead, outer, own)
            return
        mark = KEY if step == ANY else PLACE
        named = [name for name, place in self.kind.columns if place == (*ahead, mark)]
        for key, item in _items(value, step):
            yield from self._item(item, ahead, {**outer, **own}, dict.fromkeys(named, key), key)

    def _cells(self, value: Any, way: Path) -> dict[str, Any]:
        """Return the cells whose path goes on from here without lying further on the way to the row."""
        cells: dict[str, Any] = {}
        ahead = self.kind.path[: len(way) + 1]
        for name, place in self.kind.columns:
            steps = place[len(way) :]
            if place[: len(way)] != way or _constant(place) or steps[:1] in ((KEY,), (PLACE,)):
                continue
            if (ahead != way and place[: len(ahead)] == ahead) or cells.get(name) is not None:
                continue
            found = _at(value, steps)
            if found is not None and not self._leads_on(place, found):
                cells[name] = found
        return cells

    def _leads_on(self, place: Path, value: Any) -> bool:
        """Whether a value is no cell, since there is a path into it."""
        mark = _OBJECT if isinstance(value, Mapping) else EACH
        return _nested(value) and (*(place[:-1] if place[-1:] == (LOCAL,) else place), mark) in self.known

    def _further(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            return {}
        named = {name for name, _ in self.kind.columns}
        further = {str(key): item for key, item in value.items() if (*self.kind.path, f".{key}") not in self.known}
        return {name: item for name, item in further.items() if name not in named}


def _constant(place: Path) -> bool:
    return bool(place) and place[0].startswith("=")


def _items(value: Any, step: str) -> Iterable[tuple[Any, Any]]:
    if value is None:
        return ()
    if step == ANY:
        return value.items() if isinstance(value, Mapping) else ()
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        return ((1, value),)
    return enumerate(value, 1)


def _at(value: Any, steps: Path) -> Any:
    for step in steps:
        if step == NULL:
            return NO_ANSWER if value is None else None
        if step == THERE:
            return None if value is None else True
        if step == LOCAL:
            return value.rpartition("::")[2] if isinstance(value, str) else value
        if step in (EACH, ANY):
            items = () if step == EACH and isinstance(value, Mapping) else _items(value, step)
            value = next((item for _, item in items if item is not None), None)
        elif isinstance(value, Mapping):
            value = value.get(step[1:])
        else:
            return None
    return value


def _nested(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple, set, frozenset))
