"""Grades: words on a scale become numbers, and the ratings of several raters one grade."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from idealrank._core import Column, from_columns
from idealrank.arrays import Floats
from idealrank.data.formats.messages import NOTHING, quoted
from idealrank.data.ids import id_text
from idealrank.errors import DataError, UsageError, either, unknown, unsaid

if TYPE_CHECKING:
    from idealrank.data.formats.source import Source

# Grades written as words: a scale says what each label is worth.


Scale = Mapping[str, float]
"""What each label is worth, NaN where it says that there is no grade; labels are folded by `_fold_label`."""

SCALES: dict[str, dict[str, float]] = {
    "esci": {"E": 1, "S": 0.1, "C": 0.01, "I": 0, "Exact": 1, "Substitute": 0.1, "Complement": 0.01, "Irrelevant": 0},
    "wands": {"Exact": 2, "Partial": 1, "Irrelevant": 0},
    "ntcir": {"L3": 3, "L2": 2, "L1": 1, "L0": 0},
}
"""Known scales by name.

Source: esci, the gains in the README of amazon-science/esci-data (its `prepare_trec_eval_files.py` exchanges S and C);
wands, the labels of wayfair/WANDS with the grades of Cheat at Search (softwaredoug); ntcir, the levels L0 to L3.
"""

MOST_LABELS = 20
"""A column with more different words contains no labels."""

_MISSING = frozenset({"", "n/a", "na", "nan", "null", "none"})


WITHHELD = {
    **dict.fromkeys(("cannot tell", "can't tell", "cannot judge", "unrateable", "unratable"), "cannot tell"),
    **dict.fromkeys(("later", "skip", "skipped"), "later"),
}
"""What a rater writes instead of a grade, folded, and what it means: there is no grade, and never a grade of 0."""


UNGRADED = {"refused": "refused", "unparsable": "unparsable", "timed_out": "timed out", "failed": "failed"}
"""What a column called state says of an answer of a language model that has no grade, and the words for it."""


def scale_of(grades: str | Mapping[str, float | None] | None) -> Scale | None:
    """Read a scale: the name of a known one, ``"Exact=2,Partial=1"``, or a dict; None for grades that are numbers.

    Raises
    ------
    UsageError
        If it is none of these.

    Examples
    --------
    >>> scale_of("Exact=2, Irrelevant=0, unsure=")
    {'exact': 2.0, 'irrelevant': 0.0, 'unsure': nan}
    """
    if grades is None:
        return None
    pairs = _scale_pairs(grades) if isinstance(grades, str) else grades.items()
    scale: dict[str, float] = {}
    for label, worth in pairs:
        number = _parse_worth(label, worth)
        known = scale.setdefault(_fold_label(label), number)
        if known != number and not (math.isnan(known) and math.isnan(number)):
            raise UsageError(
                f"{_OPTION}: the label {quoted(label.strip())} has two grades, {scale[_fold_label(label)]:g} and "
                f"{number:g}. Give each label one."
            )
    if not scale:
        raise UsageError(f"{_OPTION} contains no label. {_WAY}")
    return scale


def _scale_pairs(text: str) -> Iterable[tuple[str, object]]:
    known = SCALES.get(text.strip().lower())
    return map(_parse_pair, text.split(",")) if known is None else known.items()


def _parse_pair(text: str) -> tuple[str, str]:
    label, sign, worth = text.rpartition("=")
    if not sign and _fold_label(text).isalpha() and len(text) > 1:
        raise unknown("scale", text.strip(), SCALES)
    if not sign:
        raise UsageError(f"{_OPTION}: {quoted(text.strip())} is not LABEL=NUMBER. {_WAY}")
    return label, worth


def _parse_worth(label: str, worth: object) -> float:
    if (worth is None or not str(worth).strip()) and _fold_label(label):
        return math.nan
    try:
        number = float(str(worth))
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or not _fold_label(label):
        raise UsageError(f"{_OPTION}: {quoted(f'{label}={worth}')} is not LABEL=NUMBER. {_WAY}")
    return number


_OPTION = either("grades", "--grades")
_EXAMPLE = either("grades={'Good': 1, 'Bad': 0}", '--grades "Good=1,Bad=0"')
_WAY = f"Say what each label is worth, or nothing: {_EXAMPLE}; or name a known scale: {', '.join(SCALES)}."


def grades_of_labels(source: Source, index: int, scale: Scale) -> Floats:
    """(N,) the grades of a column of labels, NaN if there is none.

    Raises
    ------
    DataError
        If a label is not in the scale; the message gives its line.
    """
    column, name = source.column(index), source.frame.names[index]
    assert column is not None
    code, distinct = column.codes()
    labels = [id_text(value) for value in distinct.to_list()]
    if all(map(math.isnan, scale.values())):  # it only says which words are no grade: the others are numbers
        scale = {**{_fold_label(label): float(label) for label in labels if _is_finite(label)}, **scale}
    for place, label in enumerate(labels):
        if _fold_label(label) not in scale and _fold_label(label) not in {*_MISSING, *WITHHELD}:
            row = int(np.flatnonzero(code == place)[0])
            raise DataError(
                f"{source.place(row)}: {name} {quoted(label)} is not a label of the scale, which has "
                f"{', '.join(scale)}. Add it: {_scale_argument([*scale, _fold_label(label)], scale)}; with nothing in "
                "the place of … where it says that there is no grade."
            )
    worth: Floats = np.array([*(scale.get(_fold_label(label), np.nan) for label in labels), np.nan])
    return worth[code]


def refuse_labels(source: Source, index: int) -> None:
    """Refuse a column of grades in which every value is a word.

    Raises
    ------
    DataError
        The message names all labels, and what to pass.
    """
    column, name = source.column(index), source.frame.names[index]
    values = [] if column is None or column.kind != "text" else column.distinct(MOST_LABELS + 1)
    spelled: dict[str, str] = {}
    for value in values:
        spelled.setdefault(_fold_label(value), value.strip())
    labels = [label for folded, label in spelled.items() if folded not in {*_MISSING, *WITHHELD}]
    if (
        not labels
        or len(labels) > MOST_LABELS
        or any(any(map(str.isdigit, label[:1])) or "," in label for label in labels)
    ):
        return
    if any(map(_is_number, labels)):
        return
    assert column is not None
    row = next(
        row for row, value in enumerate(column.to_list()) if value is not None and _fold_label(value) not in _MISSING
    )
    unsure = [label for label in labels if _may_be_withheld(_fold_label(label)) and not are_labels([label])]
    graded = [label for label in labels if label not in unsure] or labels
    hint = f" {_CANNOT_TELL}" if unsure else ""
    raise DataError(
        f"{source.place(row)}: {name} {quoted(labels[0])} is a word, not a number. Say what each label is worth: "
        f"{_suggest_scale(graded)}.{hint}"
    )


def withheld_words(column: Column) -> list[str | None]:
    """(N,) what each cell of a column of grades says instead of a grade, a value of `WITHHELD`; None if nothing."""
    if column.kind != "text":
        return [None] * len(column)
    code, distinct = column.codes()
    words = [WITHHELD.get(_fold_label(text)) for text in distinct.to_list()]
    return [None if place < 0 else words[place] for place in code.tolist()]


def without_withheld(column: Column, name: str) -> Column | None:
    """Return a column of grades in which those that were withheld are missing; None if none was."""
    words = withheld_words(column)
    if not any(words):
        return None
    cells = [None if word else cell for word, cell in zip(words, column.to_list(), strict=True)]
    return from_columns([name], [cells]).column(0)


def hint_at_withheld(error: DataError, column: Column) -> DataError:
    """Add to the error of a column of numbers what to write where a rater gave none, if its first word may mean so."""
    if column.kind != "text":
        return error
    cells = (_fold_label(cell) for cell in column.to_list() if cell is not None)
    odd = next((cell for cell in cells if cell and cell not in WITHHELD and not _is_number(cell)), "")
    if not _may_be_withheld(odd):
        return error
    return DataError(f"{either(str(error), error.typed)} {_CANNOT_TELL}")


_CANNOT_TELL = "If the rater could not tell, write 'cannot tell' there, which is counted and is no grade."


def _may_be_withheld(cell: str) -> bool:
    """Whether a folded cell is a mark such as ? and n/a, or says in words that the rater does not know."""
    import re

    return bool(cell) and (re.fullmatch(NOTHING, cell) or re.search(_UNSURE, cell)) is not None


_UNSURE = (
    r"\b(don.?t know|do not know|dunno|idk|cannot|can.?t|could ?n.?t|(not|un)[ _]?(sure|clear)|unknown|undecided"
    # German, French, Spanish, Portuguese, Italian and Dutch
    r"|no idea|wei(ß|ss) (ich )?nicht|keine ahnung|unklar|unsicher|sais pas|incertain|no s[eé]|n[aã]o sei|non (lo )?so"
    r"|incerto|weet (ik )?niet|onbekend|onduidelijk)\b"
)
"""What is in cells such as don't know and weiß nicht, folded; not relevant is a label, and so is nicht relevant."""


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))  # 0,5 is a number where others are written so
    except ValueError:
        return False
    return True


