"""HTML for notebooks: readable without any script, every text from data escaped."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import chain, groupby, repeat

from idealrank.display.blocks import (
    SHOWN_ROWS,
    Beside,
    Block,
    Folded,
    Grid,
    Heading,
    Lines,
    Mark,
    Plain,
    Points,
    Small,
    TextColumn,
    unfold,
)
from idealrank.display.palette import ON_ANY_GROUND
from idealrank.errors import plural, visible_lines

_WHOLE = "white-space:nowrap;"
_CELL = "padding:.15em .6em;vertical-align:top;"
_NUMBER = f' align="right" style="{_CELL}text-align:right;{_WHOLE}font-variant-numeric:tabular-nums"'
_NAME = f' style="{_CELL}text-align:left;{_WHOLE}"'
_WORDS = f' style="{_CELL}text-align:left"'
_INHERIT = "background:inherit"
_KEPT = f"position:sticky;left:0;z-index:1;{_INHERIT};"
_TABLE = f'<table style="border-collapse:collapse;margin:.4em 0;{_INHERIT}">'
GROUND = "var(--jp-layout-color0,var(--vscode-notebook-editorBackground,var(--vscode-editor-background,Canvas)))"
INK = "var(--jp-content-font-color1,var(--vscode-editor-foreground,CanvasText))"
# The first column stays while the others scroll below it, so it needs a ground: that of JupyterLab or VS Code, else
# the browser's. The ink comes from the same theme, so that the two can be read together wherever they are shown.
_WIDE = f'<div style="overflow-x:auto;max-width:100%;background:{GROUND};color:{INK}">'
_CARD = '<div style="border:1px solid;border-left:.4em solid{};padding:.5em 1em;margin:.4em 0;max-width:56em">'
_LARGE = ' style="font-size:130%"'
_HEAD = f'<tr style="border-bottom:1px solid;{_INHERIT}">'
_ROW = f'<tr style="{_INHERIT}">'
_FOOT = '<p style="font-size:85%;margin:.2em 0">'
_SMALL = '<summary style="font-size:85%">'
_BESIDE = '<div style="display:flex;flex-wrap:wrap;gap:2em">'
_SIDE = '<div style="min-width:0;max-width:100%">'
_LONGEST_NAME = 40


def html(blocks: Iterable[Block]) -> str:
    """Write blocks as HTML; styles only make it neater, and no word has a colour. What is folded comes last, once."""
    every = list(blocks)
    shown, below = ([b for b in every if isinstance(b, Folded) is folded] for folded in (False, True))
    return "".join(map(_block_html, unfold(shown))) + _folded_html(list(unfold(below)), _find_grids(unfold(every)))


def _folded_html(blocks: Sequence[Plain], grids: Iterable[Grid]) -> str:
    """Write what is folded away, and the fingerprints of the rows that are shown."""
    prints = list(dict.fromkeys(text for grid in grids for text in _fingerprints(grid) if text))
    within = "".join(map(_block_html, blocks)) + (f"{_foot_html('fingerprints')}{_list_html(prints)}" if prints else "")
    return f"<details>{_SMALL}How these numbers were made</summary>{within}</details>" if within else ""


def _fingerprints(grid: Grid) -> Iterator[str]:
    for text in grid.stated.values():
        yield from [text] if isinstance(text, str) else text[:SHOWN_ROWS]


def _find_grids(blocks: Iterable[Plain]) -> Iterator[Grid]:
    for block in blocks:
        yield from (block,) if isinstance(block, Grid) else block if isinstance(block, Beside) else ()


def text_html(text: str) -> str:
    """Escape a text; one that may run from right to left is set apart, so that it turns nothing beside it.

    Examples
    --------
    >>> text_html("<b>"), text_html("\u05d0")
    ('&lt;b&gt;', '<bdi>\u05d0</bdi>')
    """
    text = visible_lines(text)  # a browser draws no escape sequence, but copies it; and turns at U+202E within its bdi
    return escape(text) if text.isascii() else f"<bdi>{escape(text)}</bdi>"


def _block_html(block: Plain) -> str:
    match block:
        case Heading():
            return f"<p><b>{escape(block.pattern).format(*map(text_html, block.names))}</b></p>"
        case Lines():
            return _lines_html(block)
        case Points():
            return f"{_foot_html(block.title)}{_list_html(block.texts)}"
        case Grid():
            return _grid_html(block)
        case Beside():
            return f"{_BESIDE}{_SIDE}{_grid_html(block.left)}</div>{_SIDE}{_grid_html(block.right)}</div></div>"
        case Small():
            return f'<p style="margin:.2em 0"><small>{text_html(block.text)}</small></p>'


def _lines_html(lines: Lines) -> str:
    """Write texts with their labels in bold; those that belong to the one above as a list below it."""
    marked = zip(lines.rows, chain(lines.marks, repeat(None)), strict=False)
    return "".join(
        _list_html(f"{label.strip()}: {text}" if label else text for (label, text), _ in rows)
        if below
        else "".join(_labelled_html(label, text, lines.leads, mark) for (label, text), mark in rows)
        for below, rows in groupby(marked, lambda row: not row[0][0] or row[0][0].startswith(" "))
    )


def _labelled_html(label: str, text: str, leads: bool, mark: Mark | None) -> str:
    if not leads:
        return f"{_FOOT}<b>{text_html(label)}</b> {text_html(text)}</p>"
    outcome, colon, reason = text.partition(": ")
    title = f"{text_html(label)}{': ' if text else ''}{text_html(outcome)}"
    edge = f" {ON_ANY_GROUND[mark.colour]}" if mark else ""
    drawn = _span_html(mark, *mark.span) if mark and mark.span else ""
    return f"{_CARD.format(edge)}<b{_LARGE}>{title}</b>{colon}{text_html(reason)}{drawn}</div>"


_LONG, _ROOM = 320, 12
"""The length of a drawn interval's axis, and the room at its ends."""


