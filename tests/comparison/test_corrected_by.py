"""What p and intervals are corrected by, as JSON and trackers say it."""

from __future__ import annotations

import idealrank as ir
from idealrank.integrations.trackers import collect
from idealrank.statistics.corrections import CORRECTIONS
from tests.comparison.worlds import random_world

BY = {
    "max_t": ("max-|t|, step-down", "max-|t|, single-step"),
    "tukey": ("randomised Tukey HSD", "randomised Tukey HSD"),
    "holm": ("Holm, step-down", "Bonferroni"),
    "bh": ("Benjamini and Hochberg", "false coverage rate of Benjamini and Yekutieli"),
    "none": ("none", "none"),
}
"""Westfall and Young 1993; Carterette 2012; Holm 1979; Benjamini and Yekutieli 2005."""


def test_every_correction_says_it() -> None:
    """No correction leaves open what p or intervals are corrected by."""
    assert {name: (each.of_p, each.of_intervals) for name, each in CORRECTIONS.items()} == BY


def test_json_and_trackers_say_it() -> None:
    """Both are named beside the numbers."""
    judgments, runs = random_world(1, systems=3)
    found = ir.compare(judgments, runs, ["RR"], baseline=next(iter(runs)), correction="holm", draws=100)
    for said in (found.to_dict()["methods"], collect(found).facts):
        assert (said["p_corrected_by"], said["interval_corrected_by"]) == BY["holm"]
