"""Grades that language models gave: the model is the rater, and a grade of 0 that nobody gave is warned of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from idealrank.data.formats.messages import quoted
from idealrank.data.formats.source import Source
from idealrank.data.grades import UNGRADED
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, plural

Chosen = dict[str, str | tuple[str, ...] | None]

_BESIDE = frozenset({"prompt", "prompthash", "promptid", "promptversion", "reason", "explanation", "prediction"})
"""Names of columns, folded, beside which a model is one that was asked for grades, and not a system that searches."""

_RANKED = ALIASES["rank"][0] | {"score"}
_ZERO = re.compile(r"(?<![\d.])0(?!\.?\d)")
_SHOWN = 60


def model_as_rater(names: Sequence[str], columns: Chosen) -> Chosen:
    """Return the chosen columns, with that of the model as the rater where its grades say so.

    Examples
    --------
    >>> model_as_rater(["query", "doc", "grade", "model", "reason"], {"rater": None})
    {'rater': 'model'}
    >>> model_as_rater(["query", "doc", "grade", "model"], {"rater": None})
    {'rater': None}
    """
    folded = {fold(name): name for name in names}
    said = columns.get("rater") is not None or ALIASES["rater"][0] & folded.keys()
    chosen = columns.get("system") is not None
    if said or chosen or "model" not in folded or not _BESIDE & folded.keys() or _RANKED & folded.keys():
        return columns
    return {**columns, "rater": folded["model"]}


def refuse_ungraded(table: Source) -> None:
    """Refuse the rows that `judge` writes where no answer was a grade: there is no column of grades then.

    Raises
    ------
    DataError
        The message says what became of the pairs.
    """
    folded = {fold(name): place for place, name in enumerate(table.frame.names)}
    if "state" not in folded or ALIASES["grade"][0] & folded.keys():
        return
    states = table.frame.column(folded["state"]).to_list()
    if not states or not set(states) <= UNGRADED.keys():
        return
    counts = Counter(UNGRADED[str(state)] for state in states)
    said = ", ".join(f"{many:,} {word}" for word, many in counts.items())
    reason = table.frame.column(folded["reason"]).to_list()[0] if "reason" in folded else None
    why = f" ({_begin(str(reason))})" if reason else ""
    raise DataError(
        f"{table.name}: no grades: the model graded none of {plural(len(states), 'pair')}: {said}, as in "
        f"{table.where(0)}{why}. Judge them with another prompt or model, or, where requests failed, once more."
    )


def _begin(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"


def warn_of_unparsed_zeros(table: Source) -> Source:
    """Warn of grades of 0 whose answer contains no 0, in the rows that UMBRELA writes.

    Source: castorini/umbrela, ``utils/common_utils.py``: an answer that no pattern matches becomes 0, and its flag is
    dropped. Its patterns read ``O: 10`` as 1, too.
    """
    names = table.frame.names
    if not {"prediction", "judgment"} <= set(names):
        return table
    answers = table.frame.column(names.index("prediction")).to_list()
    grades = table.frame.column(names.index("judgment")).to_list()
    rows = [
        row
        for row, (answer, grade) in enumerate(zip(answers, grades, strict=True))
        if isinstance(answer, str) and _is_zero(grade) and not _ZERO.search(answer)
    ]
    if not rows:
        return table
    shown = quoted(_begin(str(answers[rows[0]])))
    warning = (
        f"{plural(len(rows), 'grade')} of 0 whose answer contains no 0, as {shown} in {table.where(rows[0])}: UMBRELA "
        "stores an answer that it cannot read as 0. Empty the judgment of these rows, or read the answers anew"
    )
    return replace(table, warnings=(*table.warnings, warning))


def _is_zero(grade: object) -> bool:
    try:
        return grade is not None and float(str(grade)) == 0
    except ValueError:
        return False
