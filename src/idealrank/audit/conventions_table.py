"""One measure under every convention, side by side."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Unpack

import numpy as np

from idealrank.arrays import EQUAL
from idealrank.audit.candidate_settings import most_frequent
from idealrank.conventions import CONVENTIONS
from idealrank.decisions.answers import DecisionAnswers
from idealrank.decisions.decisions import naming, refuse_unknown
from idealrank.display.columns import Fingerprint
from idealrank.display.schema import RowType, Within
from idealrank.display.table import Table
from idealrank.errors import DataError, StrangersError, UsageError, plural
from idealrank.evaluation.joins import SystemUnderTest

CONVENTIONS_ROW = RowType(
    {
        "convention": Annotated[str, "The convention."],
        "value": Annotated[float | None, "The mean under it; null if it has none."],
        "above lowest": Annotated[float | None, Within(0), "The mean minus the lowest of all; null if it has none."],
        "decisions": Annotated[str, "The answers that differ from idealrank-1 and that the measure reads."],
        "note": Annotated[str, "Why there is no mean; empty if there is one."],
        "fingerprint": Fingerprint,
    }
)


@naming(DecisionAnswers)
def conventions_table(
    judgments: Any,
    results: Any = None,
    measure: str = "nDCG@10",
    *,
    conventions: Sequence[str] | None = None,
    system: str | None = None,
    **decisions: Unpack[DecisionAnswers],
) -> Table:
    """Compute one measure under every convention, lowest value first.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``.
    results
        A path, a dataframe, or ``{query: {document: score}}``.
    system
        The system that is meant, where the results are of several.
    measure
        One measure, by our name.
    conventions
        Conventions to compare; None: all.
    **decisions
        Answers that apply to each of them.

    Raises
    ------
    DataError, UsageError
        If no convention can be computed: the most frequent error, such as a measure that does not exist.

    Returns
    -------
    One row per convention, and one more if its tool's known faults change the value. A row gives the value, how far
    it is above the lowest, the decisions that differ from ``idealrank-1`` and that the measure reads, and why there
    is no value if there is none. CSV and JSON also state the fingerprints.

    Examples
    --------
    >>> import idealrank as ir
    >>> found = ir.conventions_table({"q": {"a": 3, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}, "nDCG@10")
    >>> [round(value, 4) for name, value in zip(found["convention"], found["value"]) if name.startswith("catboost")]
    [0.7098, 0.7967]
    """
    refuse_unknown(decisions, ("conventions", "system"))
    ground = SystemUnderTest(judgments, results, system)
    rows = [_convention_row(ground, name, measure, decisions) for name in conventions or with_faults()]
    _refuse_all(rows)
    rows = [row for row in rows if not _adds_nothing(row, rows)]
    rows.sort(key=lambda row: (math.isnan(row["value"]), row["value"]))
    lowest = rows[0]["value"]
    for row in rows:
        row["above lowest"] = row["value"] - lowest
    order = ("convention", "value", "above lowest", "decisions", "note")
    numbers = ("value", "above lowest")
    columns = {name: [row[name] for row in rows] for name in order}
    typed = {n: np.array(v, np.float64) if n in numbers else v for n, v in columns.items()}
    return Table(typed, "conventions", {"fingerprint": [row["fingerprint"] for row in rows]}, CONVENTIONS_ROW)


def _convention_row(
    ground: SystemUnderTest, convention: str, name: str, overrides: Mapping[str, Any]
) -> dict[str, Any]:
    value, note, words, printed, refused = math.nan, "", "", "", None
    try:
        measure = ground.measure(convention, name, overrides)
        value, printed = ground.mean(measure), measure.fingerprint
        departs = measure.decisions.departures()
        read = {key: answer for key, answer in departs.items() if key in measure.definition.decisions}
        words = " ".join(f"{key}={answer}" for key, answer in read.items())
    except StrangersError:
        raise
    except (UsageError, DataError) as refusal:
        refused, note = refusal, _first_sentence(str(refusal)) if isinstance(refusal, DataError) else _reason(refusal)
    return {
        "convention": convention, "value": value, "decisions": words, "note": note, "refusal": refused,
        "fingerprint": printed,
    }  # fmt: skip


def _reason(refusal: UsageError) -> str:
    return "unsupported" if "is not supported under" in str(refusal) else str(refusal)


def _first_sentence(message: str) -> str:
    """Return the first sentence of a message, without its location.

    >>> _first_sentence("qrels.txt line 2: grade 3 lies above max_grade=1. Declare a higher one.")
    'grade 3 lies above max_grade=1'
    """
    return message.split(": ", 1)[-1].split(". ")[0]


def _refuse_all(rows: Sequence[dict[str, Any]]) -> None:
    """If no convention has a value, raise the most frequent error, unless they lack the measure."""
    refusals = [row["refusal"] for row in rows if row["note"] != "unsupported"]
    if refusals and all(math.isnan(row["value"]) and row["refusal"] is not None for row in rows):
        raise most_frequent(refusals)


def _adds_nothing(row: dict[str, Any], rows: Sequence[dict[str, Any]]) -> bool:
    """Whether known faults leave the number as it is."""
    plain = row["convention"].removesuffix(", faults=on")
    same = (other["value"] for other in rows if other["convention"] == plain != row["convention"])
    return any(math.isnan(row["value"]) or abs(row["value"] - value) <= EQUAL for value in same)


def with_faults() -> Iterator[str]:
    """Yield every convention, followed by the same with its known faults if these can be switched on."""
    for convention in CONVENTIONS.values():
        yield convention.name
        if convention.switched:
            yield f"{convention.name}, faults=on"


def spread(table: Table) -> str:
    """Say in one line how many values there are, and their range."""
    values = [value for value in table["value"] if not math.isnan(value)]
    if not values:
        return "no convention answers"
    different = 1 + sum(b - a > EQUAL for a, b in itertools.pairwise(values))
    counts = f"{plural(different, 'value')} of {plural(len(values), 'convention')}"
    return f"{counts}, from {values[0]:.4f} to {values[-1]:.4f}"
