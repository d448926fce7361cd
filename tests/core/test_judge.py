"""`judge` says what the plain implementation in reference.py says, bit for bit."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest

from idealrank import _core

from . import reference

SETTINGS = list(
    itertools.product(
        ["score", "rank", "given"],
        ["docid_desc", "docid_asc", "given"],
        ["float64", "float32"],
        ["close", "keep"],
        [False, True],
    )
)


def columns(rows, names):
    """Make columns of rows."""
    values = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
    frame = _core.from_columns(names, values)
    return [frame.column(index) for index in range(len(names))]


def pool_of(judgments):
    """Make a pool of (query, document, grade)."""
    return _core.Pool(*columns(judgments, ["query", "doc", "grade"]), "error")


def run_of(results):
    """Make a run of (query, document, rank, score)."""
    query, doc, rank, score = columns(results, ["query", "doc", "rank", "score"])
    return _core.Run(query, doc, score, rank, None, "error")


def differences(seed):
    """Settings and fields in which core and reference differ on one sample."""
    judgments, results = reference.sample(seed)
    pool, run = pool_of(judgments), run_of(results)
    found = []
    for settings in SETTINGS:
        queries = [0, 2] if seed % 7 == 0 and len(pool.queries) > 2 else None
        expected = reference.judge(judgments, results, *settings, queries)
        judged = _core.judge(pool, run, *settings, None if queries is None else np.array(queries))
        for key, value in expected.items():
            if not np.array_equal(getattr(judged, key), value, equal_nan=key == "grade"):
                found.append((seed, settings, key))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_judged_lists_equal_the_plain_implementation(seed):
    """Every order, tie rule, precision, gap rule and form gives the same lists as the plain code."""
    assert differences(seed) == []


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_number_of_threads_changes_nothing(threads):
    """The lists are the same with 1, 2 and 8 threads."""
    code = "from tests.core.test_judge import differences; print([d for s in range(12) for d in differences(s)])"
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    answer = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=root, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"


def test_a_query_with_many_tied_hits_is_sorted_once():
    """A thousand results with one score come in document order, whatever their number of hits."""
    docs = [f"d{i}" for i in range(1000)]
    judgments = [("q", doc, 1.0) for doc in docs[::2]]
    results = [("q", doc, float(rank), 0.5) for rank, doc in enumerate(docs)]
    judged = _core.judge(pool_of(judgments), run_of(results), "score", "docid_desc", "float64", "close", False)
    order = sorted(docs, reverse=True)
    assert judged.rank.tolist() == [order.index(docs[row]) + 1 for row in judged.row]
    assert judged.tied.tolist() == [1000]
    assert set(judged.tie_first.tolist()) == {1}
    assert set(judged.tie_last.tolist()) == {1000}


def test_arrays_are_read_only_and_outlive_their_object():
    """An array keeps the memory it shows, and cannot be written to."""
    judged = _core.judge(
        pool_of([("q", "d", 2.0)]), run_of([("q", "d", 1.0, 1.0)]), "score", "given", "float64", "close", False
    )
    grade = judged.grade
    del judged
    assert grade.tolist() == [2.0]
    with pytest.raises(ValueError, match="read-only"):
        grade[0] = 1


@pytest.mark.parametrize(
    "settings",
    [
        ("best", "given", "float64", "close"),
        ("score", "x", "float64", "close"),
        ("score", "given", "f", "close"),
        ("score", "given", "float64", "x"),
    ],
)
def test_unknown_settings_are_refused(settings):
    """A setting that does not exist is a ValueError."""
    with pytest.raises(ValueError, match="'"):
        _core.judge(pool_of([("q", "d", 2.0)]), run_of([("q", "d", 1.0, 1.0)]), *settings, False)


def test_order_by_a_missing_column_is_refused():
    """A run without scores cannot be ordered by score."""
    query, doc, rank, _ = columns([("q", "d", 1.0, 1.0)], ["query", "doc", "rank", "score"])
    run = _core.Run(query, doc, None, rank, None, "error")
    with pytest.raises(ValueError, match="no column"):
        _core.judge(pool_of([("q", "d", 2.0)]), run, "score", "given", "float64", "close", False)
