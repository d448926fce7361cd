"""What the head of the page shows of a report: the difference it is about, doubts, what to judge, and its measures."""

from typing import NamedTuple

from idealrank.comparison.types import DifferenceRow, MeanRow
from idealrank.errors import plural
from idealrank.evaluation.mean_tables import LEVEL
from idealrank.reports.types import LedgerPart, MeasureEntry, PairRow, ReportSections, decided


def doubts_of(report: ReportSections) -> list[str]:
    """Return what is odd about the results and speaks against the verdict: not what is said of the inputs."""
    return [text for text in report["summary"]["warnings"] if text not in report["ledger"]["warnings"]]


def remarks_of(report: ReportSections) -> list[str]:
    """Return what is odd about the inputs, but for the doubts."""
    doubts = tuple(doubts_of(report))
    return [text for text in report["ledger"]["warnings"] if not text.startswith(doubts)]


def query_count(ledger: LedgerPart) -> str:
    """Count the judged queries; where some were left out on request, those that were not."""
    judged, left = plural(ledger["judged_queries"], "judged query"), ledger["measures"][0]["left_out"]
    return f"{ledger['judged_queries'] - left:,} of {judged}" if left else judged


def queries_without_results(report: ReportSections) -> int:
    """Count the queries for which a system returned nothing."""
    return len({query for account in report["ledger"]["systems"] for query in account["judged_nothing_returned"]})


_NAMED = 3
"""Queries with documents to judge that are named in the head."""


class ToJudgeFirst(NamedTuple):
    """How many results are to be judged, the ids and texts of the first queries they are of, and how many more."""

    results: int
    queries: list[tuple[str, str]]
    more: int


def to_judge(report: ReportSections) -> ToJudgeFirst | None:
    """Return the documents to judge first; None where there are none, or labels would settle nothing."""
    pair = {*report["summary"]["pair"]}
    rows = [row for row in report["holes"]["to_judge"] if {row["baseline"], row["system"]} == pair]
    if not rows or _are_to_be_checked(report):
        return None
    queries = {row["query"]: row.get("text") or row["query"] for row in rows}
    return ToJudgeFirst(len(rows), list(queries.items())[:_NAMED], max(0, len(queries) - _NAMED))


def _are_to_be_checked(report: ReportSections) -> bool:
    """Whether the results are so odd that labels would settle nothing."""
    pair = {*report["summary"]["pair"]}
    return any(
        reason["effect"] == "takes back" and reason["settle"] is not None and reason["settle"]["kind"] == "check"
        for verdict in (report["compared"] or {"verdicts": []})["verdicts"]
        if {verdict["baseline"], verdict["system"]} == pair
        for reason in verdict["reasons"]
    )


def lead_row(report: ReportSections) -> DifferenceRow | PairRow | None:
    """Return the difference that the head is about; None where nothing is compared."""
    compared, pairs, measure = report["compared"], report["all_pairs"], report["measures"][0]["label"]
    decisive = [row for row in compared["differences"] if row["measure"] == measure] if compared else []
    rows: list[DifferenceRow | PairRow] = [*decisive, *(pairs["rows"] if pairs else [])]
    pair = report["summary"]["pair"]
    turned = (_turned(row) for row in (pairs["rows"] if pairs else []) if [row["system"], row["baseline"]] == pair)
    return next((row for row in rows if [row["baseline"], row["system"]] == pair), next(turned, None))


def _turned(row: PairRow) -> PairRow:
    """Return a pair the other way round."""
    difference, low, high = (None if end is None else -end for end in decided(row))
    numbers: PairRow = {**row, "difference": difference, "corrected low": high, "corrected high": low}
    names: PairRow = {**numbers, "baseline": row["system"], "system": row["baseline"]}
    return {**names, "wins": row["losses"], "losses": row["wins"]}


# Measures.


LEAGUE = 3
"""From so many systems on they are a league."""

_SHORT = {
    "nDCG": "ranking quality", "DCG": "summed gain", "P": "share relevant", "R": "share found", "AP": "whole ranking",
    "RR": "first relevant result", "Success": "any relevant result", "ERR": "expected effort", "Judged": "share judged",
    "RBP": "patient reader", "F": "precision and recall", "Bpref": "judged pairs", "Rprec": "precision at R",
}  # fmt: skip
"""What common measures measure, in two or three words."""


def in_short(measure: MeasureEntry) -> str:
    """Return what a measure measures, in a few words."""
    family = measure["label"].split("@")[0].split("(")[0]
    return _SHORT.get(family, measure["meaning"].partition(":")[0])


def means_by_key(report: ReportSections) -> dict[tuple[str, str], MeanRow]:
    """Return the means by measure and system."""
    return {(row["measure"], row["system"]): row for row in report["means"]}


def means_beside(row: DifferenceRow) -> tuple[float | None, float | None]:
    """Return the means that a change is the difference of; none beside a calibrated one, which is of other queries."""
    return (None, None) if row.get("calibrated") is not None else (row["baseline mean"], row["mean"])


def level_of(report: ReportSections) -> float:
    """Return the confidence of the intervals."""
    return report["compared"]["level"] if report["compared"] else LEVEL
