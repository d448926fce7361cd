"""Verdicts of a comparison, with what they rest on."""

from __future__ import annotations

from typing import get_args

from idealrank.cli.schemas.forms import (
    by,
    count,
    either,
    flag,
    many,
    maybe,
    number,
    record,
    record_of,
    share,
    text,
    texts,
    word,
)
from idealrank.comparison.contrasts import Methods
from idealrank.comparison.unjudged.evidence import HoleEvidence, HoleRange
from idealrank.comparison.verdict.failed_searches import FailedSearches
from idealrank.comparison.verdict.rule import HOLES, KINDS, Outcome, Rule
from idealrank.comparison.verdict.verdict import Verdict
from idealrank.statistics.corrections import CORRECTIONS
from idealrank.statistics.intervals import INTERVALS, Interval
from idealrank.statistics.paired_tests import TESTS

OUTCOME = word("What to do with the system.", get_args(Outcome))
_TOLD = {**OUTCOME, "enum": [*OUTCOME["enum"], ""]}

VERDICT_FIELDS = {
    "system": text("The system that is new."),
    "baseline": text("The system it would replace."),
    "outcome": OUTCOME,
    "headline": text("The outcome as advice, in one line."),
    "summary": texts("Sentences for everybody: what changed, and how sure that is."),
    "reason": text("Which interval decided, and what it contains."),
    "assumption": text("What SHIP rests on if queries are few or differences skewed; else empty."),
    "unjudged": text("How much of what came back was never judged, if it is more than a fifth; else empty."),
    "holes": text("What the unjudged documents could change; empty if there are none."),
    "steps": texts("What to do next, most important first."),
    "settle": text("What would settle it; empty if it is settled."),
    "rule": text("The rule, in words."),
    "failed": text("Which searches failed, and what they could change; empty if none did."),
    "tuning": text("What the system was the best of on other queries; empty if it was not chosen so."),
    "latency": text("How much longer searches take; empty if it is not known."),
    "warnings": texts("What is odd about the results of either system; read it before the verdict."),
}
_WITH_SENTENCE = {"sentence": text("The outcome with all its reasons, in words.")}

_VERDICT = record_of(Verdict, "A verdict.", VERDICT_FIELDS)
VERDICT = record("What to do with a system, and why.", {**_VERDICT["properties"], **_WITH_SENTENCE})

_METHODS = record_of(
    Methods,
    "How differences are tested.",
    {
        "test": word("The test.", TESTS),
        "interval": word("The interval.", INTERVALS),
        "correction": word("The correction for several comparisons.", CORRECTIONS),
        "level": share("Confidence of the intervals."),
        "draws": count("Permutations or samples, where something is drawn.", 100),
        "seed": count("Random seed."),
        "looks": count("How often one looks in all.", 1),
    },
)
_CORRECTED = {
    "p_corrected_by": text("By what corrected p is corrected."),
    "interval_corrected_by": text("By what corrected intervals are corrected, which may differ from p."),
}
METHODS = record("How differences are tested.", {**_METHODS["properties"], **_CORRECTED})

_TOLERANCE = either(
    "How much a guardrail may lose, in units of the measure.",
    number("Of every guardrail.", 0),
    by("By measure; 0 for the others.", number("Of this one.", 0)),
)
_RULE = record_of(
    Rule,
    "The rule.",
    {
        "margin": number("The smallest gain worth shipping, in units of the first measure.", 0),
        "kind": word("better: the gain must be above the margin; not_worse: the loss must be below it.", KINDS),
        "tolerance": _TOLERANCE,
        "level": share("Confidence of the intervals."),
        "holes": word("How unjudged results enter the verdict: by estimated grades, or at worst.", HOLES),
        "equivalence": number("Two systems are about the same if their difference is surely no larger.", 0),
    },
)
_RULE_KEYS = {{"kind": "rule"}.get(name, name): schema for name, schema in _RULE["properties"].items()}
RULE = record("The rule that makes a verdict of intervals.", _RULE_KEYS)

INTERVAL = record_of(
    Interval,
    "An interval of a gain.",
    {
        "low": maybe(number("Lower end; null if too few queries bound it.")),
        "high": maybe(number("Upper end; null if too few queries bound it.")),
        "level": maybe(share("Its confidence; null if there is no interval.")),
        "method": text("How it was computed."),
    },
)
_RANGE = record_of(
    HoleRange,
    "What unjudged documents allow the difference to be, under one measure.",
    {
        "count": count("Unjudged documents of both systems."),
        "low": maybe(number("Lowest mean difference; null if no bounds are known.")),
        "high": maybe(number("Highest mean difference; null if no bounds are known.")),
        "exact": flag("Whether both are reached."),
        "why": text("What the bounds are, or why there are none."),
    },
)
HOLE_EVIDENCE = record_of(
    HoleEvidence,
    "What the unjudged documents of two systems may change.",
    {
        "ranges": many("Under each measure, the deciding one first.", _RANGE),
        "measure": text("The deciding measure."),
        "estimated": many("Corrected intervals of the gains with estimated grades, deciding measure first.", INTERVAL),
        "stands": flag("Whether the rule says the same for all grades of the unjudged documents."),
        "turning": maybe(count("So many of them, if relevant, turn the verdict; null if none do.")),
        "turned": {**_TOLD, "description": "The outcome it turns into; empty if it does not turn."},
        "worst_queries": texts("Queries whose unjudged documents move the difference most."),
        "bearable": maybe(number("So many times as often relevant as judged ones those of one system may be.")),
        "returned_by": text("The system that alone returned those documents."),
    },
)
_FAILED = record_of(
    FailedSearches,
    "Failed searches.",
    {
        "queries": by("The judged queries whose search failed, by system.", texts("Ids of queries.")),
        "measure": text("The deciding measure."),
        "low": maybe(number("Mean gain if all of them came out worst; null if values have no bound.")),
        "high": maybe(number("Mean gain if all of them came out best; null if values have no bound.")),
        "worst": {**_TOLD, "description": "The outcome if all of them came out worst."},
        "best": {**_TOLD, "description": "The outcome if all of them came out best."},
        "stands": {**_TOLD, "description": "The outcome in any case; empty if it may differ."},
    },
)
FAILED = record(
    "What failed searches could change.",
    {name: schema for name, schema in _FAILED["properties"].items() if name != "measure"},
)
