"""Markdown: blocks for a pull request or an issue, and what escapes their texts."""

import re
from collections.abc import Iterable, Sequence

from idealrank.display.blocks import Beside, Block, Grid, Heading, Lines, Plain, Points, Small, TextColumn, unfold
from idealrank.errors import plural, visible


def markdown(blocks: Iterable[Block]) -> str:
    """Write blocks as Markdown, an empty line between them."""
    return "\n\n".join(filter(None, map(_block_markdown, unfold(blocks)))) + "\n"


def _block_markdown(block: Plain) -> str:
    match block:
        case Heading():
            return f"### {escape(block.pattern.format(*block.names))}"
        case Lines():
            return _join_blocks(escape(block.title), bullets(block.rows))
        case Points():
            return _join_blocks(escape(block.title), "\n".join(f"- {escape(text)}" for text in block.texts))
        case Grid():
            return _grid_markdown(block)
        case Beside():
            return _join_blocks(_grid_markdown(block.left), _grid_markdown(block.right))
        case Small():
            return escape(block.text)


def _join_blocks(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def _grid_markdown(grid: Grid) -> str:
    table = columns_markdown(grid.columns) if grid.columns else ""
    return _join_blocks(
        escape(grid.title), table, plural(grid.more, "more row") if grid.more else "", escape(grid.note)
    )


def bullets(rows: Iterable[tuple[str, str]]) -> str:
    """Write texts with labels, a point each; a label that begins with a blank, or none, belongs to the one above."""
    return "\n".join(
        f"{'- ' if label[:1].strip() else '  - '}{escape(label)}{': ' if label else ''}{escape(text)}"
        for label, text in rows
    )


def columns_markdown(columns: Sequence[TextColumn]) -> str:
    """Write columns of text as a table; their cells are taken as they are."""
    escaped = [TextColumn(escape(c.name), [escape(cell) for cell in c.cells], c.numeric) for c in columns]
    return table_markdown(escaped)


def table_markdown(columns: Sequence[TextColumn]) -> str:
    """Write columns whose cells are Markdown already as a table."""
    lines = [
        [column.name for column in columns],
        ["---:" if column.numeric else ":---" for column in columns],
        *(list(row) for row in zip(*(column.cells for column in columns), strict=True)),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_SPECIAL = re.compile(r"[\\`*\[\]<>|~&$]|(?<!\w)_|_(?!\w)|^[#+-](?= )|(?<=^\d)[.)](?= )|^=(?==*$)|:(?=//)|(?<=\bwww)\.")
"""What Markdown reads as a style, HTML, a link, or at the beginning as a heading or a list."""

_CALLS = re.compile(r"(?<!\w)(?<!\)(?=@\d))[@#](?=\w)|(?<=\w)@(?=[\w-]+\.[a-zA-Z])")
"""A person or an issue that GitHub would call or refer to, and an address of mail; ``P(rel=2)@5`` is none."""


def escape(text: str) -> str:
    r"""Escape what Markdown would read as something else; one line.

    Examples
    --------
    >>> print(escape("a|b *c*\nmy_d"))
    a\|b \*c\* my_d
    >>> print(escape("https://a.test <b>"), escape("@all"))
    https\://a.test \<b\> @&#8203;all
    """
    line = _SPECIAL.sub(r"\\\g<0>", visible(" ".join(text.split())))
    return _CALLS.sub(lambda sign: f"{sign[0]}&#8203;", line)


def code(text: str) -> str:
    r"""Write an id as code, in more backticks than it has itself; a bar is escaped for the table.

    Examples
    --------
    >>> print(code("q1"), code("a`b"), code("a|b"))
    `q1` `` a`b `` `a\|b`
    """
    line = visible(" ".join(text.split()))
    longest = max(map(len, re.findall("`+", line)), default=0)
    space = " " if longest else ""
    mark = "`" * (longest + 1)
    return f"{mark}{space}{line.replace('|', chr(92) + '|')}{space}{mark}"
