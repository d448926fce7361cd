"""What trackers of experiments are given, and what is said where one is not installed."""

from __future__ import annotations

import sys

import pytest

import idealrank as ir
from idealrank.integrations.trackers import accepted_name

JUDGMENTS = {"q1": {"a": 3, "b": 1}}
FIRST, SECOND = {"q1": {"a": 2.0, "b": 1.0}}, {"q1": {"b": 2.0, "a": 1.0}}


@pytest.mark.parametrize(
    ("name", "accepted"),
    [
        *[("nDCG@10", "nDCG_at_10"), ("P(rel=2)@5", "P_rel_2_at_5"), ("iprec_at_recall_0.10", "iprec_at_recall_0_10")],
        *[("bm25", "bm25"), ("k1=1.2, b=0.75", "k1_1_2_b_0_75"), ("поиск v2", "поиск_v2"), ("+++", "_")],
    ],
)
def test_names(name: str, accepted: str) -> None:
    """Letters, digits and underscores stay; @ is spelt out; all else is an underscore."""
    assert accepted_name(name) == accepted


@pytest.mark.parametrize("tool", ["mlflow", "wandb"])
def test_not_installed(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library, the message says what to install; a guess at a method leads to the function."""
    monkeypatch.setitem(sys.modules, tool, None)
    scores = ir.evaluate(JUDGMENTS, FIRST, ["RR"])
    with pytest.raises(ir.UsageError, match=rf"pip install 'idealrank\[{tool}\]'"):
        getattr(ir, f"to_{tool}")(scores)
    for value in (scores, ir.compare(JUDGMENTS, [FIRST, SECOND], ["RR"])):
        with pytest.raises(AttributeError, match=rf"Use ir\.to_{tool}\("):
            getattr(value, f"to_{tool}")
