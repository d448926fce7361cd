"""What a comparison says as JSON: its objects, and the columns of its tables."""

from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from idealrank.comparison.pairing import Role
from idealrank.comparison.verdict.reasons import Effect, ReasonKind, StepKind
from idealrank.comparison.verdict.rule import HolesKind, Outcome, RuleKind
from idealrank.data.latency_columns import WHOSE
from idealrank.display.columns import (
    STATED,
    ConventionText,
    Fingerprint,
    Fingerprints,
    Frequency,
    High,
    Highest,
    Lost,
    Low,
    Lowest,
    Mean,
    MeasureFingerprint,
    MeasureName,
    QueryCount,
    QueryId,
    QueryText,
    SystemName,
    Value,
)
from idealrank.display.schema import OneOf, Rows, RowType, Share, Shared, Within
from idealrank.evaluation.types import SharedLedger
from idealrank.statistics.corrections import CORRECTIONS
from idealrank.statistics.intervals import INTERVALS
from idealrank.statistics.paired_tests import TESTS
from idealrank.statistics.quantiles import QUANTILES

BaselineName = Annotated[str, "The system it is compared with."]
MeasureRole = Annotated[Role, "Whether the measure decides, guards or is only shown."]
BoundsKind = Annotated[
    Literal["exact", "enclosure", "unknown"],
    "Whether lowest and highest are reached (exact), may be too wide (enclosure) or are unknown.",
]
BaselineMean = Annotated[float | None, "Mean of the baseline over the same queries; null if none counts."]
BaselineValue = Annotated[float | None, "Value of the baseline; null if the query is left out."]
SystemValue = Annotated[float | None, "Value of the system; null if the query is left out."]
Difference = Annotated[float | None, "System minus baseline; null if one of them has no value."]
UncorrectedP = Annotated[Share | None, "p-value of the difference for itself; null if it cannot be computed."]
CorrectedP = Annotated[Share | None, "p-value corrected for the number of comparisons; null if it cannot be computed."]
CorrectedLow = Annotated[
    float | None, "Lower end of the interval corrected for the number of comparisons; null if it has no bound."
]
CorrectedHigh = Annotated[
    float | None, "Upper end of the interval corrected for the number of comparisons; null if it has no bound."
]
Wins = Annotated[int, "Queries in which the system is better."]
Ties = Annotated[int, "Queries in which both are equal."]
Losses = Annotated[int, "Queries in which the system is worse."]


class RuleJson(TypedDict):
    """The rule that makes a verdict of intervals."""

    margin: Annotated[float, Within(0), "The smallest gain worth shipping, in units of the first measure."]
    rule: Annotated[RuleKind, "better: the gain must be above the margin; not_worse: the loss must be below it."]
    tolerance: Annotated[
        Annotated[float, Within(0), "Of every guardrail."]
        | Annotated[dict[str, Annotated[float, Within(0), "Of this one."]], "By measure; 0 for the others."],
        "How much a guardrail may lose, in units of the measure.",
    ]
    level: Annotated[Share, "Confidence of the intervals."]
    holes: Annotated[HolesKind, "How unjudged results enter the verdict: by estimated grades, or at worst."]
    equivalence: Annotated[float, Within(0), "Two systems are about the same if their difference is surely no larger."]


class MethodsJson(TypedDict):
    """How differences are tested."""

    test: Annotated[str, OneOf(TESTS), "The test."]
    interval: Annotated[str, OneOf(INTERVALS), "The interval."]
    correction: Annotated[str, OneOf(CORRECTIONS), "The correction for several comparisons."]
    level: Annotated[Share, "Confidence of the intervals."]
    draws: Annotated[int, Within(100), "Permutations or samples, where something is drawn."]
    seed: Annotated[int, "Random seed."]
    looks: Annotated[int, Within(1), "How often one looks in all."]
    p_corrected_by: Annotated[str, "By what corrected p is corrected."]
    interval_corrected_by: Annotated[str, "By what corrected intervals are corrected, which may differ from p."]


