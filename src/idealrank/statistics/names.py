"""The names of tests, intervals and corrections, for type checkers and editors.

Written by docs/generate.py from TESTS, INTERVALS and CORRECTIONS in statistics: change that, then run it again.
"""

from typing import Literal

TestName = Literal["t", "wilcoxon", "sign", "randomisation", "bootstrap"]
IntervalName = Literal["student_t", "percentile", "bca", "betting"]
CorrectionName = Literal["max_t", "tukey", "holm", "bh", "none"]
