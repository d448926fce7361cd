"""The kinds of rows and parts of a report: which keys each has, and what they contain; None is what is not known."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict


class MeasureEntry(TypedDict):
    """A measure: `over` is what is taken of its values, `lowest` and `highest` where they can be."""

    label: str
    fingerprint: str
    direction: str
    cutoff: int | None
    over: str
    lowest: float | None
    highest: float | None
    meaning: str


class MeanRow(TypedDict):
    """The mean of a measure and a system: its interval, and lowest and highest by what the holes allow."""

    measure: str
    system: str
    queries: int
    mean: float | None
    low: float | None
    high: float | None
    lowest: float | None
    highest: float | None


DifferenceRow = TypedDict(
    "DifferenceRow",
    {
        "system": str, "baseline": str, "measure": str, "role": str, "queries": int, "baseline mean": float | None,
        "mean": float | None, "difference": float | None, "low": float | None, "high": float | None,
        "uncorrected p": float | None, "corrected p": float | None, "corrected low": float | None,
        "corrected high": float | None, "effect": float | None, "detectable": float | None, "wins": int, "ties": int,
        "losses": int, "holes": int, "lowest": float | None, "highest": float | None, "bounds": str, "verdict": str,
    },
)  # fmt: skip
"""The difference of a pair of systems under a measure."""


class VerdictEntry(TypedDict):
    """What to do with a system: the outcome, why, and what would settle it."""

    system: str
    baseline: str
    outcome: str
    reason: str
    headline: str
    summary: list[str]
    assumption: str
    unjudged: str
    steps: list[str]
    settle: str
    failed: str
    tuning: str
    latency: str
    warnings: list[str]
    sentence: str


def in_words(verdict: VerdictEntry) -> str:
    """Return the headline and the summary as one text."""
    return " ".join((f"{verdict['headline']}.", *verdict["summary"]))


class Compared(TypedDict):
    """What a comparison says; `ahead` has the better system of a pair first, `bar` is what a gain must be above."""

    verdicts: list[VerdictEntry]
    differences: list[DifferenceRow]
    ahead: list[list[str]]
    rule: str
    methods: str
    level: float
    equivalence: float
    bar: float
    one_sided: dict[str, dict[str, list[str]]]
    weight_0: list[str]


class GridPart(TypedDict):
    """Systems named by their settings: the values of each setting in their order, and a row per point."""

    settings: dict[str, list[Any]]
    measure: str
    points: list[dict[str, Any]]


class ConventionSection(TypedDict):
    """The convention, the answers that differ from idealrank-1, and the others by stage."""

    setting: str
    changed: list[str]
    stages: Mapping[str, list[str]]


class QueryCounts(TypedDict):
    """What became of the queries of a system."""

    system: str
    judged_and_returned: int
    judged_nothing_returned: list[str]
    failed: list[str]
    never_asked: list[str]
    returned_not_judged: list[str]
    results: int
    counts: dict[str, int]


class LedgerPart(TypedDict):
    """The account of every query; a row of `measures` has its system, its measure and a count a state."""

    judged_queries: int
    systems: list[QueryCounts]
    measures: list[dict[str, Any]]
    lines: list[str]
    warnings: list[str]


class InputEntry(TypedDict):
    """A table that was read."""

    role: str
    name: str
    rows: int | None
    read_as: str
    sha256: str | None
    asked: NotRequired[str]


ToJudge = TypedDict(
    "ToJudge",
    {
        "query": str, "text": NotRequired[str | None], "system": str, "baseline": str, "document": str,
        "baseline rank": float | None, "rank": float | None, "move": float,
    },
)  # fmt: skip
"""An unjudged document whose label would move the difference most."""


class HolesPart(TypedDict):
    """The unjudged results in the top, (Q,) by system, and what to judge first.

    `shown` and `unjudged` count the results of all queries there; a system is left out where that was not counted.
    """

    depth: int
    shown: dict[str, int]
    unjudged: dict[str, int]
    counts: dict[str, list[int | None]]
    to_judge: list[ToJudge]


class DocumentsPart(TypedDict):
    """The documents of all lists."""

    id: list[str]
    title: list[str | None] | None
    url: list[str | None] | None
    picture: list[str | None] | None


class Check(TypedDict):
    """Something to check before believing a number, in a few words, and whether it is a warning."""

    text: str
    warns: bool


class Summary(TypedDict):
    """The front of the report: what to do and why; `pair` is the baseline and the system it is about.

    `notes` are what the sentences rest on, what speaks against them, and what failed searches could change; `ranks` the
    best and the worst rank of each of several systems without a baseline; `warnings` what is to be read before all of
    it.
    """

    warnings: list[str]
    outcome: str
    headline: str
    sentences: list[str]
    notes: list[str]
    steps: list[str]
    pair: list[str]
    order: list[str]
    ranks: dict[str, list[int]]
    checks: list[Check]


class ReportSections(TypedDict):
    """All parts of a report, as `Report.to_dict` returns them."""

    format: int
    program: str
    title: str
    summary: Summary
    systems: list[str]
    baseline: str | None
    pairs: list[list[str]]
    measures: list[MeasureEntry]
    inputs: list[InputEntry]
    decisions: ConventionSection
    ledger: LedgerPart
    means: list[MeanRow]
    compared: Compared | None
    grid: GridPart | None
    tuning: dict[str, Any] | None
    queries: dict[str, Any]
    values: dict[str, dict[str, list[float | None]]]
    states: list[dict[str, Any]]
    segments: dict[str, Any]
    document_segments: dict[str, Any] | None
    holes: HolesPart
    overlap: list[dict[str, Any]]
    curves: dict[str, Any]
    thresholds: dict[str, Any] | None
    latency: dict[str, Any] | None
    distributions: dict[str, Any]
    lists: dict[str, Any]
    explanations: dict[str, Any]
    documents: DocumentsPart


PARTS = tuple(ReportSections.__annotations__)
"""The parts, in the order they are computed and rendered."""
