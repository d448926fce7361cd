"""The sections of a report: which keys each has, and what they contain; None is what is not known."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast

from idealrank.comparison.tuning import Tuning
from idealrank.comparison.types import (
    DIFFERENCE_ROW,
    SEGMENT_ROW,
    TO_JUDGE_ROW,
    BaselineName,
    CalibrationJson,
    CorrectedHigh,
    CorrectedLow,
    Difference,
    DifferenceRow,
    Grid,
    Losses,
    MeanRow,
    OneSided,
    SharedLatencyChanges,
    Ties,
    ToJudge,
    Wins,
)
from idealrank.comparison.verdict.rule import Outcome
from idealrank.comparison.verdict.verdict import Verdict
from idealrank.data.latency_columns import PREFIX, WHOSE
from idealrank.data.recognition.recognize import TABLES
from idealrank.display.columns import (
    ConventionText,
    High,
    Low,
    Mean,
    MeasureFingerprint,
    MeasureName,
    QueryCount,
    QueryId,
    SystemName,
)
from idealrank.display.schema import Also, Is, Keywords, OneOf, Rows, RowType, Share, Within
from idealrank.evaluation.document_segments import DocumentSegments
from idealrank.evaluation.ledger.ledger import Ledger
from idealrank.evaluation.types import SharedLatency
from idealrank.labels.agreement import Agreement
from idealrank.measures.definition import DIRECTION
from idealrank.statistics.quantiles import QUANTILES

PAIR = Keywords(minItems=2, maxItems=2)


class MeasureEntry(TypedDict):
    """A measure."""

    label: Annotated[str, "Name of the measure."]
    fingerprint: MeasureFingerprint
    direction: Annotated[str, OneOf(DIRECTION), "Whether more is better."]
    cutoff: Annotated[int | None, Within(1), "Its cutoff; null for none."]
    over: Annotated[str, "What is taken of its values, such as their mean."]
    lowest: Annotated[float | None, "The lowest value; null for no bound."]
    highest: Annotated[float | None, "The highest value; null for no bound."]
    meaning: Annotated[str, "What it is, in one line."]


VerdictEntry = Annotated[dict[str, Any], Is(Verdict)]
"""A verdict as plain values."""


def verdict_text(verdict: VerdictEntry) -> str:
    """Return the headline and the summary as one text."""
    return " ".join((f"{verdict['headline']}.", *verdict["summary"]))


PairRow = TypedDict(
    "PairRow",
    {
        "baseline": Annotated[str, "The system that is further ahead."],
        "system": Annotated[str, "The other."],
        "queries": QueryCount,
        "difference": Difference,
        "corrected low": CorrectedLow,
        "corrected high": CorrectedHigh,
        "wins": Wins,
        "ties": Ties,
        "losses": Losses,
        "told apart": Annotated[bool, "Whether it is known which of them is better."],
    },
)

Estimate = tuple[float | None, float | None, float | None]
"""A difference with the ends of its interval; None where there is none."""


def decided(row: DifferenceRow | PairRow) -> Estimate:
    """Return the difference that decides with its interval: the calibrated one, where a cheap judge is."""
    if row.get("calibrated") is not None:
        by_judge = cast("DifferenceRow", row)
        return by_judge["calibrated"], by_judge["calibrated low"], by_judge["calibrated high"]
    return row["difference"], row["corrected low"], row["corrected high"]


class Compared(TypedDict):
    """What the comparison says."""

    verdicts: Annotated[list[VerdictEntry], "The verdicts."]
    differences: Annotated[list[DifferenceRow], DIFFERENCE_ROW, "A row per pair and measure."]
    ahead: Annotated[
        list[Annotated[list[str], PAIR, "Two systems."]], "The pairs of which one is better, the better one first."
    ]
    rule: Annotated[str, "The rule, in words."]
    methods: Annotated[str, "How differences are tested, in words."]
    together: Annotated[bool, "Whether the intervals of all differences hold together, and not each by itself."]
    level: Annotated[Share, "Confidence of the intervals."]
    equivalence: Annotated[float, Within(0), "Two systems are about the same if their difference is surely no larger."]
    bar: Annotated[float, "What the gain must be above: the margin, or below 0 the loss that is allowed."]
    one_sided: OneSided
    weight_0: Annotated[list[str], "Queries of weight 0, which count nowhere."]
    unchanged: Annotated[
        dict[str, Annotated[int, "How many."]],
        "Queries for which both systems return the same, as far as the first measure reads, by system or pair; none "
        "where more than three pairs are compared.",
    ]


class AllPairsPart(TypedDict):
    """All pairs of several systems under the deciding measure."""

    measure: Annotated[str, "The deciding measure."]
    level: Annotated[Share, "Confidence of the intervals."]
    rows: Annotated[list[PairRow], RowType(PairRow), "A row per pair, the best systems first."]
    groups: Annotated[
        dict[str, Annotated[str, "Letters."]],
        "Letters of each system: two share one if, and only if, they cannot be told apart. Empty if 52 do not suffice.",
    ]


class GridPart(TypedDict):
    """Systems named by their settings."""

    settings: Annotated[
        dict[str, Annotated[list[Annotated[str | float | bool | None, "A value."]], "Values."]],
        "The values of each setting, in order.",
    ]
    measure: Annotated[str, "The deciding measure."]
    points: Grid


TuningPart = Annotated[
    dict[str, Any], Is(Annotated[Tuning, Also({"text": Annotated[str, "In one line."]}), "How the system was chosen."])
]


class ConventionSection(TypedDict):
    """The convention and the answers."""

    setting: ConventionText
    changed: Annotated[list[str], "The answers that differ from idealrank-1."]
    stages: Annotated[dict[str, Annotated[list[str], "Answers."]], "The other answers, by stage."]


LedgerPart = Annotated[
    dict[str, Any],
    Is(
        Annotated[
            Ledger,
            Also(
                {
                    "lines": Annotated[list[str], "The account in sentences."],
                    "warnings": Annotated[list[str], "The sentences that are warnings."],
                }
            ),
            "The account of every query.",
        ]
    ),
]


class InputEntry(TypedDict):
    """A table that was read."""

    role: Annotated[str, OneOf(TABLES), "What it is."]
    name: Annotated[str, "Its name."]
    rows: Annotated[int | None, "How many rows it has; null if not known."]
    read_as: Annotated[str, "What it was read as."]
    sha256: Annotated[str | None, "SHA-256 of its content; null if not known."]
    asked: NotRequired[Annotated[str, "What was asked of which engine, for results of a replay."]]


class UnjudgedPart(TypedDict):
    """Unjudged results in the top."""

    depth: Annotated[int, Within(1), "The last rank shown."]
    shown: Annotated[
        dict[str, Annotated[int, "How many."]],
        "How many results all queries have there, by system, where that was counted.",
    ]
    unjudged: Annotated[
        dict[str, Annotated[int, "How many."]], "How many of them are unjudged, by system, where that was counted."
    ]
    counts: Annotated[
        dict[str, Annotated[list[int | None], "By query; null if it was not asked for."]],
        "How many are unjudged, by system.",
    ]
    to_judge: Annotated[list[ToJudge], TO_JUDGE_ROW, "What to judge first."]


class DocumentsPart(TypedDict):
    """The documents of all lists, in the order of their numbers."""

    id: Annotated[list[str], "Their ids."]
    title: Annotated[list[str | None] | None, "Their titles; null if none are known."]
    url: Annotated[list[str | None] | None, "Their addresses; null if none are known."]
    picture: Annotated[list[str | None] | None, "Their pictures; null if none are known."]
    text: Annotated[list[str | None] | None, "The beginnings of their texts; null if none are known."]


class Check(TypedDict):
    """Something to check before believing a number."""

    text: Annotated[str, "In a few words."]
    warns: Annotated[bool, "Whether it is a warning."]


class Summary(TypedDict):
    """The front of the report."""

    outcome: Annotated[Outcome | Literal[""], "The outcome; empty for none."]
    headline: Annotated[str, "The answer, in one line."]
    warnings: Annotated[list[str], "What to read before the verdict: what is odd about the data."]
    sentences: Annotated[list[str], "What changed, and how sure that is."]
    notes: Annotated[list[str], "What the sentences rest on, and what speaks against them."]
    steps: Annotated[list[str], "What to do next, most important first."]
    pair: Annotated[list[str], "The baseline and the system it is about; a single system if there is no comparison."]
    order: Annotated[list[str], "The systems, best first."]
    ranks: Annotated[
        dict[str, Annotated[list[Annotated[int, Within(1)]], PAIR, "The best rank and the worst."]],
        "The ranks that each of several systems without a baseline can have; empty otherwise.",
    ]
    checks: Annotated[list[Check], "What to check."]


class ShownQueriesPart(TypedDict):
    """The judged queries that are shown one by one, in the order of all lists by query."""

    all: Annotated[int, "How many judged queries there are."]
    note: Annotated[str, "Which of them are shown; empty if all are."]
    id: Annotated[list[str], "Their ids."]
    text: Annotated[list[str | None] | None, "Their texts; null if no query has one."]
    weight: Annotated[list[float | None] | None, "Their weights; null if they have none."]
    attributes: Annotated[
        dict[str, Annotated[list[Annotated[str | float | bool | None, "The value."]], "By query."]],
        "Columns of the queries table.",
    ]


ValuesByMeasure = Annotated[
    dict[
        str,
        Annotated[dict[str, Annotated[list[float | None], "By query; null if it is left out."]], "Values by system."],
    ],
    "Values by measure.",
]

SPECIAL_ROW = RowType(
    {"system": SystemName, "query": QueryId, "state": Annotated[str, "What became of the query."]},
    Annotated[str, "Its state under the measure that the key names."],
)

SEGMENT_MEAN_ROW = RowType(
    {
        "attribute": Annotated[str, "The attribute."],
        "segment": Annotated[str, "Its value."],
        "measure": MeasureName,
        "system": SystemName,
        "queries": QueryCount,
        "mean": Mean,
        "low": Low,
        "high": High,
    }
)


class SegmentsPart(TypedDict):
    """Segments of the queries."""

    made: Annotated[dict[str, Annotated[str, "In words."]], "How each attribute is made."]
    titles: Annotated[dict[str, Annotated[str, "In words."]], "What each attribute is called."]
    labels: Annotated[dict[str, Annotated[list[str], "By query."]], "The segment of each query, by attribute."]
    means: Annotated[Rows, SEGMENT_MEAN_ROW, "Means by segment."]
    differences: Annotated[Rows, SEGMENT_ROW, "Differences by segment; empty without a comparison."]


class OverlapMeans(TypedDict):
    """Means over the queries."""

    jaccard: Annotated[Share | None, "Documents in both lists as a share of those in either, mean."]
    rbo: Annotated[Share | None, "Rank-biased overlap, mean."]
    churn: Annotated[Share | None, "Share of the second list that is new, mean."]


OVERLAPS_ROW = RowType(
    {
        "baseline": BaselineName,
        "system": SystemName,
        "jaccard": Annotated[list[float | None], "Documents in both lists as a share of those in either, by query."],
        "rbo": Annotated[list[float | None], "Rank-biased overlap, by query."],
        "churn": Annotated[list[float | None], "Share of the second list that is new, by query."],
        "summary": OverlapMeans,
    }
)


class CurvePart(TypedDict):
    """A curve."""

    k: Annotated[list[Annotated[int, Within(1)]], "The cutoffs."]
    systems: Annotated[dict[str, Annotated[list[float | None], "By cutoff."]], "Means by system."]


class ThresholdsPart(TypedDict):
    """Means at every threshold of overlap between chunks and judged spans."""

    measure: Annotated[str, "The measure."]
    rule: Annotated[str, "What the share is of."]
    meaning: Annotated[str, "The same in words."]
    share: Annotated[list[Annotated[Share, "A threshold."]], "The thresholds; 0 is any overlap."]
    systems: Annotated[dict[str, Annotated[list[float | None], "By threshold."]], "Means by system."]


class LatencyPart(TypedDict):
    """How long searches took."""

    clock: Annotated[str, OneOf(WHOSE), "Whose time is shown first."]
    meaning: Annotated[str, OneOf(WHOSE.values()), "The same in words."]
    p95: Annotated[
        str, OneOf(f"{before}{list(QUANTILES)[1]}" for before in PREFIX.values()), "The key of its 95th percentile."
    ]
    systems: SharedLatency
    differences: SharedLatencyChanges


VALUES_ROW = RowType(
    {
        "measure": MeasureName,
        "count": Annotated[int, "Queries with a value."],
        **{
            name: Annotated[float | None, f"{name} of the values."]
            for name in ("sd", "min", "25%", "50%", "75%", "max")
        },
        "system": NotRequired[SystemName],
    }
)


class DistributionPart(TypedDict):
    """A distribution."""

    edges: Annotated[list[float], "Where bins begin and end."]
    counts: Annotated[dict[str, Annotated[list[int], "By bin."]], "Queries in each bin, by system."]
    describe: Annotated[Rows, VALUES_ROW, "Statistics."]


RatingsOf = Annotated[
    list[int | None], "Its ratings, as their place among `ratings`; null if fewer than two raters rated it."
]


class SystemListsPart(TypedDict):
    """A system's lists."""

    start: Annotated[list[int], "Where the results of each query begin; one more at the end."]
    rank: Annotated[list[float | None], "Rank of each result."]
    document: Annotated[list[int | None], "Each document, as its place among `documents`."]
    grade: Annotated[list[float | None], "Its grade; null if it is unjudged."]
    returned: Annotated[list[float | None], "How many results each query has in all."]
    step: NotRequired[Annotated[list[float | None], "The step of the search."]]
    ratings: NotRequired[RatingsOf]


