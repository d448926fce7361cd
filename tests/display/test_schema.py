"""Annotated types become JSON Schemas, and a table has the columns that its type says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import pytest

from idealrank.display.document import Described
from idealrank.display.schema import (
    Also,
    IfAny,
    Is,
    Keywords,
    Named,
    OneOf,
    OrNull,
    Rows,
    RowType,
    Schema,
    Share,
    Shared,
    Within,
    keys_of,
    plain_value,
    schema,
)
from idealrank.display.table import Table


class Point(TypedDict):
    """A point.

    What follows the first paragraph is for readers of the code.
    """

    x: Annotated[float, "Where it is."]
    label: NotRequired[Annotated[str, "What it is called."]]


class Label(NamedTuple):
    """A name."""

    name: Annotated[str, "The name."] = ""

    @property
    def shown(self) -> str:
        """Not a key."""
        return self.name


@dataclass(frozen=True)
class Plain:
    """Plain."""

    count: Annotated[int, "How many."]


@dataclass(frozen=True)
class Finding(Described):
    """A finding."""

    kind: Annotated[Literal["odd", "even"], Named("about"), "What it is about."]
    low: Annotated[Share, OrNull(), "Where it begins; null if that is not known."]
    names: Annotated[tuple[Label, ...], "Names."] = ()
    why: Annotated[Plain | None, IfAny(), "Why; not there if nobody knows."] = None
    unsaid: str = "nobody reads this"

    @property
    def table(self) -> Annotated[Table, Named("rows"), RowType({"query": str, "fingerprint": str}), "A row per query."]:
        """Its rows."""
        return Table({"query": ["q"]}, "t", {"fingerprint": ["RR"]})


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        pytest.param(Annotated[str, "A text."], {"type": "string", "description": "A text."}, id="a description"),
        pytest.param(int, {"type": "integer", "minimum": 0}, id="a whole number counts from 0"),
        pytest.param(Annotated[int, Within(1)], {"type": "integer", "minimum": 1}, id="or from where it says"),
        pytest.param(Share | None, {"type": ["number", "null"], "minimum": 0, "maximum": 1}, id="a share or null"),
        pytest.param(str | float | bool | None, {"type": ["string", "number", "boolean", "null"]}, id="any scalar"),
        pytest.param(Literal["a", "b"], {"enum": ["a", "b"]}, id="words"),
        pytest.param(Literal["a", "b"] | Literal[""], {"enum": ["a", "b", ""]}, id="words and another"),
        pytest.param(Literal["a", "b"] | None, {"enum": ["a", "b", None]}, id="words or null"),
        pytest.param(Literal[1], {"const": 1}, id="one word"),
        pytest.param(Annotated[int, OneOf({"a": 0}.values())], {"enum": [0]}, id="words known at run time"),
        pytest.param(tuple[str, ...], {"type": "array", "items": {"type": "string"}}, id="a tuple of any length"),
        pytest.param(
            tuple[str, str],
            {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
            id="a tuple of two",
        ),
        pytest.param(dict[str, bool], {"type": "object", "additionalProperties": {"type": "boolean"}}, id="by name"),
        pytest.param(Annotated[str, Keywords(pattern="^a$")], {"type": "string", "pattern": "^a$"}, id="a pattern"),
        pytest.param(
            float | list[float],
            {"oneOf": [{"type": "number"}, {"type": "array", "items": {"type": "number"}}]},
            id="one of several forms",
        ),
    ],
)
def test_values(kind: Any, expected: Schema) -> None:
    """A type says what a value is; what Python's types cannot say is said in its annotation."""
    assert schema(kind) == expected


