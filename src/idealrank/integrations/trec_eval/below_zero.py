"""A level of relevance below 0, as trec_eval reads it: results without a grade have one there, too."""

from dataclasses import dataclass

import numpy as np

from idealrank.arrays import Mask
from idealrank.judged_lists.lists import JudgedLists

NOT_POOLED, NOT_JUDGED = -1.0, -2.0
"""What stands for the grade of a result without a judgment, and of one with a grade below 0."""


@dataclass(frozen=True, eq=False)
class BelowZero(JudgedLists):
    """Judged lists, every result a hit, in which a level below 0 makes results without a grade relevant."""

    def relevant(self, level: float | str) -> Mask:
        """(H,) whether each hit is relevant: what stands for its grade reaches the level."""
        assert not isinstance(level, str)

        def reached() -> Mask:
            judged = np.where(self.grade >= 0, self.grade, NOT_JUDGED)
            return np.where(self.entry < 0, NOT_POOLED, judged) >= level

        return self.kept.once(("relevant", level), reached)
