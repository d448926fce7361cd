"""The scale of grades: how people write it, and the keys and shades of its grades."""

from __future__ import annotations

from typing import Any, NamedTuple

from idealrank.errors import DataError
from idealrank.labels.guidelines import parse_guideline

MOST_GRADES = 10
"""A scale has no more grades: there is a digit for each."""

LEVELS = 4
"""The highest of the report's shades of grades."""


def read_scale(text: str) -> list[list[Any]] | None:
    r"""Read a scale as people write it: a grade and its word a line; None for nothing.

    Raises
    ------
    DataError
        If a line begins with no number, a grade comes twice, or there are too many.

    Examples
    --------
    >>> read_scale("0 irrelevant\n1 fits\n2")
    [[0.0, 'irrelevant'], [1.0, 'fits'], [2.0, '']]
    """
    rows: list[list[Any]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        grade, _, word = line.partition(" ")
        try:
            number = float(grade)
        except ValueError:
            number = float("nan")
        if number - number != 0:  # neither NaN nor infinite is a grade
            raise DataError(f"The scale: {line!r} does not begin with a grade. Write one a line, as: 2 relevant.")
        rows.append([number, word.strip()])
    if len({number for number, _ in rows}) < len(rows):
        raise DataError("The scale has a grade twice. Write each once, with its word.")
    if len(rows) > MOST_GRADES:
        raise DataError(f"The scale has {len(rows)} grades; there are keys for {MOST_GRADES}. Write fewer.")
    return sorted(rows) or None


def scale_and_guideline(text: str) -> tuple[list[list[Any]], str]:
    r"""Read a scale that may say what each grade means; return it, and the whole text as a guideline, "" for none.

    Raises
    ------
    DataError
        If it is no scale of two grades at least.

    Examples
    --------
    >>> scale_and_guideline("Would they buy it?\n1 yes: they would\n0 no")
    ([[0.0, 'no'], [1.0, 'yes']], 'Would they buy it?\n1 yes: they would\n0 no')
    >>> scale_and_guideline("0 no\n0.5 partly\n1 yes")
    ([[0.0, 'no'], [0.5, 'partly'], [1.0, 'yes']], '')
    """
    found = parse_guideline(text, "The scale")
    rows = read_scale("\n".join(f"{one.grade!r} {one.word}" for one in found.grades)) or []
    return rows, text.strip() if found.question or any(one.meaning for one in found.grades) else ""


class GradeKey(NamedTuple):
    """A grade as a button.

    Attributes
    ----------
    key
        The digit that gives it.
    level
        Its shade in the report, 0 to 4.
    """

    key: str
    grade: float
    word: str
    level: int


def grade_keys(scale: tuple[tuple[float, str], ...]) -> list[GradeKey]:
    """Return the buttons of a scale: the digit is the grade, or its place where grades are no digits.

    Examples
    --------
    >>> [each.key for each in grade_keys(((0.0, "no"), (1.0, "yes")))]
    ['0', '1']
    >>> [each.key for each in grade_keys(((-1.0, "spam"), (0.1, "partly"), (1.0, "yes")))]
    ['1', '2', '3']
    """
    digits = all(grade in range(10) for grade, _ in scale)
    top = max((grade for grade, _ in scale), default=1.0) or 1.0
    return [
        GradeKey(str(int(grade)) if digits else str(place % 10), grade, word, grade_level(grade, top))
        for place, (grade, word) in enumerate(scale, 1)
    ]


def grade_level(grade: float, top: float) -> int:
    """Return the shade of a grade, as the report's page has it."""
    return int(max(0, min(LEVELS, (LEVELS * grade / top + 0.5) // 1))) if top > 0 else 0
