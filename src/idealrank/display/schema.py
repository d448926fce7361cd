"""What JSON contains of a value, and its JSON Schema: both read annotated types, where each key is said once."""

from __future__ import annotations

import functools
import inspect
import math
import sys
import types
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from typing import (
    Annotated,
    Any,
    ClassVar,
    ForwardRef,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Schema = dict[str, Any]

Rows = list[dict[str, Any]]
"""The rows of a table: ``Annotated[Rows, MEAN_ROW, "A row per system."]`` says which by a `RowType`."""

_SCALARS = {str: "string", float: "number", bool: "boolean", type(None): "null"}


class Within(NamedTuple):
    """The least and the greatest value of a number; a whole number is from 0 up where nothing else is said."""

    lowest: float | None = None
    highest: float | None = None


class OrNull:
    """JSON has null where the number is not finite."""


class Named(NamedTuple):
    """The key of an attribute, where JSON calls it by another name."""

    name: str


class IfAny:
    """JSON has the key only where the value is not None, and not empty."""


Share = Annotated[float, Within(0, 1)]
"""A number from 0 to 1."""


class OneOf:
    """Words that are known at run time only, such as the names in a catalogue; else use `Literal`."""

    def __init__(self, words: Iterable[Any]) -> None:
        self.words = list(words)


class Keywords:
    """Keywords of JSON Schema that no Python type says, such as a pattern."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords


class Is:
    """What a value is, where its Python type says less: ``Annotated[dict[str, Any], Is(Fact)]`` is JSON."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind


class Also:
    """Keys that an object has besides those of its type, such as keys made in a loop."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = fields


class Shared(NamedTuple):
    """The name under which several schemas refer to a type, in their `$defs`."""

    name: str


class RowType:
    """The columns of a table: what each contains, said once for the table, its JSON and its schema.

    Parameters
    ----------
    columns
        The annotated type of each column by its name, or a TypedDict of them. One that is `NotRequired` may be missing.
    others
        What further columns contain, which are named after measures, systems or attributes; None: there are none.
    beginning
        What columns contain whose names begin so.

    Examples
    --------
    >>> row = RowType({"query": Annotated[str, "Its id."], "RR": Annotated[float | None, "Its value."]})
    >>> schema(Annotated[Rows, row, "A row per query."])["items"]["required"]
    ['query', 'RR']
    """

    def __init__(self, columns: Any, others: Any = None, beginning: Mapping[str, Any] | None = None) -> None:
        self.columns = fields_of(columns)
        self.others = others
        self.beginning = dict(beginning or {})

    def also(self, columns: Mapping[str, Any]) -> RowType:
        """Return the row with further columns."""
        return RowType({**self.columns, **columns}, self.others, self.beginning)

    def refuse(self, title: str, columns: Collection[str]) -> None:
        """Refuse a table that does not have these columns; `Table` adds the fingerprint only where it is written.

        Raises
        ------
        ValueError
            If a column is not described, or one that must be there is missing.
        """
        required = [name for name, kind in self.columns.items() if get_origin(kind) is not NotRequired]
        missing = [name for name in required if name not in columns and name != "fingerprint"]
        named = self.others is not None
        known = (*self.beginning,)
        extra = [name for name in columns if not (named or name in self.columns or name.startswith(known))]
        if missing or extra:
            raise ValueError(
                f"The table {title!r} is not what its RowType says: describe {extra} there, or remove {missing}."
            )


def schema(kind: Any, shared: dict[str, Schema] | None = None) -> Schema:
    """Return the schema of a type: what is described in `Annotated` or, of a class, begins its docstring.

    Parameters
    ----------
    kind
        A class with annotated attributes (see `keys_of`), a TypedDict, literal, list, tuple, mapping, union or plain
        type.
    shared
        Gets the schemas of the types that are `Shared`, by name.

    Examples
    --------
    >>> schema(Annotated[float | None, "A mean; null if no query counts."])
    {'type': ['number', 'null'], 'description': 'A mean; null if no query counts.'}
    """
    found = {} if shared is None else shared
    if get_origin(kind) is not Annotated:
        return _type_schema(kind, found)
    plain, *notes = get_args(kind)
    default = Rows if _row_type(kind) else plain
    made = _type_schema(next((note.kind for note in notes if isinstance(note, Is)), default), found)
    for note in notes:
        made = _apply_note(made, note, found)
    return made


def _apply_note(made: Schema, note: Any, shared: dict[str, Schema]) -> Schema:
    if isinstance(note, str):
        return made | {"description": note}
    if isinstance(note, Within):
        ends = {"minimum": note.lowest, "maximum": note.highest}
        return made | {name: end for name, end in ends.items() if end is not None}
    if isinstance(note, OrNull):
        return _or_null(made)
    if isinstance(note, OneOf):
        return {"enum": note.words} | {key: value for key, value in made.items() if key not in ("type", "minimum")}
    if isinstance(note, Keywords):
        return made | note.keywords
    if isinstance(note, RowType):
        return made | {"items": _row_schema(note, shared)}
    if isinstance(note, Also):
        more = _object_schema(note.fields, shared)
        required = [*made["required"], *(name for name in more["required"] if name not in made["required"])]
        return made | {"properties": made["properties"] | more["properties"], "required": required}
    if isinstance(note, Shared):
        shared[note.name] = made
        return {"$ref": f"#/$defs/{note.name}"}
    return made


def _row_schema(kind: RowType, shared: dict[str, Schema]) -> Schema:
    row = _object_schema(kind.columns, shared) | {"description": "A row."}
    if kind.others is not None:
        row["additionalProperties"] = schema(kind.others, shared)
    if kind.beginning:
        row["patternProperties"] = {f"^{name}.": schema(each, shared) for name, each in kind.beginning.items()}
    return row


def _type_schema(kind: Any, shared: dict[str, Schema]) -> Schema:
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return schema(kind, shared)
    if kind is Any:
        return {}
    if kind is int:
        return {"type": "integer", "minimum": 0}
    if isinstance(kind, type) and kind in _SCALARS:
        return {"type": _SCALARS[kind]}
    if origin is Literal:
        return {"enum": list(args)} if len(args) > 1 else {"const": args[0]}
    if origin in (Union, types.UnionType):
        return _union_schema(args, shared)
    if origin is tuple and args[-1] is not ...:
        return {"type": "array", "items": schema(args[0], shared), "minItems": len(args), "maxItems": len(args)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        values = schema(args[1], shared)
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    if origin is not None:
        return {"type": "array", "items": schema(args[0], shared)}
    return _object_schema(kind, shared)


def _union_schema(kinds: Iterable[Any], shared: dict[str, Schema]) -> Schema:
    """Return the schema of one of several types: plain ones as a list of names, null as one more."""
    made = [schema(kind, shared) for kind in kinds if kind is not types.NoneType]
    if all(get_origin(kind) is Literal for kind in kinds):
        one: Schema = {"enum": [word for kind in kinds for word in get_args(kind)]}
    elif all(each.keys() == {"type"} and isinstance(each["type"], str) for each in made):
        one = {"type": [each["type"] for each in made]}
    else:
        one = made[0] if len(made) == 1 else {"oneOf": made}
    return _or_null(one) if types.NoneType in kinds else one


def _or_null(one: Schema) -> Schema:
    if "enum" in one:
        return one | {"enum": [*one["enum"], None]}
    if "type" in one:
        return one | {"type": [*([one["type"]] if isinstance(one["type"], str) else one["type"]), "null"]}
    return {"anyOf": [one, {"type": "null"}]}


def _object_schema(kind: Any, shared: dict[str, Schema]) -> Schema:
    """Return the schema of an object with these keys and no others."""
    fields = fields_of(kind)
    about = "" if isinstance(kind, Mapping) else (inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " ")
    required = [name for name, hint in fields.items() if get_origin(hint) is not NotRequired]
    return {
        "type": "object",
        **({"description": about} if about else {}),
        "properties": {
            name: schema(get_args(hint)[0] if get_origin(hint) is NotRequired else hint, shared)
            for name, hint in fields.items()
        },
        "required": required,
        "additionalProperties": False,
    }


def fields_of(kind: Any) -> dict[str, Any]:
    """Return the annotated types of an object's keys, or a table's columns.

    Raises
    ------
    TypeError
        If a value of the type is no object.
    """
    if isinstance(kind, Mapping):
        return dict(kind)
    if is_typeddict(kind):
        return get_type_hints(kind, include_extras=True)
    keys = keys_of(kind) if isinstance(kind, type) else {}
    if not keys:
        raise TypeError(f"{kind!r} has no schema. Annotate a TypedDict, or attributes of a class.")
    return {key: NotRequired[_if_any(hint)] if _has_note(hint, IfAny) else hint for key, (_, hint) in keys.items()}


def _if_any(hint: Any) -> Any:
    """Return the type of a value that is there: without None."""
    plain, *notes = get_args(hint)
    if get_origin(plain) in (Union, types.UnionType):
        plain = Union[tuple(kind for kind in get_args(plain) if kind is not types.NoneType)]  # noqa: UP007 - of a tuple
    return Annotated[plain, *notes]


@functools.cache
def keys_of(kind: type) -> dict[str, tuple[str, Any]]:
    """Return what JSON contains of a value: by key, the attribute and its type. These are all that are `Annotated`.

    Fields and properties are alike in this. A type that only type checkers import is not known here: no key has it.

    Examples
    --------
    >>> class Span(NamedTuple):
    ...     low: Annotated[float, "Where it begins."]
    ...     high: Annotated[float, "Where it ends."]
    ...     label: str = ""
    ...
    ...     @property
    ...     def width(self) -> Annotated[float, Named("size"), "How long it is."]:
    ...         return self.high - self.low
    >>> {key: attribute for key, (attribute, _) in keys_of(Span).items()}
    {'low': 'low', 'high': 'high', 'size': 'width'}
    """
    found: dict[str, tuple[str, Any]] = {}
    for base in reversed(kind.__mro__):
        hints = dict(vars(base).get("__annotations__", {}))
        for name, member in vars(base).items():
            if isinstance(member, (property, functools.cached_property)):
                getter = member.fget if isinstance(member, property) else member.func
                hints[name] = getattr(getter, "__annotations__", {}).get("return")
        for name, hint in hints.items():
            resolved = _resolve(hint, vars(sys.modules[base.__module__]))
            if get_origin(resolved) is ClassVar:
                (resolved,) = get_args(resolved)
            if get_origin(resolved) is Annotated:
                key = next((note.name for note in get_args(resolved) if isinstance(note, Named)), name)
                found[key] = (name, resolved)
    return found


def _resolve(hint: Any, names: dict[str, Any]) -> Any:
    """Return the type that an annotation names; None if only type checkers import it."""
    text = hint.__forward_arg__ if isinstance(hint, ForwardRef) else hint  # of a named tuple
    try:
        return eval(text, names) if isinstance(text, str) else text
    except NameError:
        if "Annotated[" in text:
            raise
        return None


def plain_value(value: Any) -> Any:
    """Return a value as JSON can contain it: what is not finite as None, tuples as lists, sets in order.

    A value with annotated attributes becomes an object of them (see `keys_of`), a table with a `RowType` its rows.

    Examples
    --------
    >>> plain_value({"ends": (0.5, float("nan")), "docs": {"b", "a"}})
    {'ends': [0.5, None], 'docs': ['a', 'b']}
    """
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: plain_value(inner) for name, inner in value.items()}
    if keys := keys_of(value.__class__):
        values = ((key, getattr(value, name), hint) for key, (name, hint) in keys.items())
        return {key: _plain_key(each, hint) for key, each, hint in values if not _is_left_out(each, hint)}
    if isinstance(value, Sequence):
        return [plain_value(inner) for inner in value]
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return plain_value(value.to_dict()) if hasattr(value, "to_dict") else value


def _plain_key(value: Any, hint: Any) -> Any:
    row = _row_type(hint)
    if row is None or isinstance(value, list):
        return plain_value(value)
    return [] if value is None else value.rows(fingerprints="fingerprint" in row.columns)


def _is_left_out(value: Any, hint: Any) -> bool:
    return _has_note(hint, IfAny) and (value is None or (isinstance(value, Sized) and not len(value)))


def _row_type(hint: Any) -> RowType | None:
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    rows = (_row_type(note.kind) if isinstance(note, Is) else note for note in notes)
    return next((row for row in rows if isinstance(row, RowType)), None)


def _has_note(hint: Any, note: type) -> bool:
    return any(isinstance(each, note) for each in get_args(hint)[1:])