class IntervalJson(TypedDict):
    """An interval of a gain."""

    low: Annotated[float | None, "Lower end; null if too few queries bound it."]
    high: Annotated[float | None, "Upper end; null if too few queries bound it."]
    level: Annotated[Share | None, "Its confidence; null if there is no interval."]
    method: Annotated[str, "How it was computed."]


class HoleRangeJson(TypedDict):
    """What unjudged documents allow the difference to be, under one measure."""

    count: Annotated[int, "Unjudged documents of both systems."]
    low: Annotated[float | None, "Lowest mean difference; null if no bounds are known."]
    high: Annotated[float | None, "Highest mean difference; null if no bounds are known."]
    exact: Annotated[bool, "Whether both are reached."]
    why: Annotated[str, "What the bounds are, or why there are none."]


class HoleEvidenceJson(TypedDict):
    """What the unjudged documents of two systems may change."""

    ranges: Annotated[list[HoleRangeJson], "Under each measure, the deciding one first."]
    measure: Annotated[str, "The deciding measure."]
    estimated: Annotated[
        list[IntervalJson], "Corrected intervals of the gains with estimated grades, deciding measure first."
    ]
    stands: Annotated[bool, "Whether the rule says the same for all grades of the unjudged documents."]
    turning: Annotated[int | None, "So many of them, if relevant, turn the verdict; null if none do."]
    turned: Annotated[Outcome | Literal[""], "The outcome it turns into; empty if it does not turn."]
    worst_queries: Annotated[list[str], "Queries whose unjudged documents move the difference most."]
    bearable: Annotated[float | None, "So many times as often relevant as judged ones those of one system may be."]
    returned_by: Annotated[str, "The system that alone returned those documents."]


class FailedSearchesJson(TypedDict):
    """What failed searches could change."""

    queries: Annotated[
        dict[str, Annotated[list[str], "Ids of queries."]], "The judged queries whose search failed, by system."
    ]
    low: Annotated[float | None, "Mean gain if all of them came out worst; null if values have no bound."]
    high: Annotated[float | None, "Mean gain if all of them came out best; null if values have no bound."]
    worst: Annotated[Outcome | Literal[""], "The outcome if all of them came out worst."]
    best: Annotated[Outcome | Literal[""], "The outcome if all of them came out best."]
    stands: Annotated[Outcome | Literal[""], "The outcome in any case; empty if it may differ."]


class StepJson(TypedDict):
    """What would settle a doubt."""

    kind: Annotated[StepKind, "What is to be done."]
    text: Annotated[str, "The step, in words."]


class ReasonJson(TypedDict):
    """Why an outcome is what it is."""

    kind: Annotated[ReasonKind, "What the reason is about."]
    effect: Annotated[
        Effect,
        "What it does: it is the outcome of the rule (decides), makes it CAN'T TELL (takes back), makes it DON'T "
        "(refuses), or is only told (noted).",
    ]
    outcome: Annotated[Outcome | Literal[""], "What it says alone; empty if it is only told."]
    text: Annotated[str, "The reason, in words."]
    facts: Annotated[
        dict[str, Any], "The numbers and names in it, such as measure, low, high, level, queries and count."
    ]
    settle: Annotated[StepJson | None, "What would settle it; null if nothing is open."]


SharedReason = Annotated[ReasonJson, Shared("reason")]


