"""What `compare` prints: the whole comparison, or one view of it."""

from __future__ import annotations

from idealrank.cli.schemas.forms import (
    Schema,
    by,
    count,
    either,
    many,
    maybe,
    number,
    part,
    record,
    record_of,
    text,
    texts,
    word,
)
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.parts.comparison import COMPARISON_FIELDS, COMPARISON_OPTIONAL, GRID, TUNED
from idealrank.cli.schemas.parts.verdicts import OUTCOME
from idealrank.cli.schemas.rows import FINGERPRINT, columns, rows
from idealrank.comparison.changes import Change, Changes, Entered, Kept, Left, MovedDown, MovedUp
from idealrank.comparison.robustness import Robustness

_PER_QUERY = {
    **columns("query", "system", "baseline", "measure", "baseline value", "value", "difference"),
    "overlap": maybe(
        number("Share of documents that both lists have down to the cutoff; null if both are empty.", 0, 1)
    ),
    **columns("fingerprint"),
}
_PER_QUERY_OPTIONAL = {
    **columns("text"),
    "weight": maybe(number("Weight of the query.", 0)),
    "segment": text("The segment of the query, if segments are made by one attribute."),
}
_SEGMENT = {"^segment .": text("The segment of the query by the attribute that the key names.")}


def query_rows(about: str, last: dict[str, Schema] | None = None) -> Schema:
    """Return the schema of rows by query, pair and measure."""
    table = rows(about, {**_PER_QUERY, **(last or {})}, _PER_QUERY_OPTIONAL)
    return table | {"items": table["items"] | {"patternProperties": _SEGMENT}}


_RANK = "Its rank in the list of the {}; null if it was not returned."
_TO_JUDGE = {
    **columns("query", "system", "baseline"),
    "document": text("Id of the unjudged document."),
    "baseline rank": maybe(count(_RANK.format("baseline"), 1)),
    "rank": maybe(count(_RANK.format("system"), 1)),
    "move": number("What the mean difference moves by if the document gets the highest grade."),
}
TO_JUDGE_COLUMNS = _TO_JUDGE
"""The columns of what is to be judged, without the fingerprint; the text of the query may come along."""

_CHANGE = record(
    "What happened to one document.",
    {
        "change": word("What happened.", [kind.kind for kind in (Entered, Left, MovedUp, MovedDown, Kept)]),
        **record_of(
            Change,
            "A change.",
            {
                "doc": text("Id of the document."),
                "before": maybe(count(_RANK.format("baseline"), 1)),
                "after": maybe(count(_RANK.format("system"), 1)),
                "grade": maybe(number("Its grade as the measure reads it; null if it is unjudged.")),
                "contribution": maybe(number("What it adds to the difference; null if the measure is no such sum.")),
            },
        )["properties"],
    },
)
_CHANGES = record_of(
    Changes,
    "What happened to each document of a query.",
    {
        "query": text("Id of the query."),
        "text": text("Its text; empty if there is none."),
        "baseline": text("The system it is compared with."),
        "system": text("Name of the system."),
        "measure": text("Name of the measure."),
        "reason": text("Where the residue comes from; empty if there is none."),
        "fingerprint": text("The measure with its answer to every decision it reads."),
        "baseline_value": maybe(number("Value of the baseline; null if the query is left out.")),
        "value": maybe(number("Value of the system; null if the query is left out.")),
        "residue": maybe(number("Part of the difference that no document has a share in.")),
        "changes": many("The documents within the cutoff now by rank, then those that left it.", _CHANGE),
    },
)
_DIFFERENCE = {"difference": maybe(number("System minus baseline; null if one of them has no value."))}
_OF_PAIR = record("What happened to each document of a query.", {**_CHANGES["properties"], **_DIFFERENCE})

_FLAVOUR = rows(
    "A row per flavour and pair of systems; the answer to each decision varied is under its name.",
    {
        **columns("difference", "low", "high", "corrected p"),
        "outcome": {**OUTCOME, "description": "The outcome by the rule, before unjudged results are weighed."},
        "own": word("own for the flavour of the comparison itself, else empty.", ("own", "")),
    },
    {"system": text("Name of the system or pair, if there are several.")},
    text("The answer to the decision that the key names; of k the cutoff."),
)
_ROBUSTNESS = record_of(
    Robustness,
    "The comparison under every flavour.",
    {
        "varied": by("The answers tried, by decision.", texts("Answers.")),
        "refused": texts("Flavours that cannot be computed, with the reason."),
        "flavors": _FLAVOUR,
    },
)
_ROBUST = record(
    "The comparison under every flavour of the first measure.",
    {
        "varied": _ROBUSTNESS["properties"]["varied"],
        "sentences": by("Whether the outcome depends on the flavour, by system or pair.", text("A sentence.")),
        "depends_on": by("The decisions that it depends on, by system or pair.", texts("Decisions.")),
        "refused": _ROBUSTNESS["properties"]["refused"],
        "flavors": _FLAVOUR,
    },
)
_LOST = rows(
    "Queries by lost value, most first.",
    columns("query", "system", "baseline", "measure", "frequency", "baseline value", "value", "lost", "fingerprint"),
    columns("text"),
)


def _stated(table: Schema) -> Schema:
    """Add the fingerprint, which a table has if it is printed alone."""
    row = table["items"]
    fields = row["properties"] | {"fingerprint": FINGERPRINT}
    return table | {"items": row | {"properties": fields, "required": [*row["required"], "fingerprint"]}}


_WITH_QUERIES = record(
    "Everything a comparison says, with the values of every query.",
    {**COMPARISON_FIELDS, "per_query": query_rows("A row per query, pair of systems and measure.")},
    COMPARISON_OPTIONAL,
)

OUTPUTS = (
    Output("compare", "Verdict, differences, evidence and ledger", part("comparison")),
    Output("compare --per-query", "The comparison with the values of every query", _WITH_QUERIES),
    Output("compare --wins", "Queries that gain most", query_rows("Queries that gain most, most first.")),
    Output("compare --losses", "Queries that lose most", query_rows("Queries that lose most, most first.")),
    Output(
        "compare --to-judge",
        "Unjudged documents to judge first",
        rows("What to judge first.", {**_TO_JUDGE, **columns("fingerprint")}, columns("text")),
    ),
    Output(
        "compare --changes",
        "What happened to each document of a query",
        either("Of two systems; of several, a list.", _OF_PAIR, many("One per pair of systems.", _OF_PAIR)),
    ),
    Output("compare --latency", "How much longer searches take", part("latency_changes")),
    Output("compare --robustness", "The outcome under every flavour of the measure", _ROBUST),
    Output("compare --lost-value", "Queries by lost value", _LOST),
    Output("compare --grid", "Systems by their settings", _stated(GRID)),
    Output("compare --tuning", "Systems on the tuning queries", _stated(TUNED)),
    Output("compare --by-segment", "What changes in which segment of the queries", part("segments")),
)
