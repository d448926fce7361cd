"""The forms of JSON: each says what a value is and what it means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields as dataclass_fields, is_dataclass
from typing import Any

Schema = dict[str, Any]
Fields = Mapping[str, Schema]


def text(about: str) -> Schema:
    """Return the schema of a text."""
    return {"type": "string", "description": about}


def word(about: str, words: Iterable[str]) -> Schema:
    """Return the schema of one of some words."""
    return {"enum": list(words), "description": about}


def number(about: str, lowest: float | None = None, highest: float | None = None) -> Schema:
    """Return the schema of a number, in full precision."""
    ends = {"minimum": lowest, "maximum": highest}
    return {"type": "number", "description": about} | {name: end for name, end in ends.items() if end is not None}


def share(about: str) -> Schema:
    """Return the schema of a number from 0 to 1."""
    return number(about, 0, 1)


def count(about: str, lowest: int = 0) -> Schema:
    """Return the schema of a whole number."""
    return {"type": "integer", "description": about, "minimum": lowest}


def flag(about: str) -> Schema:
    """Return the schema of true or false."""
    return {"type": "boolean", "description": about}


def anything(about: str) -> Schema:
    """Return the schema of a value from the user's own tables: a text, a number, true, false or null."""
    return {"type": ["string", "number", "boolean", "null"], "description": about}


def maybe(schema: Schema) -> Schema:
    """Return the schema of a value that may be null.

    Examples
    --------
    >>> maybe(number("A mean; null if no query counts."))
    {'type': ['number', 'null'], 'description': 'A mean; null if no query counts.'}
    """
    if "enum" in schema:
        return schema | {"enum": [*schema["enum"], None]}
    if "type" in schema:
        return schema | {"type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def many(about: str, items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "description": about, "items": items}


def texts(about: str) -> Schema:
    """Return the schema of a list of texts."""
    return many(about, {"type": "string"})


def pair(about: str, items: Schema) -> Schema:
    """Return the schema of a list of two."""
    return many(about, items) | {"minItems": 2, "maxItems": 2}


def by(about: str, values: Schema) -> Schema:
    """Return the schema of an object whose keys are names from the data, such as systems or measures."""
    return {"type": "object", "description": about, "additionalProperties": values}


def record(about: str, fields: Fields, optional: Fields | None = None) -> Schema:
    """Return the schema of an object with these keys and no others; `optional` ones may be missing."""
    return {
        "type": "object",
        "description": about,
        "properties": {**fields, **(optional or {})},
        "required": list(fields),
        "additionalProperties": False,
    }


def record_of(kind: Any, about: str, fields: Fields, optional: Fields | None = None) -> Schema:
    """Return the schema of an object whose keys are the fields of a class.

    Raises
    ------
    ValueError
        If a field of the class is not described, or one is described that it does not have.
    """
    named, described = set(_fields(kind)), {*fields, *(optional or {})}
    if named != described:
        raise ValueError(f"{kind.__name__}: describe {sorted(named - described)}, remove {sorted(described - named)}.")
    return record(about, fields, optional)


def _fields(kind: Any) -> Iterable[str]:
    """Return the fields of a dataclass, a named tuple or a typed dict."""
    if is_dataclass(kind):
        return [field.name for field in dataclass_fields(kind)]
    return getattr(kind, "_fields", None) or tuple(kind.__annotations__)


def either(about: str, *schemas: Schema) -> Schema:
    """Return the schema of a value that has one of several forms."""
    return {"description": about, "oneOf": list(schemas)}


def part(name: str) -> Schema:
    """Return a reference to a common part: see `idealrank.cli.schemas.parts`."""
    return {"$ref": f"#/$defs/{name}"}