class VerdictEntry(TypedDict):
    """What to do with a system, and why."""

    system: Annotated[str, "The system that is new."]
    baseline: Annotated[str, "The system it would replace."]
    outcome: Annotated[Outcome, "What to do with the system: it follows from the reasons."]
    reasons: Annotated[list[SharedReason], "Why the outcome is what it is."]
    headline: Annotated[str, "The outcome as advice, in one line."]
    summary: Annotated[list[str], "Sentences for everybody: what changed, and how sure that is."]
    reason: Annotated[str, "Which interval decided, and what it contains."]
    assumption: Annotated[
        str,
        "That judgments are assumed to be complete, if they are; what SHIP rests on if queries are few or differences "
        "skewed; with a judge calibrated on people, also what "
        "people or the judge left unjudged; else empty.",
    ]
    unjudged: Annotated[str, "How much of what came back was never judged, if it is more than a fifth; else empty."]
    holes: Annotated[str, "What the unjudged documents could change; empty if there are none."]
    steps: Annotated[list[str], "What to do next, most important first."]
    settle: Annotated[str, "What would settle it; empty if it is settled."]
    rule: Annotated[str, "The rule, in words."]
    failed: Annotated[str, "Which searches failed, and what they could change; empty if none did."]
    tuning: Annotated[str, "What the system was the best of on other queries; empty if it was not chosen so."]
    latency: Annotated[str, "How much longer searches take; empty if it is not known."]
    warnings: Annotated[list[str], "What is odd about the results of either system; read it before the verdict."]
    sentence: Annotated[str, "The outcome with all its reasons, in words."]


SharedRule = Annotated[RuleJson, Shared("rule")]
SharedMethods = Annotated[MethodsJson, Shared("methods")]
SharedHoles = Annotated[HoleEvidenceJson, Shared("holes")]
SharedFailed = Annotated[FailedSearchesJson, Shared("failed")]
SharedVerdict = Annotated[VerdictEntry, Shared("verdict")]


class MeanRow(TypedDict):
    """The mean of a measure and a system; without a comparison nothing is known of its bounds."""

    system: SystemName
    measure: MeasureName
    queries: QueryCount
    mean: Mean
    low: Low
    high: High
    lowest: Lowest
    highest: Highest
    bounds: NotRequired[BoundsKind]


MEAN_ROW = RowType(MeanRow).also({"bounds": BoundsKind})

DifferenceRow = TypedDict(
    "DifferenceRow",
    {
        "system": SystemName,
        "baseline": BaselineName,
        "measure": MeasureName,
        "role": MeasureRole,
        "queries": Annotated[int, "Number of paired queries."],
        "baseline mean": BaselineMean,
        "mean": Mean,
        "difference": Difference,
        "low": Low,
        "high": High,
        "uncorrected p": UncorrectedP,
        "corrected p": CorrectedP,
        "corrected low": CorrectedLow,
        "corrected high": CorrectedHigh,
        "effect": Annotated[
            float | None, "Effect size: mean difference over its standard deviation; null if there is no spread."
        ],
        "detectable": Annotated[
            float | None, Within(0), "The smallest difference found in 4 of 5 cases; null if it cannot be computed."
        ],
        "wins": Wins,
        "ties": Ties,
        "losses": Losses,
        "holes": Annotated[int, "Unjudged documents in the lists compared."],
        "lowest": Lowest,
        "highest": Highest,
        "bounds": BoundsKind,
        "verdict": Annotated[
            Outcome | Literal[""], "What to do with the system, in rows of the deciding measure; else empty."
        ],
        "people alone": NotRequired[
            Annotated[float | None, "Difference by people alone, where queries that did not change count as 0."]
        ],
        "judge alone": NotRequired[Annotated[float | None, "Difference by the cheap judge alone, of all queries."]],
        "calibrated": NotRequired[
            Annotated[float | None, "Difference by the judge calibrated on people, which decides; with --judge."]
        ],
        "calibrated low": NotRequired[Annotated[float | None, "Lower end of its interval."]],
        "calibrated high": NotRequired[Annotated[float | None, "Upper end of its interval."]],
    },
)

DIFFERENCE_ROW = RowType(DifferenceRow)

