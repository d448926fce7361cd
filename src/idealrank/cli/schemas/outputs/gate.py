"""What `gate` prints."""

from __future__ import annotations

from idealrank.cli.schemas.forms import flag, many, maybe, number, part, record, record_of, text, texts, word
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.outputs.compare import query_rows
from idealrank.comparison.gate.finding import Finding
from idealrank.comparison.gate.outcome import CODES

_CONDITION = record_of(
    Finding,
    "What came of one condition.",
    {
        "kind": word("What the condition is about.", ("drop", "level", "unjudged", "latency")),
        "condition": text("The condition as text."),
        "measure": text("The measure it is about; empty for unjudged results and latency."),
        "outcome": word("What came of it.", CODES),
        "value": maybe(number("The difference, mean or share; of a latency milliseconds, or the share it grew by.")),
        "limit": maybe(number("What the value is held against, in the same unit.")),
        "sentence": text("What was found, in words."),
        "low": maybe(number("Lower end of the interval; null if there is none.")),
        "high": maybe(number("Upper end of the interval; null if there is none.")),
        "failed": texts("Queries whose search failed, or whose time is unknown, if the outcome hangs on them."),
    },
)
_MOVES = {"moves": text("Which documents moved in the list, as text.")}

OUTPUTS = (
    Output(
        "gate",
        "Outcome of every condition, with scores and comparison",
        record(
            "What came of a gate.",
            {
                "outcome": word("What came of it.", CODES),
                "code": {"enum": list(CODES.values()), "description": "The exit code."},
                "strict": flag("Whether a condition that cannot be told is an outcome of its own."),
                "conditions": many("What came of each condition.", _CONDITION),
                "worst": maybe(query_rows("Queries that lose most, most first; null without a baseline.", _MOVES)),
                "scores": part("evaluation"),
                "comparison": maybe(part("comparison")),
            },
        ),
    ),
)
