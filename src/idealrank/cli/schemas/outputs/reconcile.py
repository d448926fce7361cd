"""What `reconcile` prints: its tables are objects of columns."""

from __future__ import annotations

from idealrank.cli.schemas.forms import Fields, Schema, many, maybe, number, record, text, texts
from idealrank.cli.schemas.output import Output


def _columns(about: str, fields: Fields) -> Schema:
    """Return the schema of a table by column: each a list of equal length."""
    return record(about, {name: many(each["description"], _item(each)) for name, each in fields.items()})


def _item(schema: Schema) -> Schema:
    return {name: value for name, value in schema.items() if name != "description"}


_SHARES = _columns(
    "The decisions that make the gap.",
    {
        "decision": text("The decision, or several that are changed together."),
        "from": text("The answer under the first setting."),
        "to": text("The answer under the second."),
        "share": number("Its share of the gap: the mean effect over all orders of changing answers."),
        "first": maybe(number("Its effect if it is changed first; null if it cannot be computed.")),
        "last": maybe(number("Its effect if it is changed last; null if it cannot be computed.")),
    },
)
_QUERIES = _columns(
    "The queries whose value differs.",
    {
        "query": text("Id of the query."),
        "before": maybe(number("Value under the first setting; null if it is left out.")),
        "after": maybe(number("Value under the second; null if it is left out.")),
        "most by": text("The decision with the largest effect."),
        "documents": text("The documents it concerns."),
    },
)
_RECONCILIATION = record(
    "Why two numbers differ.",
    {
        "measure": text("The measure under the first setting: its answer to every decision it reads."),
        "other": text("The measure under the second."),
        "source": text("Where the second number comes from, if not from a convention; else empty."),
        "before": maybe(number("Mean under the first; null if every query is left out.")),
        "after": maybe(number("Mean under the second; null if every query is left out.")),
        "gap": maybe(number("After minus before; null if one of them is missing.")),
        "shares": _SHARES,
        "queries": _QUERIES,
        "refused": texts("Combinations of answers that cannot be computed."),
    },
)

OUTPUTS = (Output("reconcile", "Which decisions make two numbers differ", _RECONCILIATION),)