def _is_finite(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _suggest_scale(labels: Sequence[str]) -> str:
    """Say what to type for labels: with the grades, if they are those of one known scale."""
    fit = [name for name in SCALES if set(map(_fold_label, labels)) <= set(_folded_scale(name))]
    names = " or ".join(either(f"grades={name!r}", f"--grades {name}") for name in fit)
    if len(fit) != 1:
        return f"{_scale_argument(labels, {})}{f', or name a known scale: {names}' if names else ''}"
    ours = {label: _folded_scale(fit[0])[_fold_label(label)] for label in labels}
    best_first = sorted(labels, key=lambda label: -ours[label])
    return f"{_scale_argument(best_first, ours)}; {names} means the same"


def _folded_scale(name: str) -> Scale:
    return {_fold_label(label): worth for label, worth in SCALES[name].items()}


def _scale_argument(labels: Iterable[str], scale: Scale) -> str:
    """Write a scale as it is passed, … for what is not known."""
    pairs = {label: _worth_text(scale[label]) if label in scale else "…" for label in labels}
    python = ", ".join(f"{label!r}: {worth or None}" for label, worth in pairs.items())
    typed = ",".join(f"{label}={worth}" for label, worth in pairs.items())
    return either(f"grades={{{python}}}", f'--grades "{typed}"')


def _worth_text(worth: float) -> str:
    return "" if math.isnan(worth) else f"{worth:g}"


def are_labels(values: Iterable[object]) -> bool:
    """Whether words are labels of a known scale, or answers such as yes and no."""
    words = {_fold_label(str(value)) for value in values} - _MISSING
    return bool(words) and words <= _KNOWN


_ANSWERS = "true false yes no y n relevant irrelevant not_relevant non_relevant partially_relevant highly_relevant"
_KNOWN = frozenset(
    {*_ANSWERS.replace("_", " ").split(), *_ANSWERS.split(), *(label.lower() for s in SCALES.values() for label in s)}
)


def _fold_label(label: str) -> str:
    """Fold a label for matching: no blanks around it, no letter case."""
    return str(label).strip().casefold()


# Several ratings of one document become one grade: the decision `raters`.


def combine_ratings(ratings: Floats, rule: str) -> Floats:
    """Combine ratings row by row.

    Parameters
    ----------
    ratings
        (N, raters) grades, NaN if a rater gave none.
    rule
        An answer to the decision `raters`.

    Returns
    -------
    (N,) grades; NaN if nobody rated.

    Examples
    --------
    >>> import numpy as np
    >>> combine_ratings(np.array([[1.0, 2.0], [3.0, np.nan]]), "median").tolist()
    [1.5, 3.0]
    """
    if rule not in _RULES:
        raise unsaid("raters", rule, __name__)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a row without any rating stays NaN
        return _RULES[rule](ratings)


def _majority(ratings: Floats) -> Floats:
    """Return the most frequent rating of each row, the lowest if several are."""
    counts = np.sum([ratings == ratings[:, [rater]] for rater in range(ratings.shape[1])], axis=0)
    most = counts == counts.max(axis=1, keepdims=True)
    lowest: Floats = np.nanmin(np.where(most, ratings, np.nan), axis=1)
    return lowest


_RULES: dict[str, Callable[[Floats], Floats]] = {
    "median": lambda ratings: np.nanmedian(ratings, axis=1),
    "mean": lambda ratings: np.nanmean(ratings, axis=1),
    "max": lambda ratings: np.nanmax(ratings, axis=1),
    "min": lambda ratings: np.nanmin(ratings, axis=1),
    "majority": _majority,
}
