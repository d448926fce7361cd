"""Where no setting can be computed, `identify` and `conventions_table` say the same, most frequent reason."""

from collections.abc import Callable
from typing import Any

import pytest

import idealrank as ir

CALLS: tuple[Callable[..., Any], ...] = (
    lambda *data, **answers: ir.identify(*data, {"RR": "0.5"}, departures=0, **answers),
    lambda *data, **answers: ir.conventions_table(*data, "RR", **answers),
)


@pytest.mark.parametrize("call", CALLS)
def test_a_failed_search_that_is_refused(call: Callable[..., Any]) -> None:
    """With failed=refuse and a failed search each names the query whose search failed."""
    rows = {"query": ["q", "r"], "doc": ["a", None], "score": [1.0, None], "error": ["", "timeout"]}
    with pytest.raises(ir.DataError, match=r"\br\b"):
        call({"q": {"a": 1}, "r": {"b": 1}}, rows, failed="refuse")
