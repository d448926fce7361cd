"""What `report --json` writes: every part of a report."""

from __future__ import annotations

from idealrank.cli.schemas.forms import (
    anything,
    by,
    count,
    flag,
    many,
    maybe,
    number,
    pair,
    record,
    record_of,
    share,
    text,
    texts,
    word,
)
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.outputs.compare import TO_JUDGE_COLUMNS
from idealrank.cli.schemas.outputs.evaluate import BY_DOCUMENT
from idealrank.cli.schemas.parts.comparison import ALONE, DIFFERENCE_COLUMNS, GRID, MEAN_COLUMNS, TUNING
from idealrank.cli.schemas.parts.ledger import FIELDS as LEDGER_FIELDS
from idealrank.cli.schemas.parts.report import (
    CURVES,
    DISTRIBUTIONS,
    EXPLANATIONS,
    LATENCY,
    LISTS,
    OVERLAP,
    QUERIES,
    SEGMENTS,
    STATES,
    THRESHOLDS,
    VALUES,
)
from idealrank.cli.schemas.parts.verdicts import OUTCOME, VERDICT
from idealrank.cli.schemas.rows import columns, rows
from idealrank.data.recognition.recognize import TABLES
from idealrank.measures.definition import DIRECTION
from idealrank.reports.types import (
    Check,
    Compared,
    ConventionSection,
    DocumentsPart,
    GridPart,
    HolesPart,
    InputEntry,
    MeasureEntry,
    ReportSections,
    Summary,
)

_MEASURE = record_of(
    MeasureEntry,
    "A measure.",
    {
        "label": text("Name of the measure."),
        "fingerprint": text("The measure with its answer to every decision it reads."),
        "direction": word("Whether more is better.", DIRECTION),
        "cutoff": maybe(count("Its cutoff; null for none.", 1)),
        "over": text("What is taken of its values, such as their mean."),
        "lowest": maybe(number("The lowest value; null for no bound.")),
        "highest": maybe(number("The highest value; null for no bound.")),
        "meaning": text("What it is, in one line."),
    },
)
_CHECK = record_of(
    Check,
    "Something to check before believing a number.",
    {"text": text("In a few words."), "warns": flag("Whether it is a warning.")},
)
_NAMES = {"type": "string"}
_SUMMARY = record_of(
    Summary,
    "The front of the report.",
    {
        "outcome": {**OUTCOME, "enum": [*OUTCOME["enum"], ""], "description": "The outcome; empty for none."},
        "headline": text("The answer, in one line."),
        "warnings": texts("What to read before the verdict: what is odd about the data."),
        "sentences": texts("What changed, and how sure that is."),
        "notes": texts("What the sentences rest on, and what speaks against them."),
        "steps": texts("What to do next, most important first."),
        "pair": texts("The baseline and the system it is about; a single system if there is no comparison."),
        "order": texts("The systems, best first."),
        "ranks": by(
            "The ranks that each of several systems without a baseline can have; empty otherwise.",
            pair("The best rank and the worst.", {"type": "integer", "minimum": 1}),
        ),
        "checks": many("What to check.", _CHECK),
    },
)
_INPUT = record_of(
    InputEntry,
    "A table that was read.",
    {
        "role": word("What it is.", TABLES),
        "name": text("Its name."),
        "rows": maybe(count("How many rows it has; null if not known.")),
        "read_as": text("What it was read as."),
        "sha256": maybe(text("SHA-256 of its content; null if not known.")),
    },
    {"asked": text("What was asked of which engine, for results of a replay.")},
)
_DECISIONS = record_of(
    ConventionSection,
    "The convention and the answers.",
    {
        "setting": text("The convention, with the answers that differ from it."),
        "changed": texts("The answers that differ from idealrank-1."),
        "stages": by("The other answers, by stage.", texts("Answers.")),
    },
)
_LEDGER = record(
    "The account of every query.",
    {
        **LEDGER_FIELDS,
        "lines": texts("The account in sentences."),
        "warnings": texts("The sentences that are warnings."),
    },
)
_MEAN = {name: MEAN_COLUMNS[name] for name in MEAN_COLUMNS if name != "bounds"}
_COMPARED = record_of(
    Compared,
    "What the comparison says.",
    {
        "verdicts": many("The verdicts.", VERDICT),
        "differences": rows("A row per pair and measure.", DIFFERENCE_COLUMNS),
        "ahead": many("The pairs of which one is better, the better one first.", pair("Two systems.", _NAMES)),
        "rule": text("The rule, in words."),
        "methods": text("How differences are tested, in words."),
        "level": share("Confidence of the intervals."),
        "equivalence": number("Two systems are about the same if their difference is surely no larger.", 0),
        "bar": number("What the gain must be above: the margin, or below 0 the loss that is allowed."),
        "one_sided": ALONE,
        "weight_0": texts("Queries of weight 0, which count nowhere."),
    },
)
_GRID = record_of(
    GridPart,
    "Systems named by their settings.",
    {
        "settings": by("The values of each setting, in order.", many("Values.", anything("A value."))),
        "measure": text("The deciding measure."),
        "points": GRID,
    },
)
_HOLES = record_of(
    HolesPart,
    "Unjudged results in the top.",
    {
        "depth": count("The last rank shown.", 1),
        "shown": by("How many results all queries have there, by system, where that was counted.", count("How many.")),
        "unjudged": by("How many of them are unjudged, by system, where that was counted.", count("How many.")),
        "counts": by(
            "How many are unjudged, by system.",
            many("By query; null if it was not asked for.", {"type": ["integer", "null"], "minimum": 0}),
        ),
        "to_judge": rows("What to judge first.", TO_JUDGE_COLUMNS, columns("text")),
    },
)
_TEXTS = {"type": ["string", "null"]}
_DOCUMENTS = record_of(
    DocumentsPart,
    "The documents of all lists, in the order of their numbers.",
    {
        "id": texts("Their ids."),
        "title": maybe(many("Their titles; null if none are known.", _TEXTS)),
        "url": maybe(many("Their addresses; null if none are known.", _TEXTS)),
        "picture": maybe(many("Their pictures; null if none are known.", _TEXTS)),
    },
)
_REPORT = record_of(
    ReportSections,
    "Every part of a report.",
    {
        "format": {"const": 1, "description": "The version of this form of the data."},
        "program": text("What made the report."),
        "title": text("The title."),
        "summary": _SUMMARY,
        "systems": texts("The systems."),
        "baseline": maybe(text("The system the others are compared with; null if there is none.")),
        "pairs": many("The pairs compared, baseline first.", pair("Two systems.", _NAMES)),
        "measures": many("The measures.", _MEASURE),
        "inputs": many("What was read.", _INPUT),
        "decisions": _DECISIONS,
        "ledger": _LEDGER,
        "means": rows("Means; with a comparison also bounds.", _MEAN, columns("bounds")),
        "compared": maybe(_COMPARED),
        "grid": maybe(_GRID),
        "tuning": maybe(record("How the system was chosen.", {"text": text("In one line."), **TUNING})),
        "queries": QUERIES,
        "values": VALUES,
        "states": STATES,
        "segments": SEGMENTS,
        "document_segments": maybe(BY_DOCUMENT),
        "holes": _HOLES,
        "overlap": OVERLAP,
        "curves": CURVES,
        "thresholds": maybe(THRESHOLDS),
        "latency": maybe(LATENCY),
        "distributions": DISTRIBUTIONS,
        "lists": LISTS,
        "explanations": EXPLANATIONS,
        "documents": _DOCUMENTS,
    },
)

OUTPUTS = (Output("report", "Every part of a report", _REPORT),)
