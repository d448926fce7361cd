"""The scale: which grades a document may have that nobody judged."""

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions, GainTable


def scale(grades: Floats, top: float, decisions: Decisions) -> Floats:
    """Return the grades of the scale, lowest first.

    Where all judged grades and the top are whole: 0 to the top in whole steps. Else the distinct judged
    grades, 0 and the top. Grades below zero belong to it where they count (``negative=keep``). Under a
    gain table, the grades it names.

    Parameters
    ----------
    grades
        (J,) all judged grades.
    top
        Top of the scale: declared, or the highest grade in the whole table.
    """
    counting = grades if decisions.negative == "keep" else grades[grades >= 0]
    distinct = np.unique(np.concatenate((counting, [0.0, top])))
    if isinstance(decisions.gain, GainTable):
        named = [grade for grade, _ in decisions.gain]
        return np.unique(
            [0.0, *(grade for grade in (*named, *distinct) if grade in named and distinct[0] <= grade <= top)]
        )
    if np.array_equal(distinct, np.trunc(distinct)):
        return np.arange(distinct[0], distinct[-1] + 1.0)
    return distinct
