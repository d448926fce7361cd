"""What goes from process to process: what computes scores and what is made of them, but no table of the core."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

import idealrank as ir
from tests.evaluation.worlds import JUDGMENTS, RESULTS


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize("passed", [pickle.dumps, copy.deepcopy])
def test_what_contains_tables_is_refused(passed: Callable[[object], object], used: bool) -> None:
    """Scores, comparisons, judgments and results say what to pass on instead."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"])
    comparison = ir.compare(JUDGMENTS, {"a": RESULTS, "b": RESULTS}, measures=["RR"])
    if used:
        str(scores), str(comparison)
    for value in (scores, comparison, scores.joins[0].judgments, scores.joins[0].results):
        with pytest.raises(ir.UsageError, match=r"cannot be pickled.*path.*scores\.to_dict\(\)"):
            passed(value)


def test_what_is_made_of_them_is_pickled() -> None:
    """Tables and dicts come back the same."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["RR"])
    for value in (scores.to_dict(), scores.ledger.line):
        assert pickle.loads(pickle.dumps(value)) == value
    assert pickle.loads(pickle.dumps(scores.to_pandas())).equals(scores.to_pandas())