QUERY_ROW = RowType(
    {
        "query": QueryId,
        "system": SystemName,
        "baseline": BaselineName,
        "measure": MeasureName,
        "baseline value": BaselineValue,
        "value": SystemValue,
        "difference": Difference,
        "overlap": Annotated[
            Share | None, "Share of documents that both lists have down to the cutoff; null if both are empty."
        ],
        "fingerprint": Fingerprint,
        "text": NotRequired[QueryText],
        "weight": NotRequired[Annotated[float | None, Within(0), "Weight of the query."]],
        "segment": NotRequired[Annotated[str, "The segment of the query, if segments are made by one attribute."]],
    },
    beginning={"segment ": Annotated[str, "The segment of the query by the attribute that the key names."]},
)

LOST_ROW = RowType(
    {
        "query": QueryId,
        "system": SystemName,
        "baseline": BaselineName,
        "measure": MeasureName,
        "frequency": Frequency,
        "baseline value": BaselineValue,
        "value": SystemValue,
        "lost": Lost,
        "fingerprint": Fingerprint,
        "text": NotRequired[QueryText],
    }
)

ToJudge = TypedDict(
    "ToJudge",
    {
        "query": QueryId,
        "system": SystemName,
        "baseline": BaselineName,
        "document": Annotated[str, "Id of the unjudged document."],
        "baseline rank": Annotated[
            int | None, Within(1), "Its rank in the list of the baseline; null if it was not returned."
        ],
        "rank": Annotated[int | None, Within(1), "Its rank in the list of the system; null if it was not returned."],
        "move": Annotated[float, "What the mean difference moves by if the document gets the highest grade."],
        "text": NotRequired[QueryText],
    },
)

TO_JUDGE_ROW = RowType(ToJudge)

LATENCY_CHANGE_ROW = RowType(
    {
        "system": SystemName,
        "baseline": BaselineName,
        "clock": Annotated[str, OneOf(WHOSE), "Whose time: the client's wall time, or the engine's own."],
        "quantile": Annotated[str, OneOf(QUANTILES), "The quantile of the times of queries."],
        "queries": Annotated[int, "Queries with a time in both."],
        "asked": Annotated[int, "Queries that both were asked."],
        "baseline ms": Annotated[float | None, "The quantile of the baseline, in milliseconds."],
        "ms": Annotated[float | None, "The quantile of the system, in milliseconds."],
        "difference": Annotated[float | None, "System minus baseline, in milliseconds."],
        "low": Annotated[
            float | None, "Lower end of the interval of the difference, in milliseconds; null if it has no bound."
        ],
        "high": Annotated[
            float | None, "Upper end of the interval of the difference, in milliseconds; null if it has no bound."
        ],
        "percent": Annotated[float | None, "The difference in percent of the baseline; null if that is 0."],
        "percent low": Annotated[float | None, "Lower end of the interval of the percentage; null if it has no bound."],
        "percent high": Annotated[
            float | None, "Upper end of the interval of the percentage; null if it has no bound."
        ],
    }
)

SharedLatencyChanges = Annotated[
    Rows,
    LATENCY_CHANGE_ROW,
    "How much longer searches take, a row per pair of systems, clock and quantile.",
    Shared("latency_changes"),
]

MeanOrSetting = Annotated[
    float | str | None, "Mean of the measure, or value of the setting, that the key names; null if there is none."
]


def _system_row(last: dict[str, Any]) -> RowType:
    """Return the columns of systems with the mean of each measure, and their settings."""
    beside = {
        "difference": Annotated[
            float | None, "Difference from the baseline in the deciding measure; null for the baseline."
        ],
        "corrected low": CorrectedLow,
        "corrected high": CorrectedHigh,
        "corrected p": CorrectedP,
    }
    return RowType(
        {
            "system": SystemName,
            "low": Low,
            "high": High,
            **last,
            **{name: NotRequired[each] for name, each in beside.items()},
        },
        MeanOrSetting,
    )


GRID_ROW = _system_row(
    {
        "standing": Annotated[
            Literal["best", "may be best", ""], "best; may be best, if it cannot be told from the best; else empty."
        ]
    }
)

