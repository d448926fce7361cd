"""Segments of queries in a comparison."""

from __future__ import annotations

from idealrank.cli.schemas.forms import by, count, maybe, number, record, record_of, share, text, texts
from idealrank.cli.schemas.rows import columns, rows
from idealrank.comparison.segments.segments import ExplainingSegments

_EXPLAINS = record_of(
    ExplainingSegments,
    "The smallest set of segments that contains most of a change.",
    {
        "segments": texts("The segments as attribute=value, largest contribution first; empty if none can be named."),
        "queries": count("How many queries they contain together."),
        "share": share("Their share of the weight of all queries; without weights, of the queries."),
        "share_of_change": number("Their share of the whole difference; above 1 if the other queries change back."),
        "p": maybe(share("Corrected p-value of the least certain of them; null if none is named.")),
        "sentence": text("The same in words, or why nothing is named."),
    },
)

SEGMENT_COLUMNS = {
    **columns("system", "baseline", "measure"),
    "attribute": text("The attribute of queries, such as a column of the queries table."),
    "segment": text("The value of the attribute."),
    "queries": count("Number of paired queries in the segment."),
    "share": maybe(share("Their share of the weight of all paired queries; null if there is no weight.")),
    **columns("baseline mean", "mean", "difference", "low", "high"),
    "p": maybe(share("p-value of the segment's difference; null for fewer than 5 queries.")),
    "corrected p": maybe(share("p-value corrected for false discovery over all segments; null for fewer than 5.")),
    "contribution": maybe(number("What its queries add to the whole difference: share times difference.")),
    **columns("wins", "ties", "losses"),
    "note": text("Why there is no interval; empty if there is one."),
}
"""The columns of the segments, without the fingerprint."""

SEGMENTS = record(
    "What changes in which segment of the queries.",
    {
        "made": by("How each attribute is made, in words.", text("How it is made.")),
        "rows": rows("A row per pair of systems, measure and segment.", {**SEGMENT_COLUMNS, **columns("fingerprint")}),
        "explains": by("What explains the change in the first measure, by system or pair.", _EXPLAINS),
    },
)
