"""Blocks: what a value shows, before it is drawn as text, HTML or Markdown."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

SHOWN_ROWS = 60
"""Rows a notebook, and the text of a table, show before they say how many more there are."""


class Heading(NamedTuple):
    """A line that names what is shown; ``{}`` in `pattern` stands for the next of `names`, which are from the data."""

    pattern: str
    names: tuple[str, ...] = ()


class Mark(NamedTuple):
    """How a page marks what a value says first: the colour of its edge, and an interval drawn below the words.

    Attributes
    ----------
    colour
        One of ``gain``, ``loss``, ``unsure`` and ``same``.
    span
        A change with the ends of its interval: low, change, high; None where there is none to draw.
    ends
        The ends of the interval as a text.
    sides
        What is left of no change, and what is right of it.
    """

    colour: str
    span: tuple[float, float, float] | None = None
    ends: str = ""
    sides: tuple[str, str] = ("worse", "better")


class Lines(NamedTuple):
    """Texts with labels. Where no title stands before them, they go on right below other lines.

    Attributes
    ----------
    rows
        Labels with texts; a label that begins with a blank belongs to the one above, as does an empty one.
    title
        Their heading in text; a page has none, as labels are bold there.
    indent
        Where the texts begin in text.
    leads
        Whether they are what the value says first, and no small print.
    marks
        How a page marks each of the first texts; text and Markdown say the same in words.
    """

    rows: Sequence[tuple[str, str]]
    title: str = ""
    indent: int = 11
    leads: bool = False
    marks: Sequence[Mark] = ()


class Points(NamedTuple):
    """Sentences one below the other, with a line above them."""

    texts: Sequence[str]
    title: str = ""


class Small(NamedTuple):
    """A line in small letters under numbers; text, which has none, leaves it out."""

    text: str


@dataclass(frozen=True)
class TextColumn:
    """A column to draw: its name, its cells as text, and whether they are numbers."""

    name: str
    cells: Sequence[str]
    numeric: bool
    whole: bool = False
    """Whether its words must not be folded, as numbers are not."""
    spare: bool = False
    """Whether text may leave it out where not all fits the width."""
    page: Sequence[str] | None = None
    """Its cells on a page, where they differ from those of text."""

    @property
    def folds(self) -> bool:
        """Whether its cells may go over several lines."""
        return not (self.numeric or self.whole)

    @property
    def wide(self) -> int:
        """Width it asks for."""
        return max(map(text_width, (self.name, *self.cells)), default=0)


class Grid(NamedTuple):
    """Columns of text.

    Attributes
    ----------
    title, note
        The lines above and below.
    more
        How many rows are not among the cells.
    rest
        What Python returns the rows that are not shown, for a notebook; text is also read beside commands.
    stated
        The fingerprints of the measures, as `Table.stated`; a page has them folded away, text leaves them out.
    on_page
        Further columns, for which only a page has room.
    instead
        What text says below in the place of columns that it leaves out: `on_page`, or `spare` ones where it is too
        narrow for them.
    """

    columns: Sequence[TextColumn]
    title: str = ""
    more: int = 0
    note: str = ""
    stated: Mapping[str, str | Sequence[str]] = {}
    on_page: Sequence[TextColumn] = ()
    instead: Lines | None = None
    rest: str = ""

    def first(self, rows: int) -> "Grid":
        """Return the first rows alone, with nothing below."""
        columns = [replace(column, cells=column.cells[:rows]) for column in self.columns]
        return Grid(columns, self.title)


class Beside(NamedTuple):
    """Two grids next to each other, where there is room."""

    left: Grid
    right: Grid


def text_width(text: str) -> int:
    """Terminal columns a text takes up: two for wide letters.

    Examples
    --------
    >>> text_width("nDCG"), text_width("検索")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


Plain = Heading | Lines | Points | Small | Grid | Beside


class Folded(NamedTuple):
    """How the numbers were made: a page folds it away, with the fingerprints of all grids; text and Markdown do not."""

    blocks: Sequence["Block"]


Block = Plain | Folded


def unfold(blocks: Iterable[Block]) -> Iterator[Plain]:
    """Yield the blocks, those that are folded in their place."""
    for block in blocks:
        if isinstance(block, Folded):
            yield from unfold(block.blocks)
        else:
            yield block


# Drawing columns.


GAP = "  "
PROSE = 100
"""Columns of prose at most: longer lines are hard to read, so a wide screen or a pipe has none."""

_NARROWEST, _LONGEST_WORD = 12, 40


