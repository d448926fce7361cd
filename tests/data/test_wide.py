"""Tables of many columns: each name is looked at a few times, whatever it is asked about."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.data.latency_columns import _split_name
from idealrank.data.roles import fold


def rare_keys(path: Path, number: str, columns: int) -> str:
    """Write lines of JSON with a key of their own each."""
    lines = [{"query_id": "q", "doc_id": f"d{i}", number: i % 3, f"{number} of {i}": i} for i in range(columns)]
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)


def long_header(path: Path, number: str, columns: int) -> str:
    """Write a table of two rows with many columns."""
    own = [f"{number} of {i}" for i in range(columns)]
    rows = [["query", "doc", number, *own], ["q", "a", "1", *columns * ["1"]], ["q", "b", "2"] + columns * ["1"]]
    path.write_text("\n".join(map(",".join, rows)))
    return str(path)


def count_calls(work: Callable[[], object]) -> tuple[int, int]:
    """Count all calls of functions, and how many names were folded or split."""
    calls = 0

    def note(frame: object, event: str, what: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    fold.cache_clear()
    _split_name.cache_clear()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls, fold.cache_info().misses + _split_name.cache_info().misses


@pytest.mark.parametrize(
    ("write", "run", "most"),
    [
        (rare_keys, ir.evaluate, 46),
        pytest.param(rare_keys, ir.peek, 37, marks=pytest.mark.heavy),
        pytest.param(rare_keys, ir.doctor, 62, marks=pytest.mark.heavy),
        # Of a header that fits into the first bytes of a file, most calls find out what the file is.
        (long_header, ir.evaluate, 80),
        pytest.param(long_header, ir.peek, 98, marks=pytest.mark.heavy),
        pytest.param(long_header, ir.doctor, 92, marks=pytest.mark.heavy),
    ],
)
def test_a_column_costs_a_few_calls(
    write: Callable[[Path, str, int], str], run: Callable[..., object], most: int, tmp_path: Path
) -> None:
    """Twice as many columns cost as many calls more, and each name is folded once and looked at for a time once."""
    few, many = (
        (write(tmp_path / f"judged{n}", "grade", n), write(tmp_path / f"returned{n}", "score", n)) for n in (2000, 4000)
    )
    run(*few)  # what is imported or made once
    (calls, names), (more, further) = count_calls(lambda: run(*few)), count_calls(lambda: run(*many))
    assert (further - names) / (2000 * 2) <= 2.6  # the header is also told apart from rows, with its quotes
    assert (more - calls) / (2000 * 2) <= most
