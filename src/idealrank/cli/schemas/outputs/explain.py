"""What `explain` prints."""

from __future__ import annotations

from idealrank.cli.schemas.forms import count, maybe, number, record, text, texts
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.rows import rows

_OWN = {
    "type": ["number", "string", "null"],
    "description": "A number of the measure's own arithmetic, such as gain or discount; null if it has none here.",
}
_RANKED = {
    "rank": count("Rank, from 1."),
    "doc": maybe(text("Id of the document; null if the rank was left out or nothing is known of it.")),
    "grade": maybe(number("Its grade; null if it is unjudged.")),
    "contribution": maybe(number("What it adds to the sum; null if the measure is no such sum.")),
    "running": maybe(number("The sum up to here; null if the measure is no such sum.")),
}
_PARTS = {
    "rank": count("Rank as it was returned, from 1.", 1),
    "part": maybe(text("Id of the part, such as a chunk; null or empty if it is the unit itself.")),
    "unit": text("Id of the unit it belongs to."),
    "grade": maybe(number("Grade of the unit; null if it is unjudged.")),
    "credit": text("Whether it stands for its unit, repeats it, or is unjudged."),
}
_EXPLANATION = record(
    "One value, and the arithmetic that gives it.",
    {
        "query": text("Id of the query."),
        "text": text("Its text; empty if there is none."),
        "system": text("Name of the system."),
        "measure": text("Name of the measure."),
        "decisions": text("The measure with its answer to every decision it reads."),
        "score": maybe(number("The value: total divided by normaliser; null if the query is left out.")),
        "total": maybe(number("The sum of the contributions; null if the value is no such sum.")),
        "normaliser": maybe(number("What the total is divided by; null if the value is no such quotient.")),
        "unsplit": text("Why the value is no sum of contributions; empty if it is one."),
        "steps": rows("A row per result.", _RANKED, others=_OWN),
        "ideal": rows("The ideal list; empty if the measure has none.", _RANKED, others=_OWN),
        "notes": texts("What the decisions did here, in words."),
    },
    {"parts": rows("A row per result as it was returned, if results are parts of larger units.", _PARTS)},
)

OUTPUTS = (Output("explain", "The arithmetic behind one value", _EXPLANATION),)
