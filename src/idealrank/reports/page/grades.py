"""Grades on the page: the judge calibrated on people, how far raters agree, and the verdict under each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, cast

from idealrank.comparison.types import DifferenceRow, EstimateJson
from idealrank.display.numbers import percent
from idealrank.errors import visible
from idealrank.reports.page.markup import (
    SCALE,
    Ends,
    aside,
    bullets,
    change,
    count,
    draw_forest,
    farthest,
    name,
    outcome_text,
    short,
    short_span,
    table,
)
from idealrank.reports.types import CalibrationEntry, ReportSections

_COEFFICIENTS = {"alpha": "Krippendorff's alpha", "kappa": "Fleiss' kappa", "ac": "Gwet's AC"}


def calibration(parts: ReportSections) -> str:
    """Write what people, a cheap judge, and the judge calibrated on people say; nothing without a judge."""
    found = parts["grades"]["calibrations"] if parts["grades"] else []
    if not found:
        return ""
    written = "".join(_calibration(each, len(found) > 1) for each in found)
    title = "A cheap judge, calibrated on people"
    return f'<section id="calibration" aria-label="{title}"><h2>{title}</h2>{written}</section>'


def _calibration(found: CalibrationEntry, several: bool) -> str:
    """Draw the three estimates one below the other, and say what the judge is worth."""
    both = f"{count(found['sampled'])} + {count(found['queries'])}"
    rows = [
        ("people alone", found["people"], count(found["sampled"])),
        ("judge alone, not calibrated", found["judge_alone"], count(found["queries"])),
        ("<b>calibrated</b>, which decides", found["calibrated"], both),
    ]
    ends = [_ends(each, found["direction"]) for _, each, _ in rows]
    most = max(map(farthest, ends))
    cells = [
        [
            title,
            aside(queries),
            change(each["difference"], found["direction"]),
            aside(short_span(each["low"], each["high"])),
            _forest(each, at, most),
        ]
        for (title, each, queries), at in zip(rows, ends, strict=True)
    ]
    of = f"<h3>{name(found['system'])} instead of {name(found['baseline'])}</h3>" if several else ""
    head = [f"{escape(found['measure'])} by", aside("queries"), "change", aside("interval"), SCALE]
    note = f'<p class="note">{escape(visible(" ".join(found["sentences"])))}</p>'
    return f"{of}{table(head, cells, 'Estimates')}{note}"


def _ends(found: EstimateJson, direction: str) -> Ends | None:
    middle, low, high = found["difference"], found["low"], found["high"]
    if middle is None or low is None or high is None:
        return None
    return (-middle, -high, -low) if direction == "lower" else (middle, low, high)


def _forest(found: Mapping[str, Any], ends: Ends | None, most: float) -> str:
    row = {"difference": found["difference"], "corrected low": found["low"], "corrected high": found["high"]}
    return draw_forest(cast("DifferenceRow", row), ends, most)


def raters(parts: ReportSections) -> str:
    """Write how far raters agree, who stands out, and what each of them alone would say; nothing for one rater."""
    found = parts["grades"]["raters"] if parts["grades"] else None
    if found is None:
        return ""
    agreement = found["agreement"]
    said = [
        found["headline"],
        *_coefficients(agreement["coefficients"], agreement["interval_note"]),
        found["verdicts_sentence"],
    ]
    lead = "".join(f"<p>{escape(visible(text))}</p>" for text in said if text)
    rows = [
        [
            name(row["rater"]),
            count(row["ratings"]),
            "–" if row["agreement"] is None else percent(round(row["agreement"], 2)),
            short(row["mean"]),
            short(row["above others"], "+"),
        ]
        for row in agreement["by_rater"]
    ]
    head = ["rater", "ratings", "equal to others", "mean grade", "above others"]
    verdicts = _verdicts(agreement["verdicts"], parts["measures"][0]["direction"])
    found_out = f"{bullets(map(visible, agreement['findings']))}{_disputed(agreement['disputed'])}"
    written = f"{lead}{verdicts}{table(head, rows, 'Raters')}{found_out}"
    return f'<section id="agreement" aria-label="Agreement"><h2>Agreement</h2>{written}</section>'


def _coefficients(rows: Sequence[Mapping[str, Any]], note: str) -> Iterator[str]:
    """Say the coefficients that people ask for, each with its interval, and what to know of these."""
    told = [
        f"{_COEFFICIENTS[row['coefficient']]} {short(row['value'])} ({short_span(row['low'], row['high'], '')})"
        for row in rows
        if row["coefficient"] in _COEFFICIENTS and row["value"] is not None
    ]
    if told:
        yield f"{'; '.join(told)}."
        if note:
            yield f"{note}."


def _verdicts(rows: Sequence[Mapping[str, Any]], direction: str) -> str:
    """Draw the difference under each rater alone and without each, one below the other."""
    if not rows:
        return ""
    ends = [_ends(cast("EstimateJson", row), direction) for row in rows]
    most = max(map(farthest, ends))
    several = len({row["system"] for row in rows}) > 1
    cells = [
        [
            escape(visible(row["judged by"])) + (f" · {name(row['system'])}" if several else ""),
            aside(count(row["queries"])),
            change(row["difference"], direction),
            _forest(row, at, most),
            outcome_text(row["verdict"]),
        ]
        for row, at in zip(rows, ends, strict=True)
    ]
    return table(["judged by", aside("queries"), "change", SCALE, "verdict"], cells, "Verdict by rater")


def _disputed(rows: Sequence[Mapping[str, Any]]) -> str:
    """Fold the documents that raters disagree on most away."""
    if not rows:
        return ""
    cells = [[name(row["query"]), name(row["doc"]), escape(visible(row["ratings"]))] for row in rows]
    written = table(["query", "document", "ratings"], cells, "Most disputed", numeric=3)
    return f"<details><summary>The documents most disputed</summary>{written}</details>"
