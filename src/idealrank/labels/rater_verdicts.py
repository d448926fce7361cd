"""What disagreement of raters does to a comparison: the verdict under each rater alone, and without each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import numpy as np

from idealrank.comparison.compare import compare
from idealrank.comparison.verdict.rule import CANT_TELL
from idealrank.data.read import read_judgments
from idealrank.display.columns import High, Low, MeasureName, QueryCount, SystemName
from idealrank.display.schema import RowType
from idealrank.display.table import Table
from idealrank.errors import StrangersError, UsageError, listed, plural
from idealrank.labels.ratings import GROUPS_WAY, Ratings
from idealrank.measures.definition import Measure

MOST_VERDICTS = 20
"""Most raters of whom each makes a verdict alone: each is two comparisons."""

EVERYBODY = "all raters"

_NOTHING = {
    "queries": 0,
    "difference": np.nan,
    "low": np.nan,
    "high": np.nan,
    "verdict": CANT_TELL,
    "why": "nothing in common",
}
"""What is said where no query counts."""

VERDICT_ROW = RowType(
    {
        "judged by": Annotated[str, "Whose ratings count: all raters, one alone, or all without one."],
        "system": SystemName,
        "baseline": Annotated[str, "The system it is compared with."],
        "measure": MeasureName,
        "queries": QueryCount,
        "difference": Annotated[float | None, "System minus baseline; null if no query counts."],
        "low": Low,
        "high": High,
        "verdict": Annotated[str, "SHIP, DON'T, ABOUT THE SAME or CAN'T TELL."],
        "why": Annotated[str, "Of CAN'T TELL, what speaks against telling where the interval does not; else empty."],
    }
)


def rater_verdicts(
    ratings: Ratings, results: Any, measures: str | Measure | Sequence[str | Measure] | None = None, **options: Any
) -> Table:
    """Compare systems under all raters, under each rater alone, and without each.

    Parameters
    ----------
    results
        Two systems or more, as `compare` takes them.
    measures
        As for `compare`; only the one that decides is in the table.
    **options
        As for `compare`.

    Raises
    ------
    UsageError
        If there is one voice, a rater or a group of raters, or more than `MOST_VERDICTS`.
    """
    voices = ratings.groups or ratings.raters
    if not 2 <= len(voices) <= MOST_VERDICTS:
        many = plural(len(voices), "group" if ratings.groups else "rater")
        way = "Make fewer groups." if ratings.groups else f"Join raters into groups: {GROUPS_WAY}."
        raise UsageError(f"{many}: a verdict by rater needs from 2 to {MOST_VERDICTS}. {way}")
    asked = ["nDCG@10"] if measures is None else measures
    rows: list[dict[str, Any]] = []
    for name, chosen in _choices(ratings):
        try:
            rows += list(_compare_under(ratings, name, chosen, results, asked, options))
        except StrangersError:  # whoever has just begun rated nothing yet that a system returned
            if not rows:
                raise
            rows += [{**row, **_NOTHING, "judged by": name} for row in rows if row["judged by"] == EVERYBODY]
    return Table(
        {name: [row[name] for row in rows] for name in VERDICT_ROW.columns}, "verdict by rater", row=VERDICT_ROW
    )


def _choices(ratings: Ratings) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Yield whose ratings count, in words, and which ratings these are."""
    yield EVERYBODY, np.ones(len(ratings), bool)
    voices, voice = (
        (ratings.groups, ratings.group[ratings.rater]) if ratings.groups else (ratings.raters, ratings.rater)
    )
    for place, name in enumerate(voices):
        yield f"{name} alone", voice == place
    if len(voices) > 2:  # without one of two, the other is alone
        for place, name in enumerate(voices):
            yield f"without {name}", voice != place


def _compare_under(
    ratings: Ratings, name: str, chosen: np.ndarray[Any, Any], results: Any, measures: Any, options: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    found = compare(judgments_of(ratings.take(np.flatnonzero(chosen))), results, measures, **options)
    deciding = found.scores.labels[0]
    whys = {(each.baseline, each.system): each.why_undecided for each in found.verdict.values()}
    for row in found.differences:
        if row["measure"] == deciding:
            why = whys[row["baseline"], row["system"]]
            yield {"judged by": name, **{each: row[each] for each in VERDICT_ROW.columns if each in row}, "why": why}


def judgments_of(ratings: Ratings) -> Any:
    """Return ratings as judgments, one row per rating."""
    columns = {
        "query_id": [ratings.queries[place] for place in ratings.query.tolist()],
        "doc_id": [ratings.docs[place] for place in ratings.doc.tolist()],
        "rater": [ratings.raters[place] for place in ratings.rater.tolist()],
        "grade": ratings.grade,
    }
    return read_judgments(columns)


def verdicts_sentence(verdicts: Table) -> str:
    """Say in a sentence what disagreement does to the verdict of each system."""
    sentences = []
    for system, baseline in dict.fromkeys(zip(verdicts["system"], verdicts["baseline"], strict=True)):
        rows = verdicts.filter(system=system, baseline=baseline)
        whole = rows["verdict"][0]
        others = [f"{row['judged by']} ({row['verdict']})" for row in rows if row["verdict"] != whole]
        rest = f"but not by {listed(others, len(others))}" if others else "and by each alone and without each"
        sentences.append(f"{system} instead of {baseline}: {whole} by all raters together, {rest}.")
    return " ".join(sentences)