def _span_html(mark: Mark, low: float, change: float, high: float) -> str:
    """Draw a change and its interval around no change. The words say the same, so nothing is lost without drawings."""
    most = max(abs(low), abs(high), abs(change)) or 1.0
    left, dot, right = (_LONG / 2 + end / most * (_LONG / 2 - _ROOM) for end in (low, change, high))
    half = len(mark.ends) * 3.2  # one text for both ends, so that those of a narrow interval never overlap
    middle = min(max((left + right) / 2, half), _LONG - half)
    colour = ON_ANY_GROUND[mark.colour]
    return (
        f'<svg viewBox="0 0 {_LONG} 46" role="img" '
        f'style="display:block;width:100%;max-width:{_LONG}px;margin-top:.5em" '
        f'aria-label="the interval {mark.ends}, around 0" fill="currentColor" font-size="11">'
        f'<text x="{middle:.1f}" y="12" text-anchor="middle">{mark.ends}</text>'
        f'<path d="M4 26H{_LONG - 4}M{_LONG / 2} 18V34" stroke="currentColor" stroke-opacity=".5"/>'
        f'<path d="M{left:.1f} 26H{right:.1f}" stroke="{colour}" stroke-width="5" stroke-linecap="round"/>'
        f'<circle cx="{dot:.1f}" cy="26" r="6" fill="{colour}"/>'
        f'<text x="4" y="44">{mark.sides[0]}</text><text x="{_LONG / 2}" y="45" text-anchor="middle">0</text>'
        f'<text x="{_LONG - 4}" y="44" text-anchor="end">{mark.sides[1]}</text></svg>'
    )


def _grid_html(grid: Grid) -> str:
    """Write a grid: the first rows, and how many more there are."""
    columns = [*grid.columns, *grid.on_page]
    rows = max((len(column.cells) for column in columns), default=0)
    shown = min(rows, SHOWN_ROWS)
    more = rows - shown + grid.more
    table = _table_html(columns, shown) if columns else ""
    notes = _foot_html(_more_text(more, grid.rest)) + _foot_html(grid.note)
    return f"{_foot_html(grid.title)}{table}{notes}"


def _more_text(more: int, rest: str) -> str:
    """Say how many rows are not shown, and what shows them; nothing where all are."""
    return f"… {plural(more, 'more row')}{f': {rest}' if rest else ''}" if more else ""


def _table_html(columns: Sequence[TextColumn], shown: int) -> str:
    cells = [(column.cells if column.page is None else column.page)[:shown] for column in columns]
    styles = [_cell_style(column, texts) for column, texts in zip(columns, cells, strict=True)]
    styles[0] = styles[0].replace('style="', f'style="{_KEPT}')
    heads = [style.replace(_WHOLE, "") for style in styles]  # a long title folds, its numbers do not
    head = _row_html("th", [column.name for column in columns], heads)
    body = "".join(f"{_ROW}{_row_html('td', row, styles)}</tr>" for row in zip(*cells, strict=True))
    within = f'<thead style="{_INHERIT}">{_HEAD}{head}</tr></thead><tbody style="{_INHERIT}">{body}</tbody>'
    return f"{_WIDE}{_TABLE}{within}</table></div>"


def _row_html(tag: str, texts: Iterable[str], styles: Iterable[str]) -> str:
    return "".join(f"<{tag}{style}>{text_html(text)}</{tag}>" for text, style in zip(texts, styles, strict=True))


def _cell_style(column: TextColumn, cells: Sequence[str]) -> str:
    if column.numeric:
        return _NUMBER
    return _NAME if max(map(len, cells), default=0) <= _LONGEST_NAME else _WORDS


def _foot_html(text: str) -> str:
    return f"{_FOOT}{text_html(text)}</p>" if text else ""


def _list_html(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{text_html(text)}</li>" for text in texts)
    return f'<ul style="font-size:85%;margin:.2em 0">{items}</ul>' if items else ""
