"""The parts of a report that are lists and numbers by query."""

from __future__ import annotations

from idealrank.cli.schemas.forms import (
    Schema,
    anything,
    by,
    count,
    many,
    maybe,
    number,
    part,
    record,
    share,
    text,
    texts,
    word,
)
from idealrank.cli.schemas.parts.segments import SEGMENT_COLUMNS
from idealrank.cli.schemas.rows import columns, rows
from idealrank.evaluation.latency import PREFIX, WHOSE
from idealrank.statistics.quantiles import QUANTILES


def numbers(about: str) -> Schema:
    """Return the schema of numbers by query, result or bin; null where there is none."""
    return many(about, {"type": ["number", "null"]})


def _starts() -> Schema:
    return many("Where the results of each query begin; one more at the end.", {"type": "integer", "minimum": 0})


def _documents(about: str) -> Schema:
    return many(about, {"type": ["integer", "null"], "minimum": 0})


QUERIES = record(
    "The judged queries that are shown one by one, in the order of all lists by query.",
    {
        "all": count("How many judged queries there are."),
        "note": text("Which of them are shown; empty if all are."),
        "id": texts("Their ids."),
        "text": maybe(many("Their texts; null if no query has one.", {"type": ["string", "null"]})),
        "weight": maybe(numbers("Their weights; null if they have none.")),
        "attributes": by("Columns of the queries table.", many("By query.", anything("The value."))),
    },
)
VALUES = by("Values by measure.", by("Values by system.", numbers("By query; null if it is left out.")))
STATES = rows(
    "Queries with special handling.",
    {**columns("system", "query"), "state": text("What became of the query.")},
    others=text("Its state under the measure that the key names."),
)
_MADE = {
    "attribute": text("The attribute."),
    "segment": text("Its value."),
    **columns("measure", "system", "queries", "mean", "low", "high"),
}
SEGMENTS = record(
    "Segments of the queries.",
    {
        "made": by("How each attribute is made.", text("In words.")),
        "titles": by("What each attribute is called.", text("In words.")),
        "labels": by("The segment of each query, by attribute.", texts("By query.")),
        "means": rows("Means by segment.", _MADE),
        "differences": rows("Differences by segment; empty without a comparison.", SEGMENT_COLUMNS),
    },
)
_SHARED = {
    "jaccard": "Documents in both lists as a share of those in either",
    "rbo": "Rank-biased overlap",
    "churn": "Share of the second list that is new",
}
OVERLAP = rows(
    "What the lists of each pair share.",
    {
        **columns("baseline", "system"),
        **{name: numbers(f"{about}, by query.") for name, about in _SHARED.items()},
        "summary": record(
            "Means over the queries.", {name: maybe(share(f"{about}, mean.")) for name, about in _SHARED.items()}
        ),
    },
)
_CURVE = {
    "k": many("The cutoffs.", {"type": "integer", "minimum": 1}),
    "systems": by("Means by system.", numbers("By cutoff.")),
}
CURVES = by("Means at every cutoff, by measure.", record("A curve.", _CURVE))
THRESHOLDS = record(
    "Means at every threshold of overlap between chunks and judged spans.",
    {
        "measure": text("The measure."),
        "rule": text("What the share is of."),
        "meaning": text("The same in words."),
        "share": many("The thresholds; 0 is any overlap.", share("A threshold.")),
        "systems": by("Means by system.", numbers("By threshold.")),
    },
)
LATENCY = record(
    "How long searches took.",
    {
        "clock": word("Whose time is shown first.", WHOSE),
        "meaning": word("The same in words.", WHOSE.values()),
        "p95": word("The key of its 95th percentile.", [f"{before}{list(QUANTILES)[1]}" for before in PREFIX.values()]),
        "systems": part("latency"),
        "differences": part("latency_changes"),
    },
)
_DESCRIBE = {
    **columns("measure"),
    "count": count("Queries with a value."),
    **{name: maybe(number(f"{name} of the values.")) for name in ("sd", "min", "25%", "50%", "75%", "max")},
}
DISTRIBUTIONS = by(
    "How values are distributed, by measure.",
    record(
        "A distribution.",
        {
            "edges": many("Where bins begin and end.", {"type": "number"}),
            "counts": by("Queries in each bin, by system.", many("By bin.", {"type": "integer", "minimum": 0})),
            "describe": rows("Statistics.", _DESCRIBE, columns("system")),
        },
    ),
)
_LIST = {
    "start": _starts(),
    "rank": numbers("Rank of each result."),
    "document": _documents("Each document, as its place among `documents`."),
    "grade": numbers("Its grade; null if it is unjudged."),
    "returned": numbers("How many results each query has in all."),
}
_BEST = {name: _LIST[name] for name in ("start", "document", "grade")}
LISTS = record(
    "The first results of every query.",
    {
        "depth": count("The last rank shown.", 1),
        "systems": by("By system.", record("A system's lists.", _LIST, {"step": numbers("The step of the search.")})),
        "best": record("The documents judged best.", _BEST),
    },
)
_SUMS = {
    "columns": by("The measure's own numbers.", numbers("By result shown.")),
    "contribution": numbers("What each result shown adds; null if it does not count."),
    "total": maybe(numbers("The sum, by query; null if the value is no sum.")),
    "normaliser": maybe(numbers("What it is divided by, by query; null if the value is no sum.")),
    "rest": maybe(numbers("What results add that are not shown, by query; null if the value is no sum.")),
}
_IDEAL = {
    **{name: schema for name, schema in _BEST.items() if name != "document"},
    "document": _documents("Each document, as its place among `documents`; null if it has none."),
    "gain": numbers("Its gain."),
    "discount": numbers("The discount of its rank."),
    "contribution": numbers("What it adds."),
    "rest": numbers("What is added that is not shown, by query."),
}
EXPLANATIONS = by(
    "The arithmetic, by measure.",
    record(
        "The arithmetic of a measure.",
        {
            "unsplit": text("Why the value is no sum of contributions; empty if it is one."),
            "systems": by("By system.", record("The arithmetic of a system.", _SUMS)),
            "ideal": maybe(by("The ideal list, by system, or for all under ''.", record("An ideal list.", _IDEAL))),
        },
    ),
)
