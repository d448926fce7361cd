"""Data already in Python: dataframes, dicts of columns, dicts of dicts, lists of rows."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from idealrank._core import BadRow, Frame, from_arrow, from_columns, from_dicts, is_numbers_by_document as of_core
from idealrank.data.formats.messages import EMPTY, QUOTED, bad_cell, half_character, with_article
from idealrank.data.roles import ALIASES, KNOWN, fold
from idealrank.errors import DataError


def object_as_frame(data: Any, source: str, docs: str = "") -> Frame:
    """Turn any table-like object into a frame, without copying if the object supports Arrow.

    Parameters
    ----------
    docs
        The column of the documents, as the user named it; "" for none.

    Raises
    ------
    DataError
        If the object has none of the accepted forms.
    """
    if isinstance(data, Mapping):
        from idealrank.data.formats.pandas_json import columns_of_frame

        return _from_mapping(columns_of_frame(data, docs=docs) or data, source)
    if _is_pandas(data):
        return _from_pandas(data, source)
    if callable(rows := getattr(data, _ITERATORS.get(source.partition(" ")[0], ""), None)):
        return _from_rows(list(rows()), source)
    if is_table(table := _run_query(data)):
        return _from_pandas(table, source) if _is_pandas(table) else _from_arrow(table, source)
    if (names := getattr(getattr(data, "dtype", None), "names", None)) is not None:
        return _from_mapping({name: data[name] for name in names}, source)
    if isinstance(data, Iterable) and not isinstance(data, (str, bytes)) and not hasattr(data, "dtype"):
        return _from_rows(list(data), source)
    raise DataError(
        f"{source}: {type(data).__name__} is not a table. Give a path, a dataframe (pandas, polars, pyarrow, DuckDB), "
        f"a dict of columns, a dict of dicts, or a list of rows.{_hint_at_array(data)}"
    )


def is_numbers_by_document(data: Any) -> bool:
    """Whether data is ``{query: {document: number}}`` in plain dicts: no document of a tool is, whatever its keys are.

    Examples
    --------
    >>> is_numbers_by_document({"q1": {"d1": 3}, "q2": {}}), is_numbers_by_document({"q1": {"d1": "3"}})
    (True, False)
    """
    # In the core: asked of every pair of judgments and results, and of each of their documents.
    return of_core(data, _PLAIN_NUMBERS)


_PLAIN_NUMBERS = [int, float, bool, np.float32, np.float64, np.int64, np.int32]

_ITERATORS = {
    "judgments": "qrels_iter",
    "results": "scoreddocs_iter",
    "queries": "queries_iter",
    "documents": "docs_iter",
}
"""What a dataset of ir_datasets calls its tables."""


CELLS = frozenset({str, int, float, bool, type(None)})
"""Types of the plain values of cells: asked first where there are millions, as abstract classes are slow to ask."""


class Unfit(NamedTuple):
    """The first value of a column of Python objects that is neither text nor a number.

    Attributes
    ----------
    nested
        Whether it is a list or a dict; if not, `text` is the type of the object.
    """

    row: int
    text: str
    nested: bool


def find_unfit(data: Any) -> dict[str, Unfit]:
    """Find the first list, dict or object in each column of Python objects, or of rows that make a table.

    Examples
    --------
    >>> find_unfit({"doc": ["a", ["b", "c"]], "grade": [1, 2]})
    {'doc': Unfit(row=1, text="['b', 'c']", nested=True)}
    """
    if isinstance(data, (list, tuple)) and data:
        data = _columns_of_rows(data)
    unfit = {}
    for name, values in object_columns(data).items():
        odd = {kind for kind in set(map(type, values)) if _is_nested(kind) or _is_foreign(kind)}
        if odd:
            row = next(i for i, value in enumerate(values) if type(value) in odd)
            nested = _is_nested(type(values[row]))
            unfit[str(name)] = Unfit(row, str(values[row]) if nested else type(values[row]).__name__, nested)
    return unfit


def object_columns(data: Any) -> dict[Any, Sequence[Any]]:
    """Return the columns of a dict of columns or a frame whose cells are Python objects; none of other data."""
    if _has_polars_objects(data):
        return {column.name: column.to_list() for column in data.get_columns() if str(column.dtype) == "Object"}
    if not isinstance(data, Mapping) and not _is_pandas(data):
        return {}
    columns = ((name, column) for name, column in data.items() if _has_objects(column))
    return {name: column.tolist() if hasattr(column, "tolist") else column for name, column in columns}


def _has_polars_objects(data: Any) -> bool:
    """Whether data is a polars frame with a column of Python objects, which polars exports as their addresses."""
    return hasattr(data, "get_columns") and any(str(kind) == "Object" for kind in data.dtypes)


def _has_objects(column: Any) -> bool:
    return isinstance(column, (list, tuple)) or str(getattr(column, "dtype", "")) == "object"


def is_single_value(value: Any) -> bool:
    """Whether an object is a single value of a known class that is neither text nor a number: an id, a date.

    Examples
    --------
    >>> import uuid
    >>> is_single_value(uuid.UUID(int=4)), is_single_value("a"), is_single_value(object())
    (True, False, False)
    """
    return (
        not isinstance(value, (str, int, float, type(None)))
        and not _is_nested(type(value))
        and (type(value).__module__.partition(".")[0] in _VALUES and not hasattr(value, "columns"))
    )


def _is_nested(kind: type) -> bool:
    return issubclass(kind, (list, tuple, set, frozenset, Mapping)) or kind.__name__ == "ndarray"


def _is_foreign(kind: type) -> bool:
    """Whether a type is that of some object whose printed form would be a meaningless id."""
    plain = issubclass(kind, (str, int, float, type(None))) and kind is not bool
    return not plain and kind.__module__.partition(".")[0] not in _VALUES


_VALUES = frozenset({"numpy", "pandas", "polars", "pyarrow", "decimal", "datetime", "uuid", "fractions"})
"""Modules whose objects are single values: numbers, dates, ids, and missing values."""


def _is_pandas(data: Any) -> bool:
    return type(data).__module__.partition(".")[0] == "pandas" and hasattr(data, "columns")


def is_table(data: Any) -> bool:
    """Whether an object is a dataframe of some kind, and not a single column."""
    if hasattr(data, "columns") or hasattr(data, "column_names"):
        return not isinstance(data, Mapping)
    return hasattr(data, "__arrow_c_stream__") and not (hasattr(data, "dtype") or hasattr(data, "type"))


def is_row(data: Any) -> bool:
    """Whether an object is one row: a named tuple, a dict of single values, or one of a query and a document.

    What else the latter contains, such as a payload, is a column that nobody asked for. So it is beside many single
    values, whatever they are called: neither systems nor queries are told apart by what is not in them.
    """
    if hasattr(data, "_asdict"):
        return True
    if not isinstance(data, (dict, Mapping)):
        return False
    if CELLS.issuperset(map(type, data.values())):
        return True
    many = [value for value in data.values() if _has_many_values(value)]
    unasked = all(isinstance(value, (Mapping, set, frozenset)) for value in many)
    return not many or (unasked and (_has_query_and_doc(data) or len(data) - len(many) >= _CELLS))


_CELLS = 3
"""So many single values make a row of a dict: a query, a document and a number, under whatever names."""


def _has_query_and_doc(row: Mapping[Any, Any]) -> bool:
    """Whether a row has one value each under a name of a query and a name of a document."""
    single = {fold(str(name)) for name, value in row.items() if not _has_many_values(value)}
    return all(
        any(not single.isdisjoint(names) for role in roles for names in ALIASES[role])
        for roles in (("query", "text"), ("doc",))
    )


def _has_many_values(value: Any) -> bool:
    return type(value) not in CELLS and isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def _run_query(data: Any) -> Any:
    """Return the rows of a relation or query plan that has not run yet."""
    # DuckDB by version, polars, Hugging Face datasets
    for method in ("to_arrow_table", "fetch_arrow_table", "arrow", "collect", "to_polars", "to_pandas"):
        if hasattr(data, "__arrow_c_stream__"):
            break
        if callable(getattr(data, method, None)):
            return getattr(data, method)()
    return data


def _from_arrow(table: Any, source: str) -> Frame:
    if _has_polars_objects(table):
        return frame_of_columns(list(table.columns), [_polars_column(column) for column in table.get_columns()], source)
    try:
        return from_arrow(table)
    except ValueError as error:  # polars exports types unknown to Arrow: the null type with a buffer, Int128
        if not hasattr(table, "get_columns"):
            raise DataError(f"{source}: {error}. Leave the column out or cast it.") from None
        return from_columns(list(table.columns), [_polars_column(column) for column in table.get_columns()])


def _polars_column(series: Any) -> Any:
    """Return the values of a polars column, integers of 128 bits as decimals."""
    import polars

    if series.dtype == polars.Object:
        return series.to_list()
    try:
        return from_arrow(series.to_frame()).column(0)
    except ValueError:
        pass
    try:
        return from_arrow(series.cast(polars.Decimal(38, 0)).to_frame()).column(0)
    except polars.exceptions.PolarsError:  # 39 digits, or Python objects
        return series.to_list()


def _from_mapping(data: Mapping[Any, Any], source: str) -> Frame:
    if not data:
        raise DataError(f"{source}: {EMPTY}")
    values = list(data.values())
    if all(hasattr(value, "index") and hasattr(value, "items") for value in values) and not _has_names(data):
        values = [documents_of_array(value) if hasattr(value, "dtype") else value for value in values]
        data = dict(zip(data, values, strict=True))
    if all(isinstance(value, (list, tuple)) and not value for value in values) and not _has_names(data):
        return _from_dicts({query: {} for query in data}, source)  # {query: []}: nothing was returned
    if all(isinstance(value, Mapping) for value in values):
        from idealrank.data.formats.pandas_json import refuse_unclear_names

        refuse_unclear_names(data, source)
        return _from_dicts(data, source)
    if any(isinstance(value, Mapping) for value in values):
        query, value = next(pair for pair in data.items() if not isinstance(pair[1], Mapping))
        raise DataError(
            f"{source}[{query!r}] is {with_article(type(value).__name__)}, not a dict of documents. "
            "Give {document: number}, or {} where there is none."
        )
    if not all(map(_has_many_values, values)):
        raise DataError(
            f"{source}: this dict is neither a dict of columns {{name: [values]}} nor a dict of dicts "
            "{query: {document: number}}. For a single ranking and its grades, use from_ranking."
        )
    columns = [value if hasattr(value, "dtype") else list(value) for value in values]
    for name, column in zip(data, columns, strict=True):
        if (wide := getattr(column, "ndim", 1)) != 1:
            raise DataError(f"{source}: column {name!r} has {wide} dimensions. Give one value per row.")
    lengths = {str(name): len(column) for name, column in zip(data, columns, strict=True)}
    if len(set(lengths.values())) > 1:
        raise DataError(
            f"{source}: the columns differ in length ({', '.join(f'{n} {c}' for n, c in list(lengths.items())[:10])}). "
            "Give every column one value per row."
        )
    return frame_of_columns([str(name) for name in data], columns, source)


def _has_names(data: Mapping[Any, Any]) -> bool:
    """Whether one of the keys of a dict is what a column is called."""
    return not KNOWN.isdisjoint(fold(str(name)) for name in data)


def frame_of_columns(names: list[str], columns: list[Any], source: str) -> Frame:
    """Return a frame of columns.

    Raises
    ------
    DataError
        If a text contains half a character; the message gives its row.
    """
    try:
        return from_columns(names, [_nested_as_json(column) for column in columns])
    except UnicodeEncodeError as error:
        cells = (
            (row, name)
            for name, column in zip(names, columns, strict=True)
            for row in _rows_with_text(error.object, column)
        )
        row, name = next(cells, (None, "the text"))
        raise half_character(source if row is None else f"{source} row {row}", name, error.object) from None


def _nested_as_json(column: Any) -> Any:
    """Return a column of Python objects with its lists and dicts as JSON, as those of files are; others as they are."""
    if not (isinstance(column, list) or str(getattr(column, "dtype", "")) == "object"):
        return column
    values = column.tolist() if hasattr(column, "tolist") else column
    if not any(_is_nested(kind) for kind in set(map(type, values))):
        return column
    return [compact_json(value) if _is_nested(type(value)) else value for value in values]


def compact_json(value: Any) -> str:
    """Return a list or a dict as JSON without blanks; as Python prints it where JSON has no form for it.

    Examples
    --------
    >>> compact_json({"ids": ["a", 1], "none": None}), compact_json([object])
    ('{"ids":["a",1],"none":null}', "[<class 'object'>]")
    """
    import json

    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_to_json_type)
    except (TypeError, ValueError):
        return str(value)


def _to_json_type(value: Any) -> Any:
    """Return a NumPy array or number, a set, an id of a known class or a document as a type that JSON has."""
    plain = to_plain(value)
    return list(value) if plain is value else plain


def documents_of_array(array: Any) -> Any:
    """Return an array of ids as a list; a Series of numbers whose labels are texts as {document: number}."""
    labels = getattr(array, "index", None) if hasattr(array, "items") else None
    if labels is None or array.dtype.kind not in "iuf" or labels.dtype.kind in "iuf":
        return array.tolist()
    return dict(zip(labels.tolist(), array.tolist(), strict=True))


def _rows_with_text(text: str, column: Any) -> Iterator[int]:
    return (row for row, value in enumerate(column) if isinstance(value, str) and value == text)


def _from_dicts(data: Mapping[Any, Any], source: str) -> Frame:
    try:
        return from_dicts(data)
    except BadRow as bad:
        kind, row, column, value = bad.args[:4]
        keys = ((query, doc) for query, inner in data.items() for doc in (inner or [None]))
        query, doc = next(itertools.islice(keys, row, None))
        raise bad_cell(f"{source}[{query!r}][{doc!r}]", kind, column, value) from None
    except UnicodeEncodeError as error:
        raise _half_character_in_dicts(data, source, error.object) from None


def _half_character_in_dicts(data: Mapping[Any, Any], source: str, text: str) -> DataError:
    if text in data:
        return half_character(source, "query", text)
    inside = (f"{source}[{query!r}]" for query, inner in data.items() if text in (inner or ()))
    place = next(inside, None)
    return half_character(place or source, "doc" if place else "the text", text)


def _from_pandas(data: Any, source: str) -> Frame:
    flat = _index_as_columns(data)
    names = [str(name) for name in flat.columns]
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise DataError(f"{source}: two columns are called {twice[0]!r}. Rename one.")
    if any("pyarrow" in str(dtype) or str(dtype) in ("string", "str") for dtype in flat.dtypes):
        try:
            return from_arrow(_with_objects_as_text(flat))
        except Exception:  # no pyarrow, or a column Arrow cannot store, for which pyarrow has many errors
            pass
    return frame_of_columns(names, [_pandas_column(flat.iloc[:, place]) for place in range(len(names))], source)


def _with_objects_as_text(frame: Any) -> Any:
    """Return a frame whose UUIDs and dicts are text.

    Arrow has UUIDs as 16 bytes, which are printed otherwise, and gives every dict of a column the keys of all.
    """
    odd = [
        place for place, dtype in enumerate(frame.dtypes)
        if dtype == "object" and any(map(_is_object_of_arrow, set(map(type, frame.iloc[:, place]))))
    ]  # fmt: skip
    if odd:
        frame = frame.copy(deep=False)
    for place in odd:
        cells = [str(cell) if type(cell).__module__ == "uuid" else cell for cell in frame.iloc[:, place]]
        frame.isetitem(place, [compact_json(cell) if isinstance(cell, Mapping) else cell for cell in cells])
    return frame


def _is_object_of_arrow(kind: type) -> bool:
    return kind.__module__ == "uuid" or issubclass(kind, Mapping)


def _index_as_columns(data: Any) -> Any:
    """Make columns of the named levels of the index; the others are row numbers."""
    unnamed = [level for level, name in enumerate(data.index.names) if name is None or name in data.columns]
    if len(unnamed) == data.index.nlevels:
        return data.reset_index(drop=True)
    return data.reset_index(level=unnamed, drop=True).reset_index() if unnamed else data.reset_index()


def _pandas_column(column: Any) -> Any:
    """Return the values of a pandas column; with pandas' own missing values as objects, None for missing."""
    if hasattr(column.dtype, "na_value") and str(column.dtype) != "category" and column.isna().any():
        return column.to_numpy(dtype=object, na_value=None)
    return column.to_numpy()


