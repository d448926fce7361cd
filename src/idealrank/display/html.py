"""HTML for notebooks: readable without any script, every text from data escaped."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from idealrank.display.blocks import (
    SHOWN_ROWS,
    Beside,
    Block,
    Folded,
    Grid,
    Heading,
    Lines,
    Plain,
    Points,
    Small,
    TextColumn,
    unfold,
)
from idealrank.errors import plural, visible_lines

_WHOLE = "white-space:nowrap;"
_CELL = "padding:.15em .6em;vertical-align:top;"
_NUMBER = f' align="right" style="{_CELL}text-align:right;{_WHOLE}font-variant-numeric:tabular-nums"'
_NAME = f' style="{_CELL}text-align:left;{_WHOLE}"'
_WORDS = f' style="{_CELL}text-align:left"'
_TABLE = '<table style="border-collapse:collapse;margin:.4em 0">'
_WIDE = '<div style="overflow-x:auto">'
_CARD = '<div style="border:1px solid;border-left-width:.4em;padding:.5em 1em;margin:.4em 0">'
_LARGE = ' style="font-size:130%"'
_HEAD = '<tr style="border-bottom:1px solid">'
_FOOT = '<p style="font-size:85%;margin:.2em 0">'
_SMALL = '<summary style="font-size:85%">'
_BESIDE = '<div style="display:flex;flex-wrap:wrap;gap:2em">'
_LONGEST_NAME = 40


def html(blocks: Iterable[Block]) -> str:
    """Write blocks as HTML; styles only make it neater, and give no colour. What is folded comes last, in one place."""
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
            return f"{_BESIDE}<div>{_grid_html(block.left)}</div><div>{_grid_html(block.right)}</div></div>"
        case Small():
            return f'<p style="margin:.2em 0"><small>{text_html(block.text)}</small></p>'


def _lines_html(lines: Lines) -> str:
    """Write texts with their labels in bold; those that belong to the one above as a list below it."""
    return "".join(
        _list_html(f"{label.strip()}: {text}" if label else text for label, text in rows)
        if below
        else "".join(_labelled_html(label, text, lines.leads) for label, text in rows)
        for below, rows in groupby(lines.rows, lambda row: not row[0] or row[0].startswith(" "))
    )


def _labelled_html(label: str, text: str, leads: bool) -> str:
    if not leads:
        return f"{_FOOT}<b>{text_html(label)}</b> {text_html(text)}</p>"
    outcome, colon, reason = text.partition(": ")
    said = f"{text_html(label)}{': ' if text else ''}{text_html(outcome)}"
    return f"{_CARD}<b{_LARGE}>{said}</b>{colon}{text_html(reason)}</div>"


def _grid_html(grid: Grid) -> str:
    """Write a grid: the first rows, and how many more there are."""
    columns = [*grid.columns, *grid.on_page]
    rows = max((len(column.cells) for column in columns), default=0)
    shown = min(rows, SHOWN_ROWS)
    more = rows - shown + grid.more
    table = _table_html(columns, shown) if columns else ""
    notes = _foot_html(plural(more, "more row") if more else "") + _foot_html(grid.note)
    return f"{_foot_html(grid.title)}{table}{notes}"


def _table_html(columns: Sequence[TextColumn], shown: int) -> str:
    cells = [(column.cells if column.page is None else column.page)[:shown] for column in columns]
    styles = [_cell_style(column, texts) for column, texts in zip(columns, cells, strict=True)]
    heads = [style.replace(_WHOLE, "") for style in styles]  # a long title folds, its numbers do not
    head = _row_html("th", [column.name for column in columns], heads)
    body = "".join(f"<tr>{_row_html('td', row, styles)}</tr>" for row in zip(*cells, strict=True))
    return f"{_WIDE}{_TABLE}<thead>{_HEAD}{head}</tr></thead><tbody>{body}</tbody></table></div>"


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