TUNED_ROW = _system_row({"chosen": Annotated[Literal["best", ""], "best for the system that was chosen, else empty."]})

Grid = Annotated[Rows, GRID_ROW, "The systems that are named by their settings, a row per point."]


class TuningJson(TypedDict):
    """How the system was chosen on other queries."""

    hold_out: Annotated[Share, "Share of the queries that was held out."]
    seed: Annotated[int, "Random seed of the split."]
    baseline: Annotated[str, "The baseline."]
    best: Annotated[str, "The system with the best mean on the tuning queries."]
    tested: Annotated[str, "The system that is tested on the queries held out."]
    gain: Annotated[float | None, "Its gain on the tuning queries."]
    queries: Annotated[list[str], "The queries the choice was made by."]
    held_out: Annotated[list[str], "The queries it is tested on."]
    means: Annotated[Rows, TUNED_ROW, "The means on the tuning queries, a row per system."]


class ExplainingSegmentsJson(TypedDict):
    """The smallest set of segments that contains most of a change."""

    segments: Annotated[
        list[str], "The segments as attribute=value, largest contribution first; empty if none can be named."
    ]
    queries: Annotated[int, "How many queries they contain together."]
    share: Annotated[Share, "Their share of the weight of all queries; without weights, of the queries."]
    share_of_change: Annotated[float, "Their share of the whole difference; above 1 if the other queries change back."]
    p: Annotated[Share | None, "Corrected p-value of the least certain of them; null if none is named."]
    sentence: Annotated[str, "The same in words, or why nothing is named."]


SEGMENT_ROW = RowType(
    {
        "system": SystemName,
        "baseline": BaselineName,
        "measure": MeasureName,
        "attribute": Annotated[str, "The attribute of queries, such as a column of the queries table."],
        "segment": Annotated[str, "The value of the attribute."],
        "queries": Annotated[int, "Number of paired queries in the segment."],
        "share": Annotated[
            Share | None, "Their share of the weight of all paired queries; null if there is no weight."
        ],
        "baseline mean": BaselineMean,
        "mean": Mean,
        "difference": Difference,
        "low": Low,
        "high": High,
        "p": Annotated[Share | None, "p-value of the segment's difference; null for fewer than 5 queries."],
        "corrected p": Annotated[
            Share | None, "p-value corrected for false discovery over all segments; null for fewer than 5."
        ],
        "contribution": Annotated[
            float | None, "What its queries add to the whole difference: share times difference."
        ],
        "wins": Wins,
        "ties": Ties,
        "losses": Losses,
        "note": Annotated[str, "Why there is no interval; empty if there is one."],
    }
)


class SegmentsJson(TypedDict):
    """What changes in which segment of the queries."""

    made: Annotated[dict[str, Annotated[str, "How it is made."]], "How each attribute is made, in words."]
    rows: Annotated[Rows, SEGMENT_ROW.also(STATED), "A row per pair of systems, measure and segment."]
    explains: Annotated[
        dict[str, ExplainingSegmentsJson], "What explains the change in the first measure, by system or pair."
    ]


SharedSegments = Annotated[SegmentsJson, Shared("segments")]

OneSided = Annotated[
    dict[str, Annotated[dict[str, Annotated[list[str], "Ids of queries."]], "Queries, by which system is alone."]],
    "By pair of systems, the judged queries that only one of them returned results for.",
]


class EstimateJson(TypedDict):
    """An estimate of the mean difference."""

    difference: Annotated[float | None, "The estimate: system minus baseline."]
    low: Annotated[float | None, "Lower end of its interval."]
    high: Annotated[float | None, "Upper end of its interval."]


class UnjudgedInSampleJson(TypedDict):
    """Results of sampled queries that people did not judge, and what their grades could make of the interval."""

    results: Annotated[int, "How many there are."]
    queries: Annotated[list[str], "Which queries have them, those with the most first."]
    low: Annotated[float | None, "What the calibrated interval can reach at its lower end; null if that is not known."]
    high: Annotated[float | None, "What it can reach at its upper end; null if that is not known."]