class BestListsPart(TypedDict):
    """The documents judged best."""

    start: Annotated[list[int], "Where the results of each query begin; one more at the end."]
    document: Annotated[list[int | None], "Each document, as its place among `documents`."]
    grade: Annotated[list[float | None], "Its grade; null if it is unjudged."]
    ratings: NotRequired[RatingsOf]


class ListsPart(TypedDict):
    """The first results of every query."""

    depth: Annotated[int, Within(1), "The last rank shown."]
    systems: Annotated[dict[str, SystemListsPart], "By system."]
    best: BestListsPart
    ratings: NotRequired[
        Annotated[list[Annotated[str, "Who gave which grade."]], "Ratings in words, if documents have several."]
    ]


class SumsPart(TypedDict):
    """The arithmetic of a system."""

    columns: Annotated[dict[str, Annotated[list[float | None], "By result shown."]], "The measure's own numbers."]
    contribution: Annotated[list[float | None], "What each result shown adds; null if it does not count."]
    total: Annotated[list[float | None] | None, "The sum, by query; null if the value is no sum."]
    normaliser: Annotated[list[float | None] | None, "What it is divided by, by query; null if the value is no sum."]
    rest: Annotated[
        list[float | None] | None, "What results add that are not shown, by query; null if the value is no sum."
    ]


