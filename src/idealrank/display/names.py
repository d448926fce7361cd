"""Names that are too long for their place: start and end are kept, and two names never become one."""

from collections.abc import Iterable

from idealrank.display.blocks import text_width


def cut_middle(text: str, width: int, head: int | None = None) -> str:
    """Cut the middle out of a text that is wider than `width`: ids often differ only at their ends.

    Parameters
    ----------
    width
        In columns of a terminal: two for a wide letter.
    head
        Columns that are kept before the cut; None: as many as after it.

    Examples
    --------
    >>> cut_middle("waterproof jacket women", 12), cut_middle("q12", 12)
    ('waterp…women', 'q12')
    >>> cut_middle("waterproof jacket women", 12, head=3)
    'wat…et women'
    """
    if text_width(text) <= width:
        return text
    room = max(width - 1, 1)
    first = (room + 1) // 2 if head is None else head
    start, end = text[:first], text[max(len(text) - (room - first), 0) :]
    while text_width(start) > first:
        start = start[:-1]
    while text_width(end) > room - first:
        end = end[1:]
    return f"{start}…{end}"


def cut_names(names: Iterable[str], width: int) -> list[str]:
    """Cut the middles out of names that are wider than `width`, so that no two of them look the same.

    The cut is in the middle if that keeps the names apart; else at the nearest place that does. Where there is none,
    the names become as much wider than `width` as they must.

    Examples
    --------
    >>> cut_names(["search_service_01_with_rerank", "search_service_02_with_rerank"], 19)
    ['searc…1_with_rerank', 'searc…2_with_rerank']
    """
    every = list(names)
    for wide in range(max(width, 3), max(map(text_width, every), default=0)):
        middle = wide // 2
        for head in sorted(range(1, wide - 1), key=lambda head: abs(head - middle)):
            cut = [cut_middle(name, wide, head) for name in every]
            if len(set(cut)) == len(set(every)):
                return cut
    return every
