"""Grades on the page: the judge calibrated on people, how far raters agree, and the verdict under each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from idealrank.comparison.types import ESTIMATES
from idealrank.display.numbers import percent
from idealrank.errors import visible
from idealrank.reports.page.markup import (
    SCALE,
    aside,
    bullets,
    change,
    count,
    draw_forest,
    ends_of,
    farthest,
    name,
    outcome_text,
    short,
    short_span,
    table,
)
from idealrank.reports.types import CalibrationEntry, Estimate, ReportSections

_COEFFICIENTS = ("alpha", "kappa", "ac")
"""Those that people ask for."""


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
    people, judge, direction = count(found["sampled"]), count(found["queries"]), found["direction"]
    rows = [
        (ESTIMATES["people"], found["people"], people),
        (ESTIMATES["judge_alone"], found["judge_alone"], judge),
        (f"<b>{ESTIMATES['calibrated']}</b>, which decides", found["calibrated"], f"{people} + {judge}"),
    ]
    most = max(farthest(ends_of(_estimate(each), direction)) for _, each, _ in rows)
    cells = [
        [
            title,
            aside(queries),
            change(each["difference"], direction),
            aside(short_span(each["low"], each["high"])),
            draw_forest(_estimate(each), direction, most),
        ]
        for title, each, queries in rows
    ]
    of = f"<h3>{name(found['system'])} instead of {name(found['baseline'])}</h3>" if several else ""
    head = [f"{escape(found['measure'])} by", aside("queries"), "change", aside("interval"), SCALE]
    note = f'<p class="note">{escape(visible(" ".join(found["sentences"])))}</p>'
    return f"{of}{table(head, cells, 'Estimates')}{note}"


def _estimate(found: Mapping[str, Any]) -> Estimate:
    return found["difference"], found["low"], found["high"]


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
    from idealrank.labels.agreement import TITLES

    told = [
        f"{TITLES[row['coefficient']]} {short(row['value'])} ({short_span(row['low'], row['high'], '')})"
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
    most = max(farthest(ends_of(_estimate(row), direction)) for row in rows)
    several = len({row["system"] for row in rows}) > 1
    cells = [
        [
            escape(visible(row["judged by"])) + (f" · {name(row['system'])}" if several else ""),
            aside(count(row["queries"])),
            change(row["difference"], direction),
            draw_forest(_estimate(row), direction, most),
            outcome_text(row["verdict"]),
            aside(escape(visible(row["why"]))),
        ]
        for row in rows
    ]
    return table(["judged by", aside("queries"), "change", SCALE, "verdict", aside("why")], cells, "Verdict by rater")


def _disputed(rows: Sequence[Mapping[str, Any]]) -> str:
    """Fold the documents that raters disagree on most away."""
    if not rows:
        return ""
    cells = [[name(row["query"]), name(row["doc"]), escape(visible(row["ratings"]))] for row in rows]
    written = table(["query", "document", "ratings"], cells, "Most disputed", numeric=3)
    return f"<details><summary>The documents most disputed</summary>{written}</details>"