class IdealListPart(TypedDict):
    """An ideal list."""

    start: Annotated[list[int], "Where the results of each query begin; one more at the end."]
    grade: Annotated[list[float | None], "Its grade; null if it is unjudged."]
    document: Annotated[list[int | None], "Each document, as its place among `documents`; null if it has none."]
    gain: Annotated[list[float | None], "Its gain."]
    discount: Annotated[list[float | None], "The discount of its rank."]
    contribution: Annotated[list[float | None], "What it adds."]
    rest: Annotated[list[float | None], "What is added that is not shown, by query."]


class ArithmeticPart(TypedDict):
    """The arithmetic of a measure."""

    unsplit: Annotated[str, "Why the value is no sum of contributions; empty if it is one."]
    systems: Annotated[dict[str, SumsPart], "By system."]
    ideal: Annotated[dict[str, IdealListPart] | None, "The ideal list, by system, or for all under ''."]


class CalibrationEntry(CalibrationJson):
    """A difference by people, by a cheap judge, and by the judge calibrated on people."""

    baseline: BaselineName
    system: SystemName
    direction: Annotated[str, OneOf(DIRECTION), "Whether more is better."]
    sentences: Annotated[list[str], "For whom the difference is, and how many people would have to judge."]


class RatersPart(TypedDict):
    """How far raters agree, and what each of them alone would say."""

    headline: Annotated[str, "How many ratings there are, and how far they agree, in sentences."]
    verdicts_sentence: Annotated[str, "What disagreement does to the verdict; empty if that was not computed."]
    agreement: Annotated[dict[str, Any], Is(Agreement)]


