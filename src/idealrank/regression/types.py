"""What gates, baselines and histories say as JSON: their objects, and the columns of their tables."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from idealrank.comparison.comparison import SharedComparison
from idealrank.comparison.conditions import CODES, ConditionResult
from idealrank.comparison.types import QUERY_ROW
from idealrank.data.formats.head import BASELINE_FORM
from idealrank.display.columns import (
    ConventionText,
    Fingerprint,
    Fingerprints,
    High,
    Low,
    Mean,
    MeasureName,
    QueryCount,
    QueryId,
    QueryText,
    SystemName,
    Value,
)
from idealrank.display.schema import Keywords, OneOf, Rows, RowType, Within
from idealrank.evaluation.types import SharedEvaluation
from idealrank.regression.baseline import VERSION
from idealrank.regression.reference import ListChange


class GateOutcome(TypedDict):
    """What came of a gate, against whatever it compares with."""

    outcome: Annotated[str, OneOf(CODES), "What came of it."]
    code: Annotated[int, OneOf(CODES.values()), "The exit code."]
    warnings: Annotated[list[str], "What is odd about the data; read it before the outcome."]
    strict: Annotated[bool, "Whether a condition that cannot be told is an outcome of its own."]
    conditions: Annotated[list[ConditionResult], "What came of each condition."]
    scores: SharedEvaluation


WORST_ROW = QUERY_ROW.also({"moves": Annotated[str, "Which documents moved in the list, as text."]})


class GateJson(GateOutcome):
    """What came of a gate."""

    worst: Annotated[Rows, WORST_ROW, "Queries that lose most, most first; null without a baseline."] | None
    comparison: SharedComparison | None
    changes: NotRequired[Annotated[list[str], "What else changed since the baseline was saved: a sentence each."]]


class BaselineSource(TypedDict):
    """The baseline."""

    file: Annotated[str, "The file of the baseline."]
    system: Annotated[str, "The system whose values it contains."]
    date: Annotated[str, "The day of its results; empty if it is not known."]
    idealrank: Annotated[str, "Version of idealrank that computed its values."]


REGRESSED_ROW = RowType(
    {
        "query": QueryId,
        "measure": MeasureName,
        "baseline value": Annotated[float, "Value in the baseline."],
        "value": Annotated[float, "Value now."],
        "difference": Annotated[float, Within(None, 0), "Value now minus value in the baseline."],
        "list": Annotated[ListChange, "What became of its list."],
        "text": NotRequired[QueryText],
    }
)


class BaselineGateJson(GateOutcome):
    """What came of a gate against a baseline's file."""

    baseline: BaselineSource
    headroom: Annotated[str | None, "Which measures could lose much before the gate fails; null if there are none."]
    changes: Annotated[list[str], "What else changed since the baseline: a sentence each."]
    regressed: Annotated[Rows, REGRESSED_ROW, "Every query below the baseline, by measure, largest loss first."]


HASH, HASH_OR_EMPTY, CHECKSUM = (
    Keywords(pattern=pattern) for pattern in ("^[0-9a-f]{16}$", "^([0-9a-f]{16})?$", "^[0-9a-f]{8}$")
)
"""What hashes look like in the file of a baseline."""


class BaselineQueryJson(TypedDict):
    """What is known of a query."""

    values: Annotated[dict[str, Value], "Its value under each measure."]
    results: Annotated[int, "How many results came back."]
    list: Annotated[str, HASH_OR_EMPTY, "Hash of the documents in their order; empty for an empty list."]
    grades: Annotated[dict[str, Annotated[int, "How many."]], "How many documents were judged with each grade."]
    judgments: Annotated[str, HASH, "Hash of the judged documents with their grades."]
    weight: NotRequired[Annotated[float, Within(0), "Its weight, if queries have weights."]]
    failed: NotRequired[Annotated[Literal[True], "There if its search failed."]]
    check: Annotated[str, CHECKSUM, "Checksum of the line, which shows that nobody edited it."]


class CorpusJson(TypedDict):
    """What is known of the collection that was searched."""

    seen: Annotated[int, "How many different documents the results for judged queries contain."]
    sketch: Annotated[str, "The lowest hashes of their ids, separated by spaces."]
    index: NotRequired[Annotated[str, "Name of the index, if a replay recorded it."]]
    documents: NotRequired[Annotated[int, "How many documents the index contains, if a replay recorded it."]]


class BaselineJson(TypedDict):
    """The accepted values of one system, query by query."""

    form: Annotated[Any, Keywords(const=f"{BASELINE_FORM} {VERSION}"), "The form of the file, and its version."]
    idealrank: Annotated[str, "Version of idealrank that computed the values."]
    system: Annotated[str, "Name of the system."]
    convention: ConventionText
    measures: Fingerprints
    means: Annotated[dict[str, Value], "The mean of each measure."]
    max_grade: Annotated[float, "The highest grade on the scale."]
    unjudged_queries: Annotated[int, "How many queries have results but no judgments."]
    corpus: CorpusJson
    check: Annotated[str, HASH, "Checksum of what is above the queries, and of which queries there are."]
    queries: Annotated[dict[str, BaselineQueryJson], "The judged queries, by id."]
    date: NotRequired[Annotated[str, "The day of the results, if the name of their file or a replay says it."]]


HISTORY_ROW = RowType(
    {
        "measure": MeasureName,
        "date": Annotated[
            str, "The date, as 2026-11-23, with a time or without, 2026-11, or 2026-W41; empty if it is not known."
        ],
        "name": Annotated[str, "The file or folder it is from."],
        "queries": QueryCount,
        "mean": Mean,
        "low": Low,
        "high": High,
        "change": Annotated[
            float | None, "The mean minus that of the date before; null on the first date, or if it is not known."
        ],
        "by lists": Annotated[
            float | None, "The part of the change that lists made; null on the first date, or if it is not known."
        ],
        "by labels": Annotated[
            float | None, "The part of the change that judgments made; null on the first date, or if it is not known."
        ],
        "by both": Annotated[
            float | None,
            "The part of the change in queries whose list and judgments both changed; null on the first date, or if "
            "it is not known.",
        ],
        "by queries": Annotated[
            float | None,
            "The part of the change that queries made that came or went; null on the first date, or if it is not "
            "known.",
        ],
        "lists_changed": Annotated[int, "Queries whose list changed."],
        "labels_changed": Annotated[int, "Queries whose judgments changed."],
        "added": Annotated[int, "Queries that came."],
        "removed": Annotated[int, "Queries that went."],
        "why": Annotated[str, "What changed, with its part in the change; empty on the first date."],
        "fingerprint": Fingerprint,
        "system": NotRequired[SystemName],
    }
)
