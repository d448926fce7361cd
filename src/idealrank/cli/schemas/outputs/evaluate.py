"""What `evaluate` prints: the means with a view of them."""

from __future__ import annotations

from idealrank.cli.schemas.forms import Schema, by, count, maybe, number, part, record, share, text, texts
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.parts.evaluation import EVALUATION_FIELDS, EVALUATION_OPTIONAL
from idealrank.cli.schemas.parts.ledger import FIELDS as LEDGER_FIELDS
from idealrank.cli.schemas.rows import VALUE, columns, rows
from idealrank.evaluation.query_tables import COLUMNS as READ

_SEVERAL = columns("system")
_OF_QUERY = columns("text", "system")
_PLACES = ("min", "25%", "50%", "75%", "max")
"""The order statistics of `describe`."""

_DESCRIBED = {
    **columns("measure"),
    "count": count("Queries with a value."),
    "mean": maybe(number("Mean of the values, each counted once; null if there is none.")),
    "sd": maybe(number("Standard deviation (n - 1); null for fewer than two values.", 0)),
    **{name: maybe(number(f"{name} of the values; null if there is none.")) for name in _PLACES},
}
_READ_MEANINGS = {
    "total": "Expected total utility.",
    "cost": "Expected total cost, where every result read costs 1.",
    "depth": "Expected number of results read.",
    "residual": "How much higher the value is if all that nobody judged is of the highest worth.",
}
_READ = {name: maybe(number(f"{_READ_MEANINGS[name]} Null without a reader.")) for name in READ}

_DOCUMENTS = {
    **columns("measure"),
    "segment": text("The value of the column; (none) for documents without one."),
    "relevant": count("Relevant documents of the segment, over the queries that count."),
    "queries": count("Queries with a relevant document of the segment."),
    "not applicable": count("Queries without one; they have no value here."),
    "mean": maybe(number("Mean if only documents of this segment are relevant; null if there is none.")),
    "recall": maybe(share("Share of the relevant documents that was returned; null if there is none.")),
    "share of score": maybe(number("Share of the segment in the sum of the values; null if there is none.")),
    "share of loss": maybe(number("Share of the segment in what is lost against the ideal; null if there is none.")),
}
_LEFT_OUT = {**_SEVERAL, "left out": count("Queries with a relevant document and no value; missing if there are none.")}
BY_DOCUMENT = record(
    "Segments of the documents.",
    {
        "column": text("The column of the documents table."),
        "rows": rows("A row per measure, system and segment.", _DOCUMENTS, _LEFT_OUT),
        "notes": texts("What the numbers are, and what is missing."),
    },
)
_BY_QUERY = by(
    "The value of every query, by system.",
    by("The values of a system, by query.", by("The values of a query, by measure.", VALUE)),
)
_EXTREME = "with the {} values of the first measure, a row per query; the value is under the name of the measure."
_LOST = rows(
    "Queries by lost value, most first; the value is under the name of the measure.",
    {**columns("query", "frequency"), "ideal": maybe(number("The best possible value.")), **columns("lost")},
    _OF_QUERY,
    VALUE,
)
_GROUPED = rows("Statistics of the values.", _DESCRIBED, {**_SEVERAL, "group": text("The group of queries.")})
_TIES = rows("Means over all orders of tied results.", columns("measure", "mean", "lowest", "highest"), _SEVERAL)


def _extreme(word: str) -> Schema:
    return rows(f"Queries {_EXTREME.format(word)}", columns("query"), _OF_QUERY, VALUE)


def _with(key: str, schema: Schema, about: str) -> Schema:
    return record(f"Means, decisions and ledger, and {about}.", {**EVALUATION_FIELDS, key: schema}, EVALUATION_OPTIONAL)


_STATES = rows(
    "What became of every query; the keys of measures have its state under each.",
    {**columns("system", "query"), "state": text("The state of the query, such as 'judged and returned'.")},
    others=text("The state of the query under the measure that the key names."),
)
_LEDGER = record(
    "The ledger, query by query.", {"fingerprints": EVALUATION_FIELDS["decisions"], **LEDGER_FIELDS, "queries": _STATES}
)
_LATENCY = record(
    "Means, decisions and ledger, and how long searches took.", {**EVALUATION_FIELDS, "latency": part("latency")}
)

OUTPUTS = (
    Output("evaluate", "Means, decisions and ledger", part("evaluation")),
    Output("evaluate --per-query", "The value of every query", _with("per_query", _BY_QUERY, "the values by query")),
    Output("evaluate --describe", "Statistics of the values", _with("describe", _GROUPED, "statistics of the values")),
    Output("evaluate --by", "Statistics by group of queries", _with("describe", _GROUPED, "statistics by group")),
    Output(
        "evaluate --worst", "Queries with the lowest values", _with("worst", _extreme("lowest"), "the worst queries")
    ),
    Output(
        "evaluate --best", "Queries with the highest values", _with("best", _extreme("highest"), "the best queries")
    ),
    Output("evaluate --lost-value", "Queries by lost value", _with("lost_value", _LOST, "queries by lost value")),
    Output(
        "evaluate --by-document", "Segments of documents", _with("by_document", BY_DOCUMENT, "segments of documents")
    ),
    Output("evaluate --tie-range", "Means over all orders of ties", _with("tie_range", _TIES, "ranges over ties")),
    Output(
        "evaluate --reading",
        "What the readers of C/W/L measures read",
        _with("reading", rows("A row per measure.", {**columns("measure", "mean"), **_READ}, _SEVERAL), "readings"),
    ),
    Output("evaluate --latency", "How long searches took", _LATENCY),
    Output("evaluate --ledger", "What became of every query", _LEDGER),
)
