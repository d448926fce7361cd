"""Numbers, names and tables as HTML: every text is escaped, and names are kept apart from the text around them."""

import math
import re
from collections.abc import Iterable, Sequence
from html import escape

from idealrank.arrays import SAME
from idealrank.display.amounts import amount
from idealrank.display.numbers import change_text, decimal, p_text, span_text
from idealrank.errors import visible

_SIGN = re.compile(r"(?<![\w-])-(?=\d)")
_WORDS = {1: "gain", 0: "same", -1: "loss"}

MARKS = {
    "SHIP": ("ship", "✓"), "DON'T": ("dont", "✕"), "CAN'T TELL": ("cant-tell", "?"), "ABOUT THE SAME": ("same", "="),
}  # fmt: skip
"""The class and the mark of each."""


def name(text: str) -> str:
    """Write a name from the data; its direction of writing stays within it.

    Examples
    --------
    >>> name("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    """
    return f"<bdi>{escape(visible(text))}</bdi>"


def minus(text: str) -> str:
    """Write the sign of each number below 0 as a minus sign; a hyphen within a word stays."""
    return _SIGN.sub("−", text)


def fixed(value: float | None) -> str:
    """Write a number with four decimals, as tables have them; a dash where there is none."""
    return "–" if value is None else minus(decimal(value))


def short(value: float | None, sign: str = "") -> str:
    """Write a number with three decimals, as the front has them; a dash where there is none.

    Examples
    --------
    >>> short(0.73003), short(-0.05021, "+"), short(None)
    ('0.730', '−0.050', '–')
    """
    return "–" if value is None else amount(value, 3, sign=bool(sign))


def span(low: float | None, high: float | None, sign: str = "") -> str:
    """Write an interval; a dash where there is none."""
    return minus(span_text(_or_nan(low), _or_nan(high), sign))


def aside(text: str) -> str:
    """Mark what a narrow screen leaves out of a table."""
    return f'<span class="aside">{text}</span>'


def short_span(low: float | None, high: float | None, sign: str = "+") -> str:
    """Write an interval with three decimals; in words where there is none."""
    return "too few queries" if low is None or high is None else f"{short(low, sign)} to {short(high, sign)}"


def chance(p: float | None) -> str:
    """Write a p-value."""
    return p_text(_or_nan(p))


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def turn(difference: float, direction: str) -> int:
    """Say whether a difference is a gain (1), a loss (-1) or none (0), where more is better or less is.

    Examples
    --------
    >>> turn(0.2, "higher"), turn(0.2, "lower"), turn(1e-13, "higher")
    (1, -1, 0)
    """
    if abs(difference) <= SAME:
        return 0
    return 1 if (difference > 0) == (direction != "lower") else -1


def mood(value: float, direction: str) -> str:
    """Return the class of a difference: gain, loss or same; that of a count is neither."""
    return "neither" if direction == "count" else _WORDS[turn(value, direction)]


def difference(value: float | None, direction: str) -> str:
    """Write a difference with glyph and sign, and four decimals."""
    if value is None:
        return '<span class="difference">–</span>'
    return f'<span class="difference {mood(value, direction)}">{minus(change_text(value, direction))}</span>'


def change(value: float | None, direction: str) -> str:
    """Write a difference with glyph and sign, and three decimals."""
    if value is None:
        return '<span class="difference">–</span>'
    glyph = {1: "▲", 0: "=", -1: "▼"}[turn(value, direction)]
    said = short(value, "+") if glyph != "=" else short(0.0)
    return f'<span class="difference {mood(value, direction)}">{glyph} {said}</span>'


def count(number: int) -> str:
    """Write a count with its thousands apart."""
    return f"{number:,}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], label: str, numeric: int = 1) -> str:
    """Write cells of HTML as a table that scrolls in a box of its own; the first cell of a row is its heading.

    Parameters
    ----------
    numeric
        The first column that contains numbers.
    """
    styles = [' class="number"' if place >= numeric else "" for place in range(len(head))]
    top = "".join(f'<th scope="col"{style}>{cell}</th>' for cell, style in zip(head, styles, strict=True))
    body = "".join(_row(row, styles) for row in rows)
    box = f'<div class="wide" role="region" tabindex="0" aria-label="{escape(label)}">'
    return f"{box}<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"


def _row(cells: Sequence[str], styles: list[str]) -> str:
    first, *others = cells
    rest = "".join(f"<td{style}>{cell}</td>" for cell, style in zip(others, styles[1:], strict=True))
    return f'<tr><th scope="row">{first}</th>{rest}</tr>'


def bullets(texts: Iterable[str]) -> str:
    """Write texts as a list."""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>{items}</ul>" if items else ""


def outcome_class(outcome: str) -> str:
    """Return the class of an outcome; "" where there is none."""
    return MARKS[outcome][0] if outcome else ""


def outcome_mark(outcome: str) -> str:
    """Write the mark of an outcome."""
    word, glyph = MARKS[outcome]
    return f'<span class="mark" data-outcome="{word}" aria-hidden="true">{glyph}</span>'


def outcome_text(outcome: str) -> str:
    """Write an outcome with its mark."""
    return f'<span class="outcome">{outcome_mark(outcome)} {escape(outcome)}</span>'
