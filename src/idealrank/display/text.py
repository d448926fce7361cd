"""Text for a terminal and for `repr`: blocks as lines of a width."""

import os
import sys
from collections.abc import Iterable
from dataclasses import replace

from idealrank.display.blocks import (
    Beside,
    Block,
    Grid,
    Heading,
    Lines,
    Plain,
    Points,
    Small,
    draw,
    fits,
    label_lines,
    place_beside,
    unfold,
    wrap,
)
from idealrank.errors import isolated, plural, visible, visible_line

WIDE = 160
"""Width where there is no terminal."""


def text(blocks: Iterable[Block]) -> str:
    """Draw blocks as wide as the screen."""
    return "\n".join(lines(blocks, screen_width()))


def lines(blocks: Iterable[Block], width: int) -> list[str]:
    """Draw blocks, an empty line between paragraphs."""
    return [line for i, part in enumerate(paragraphs(blocks, width)) for line in ([""] if i else []) + part]


def paragraphs(blocks: Iterable[Block], width: int) -> list[list[str]]:
    """Draw blocks, each as a paragraph of lines; labelled lines go on below others."""
    drawn: list[list[str]] = []
    last: Plain | None = None
    for block in unfold(blocks):
        part = list(map(isolated, _draw_block(_make_visible(block), width)))
        if part and isinstance(block, Lines) and isinstance(last, Lines) and not block.title:
            drawn[-1] += part
        elif part:
            drawn.append(part)
        last = block if part else last
    return drawn


def _make_visible(block: Plain) -> Plain:
    """Show what a terminal would obey as text, before widths are measured."""
    match block:
        case Heading():
            return block._replace(names=tuple(map(visible, block.names)))
        case Lines():
            return _visible_lines(block)
        case Points():
            return Points([visible_line(text) for text in block.texts], visible(block.title))
        case Grid():
            return _visible_grid(block)
        case Beside():
            return Beside(_visible_grid(block.left), _visible_grid(block.right))
        case Small():
            return block


def _visible_lines(block: Lines) -> Lines:
    rows = [(visible(label), visible_line(words)) for label, words in block.rows]
    return block._replace(rows=rows, title=visible(block.title))


def _visible_grid(grid: Grid) -> Grid:
    columns = [
        replace(column, name=visible(column.name), cells=list(map(visible, column.cells))) for column in grid.columns
    ]
    instead = _visible_lines(grid.instead) if grid.instead else None
    return grid._replace(columns=columns, title=visible(grid.title), note=visible(grid.note), instead=instead)


def _draw_block(block: Plain, width: int) -> list[str]:
    match block:
        case Heading():
            return [block.pattern.format(*block.names)]
        case Lines():
            rows = [line for label, words in block.rows for line in label_lines(label, words, width, block.indent)]
            return [*([block.title] if block.title else []), *rows]
        case Points():
            points = [line for point in block.texts for line in _draw_point(point, width)]
            return [*([block.title] if block.title else []), *points]
        case Grid():
            return _draw_grid(block, width)
        case Beside():
            left, right = _draw_grid(block.left, width), _draw_grid(block.right, width)
            return place_beside(left, right, width) or [*left, "", *right]
        case Small():
            return []


def _draw_point(text: str, width: int) -> list[str]:
    first, *others = wrap([text], width - 2) or [""]
    return [f"- {first}", *(f"  {line}" for line in others)]


def _draw_grid(grid: Grid, width: int) -> list[str]:
    """Draw a grid; what is said in the place of columns that are left out stands below."""
    instead = grid.instead if grid.on_page or not fits(grid.columns, width) else None
    body = draw([column for column in grid.columns if not (instead and column.spare)], width)
    more = [plural(grid.more, "more row")] if grid.more else []
    below = _draw_block(instead, width) if instead else []
    return [*wrap([grid.title], width), *body, *more, *wrap([grid.note], width), *below]


def screen_width() -> int:
    """Width of the terminal; wide where there is none, so that nothing is folded in a file."""
    if "COLUMNS" in os.environ or (sys.stdout is not None and sys.stdout.isatty()):
        import shutil

        return shutil.get_terminal_size().columns
    return WIDE
