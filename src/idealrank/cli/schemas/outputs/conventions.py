"""What `conventions` prints."""

from __future__ import annotations

from idealrank.cli.schemas.forms import by, many, maybe, number, record, text, texts
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.rows import columns, rows
from idealrank.decisions import questions

_NAMED = {
    "name": text("Name of the convention, with the answers that differ from it."),
    "tool": text("The tool."),
    "version": text("The version that was compared."),
    "about": text("What a reader needs to know."),
}
_ANSWERS = {name: text(question.asks) for name, question in questions().items()}
_ONE = {
    **_NAMED,
    "decisions": record("The answer to every decision.", _ANSWERS),
    "departures": record("The answers that differ from idealrank-1.", {}, _ANSWERS),
    "sources": by("Where each answer was read or observed, by decision.", text("The source.")),
    "by_measure": by(
        "Answers that differ for some measures only, by measure.",
        {"type": "object", "description": "Answers by decision.", "propertyNames": {"enum": list(questions())}},
    ),
    "measures": maybe(texts("The measures it was compared on; null for all.")),
    "names": by("The tool's own names of measures, each with ours.", text("The measure.")),
    "faults": texts("What the tool does and idealrank does not."),
    "faults=on": texts("Known faults that idealrank reproduces with faults=on."),
}
_TABLE = {
    "convention": text("The convention."),
    "value": maybe(number("The mean under it; null if it has none.")),
    "above lowest": maybe(number("The mean minus the lowest of all; null if it has none.", 0)),
    "decisions": text("The answers that differ from idealrank-1 and that the measure reads."),
    "note": text("Why there is no mean; empty if there is one."),
    **columns("fingerprint"),
}

OUTPUTS = (
    Output("conventions", "All conventions", many("The conventions.", record("A convention.", _NAMED))),
    Output("conventions NAME", "One convention: its answer to every decision", record("A convention.", _ONE)),
    Output("conventions JUDGMENTS RESULTS", "A measure under every convention", rows("A row per convention.", _TABLE)),
)