def _from_rows(rows: Sequence[Any], source: str) -> Frame:
    if not rows:
        raise DataError(f"{source}: {EMPTY}")
    for place, row in enumerate(rows):
        if not is_row(row):
            text = " ".join(repr(row).split())[:QUOTED]
            if isinstance(row, Mapping):
                name, value = next((name, value) for name, value in row.items() if _has_many_values(value))
                raise bad_cell(f"{source} row {place}", "not_flat", str(name), str(value))
            raise DataError(f"{source} row {place}: {text} is not a row. Give dicts or named tuples.{_hint(row)}")
    columns = _columns_of_rows(rows)
    return frame_of_columns([str(name) for name in columns], list(columns.values()), source)


def _hint(record: Any) -> str:
    """Say how to give what people have in the place of rows: ids, lists of ids, grades."""
    if isinstance(record, str):
        return " The ids of one query: ir.evaluate(*ir.from_ranking(returned, relevant))."
    several = isinstance(record, (list, tuple, set, frozenset))
    if several and record and all(isinstance(one, str) for one in record):
        return _LISTS
    if several and record and all(isinstance(one, int) for one in record):
        return _LISTS + _NUMBERS
    return _NUMBERS if isinstance(record, int | float | list) else ""


_LISTS = " Lists of ids, one for each query: ir.evaluate(dict(enumerate(relevant)), dict(enumerate(returned)))."
_NUMBERS = (
    " Grades alone, in the order of the results: ir.evaluate(*ir.from_grades([3, 0, 1])); arrays of grades and of "
    "scores: ir.evaluate(*ir.from_groups(grades, scores))."
)


