"""Numbers, names and tables as HTML: every text is escaped, and names are kept apart from the text around them."""

import math
from collections.abc import Iterable, Sequence
from html import escape

from idealrank.arrays import SAME
from idealrank.display.numbers import change_text, decimal, p_text, span_text
from idealrank.errors import visible

_WORDS = {1: "gain", 0: "same", -1: "loss"}


def name(text: str) -> str:
    """Write a name from the data; its direction of writing stays within it.

    Examples
    --------
    >>> name("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    """
    return f"<bdi>{escape(visible(text))}</bdi>"


def fixed(value: float | None) -> str:
    """Write a number with four decimals; a dash where there is none."""
    return "–" if value is None else decimal(value)


def span(low: float | None, high: float | None, sign: str = "") -> str:
    """Write an interval; a dash where there is none."""
    return span_text(_or_nan(low), _or_nan(high), sign)


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


def difference(value: float | None, direction: str) -> str:
    """Write a difference with glyph and sign; that of a count is neither a gain nor a loss."""
    if value is None:
        return '<span class="difference">–</span>'
    turned = turn(value, direction)
    mood = "neither" if direction == "count" else _WORDS[turned]
    return f'<span class="difference {mood}">{change_text(value, direction)}</span>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]], label: str, numeric: int = 1) -> str:
    """Write cells of HTML as a table that scrolls in a box of its own; the first cell of a row is its heading.

    Parameters
    ----------
    numeric
        The first column that holds numbers.
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
