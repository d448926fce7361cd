"""Queries are computed in parts: how many there are changes nothing."""

import numpy as np
import pytest

import idealrank as ir
from idealrank.evaluation import scoring as computation
from tests.oracles.data import random_data

MEASURES = ["nDCG@5", "nDCG(ideal=local)@5", "AP", "RR", "P@3", "Bpref", "ERR", "RBP", "NumRet"]


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize("ties", ["docid_desc", "average", "best"])
@pytest.mark.parametrize("scale", [(0, -1, 0.5, 1, 3), (0, 1, 3)])
def test_parts_change_nothing(size: int, ties: str, scale: tuple[float, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Values, states and the means under other answers are the same in parts of any size, on any scale."""
    data = random_data(31, scale, queries=40, depth=20)
    whole = ir.evaluate(data.judgments, data.results, MEASURES, ties=ties)
    monkeypatch.setattr(computation, "PART_SIZE", size)
    found = ir.evaluate(data.judgments, data.results, MEASURES, ties=ties)
    assert np.array_equal(found.values, whole.values, equal_nan=True)
    assert np.array_equal(found.states, whole.states)
    assert found.ledger.moves == whole.ledger.moves
    assert whole.ledger.moves


def test_the_first_refusal_in_order_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A measure that is refused in a later part is refused with the same words as in one part."""
    monkeypatch.setattr(computation, "PART_SIZE", 1)
    judgments = {"p": {"a": 1}, "q": {"a": 1, "b": 2}}
    with pytest.raises(ir.DataError, match="have grades without a gain: 2"):
        ir.evaluate(judgments, {"p": {"a": 1.0}, "q": {"b": 1.0}}, ["DCG"], gain={0: 0, 1: 1})