def _hint_at_array(data: Any) -> str:
    """Say how to give an array of several queries, of ids or of numbers."""
    if getattr(data, "ndim", 0) < 2:
        return ""
    kind = data.dtype.kind
    return (_LISTS if kind in "OUSiu" else "") + (_NUMBERS if kind not in "OUS" else "")


def _columns_of_rows(rows: Sequence[Any]) -> dict[Any, list[Any]]:
    """Return the columns of rows, dicts or named tuples, in the order their names first appear."""
    records = [row._asdict() if hasattr(row, "_asdict") else row for row in rows]
    names = dict.fromkeys(itertools.chain.from_iterable(records))
    return {name: [record.get(name) for record in records] for name in names}


_FIELDS = (
    *("id", "id_", "_id", "doc_id", "docid", "docno", "node_id", "document_id", "score"),
    *("metadata", "meta", "node", "payload", "user_input", "ref_doc_id", "start_char_idx", "end_char_idx"),
    *("retrieved_contexts", "reference_contexts", "retrieved_context_ids", "reference_context_ids"),
)
"""What is read of an object: ids and scores of documents, as frameworks for retrieval call them."""


def to_plain(data: Any) -> Any:
    """Return objects as dicts and lists: of an object the fields that name a document and its score.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> to_plain({"q1": [SimpleNamespace(id="d1", score=0.5, content="…")], "q2": {"b", "a"}})
    {'q1': [{'id': 'd1', 'score': 0.5}], 'q2': ['a', 'b']}
    """
    if type(data) in CELLS:
        return data
    if isinstance(data, (dict, Mapping)):
        if CELLS.issuperset(map(type, data.values())):
            return dict(data)
        return {key: to_plain(value) for key, value in data.items()}
    if isinstance(data, (set, frozenset)):
        return sorted(map(to_plain, data), key=str)
    if isinstance(data, (list, tuple)) and not hasattr(data, "_asdict"):
        return list(map(to_plain, data))
    if hasattr(data, "_asdict"):
        return to_plain(data._asdict())
    if data is None or isinstance(data, (str, int, float)) or hasattr(data, "dtype"):
        return data.tolist() if hasattr(data, "dtype") and hasattr(data, "tolist") else data
    if is_single_value(data):
        return str(data)  # a UUID has parts that are called as those of a document are
    fields = {name: getattr(data, name) for name in _FIELDS if getattr(data, name, None) is not None}
    return {name: to_plain(value) for name, value in fields.items()} if fields else data