def draw(columns: Sequence[TextColumn], width: int) -> list[str]:
    """Draw columns, as lines: a header, a rule, rows.

    Where they are wider than `width`, columns of words fold; where numbers alone are too wide, they
    go on in a second table below, which repeats the first words.
    """
    if not columns:
        return []
    folded = _fold_widths(columns, width)
    lines: list[str] = []
    for block in _deal_columns(columns, folded, width):
        chosen = [columns[i] for i in block]
        lines += [*([""] if lines else []), *_draw_block(chosen, _fold_widths(chosen, width))]
    return lines


def _fold_widths(columns: Sequence[TextColumn], width: int) -> list[int]:
    """Width of each column: columns of words give way, the widest first."""
    widths = [column.wide for column in columns]
    least = [_least_width(column) if column.folds else column.wide for column in columns]
    while _total_width(widths) > width:
        words = [i for i in range(len(columns)) if widths[i] > least[i]]
        if not words:
            break
        widths[max(words, key=lambda i: widths[i])] -= 1
    return widths


def _least_width(column: TextColumn) -> int:
    """Width below which words would break; only very long ones do."""
    longest = max((text_width(word) for text in column.cells for word in text.split()), default=0)
    return max(_NARROWEST, text_width(column.name), min(longest, _LONGEST_WORD))


def _total_width(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _deal_columns(columns: Sequence[TextColumn], widths: Sequence[int], width: int) -> list[list[int]]:
    """Deal the columns into tables that fit; each begins with the first column and the words that follow it."""
    if _total_width(widths) <= width:
        return [list(range(len(columns)))]
    keys = next((i for i, column in enumerate(columns) if column.numeric and i), len(columns))
    keys = keys if keys < len(columns) else 1
    blocks: list[list[int]] = []
    for place in range(keys, len(columns)):
        if not blocks or _total_width([widths[i] for i in [*blocks[-1], place]]) > width:
            blocks.append(list(range(keys)))
        blocks[-1].append(place)
    return blocks or [list(range(keys))]


def _draw_block(columns: Sequence[TextColumn], widths: Sequence[int]) -> list[str]:
    lines = [_draw_line([column.name for column in columns], columns, widths), "─" * _total_width(widths)]
    for row in zip(*(column.cells for column in columns), strict=True):
        parts = [_fold_cell(text, wide) for text, wide in zip(row, widths, strict=True)]
        for deep in range(max(map(len, parts))):
            lines.append(_draw_line([part[deep] if deep < len(part) else "" for part in parts], columns, widths))
    return lines


def _fold_cell(text: str, wide: int) -> list[str]:
    if text_width(text) <= wide:
        return [text]
    # A letter may be two columns wide: where one is, half as many letters surely fit.
    letters = wide if text_width(text) == len(text) else max(1, wide // 2)
    return textwrap.wrap(text, letters) or [""]


def _draw_line(cells: Sequence[str], columns: Sequence[TextColumn], widths: Sequence[int]) -> str:
    padded = []
    for text, column, wide in zip(cells, columns, widths, strict=True):
        space = " " * (wide - text_width(text))
        padded.append(space + text if column.numeric else text + space)
    return GAP.join(padded).rstrip()


def fits(columns: Sequence[TextColumn], width: int) -> bool:
    """Whether columns fit side by side in this width, nothing folded."""
    return _total_width([column.wide for column in columns]) <= width


def label_lines(label: str, text: str, width: int, indent: int = 11) -> list[str]:
    """Write a label and a text beside it, folded at `width` with a hanging indent.

    Examples
    --------
    >>> label_lines("value", "gain=linear discount=log2", 24)
    ['value      gain=linear', '           discount=log2']
    """
    first = f"{label:<{indent - 1}} " if len(label) < indent else f"{label} "
    fold = textwrap.TextWrapper(
        max(min(width, PROSE), indent + 20),
        initial_indent=first,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return fold.wrap(text) or [first.rstrip()]


def wrap(sentences: Iterable[str], width: int) -> list[str]:
    """Fold sentences at the width, each on a line of its own; a word, such as a path or an id, stays whole.

    Examples
    --------
    >>> wrap(["two words", "bm25-with-synonyms"], 8)
    ['two', 'words', 'bm25-with-synonyms']
    """
    fold = textwrap.TextWrapper(min(width, PROSE), break_long_words=False, break_on_hyphens=False).wrap
    return [line for text in sentences for line in fold(text)]


def place_beside(left: Sequence[str], right: Sequence[str], width: int) -> list[str] | None:
    """Put two drawings next to each other; None where they do not fit."""
    wide = max(map(text_width, left), default=0)
    if wide + 4 + max(map(text_width, right), default=0) > width:
        return None
    rows = max(len(left), len(right))
    padded = [*left, *[""] * (rows - len(left))]
    others = [*right, *[""] * (rows - len(right))]
    return [f"{a}{' ' * (wide + 4 - text_width(a))}{b}".rstrip() for a, b in zip(padded, others, strict=True)]
