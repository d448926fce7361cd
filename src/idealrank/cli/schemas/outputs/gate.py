"""What `gate` prints: against results, against a baseline's file, or when it writes that file."""

from __future__ import annotations

from typing import get_args

from idealrank.cli.schemas.forms import (
    Schema,
    by,
    flag,
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
from idealrank.cli.schemas.outputs.compare import query_rows
from idealrank.cli.schemas.rows import VALUE, columns, rows
from idealrank.regression.conditions import ConditionResult, Kind
from idealrank.regression.outcome import CODES, ListChange

_CONDITION = record_of(
    ConditionResult,
    "What came of one condition.",
    {
        "kind": word("What the condition is about.", get_args(Kind)),
        "condition": text("The condition as text."),
        "measure": text("The measure it is about; empty for unjudged results, latency and missing queries."),
        "outcome": word("What came of it.", CODES),
        "value": maybe(
            number("The difference, mean, share or number; of a latency milliseconds, or the share it grew by.")
        ),
        "limit": maybe(number("What the value is held against, in the same unit.")),
        "sentence": text("What was found, in words."),
        "low": maybe(number("Lower end of the interval; null if there is none.")),
        "high": maybe(number("Upper end of the interval; null if there is none.")),
        "failed": texts("Queries whose search failed, or whose time is unknown, if the outcome hangs on them."),
    },
)
_OUTCOME: dict[str, Schema] = {
    "outcome": word("What came of it.", CODES),
    "code": {"enum": list(CODES.values()), "description": "The exit code."},
    "warnings": texts("What is odd about the data; read it before the outcome."),
    "strict": flag("Whether a condition that cannot be told is an outcome of its own."),
}
_FOUND = {"conditions": many("What came of each condition.", _CONDITION), "scores": part("evaluation")}
_MOVES = {"moves": text("Which documents moved in the list, as text.")}
_GATE = {
    "worst": maybe(query_rows("Queries that lose most, most first; null without a baseline.", _MOVES)),
    "comparison": maybe(part("comparison")),
}

_KEPT = {
    "file": text("The file of the baseline."),
    "system": text("The system whose values it contains."),
    "date": text("The day of its results; empty if it is not known."),
    "idealrank": text("Version of idealrank that computed its values."),
}
_REGRESSED = {
    **columns("query", "measure"),
    "baseline value": number("Value in the baseline."),
    "value": number("Value now."),
    "difference": number("Value now minus value in the baseline.", highest=0),
    "list": word("What became of its list.", get_args(ListChange)),
}
_AGAINST_FILE = {
    "baseline": record("The baseline.", _KEPT),
    "headroom": maybe(text("Which measures could lose much before the gate fails; null if there are none.")),
    "changes": texts("What else changed since the baseline: a sentence each."),
    "regressed": rows("Every query below the baseline, by measure, largest loss first.", _REGRESSED, columns("text")),
}

_BLESSING = record(
    "What was accepted, and what it changes.",
    {
        "blessed": text("The file that was written."),
        "means": by("The mean of each measure in it.", VALUE),
        "before": maybe(by("The means in the baseline that it replaced; null if there was none.", VALUE)),
        "changed": texts("What differs between the two, or why the first could not be read; empty if there was none."),
    },
)

OUTPUTS = (
    Output(
        "gate",
        "Outcome of every condition, with scores and comparison",
        record("What came of a gate.", {**_OUTCOME, **_FOUND, **_GATE}),
    ),
    Output(
        "gate --baseline",
        "Outcome of every condition against a baseline, with every query that lost",
        record("What came of a gate against a baseline's file.", {**_OUTCOME, **_FOUND, **_AGAINST_FILE}),
    ),
    Output("gate --baseline --bless", "What a baseline's file contains now, and what that changes", _BLESSING),
)