class GradesPart(TypedDict):
    """Where the grades come from."""

    calibrations: Annotated[list[CalibrationEntry], "By pair of systems; empty without a judge."]
    raters: RatersPart | None


class ReportSections(TypedDict):
    """Every part of a report."""

    format: Annotated[Literal[1], "The version of this form of the data."]
    program: Annotated[str, "What made the report."]
    title: Annotated[str, "The title."]
    summary: Summary
    systems: Annotated[list[str], "The systems."]
    baseline: Annotated[str | None, "The system the others are compared with; null if there is none."]
    pairs: Annotated[list[Annotated[list[str], PAIR, "Two systems."]], "The pairs compared, baseline first."]
    measures: Annotated[list[MeasureEntry], "The measures."]
    inputs: Annotated[list[InputEntry], "What was read."]
    decisions: ConventionSection
    ledger: LedgerPart
    means: Annotated[list[MeanRow], RowType(MeanRow), "Means; with a comparison also bounds."]
    compared: Compared | None
    all_pairs: AllPairsPart | None
    grid: GridPart | None
    tuning: TuningPart | None
    queries: ShownQueriesPart
    values: ValuesByMeasure
    states: Annotated[Rows, SPECIAL_ROW, "Queries with special handling."]
    segments: SegmentsPart
    document_segments: Annotated[dict[str, Any], Is(DocumentSegments)] | None
    holes: UnjudgedPart
    grades: GradesPart | None
    overlap: Annotated[Rows, OVERLAPS_ROW, "What the lists of each pair share."]
    curves: Annotated[dict[str, CurvePart], "Means at every cutoff, by measure."]
    thresholds: ThresholdsPart | None
    latency: LatencyPart | None
    distributions: Annotated[dict[str, DistributionPart], "How values are distributed, by measure."]
    lists: ListsPart
    explanations: Annotated[dict[str, ArithmeticPart], "The arithmetic, by measure."]
    documents: DocumentsPart


PARTS = tuple(ReportSections.__annotations__)
"""The parts, in the order they are computed and rendered."""
