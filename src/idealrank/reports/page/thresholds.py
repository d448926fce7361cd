"""The thresholds of `overlap` in the page: a line per system, and the numbers."""

from html import escape
from typing import Any

from idealrank.reports.page.markup import fixed, name, table

WIDE, HIGH = 320, 150
"""Of the drawing, in pixels."""

_TOP, _FLOOR = 18, 130
"""Where the highest mean and 0 are drawn."""

_DASHES = ("none", "7 3", "2 3", "9 3 2 3", "1 4")
"""How the lines of systems differ; with more systems the table tells them apart."""


def thresholds(found: dict[str, Any] | None) -> str:
    """Write the means at every threshold; nothing where no spans were judged."""
    if found is None:
        return ""
    systems, shares = found["systems"], found["share"]
    rows = [[f"{share:.2f}", *(fixed(each[n]) for each in systems.values())] for n, share in enumerate(shares)]
    head = ["share", *(f"{name(system)}{_sample(place)}" for place, system in enumerate(systems))]
    label = f"{found['measure']} at every threshold of overlap"
    return (
        f"<p>{escape(found['measure'])} by the {escape(found['meaning'])}; 0 is any overlap.</p>"
        f"{_drawn(label, list(systems.values()))}{table(head, rows, label)}"
    )


def _drawn(label: str, lines: list[list[float | None]]) -> str:
    """Draw a line per system, from share 0 on the left to 1 on the right, and from 0 to the highest mean."""
    top = max((value for line in lines for value in line if value is not None), default=0.0) or 1.0
    drawn = "".join(
        f'<polyline fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="{_dash(place)}" '
        f'points="{_points(line, top)}"/>'
        for place, line in enumerate(lines[: len(_DASHES)])
    )
    axis = f'<line class="axis" x1="4" x2="{WIDE - 4}" y1="{_FLOOR}" y2="{_FLOOR}"/>'
    ends = f"{_text(4, 12, f'{top:.3f}')}{_text(4, HIGH - 4, '0')}{_text(WIDE - 12, HIGH - 4, '1')}"
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" role="img" aria-label="{escape(label)}">'
        f"{drawn}{axis}{ends}</svg>"
    )


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" fill="currentColor">{text}</text>'


def _points(line: list[float | None], top: float) -> str:
    step = (WIDE - 8) / max(1, len(line) - 1)
    return " ".join(
        f"{4 + step * n:.1f},{_FLOOR - (_FLOOR - _TOP) * max(0.0, value) / top:.1f}"
        for n, value in enumerate(line)
        if value is not None
    )


def _dash(place: int) -> str:
    return _DASHES[place % len(_DASHES)]


def _sample(place: int) -> str:
    """Draw how the line of a system looks."""
    if place >= len(_DASHES):
        return ""
    return (
        '<br><svg viewBox="0 0 40 4" width="40" height="4" aria-hidden="true"><line x1="0" x2="40" y1="2" y2="2" '
        f'stroke="currentColor" stroke-width="2" stroke-dasharray="{_dash(place)}"/></svg>'
    )
