"""What a comparison says as JSON: its objects, and the columns of its tables."""

from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from idealrank.comparison.pairing import Role
from idealrank.comparison.verdict.rule import Outcome
from idealrank.data.latency_columns import WHOSE
from idealrank.display.columns import (
    Fingerprint,
    Frequency,
    High,
    Highest,
    Lost,
    Low,
    Lowest,
    Mean,
    MeasureName,
    QueryCount,
    QueryId,
    QueryText,
    SystemName,
    Value,
)
from idealrank.display.schema import OneOf, Rows, RowType, Share, Shared, Within
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
