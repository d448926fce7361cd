"""Groups as ranking libraries take them: a query a document, or a number of documents a query."""

from __future__ import annotations

import numpy as np
import pytest

import idealrank as ir


@pytest.mark.parametrize("sizes", [[3, 2], np.array([3, 2], np.int32), (3, 2)], ids=["list", "array", "tuple"])
def test_group_sizes(sizes: object) -> None:
    """Numbers of documents that sum to all are sizes, as LightGBM and XGBoost take them."""
    grades, scores = [0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5]
    by_size, by_id = (ir.from_groups(grades, scores, groups) for groups in (sizes, ["1", "1", "1", "2", "2"]))
    assert list(ir.evaluate(*by_size, ["RR"]).per_query) == list(ir.evaluate(*by_id, ["RR"]).per_query)
    assert ir.evaluate(*by_size, ["RR"])["RR"] == (1 / 2 + 1) / 2


def test_ids_stay_ids() -> None:
    """As many groups as documents are ids of queries, whatever they sum to."""
    assert ir.evaluate(*ir.from_groups([1, 1], [2, 1], [1, 1]), ["RR"]).queries == ["1"]


@pytest.mark.parametrize("groups", [[3, 3], [5, 0], [2.5, 2.5], ["a", "b"], [6, -1], []])
def test_what_is_neither(groups: list[object]) -> None:
    """Sizes that do not sum to the documents, or are no counts, are refused with both ways to give groups."""
    with pytest.raises(ir.DataError, match="one of each per document, or as groups the number of documents of each"):
        ir.from_groups([1, 0, 1, 0, 1], [5, 4, 3, 2, 1], groups)