def test_objects() -> None:
    """A TypedDict, a named tuple and a dataclass are objects with their keys and no others; a docstring describes."""
    assert schema(Point) == {
        "type": "object",
        "description": "A point.",
        "properties": {
            "x": {"type": "number", "description": "Where it is."},
            "label": {"type": "string", "description": "What it is called."},
        },
        "required": ["x"],
        "additionalProperties": False,
    }
    assert list(schema(Annotated[dict[str, Any], Is(Label), "JSON."])["properties"]) == ["name"]
    assert schema(Annotated[Plain, "Other words."])["description"] == "Other words."
    more = schema(Annotated[Point, Also({"y": float, "label": str, "z": NotRequired[float]})])
    assert (list(more["properties"]), more["required"]) == (["x", "label", "y", "z"], ["x", "y", "label"])
    again = schema(Annotated[Point, Also({"x": str})])
    assert (again["properties"]["x"], again["required"]) == ({"type": "string"}, ["x"])


def test_a_value_says_its_keys_once() -> None:
    """Schema and plain values have the annotated attributes, and no others: fields and properties, under their keys."""
    assert {key: attribute for key, (attribute, _) in keys_of(Finding).items()} == {
        "about": "kind", "low": "low", "names": "names", "why": "why", "rows": "table",
    }  # fmt: skip
    made = schema(Finding)
    assert made["required"] == ["about", "low", "names", "rows"]
    assert made["properties"]["low"] == {
        "type": ["number", "null"], "minimum": 0, "maximum": 1,
        "description": "Where it begins; null if that is not known.",
    }  # fmt: skip
    assert made["properties"]["why"]["type"] == "object"
    assert made["properties"]["rows"]["items"]["required"] == ["query", "fingerprint"]
    rows = [{"query": "q", "fingerprint": "RR"}]
    assert Finding("odd", float("nan")).to_dict() == {"about": "odd", "low": None, "names": [], "rows": rows}
    full = Finding("odd", 0.5, (Label("x"),), Plain(2))
    assert full.to_dict() == {
        "about": "odd", "low": 0.5, "names": [{"name": "x"}], "why": {"count": 2}, "rows": rows,
    }  # fmt: skip
    assert plain_value({"found": full})["found"] == full.to_dict()
    assert '"about": "odd"' in full.to_json()


def test_shared() -> None:
    """What several schemas refer to is named, and its own schema handed out beside."""
    shared: dict[str, Schema] = {}
    made = schema(list[Annotated[Point, Shared("point")] | None], shared)
    assert made["items"] == {"anyOf": [{"$ref": "#/$defs/point"}, {"type": "null"}]}
    assert shared == {"point": schema(Point)}


def test_what_is_no_json() -> None:
    """A type that no JSON can be is refused with its name."""
    with pytest.raises(TypeError, match=r"complex.* has no schema\. Annotate a TypedDict, or attributes of a class"):
        schema(complex)


ROW = RowType({"query": str, "mean": float, "text": NotRequired[str]}, beginning={"segment ": str})


def test_rows() -> None:
    """The columns of a table are the keys of its rows."""
    made = schema(Annotated[Rows, ROW, "Rows."])
    assert (made["type"], made["description"]) == ("array", "Rows.")
    assert made["items"]["required"] == ["query", "mean"]
    assert made["items"]["patternProperties"] == {"^segment .": {"type": "string"}}
    assert made["items"]["additionalProperties"] is False
    by_measure = RowType({"query": str}, float | None).also({"system": str})
    made = schema(Annotated[Rows, by_measure])["items"]
    assert (made["required"], made["additionalProperties"]) == (["query", "system"], {"type": ["number", "null"]})


def test_a_table_has_the_columns_of_its_type() -> None:
    """A column that a table gets, or loses, is told at once: its schema cannot fall behind."""
    Table({"query": [], "mean": [], "segment of": []}, "t", row=ROW)
    for columns, fault in (
        (["query", "mean", "other"], r"'t' is not what its RowType says: describe \['other'\] there, or remove \[\]"),
        (["query"], r"describe \[\] there, or remove \['mean'\]"),
    ):
        with pytest.raises(ValueError, match=fault):
            Table({name: [] for name in columns}, "t", row=ROW)
    Table({"query": [], "nDCG@10": []}, "t", row=RowType({"query": str, "fingerprint": str}, float))