ESTIMATES: Final[dict[Literal["people", "judge_alone", "calibrated"], str]] = {
    "people": "people alone",
    "judge_alone": "judge alone, not calibrated",
    "calibrated": "calibrated",
}
"""What the three estimates of a `CalibrationJson` are called where people read them."""


class CalibrationJson(TypedDict):
    """A difference by people alone, by the judge alone, and by the judge calibrated on people."""

    judge: Annotated[str, "Who judged all queries."]
    measure: Annotated[str, "The measure that decides."]
    target: Annotated[
        Literal["alike", "these"], "Whether the mean is of queries like these (alike), or of these alone."
    ]
    people: EstimateJson
    judge_alone: Annotated[EstimateJson, "Not calibrated: it has no claim to what people would say."]
    calibrated: EstimateJson
    weight: Annotated[Share, "How much of the judge's difference is taken."]
    correlation: Annotated[float | None, "Of the differences under people and judge; null where one has no spread."]
    saved: Annotated[Share, "Share of the people's queries that the judge saves."]
    sampled: Annotated[int, "Queries that people judged, of those that changed."]
    queries: Annotated[int, "All queries."]
    changed: Annotated[int, "Queries in which the top of the lists differs."]
    queries_for_precision: Annotated[int | None, "Queries that people must judge for ± 0.02; null if all are too few."]
    unjudged: UnjudgedInSampleJson
    ungraded: Annotated[int, "Results of changed queries that the judge gave no grade."]


class ComparisonJson(TypedDict):
    """Everything a comparison says."""

    baseline: Annotated[str | None, "The system all others are compared with; null if all pairs are compared."]
    systems: Annotated[list[str], "The systems."]
    convention: ConventionText
    decisions: Fingerprints
    methods: SharedMethods
    rule: SharedRule
    verdicts: Annotated[dict[str, SharedVerdict], "The verdict for each system, or pair as 'system vs baseline'."]
    means: Annotated[Rows, MEAN_ROW.also(STATED), "A row per system and measure."]
    differences: Annotated[Rows, DIFFERENCE_ROW.also(STATED), "A row per pair and measure."]
    holes: Annotated[dict[str, SharedHoles], "What unjudged documents may change, by system or pair."]
    failed: Annotated[
        dict[str, SharedFailed], "What failed searches could change, by system or pair; empty if none failed."
    ]
    one_sided: OneSided
    weight_0: Annotated[list[str], "Queries of weight 0, which count nowhere."]
    ledger: SharedLedger
    segments: NotRequired[SharedSegments]
    tuning: NotRequired[TuningJson]
    grid: NotRequired[Grid]
    latency: NotRequired[SharedLatencyChanges]
    calibration: NotRequired[
        Annotated[dict[str, CalibrationJson], "By people, by a judge, and by both, by system or pair; with --judge."]
    ]


SharedComparison = Annotated[ComparisonJson, Shared("comparison")]


class ChangeJson(TypedDict):
    """What happened to one document."""

    change: Annotated[Literal["entered", "left", "moved up", "moved down", "kept"], "What happened."]
    doc: Annotated[str, "Id of the document."]
    before: Annotated[int | None, Within(1), "Its rank in the list of the baseline; null if it was not returned."]
    after: Annotated[int | None, Within(1), "Its rank in the list of the system; null if it was not returned."]
    grade: Annotated[float | None, "Its grade as the measure reads it; null if it is unjudged."]
    contribution: Annotated[float | None, "What it adds to the difference; null if the measure is no such sum."]


