"""Blocks: what a value shows, before it is drawn as text, HTML or Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from idealrank.display.grid import Column

SHOWN_ROWS = 60
"""Rows a notebook, and the text of a table, show before they say how many more there are."""


class Heading(NamedTuple):
    """A line that names what is shown; ``{}`` in `pattern` stands for the next of `names`, which are from the data."""

    pattern: str
    names: tuple[str, ...] = ()


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
    """

    rows: Sequence[tuple[str, str]]
    title: str = ""
    indent: int = 11
    leads: bool = False


class Points(NamedTuple):
    """Sentences one below the other, with a line above them."""

    texts: Sequence[str]
    title: str = ""


class Small(NamedTuple):
    """A line in small letters under numbers; text, which has none, leaves it out."""

    text: str


class Grid(NamedTuple):
    """Columns of text.

    Attributes
    ----------
    title, note
        The lines above and below.
    more
        How many rows are not among the cells.
    stated
        The fingerprints of the measures, as `Table.stated`; a page has them folded away, text leaves them out.
    on_page
        Further columns, for which only a page has room.
    instead
        What text says below in the place of columns that it leaves out: `on_page`, or `spare` ones where it is too
        narrow for them.
    """

    columns: Sequence[Column]
    title: str = ""
    more: int = 0
    note: str = ""
    stated: Mapping[str, str | Sequence[str]] = {}
    on_page: Sequence[Column] = ()
    instead: Lines | None = None

    def first(self, rows: int) -> "Grid":
        """Return the first rows alone, with nothing below."""
        columns = [replace(column, cells=column.cells[:rows]) for column in self.columns]
        return Grid(columns, self.title)


class Beside(NamedTuple):
    """Two grids next to each other, where there is room."""

    left: Grid
    right: Grid


Plain = Heading | Lines | Points | Small | Grid | Beside


class Folded(NamedTuple):
    """How the numbers were made: a page folds it away, with the fingerprints of all grids; text and Markdown do not."""

    blocks: Sequence["Block"]


Block = Plain | Folded


def unfolded(blocks: Iterable[Block]) -> Iterator[Plain]:
    """Yield the blocks, those that are folded in their place."""
    for block in blocks:
        if isinstance(block, Folded):
            yield from unfolded(block.blocks)
        else:
            yield block
