"""A relevance level below 0, as trec_eval reads it: results without a grade have one there, too."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from idealrank.arrays import Mask
from idealrank.judged_lists.lists import JudgedLists

NOT_POOLED, NOT_JUDGED = -1.0, -2.0
"""The grades used for a result without a judgment, and for one with a grade below 0."""

MIXED = ("Rprec_mult", "iprec_at_recall", "11pt_avg", "infAP")
"""Measures for which trec_eval takes some counts from judged results and others from all."""

COUNTING_JUDGED = ("num_rel_ret", "set_P", "set_recall", "set_relative_P", "utility", "bpref", "gm_bpref", *MIXED)
"""Measures in which only judged results count."""


@dataclass(frozen=True, eq=False)
class BelowZero(JudgedLists):
    """Judged lists in which every result is a hit and a level below 0 makes results without a grade relevant."""

    @classmethod
    def of(cls, lists: JudgedLists) -> BelowZero:
        """Read lists so."""
        return cls(**{part.name: getattr(lists, part.name) for part in fields(lists) if part.init})

    def relevant(self, level: float | str) -> Mask:
        """(H,) whether each hit is relevant: the grade used for it reaches the level."""
        assert not isinstance(level, str)

        def reached() -> Mask:
            judged = np.where(self.grade >= 0, self.grade, NOT_JUDGED)
            return np.where(self.entry < 0, NOT_POOLED, judged) >= level

        return self.kept.once(("relevant", level), reached)
