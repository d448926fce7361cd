"""What an evaluation says as JSON: its objects, and the columns of its tables."""

from typing import Annotated, NotRequired, TypedDict

from idealrank.display.columns import (
    ConventionText,
    Fingerprints,
    Frequency,
    Highest,
    Lost,
    Lowest,
    Mean,
    MeasureName,
    QueryId,
    QueryText,
    SystemName,
    Value,
)
from idealrank.display.schema import Also, Rows, RowType, Share, Shared, Within
from idealrank.evaluation.latency import LATENCY_ROW
from idealrank.evaluation.ledger.ledger import Ledger, SharedLedger

SharedLatency = Annotated[Rows, LATENCY_ROW, "How long searches took, a row per system.", Shared("latency")]


MeansBySystem = Annotated[
    dict[str, Annotated[dict[str, Value], "The means of a system, by measure."]], "The mean of each measure, by system."
]


class EvaluationJson(TypedDict):
    """Means, decisions and ledger of an evaluation."""

    convention: ConventionText
    decisions: Fingerprints
    means: MeansBySystem
    ledger: SharedLedger
    latency: NotRequired[SharedLatency]


class EvaluationWithLatency(TypedDict):
    """Means, decisions and ledger, and how long searches took."""

    convention: ConventionText
    decisions: Fingerprints
    means: MeansBySystem
    ledger: SharedLedger
    latency: SharedLatency


SharedEvaluation = Annotated[EvaluationJson, Shared("evaluation")]

ValuesByQuery = Annotated[
    dict[
        str,
        Annotated[
            dict[str, Annotated[dict[str, Value], "The values of a query, by measure."]],
            "The values of a system, by query.",
        ],
    ],
    "The value of every query, by system.",
]

EXTREME_ROW = RowType({"query": QueryId, "text": NotRequired[QueryText], "system": NotRequired[SystemName]}, Value)

LOST_ROW = RowType(
    {
        "query": QueryId,
        "frequency": Frequency,
        "ideal": Annotated[float | None, "The best possible value."],
        "lost": Lost,
        "text": NotRequired[QueryText],
        "system": NotRequired[SystemName],
    },
    Value,
)

DESCRIBE_ROW = RowType(
    {
        "measure": MeasureName,
        "count": Annotated[int, "Queries with a value."],
        "mean": Annotated[float | None, "Mean of the values, each counted once; null if there is none."],
        "sd": Annotated[float | None, Within(0), "Standard deviation (n - 1); null for fewer than two values."],
        **{
            name: Annotated[float | None, f"{name} of the values; null if there is none."]
            for name in ("min", "25%", "50%", "75%", "max")
        },
        "system": NotRequired[SystemName],
        "group": NotRequired[Annotated[str, "The group of queries."]],
    }
)

TIES_ROW = RowType(
    {"measure": MeasureName, "mean": Mean, "lowest": Lowest, "highest": Highest, "system": NotRequired[SystemName]}
)

STATES_ROW = RowType(
    {
        "system": SystemName,
        "query": QueryId,
        "state": Annotated[str, "The state of the query, such as 'judged and returned'."],
    },
    Annotated[str, "The state of the query under the measure that the key names."],
)

DOCUMENT_SEGMENT_ROW = RowType(
    {
        "measure": MeasureName,
        "segment": Annotated[str, "The value of the column; (none) for documents without one."],
        "relevant": Annotated[int, "Relevant documents of the segment, over the queries that count."],
        "queries": Annotated[int, "Queries with a relevant document of the segment."],
        "not applicable": Annotated[int, "Queries without one; they have no value here."],
        "mean": Annotated[float | None, "Mean if only documents of this segment are relevant; null if there is none."],
        "recall": Annotated[Share | None, "Share of the relevant documents that was returned; null if there is none."],
        "share of score": Annotated[
            float | None, "Share of the segment in the sum of the values; null if there is none."
        ],
        "share of loss": Annotated[
            float | None, "Share of the segment in what is lost against the ideal; null if there is none."
        ],
        "system": NotRequired[SystemName],
        "left out": NotRequired[
            Annotated[int, "Queries with a relevant document and no value; missing if there are none."]
        ],
    }
)


LedgerByQuery = Annotated[
    Ledger,
    Also(
        {
            "fingerprints": Fingerprints,
            "queries": Annotated[
                Rows, STATES_ROW, "What became of every query; the keys of measures have its state under each."
            ],
        }
    ),
    "The ledger, query by query.",
]

OwnNumber = Annotated[
    float | str | None, "A number of the measure's own arithmetic, such as gain or discount; null if it has none here."
]

EXPLAINED_ROW = RowType(
    {
        "rank": Annotated[int, "Rank, from 1."],
        "doc": Annotated[str | None, "Id of the document; null if the rank was left out or nothing is known of it."],
        "grade": Annotated[float | None, "Its grade; null if it is unjudged."],
        "contribution": Annotated[float | None, "What it adds to the sum; null if the measure is no such sum."],
        "running": Annotated[float | None, "The sum up to here; null if the measure is no such sum."],
    },
    OwnNumber,
)

PASSAGE_ROW = RowType(
    {
        "rank": Annotated[int, Within(1), "Rank as it was returned, from 1."],
        "part": Annotated[str | None, "Id of the part, such as a chunk; null or empty if it is the unit itself."],
        "unit": Annotated[str, "Id of the unit it belongs to."],
        "grade": Annotated[float | None, "Grade of the unit; null if it is unjudged."],
        "credit": Annotated[str, "Whether it stands for its unit, repeats it, or is unjudged."],
    }
)


RATED_ROW = RowType(
    {"doc": Annotated[str, "Id of the document."], "ratings": Annotated[str, "Who gave which grade, with comments."]}
)


FLAVOR_ROW = RowType(
    {
        "flavor": Annotated[str, "The name of the flavour, such as NDCG-zg@10."],
        "meaning": Annotated[str, "What it means, in words."],
        "mean": NotRequired[Mean],
    },
    Value,
)


class FlavorsJson(TypedDict):
    """DCG and nDCG under every ideal, with decisions and ledger."""

    convention: ConventionText
    decisions: Fingerprints
    flavors: Annotated[Rows, FLAVOR_ROW, "A row per flavour; the means of several systems are under their names."]
    ledger: SharedLedger


class FlavorsByQuery(TypedDict):
    """DCG and nDCG under every ideal, with decisions and ledger."""

    convention: ConventionText
    decisions: Fingerprints
    flavors: Annotated[Rows, EXTREME_ROW, "A row per query; the value is under the flavour's name."]
    ledger: SharedLedger