class ChangesJson(TypedDict):
    """What happened to each document of a query."""

    query: Annotated[str, "Id of the query."]
    text: Annotated[str, "Its text; empty if there is none."]
    baseline: Annotated[str, "The system it is compared with."]
    system: Annotated[str, "Name of the system."]
    measure: Annotated[str, "Name of the measure."]
    reason: Annotated[str, "Where the residue comes from; empty if there is none."]
    fingerprint: MeasureFingerprint
    baseline_value: Annotated[float | None, "Value of the baseline; null if the query is left out."]
    value: Annotated[float | None, "Value of the system; null if the query is left out."]
    residue: Annotated[float | None, "Part of the difference that no document has a share in."]
    changes: Annotated[list[ChangeJson], "The documents within the cutoff now by rank, then those that left it."]
    difference: Difference


ROBUSTNESS_ROW = RowType(
    {
        "difference": Difference,
        "low": Low,
        "high": High,
        "corrected p": CorrectedP,
        "outcome": Annotated[Outcome, "The outcome by the rule, before unjudged results are weighed."],
        "own": Annotated[Literal["own", ""], "own for the flavour of the comparison itself, else empty."],
        "system": NotRequired[Annotated[str, "Name of the system or pair, if there are several."]],
    },
    Annotated[str, "The answer to the decision that the key names; of k the cutoff."],
)


class RobustnessJson(TypedDict):
    """The comparison under every flavour of the first measure."""

    varied: Annotated[dict[str, Annotated[list[str], "Answers."]], "The answers tried, by decision."]
    sentences: Annotated[
        dict[str, Annotated[str, "A sentence."]], "Whether the outcome depends on the flavour, by system or pair."
    ]
    depends_on: Annotated[
        dict[str, Annotated[list[str], "Decisions."]], "The decisions that it depends on, by system or pair."
    ]
    refused: Annotated[list[str], "Flavours that cannot be computed, with the reason."]
    flavors: Annotated[
        Rows,
        ROBUSTNESS_ROW,
        "A row per flavour and pair of systems; the answer to each decision varied is under its name.",
    ]


LEADERBOARD_ROW = RowType(
    {
        "system": SystemName,
        "rank": Annotated[int, Within(1), "Rank by the mean; equal means share a rank."],
        "best rank": Annotated[
            int, Within(1), "The best rank it can have: 1 + the number of systems that are surely better."
        ],
        "worst rank": Annotated[int, Within(1), "The worst rank it can have."],
        "mean": Mean,
        "low": Low,
        "high": High,
        "unjudged": Annotated[
            Share | None, "Share of its first results that nobody judged; null if it has no results."
        ],
        "difference": Annotated[float, "Its mean minus that of the first system."],
        "corrected low": CorrectedLow,
        "corrected high": CorrectedHigh,
        "doubted": Annotated[
            int, "From how many systems it counts as not told apart although the interval leaves out 0."
        ],
        "group": Annotated[
            str | None,
            "Letters: two systems share one if they cannot be told apart; null if 52 do not suffice, or of over 100.",
        ],
        "fingerprint": Fingerprint,
    },
    Value,
)


class LeaderboardJson(TypedDict):
    """Many systems, best first, with the ranks that each can have."""

    warnings: Annotated[list[str], "What is odd about the results, to be read before the ranks."]
    sentence: Annotated[str, "Who is ahead, who cannot be told from it, and how many are worse."]
    best: Annotated[list[str], "The systems that no other is surely better than."]
    measure: Annotated[str, "The measure that ranks."]
    convention: ConventionText
    decisions: Fingerprints
    methods: SharedMethods
    queries: Annotated[int, "Number of queries that every system has a value for: means and ranks are over these."]
    left_out: Annotated[list[str], "Queries that some systems have a value for, and others none."]
    neighbours_apart: Annotated[int, "Of how many systems that follow each other it is known which is better."]
    doubted_pairs: Annotated[
        int, "Pairs whose interval leaves out 0, but which count as not told apart: a few queries could undo it."
    ]
    systems: Annotated[Rows, LEADERBOARD_ROW, "A row per system; the means of further measures are under their names."]
    notes: Annotated[list[str], "What the ranks are, over which queries, and what they do not include."]
    ledger: SharedLedger
