"""The objects of a JSON value whose keys a schema describes, and the names that its further keys may have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import idealrank as ir
from idealrank.comparison.types import MeanOrSetting
from idealrank.display.columns import Value
from idealrank.display.schema import schema as schema_of_type

Place = tuple[Any, ...]

CLOSED = (False, schema_of_type(Value), schema_of_type(MeanOrSetting))
"""What a schema says of keys that it does not describe: there are none, or they are names."""


def records(value: Any, schema: Any, defs: Any, place: Place = ()) -> Iterator[tuple[Place, Any, Any]]:
    """Yield the place, the value and the schema of every object with described keys; of a list only the first."""
    schema = _resolved(value, schema, defs)
    if isinstance(value, list) and value and "items" in schema:
        yield from records(value[0], schema["items"], defs, (*place, 0))
    if not isinstance(value, dict):
        return
    if "properties" in schema:
        yield place, value, schema
    others = schema.get("additionalProperties")
    for key, inner in list(value.items())[:40]:
        own = schema.get("properties", {}).get(key, others)
        if isinstance(own, dict):
            yield from records(inner, own, defs, (*place, key))


def _resolved(value: Any, schema: Any, defs: Any) -> Any:
    """Follow a reference, and take the alternative that fits the value."""
    if "$ref" in schema:
        return _resolved(value, defs[schema["$ref"].rpartition("/")[2]], defs)
    for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        if each.get("type") != "null" and (each.get("type") == "array") == isinstance(value, list):
            return _resolved(value, each, defs)
    return schema


def undocumented(value: Any, whole: Any) -> Iterator[str]:
    """Yield the keys that are neither described nor the name of a measure, a system or a setting of systems."""
    known = set(_names(value))
    for place, inner, schema in records(value, whole, whole.get("$defs", {})):
        others = inner.keys() - schema["properties"].keys() - known if schema["additionalProperties"] in CLOSED else ()
        patterns = tuple(schema.get("patternProperties", ()))
        for key in sorted(key for key in others if not (_measures(key) or any(re.search(p, key) for p in patterns))):
            yield f"{'.'.join(map(str, place))}: {key!r} is neither described nor the name of a measure or a system"


def _measures(name: str) -> bool:
    try:
        return bool(ir.measure(name))
    except ir.IdealrankError:
        return False


def _names(value: Any) -> Iterator[str]:
    """Yield the measures whose decisions are stated, the systems, and the settings in the names of systems."""
    if isinstance(value, list):
        for each in value:
            yield from _names(each)
    if not isinstance(value, dict):
        return
    if isinstance(value.get("decisions"), dict):
        yield from value["decisions"]
    if isinstance(system := value.get("system"), str):
        yield from (system, *re.findall(r"(\S+?)=", system))
    for each in value.values():
        yield from _names(each)
