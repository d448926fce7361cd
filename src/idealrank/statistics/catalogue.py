"""Every paired test, interval and correction by its option word: where its function is, and its name in papers."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class StatisticalMethod:
    """One test, interval or correction.

    Attributes
    ----------
    home
        Module and name of its function in this package, imported when it is called.
    title
        Its name in papers.
    test
        For a correction that tests everything compared with its own test: the name of that test.
    of_p, of_intervals
        For a correction: by what p, and by what intervals are corrected, which may differ.
    """

    home: str
    title: str
    test: str = ""
    of_p: str = ""
    of_intervals: str = ""

    def __call__(self, *values: Any) -> Any:
        """Call its function."""
        module, name = self.home.split(".")
        return getattr(import_module(f"idealrank.statistics.{module}"), name)(*values)


TESTS = {
    "t": StatisticalMethod("paired_tests.t_test", "paired t test"),
    "wilcoxon": StatisticalMethod("paired_tests.wilcoxon", "Wilcoxon signed-rank test"),
    "sign": StatisticalMethod("paired_tests.sign", "sign test"),
    "randomisation": StatisticalMethod("paired_tests.randomisation", "paired randomisation test"),
    "bootstrap": StatisticalMethod("paired_tests.bootstrap", "paired bootstrap test"),
}
"""Paired tests: each takes a sample, a seed and a number of draws, and returns a `Test`."""

INTERVALS = {
    "student_t": StatisticalMethod("intervals.student_t", "Student's t"),
    "percentile": StatisticalMethod("intervals.percentile", "percentile bootstrap"),
    "bca": StatisticalMethod("intervals.bca", "BCa bootstrap"),
    "betting": StatisticalMethod("intervals.betting", "betting (Waudby-Smith and Ramdas 2023)"),
}
"""Intervals: each takes a sample, a level, a seed and a number of draws, and returns an `Interval`."""

CORRECTIONS = {
    "max_t": StatisticalMethod(
        "corrections.by_max_t",
        "step-down max-|t| over sign flips (Westfall and Young 1993), over all systems; one pair by Student's t",
        "test of the t statistic by sign flips, of one pair by Student's distribution",
        of_p="max-|t|, step-down",
        of_intervals="max-|t|, single-step",
    ),
    "tukey": StatisticalMethod(
        "corrections.by_tukey",
        "randomised Tukey HSD over all pairs of systems (Carterette 2012)",
        "permutation test of the largest difference",
        of_p="randomised Tukey HSD",
        of_intervals="randomised Tukey HSD",
    ),
    "holm": StatisticalMethod(
        "corrections.by_holm",
        "Holm 1979 over all systems; intervals by Bonferroni",
        of_p="Holm, step-down",
        of_intervals="Bonferroni",
    ),
    "bh": StatisticalMethod(
        "corrections.by_false_discovery",
        "false discovery rate over all systems (Benjamini and Hochberg 1995); intervals at that rate",
        of_p="Benjamini and Hochberg",
        of_intervals="false coverage rate of Benjamini and Yekutieli",
    ),
    "none": StatisticalMethod("corrections.uncorrected", "none", of_p="none", of_intervals="none"),
}
"""Corrections: each takes `Hypotheses`, a level, draws, a seed and a progress, and returns a `Corrected` for each."""
