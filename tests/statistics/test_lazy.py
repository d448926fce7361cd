"""What comparing imports, and when."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.heavy
def test_scipy_is_imported_when_it_is_needed() -> None:
    """Importing the tests, intervals and corrections imports no scipy; only the first p-value does."""
    code = (
        "import sys\n"
        "from idealrank.statistics import corrections, intervals, max_t, power\n"
        "from idealrank.statistics import all_pairs, paired_tests\n"
        "assert 'scipy' not in sys.modules\n"
        "max_t.max_t([[0.1, 0.2]], seed=1)\n"
        "paired_tests.paired_test('t', [0.1, 0.2], seed=1)\n"
        "assert 'scipy.special' in sys.modules and 'scipy.stats' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
