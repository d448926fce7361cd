"""The JSON Schema of an annotated type: a fact about an output is said once, at its type."""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Collection, Iterable, Mapping
from typing import (
    Annotated,
    Any,
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
        A TypedDict, named tuple, dataclass, literal, list, tuple, mapping, union or plain type.
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
    made = _type_schema(plain, found)
    for note in notes:
        made = _apply_note(made, note, found)
    return made


def _apply_note(made: Schema, note: Any, shared: dict[str, Schema]) -> Schema:
    if isinstance(note, str):
        return made | {"description": note}
    if isinstance(note, Within):
        ends = {"minimum": note.lowest, "maximum": note.highest}
        return made | {name: end for name, end in ends.items() if end is not None}
    if isinstance(note, OneOf):
        return {"enum": note.words} | {key: value for key, value in made.items() if key not in ("type", "minimum")}
    if isinstance(note, Keywords):
        return made | note.keywords
    if isinstance(note, Is):
        return _type_schema(note.kind, shared)
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
    if types.NoneType not in kinds:
        return one
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
    if not (is_typeddict(kind) or dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")):
        raise TypeError(f"{kind!r} has no schema. Annotate a TypedDict, a dataclass or a named tuple.")
    hints = get_type_hints(kind, include_extras=True)
    names = [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else hints
    return {name: hints[name] for name in names}
