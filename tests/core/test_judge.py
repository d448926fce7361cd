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


HITS = ["rank", "grade", "entry", "row", "tie_first", "tie_last"]


def fields(judged):
    """Every array of the judged lists, by name."""
    whole = ["returned", "listed", "tied", "hit_start"]
    hits = judged.hits(0, len(judged.returned))
    return {name: getattr(judged, name) for name in whole} | dict(zip(HITS, hits, strict=True))


def differences(seed):
    """Settings and fields in which core and reference differ on one sample."""
    judgments, results = reference.sample(seed)
    pool, run = pool_of(judgments), run_of(results)
    found = []
    for settings in SETTINGS:
        queries = [0, 2] if seed % 7 == 0 and len(pool.queries) > 2 else None
        expected = reference.judge(judgments, results, *settings, queries)
        judged = _core.judge(pool, run, *settings, None if queries is None else np.array(queries))
        said = {"unjudged_queries": judged.unjudged_queries, "unjudged_returned": judged.unjudged_returned}
        said |= fields(judged)
        for key, value in expected.items():
            if not np.array_equal(said[key], value, equal_nan=key == "grade"):
                found.append((seed, settings, key))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_judged_lists_equal_the_plain_implementation(seed):
    """Every order, tie rule, precision, gap rule and form gives the same lists as the plain code."""
    assert differences(seed) == []


@pytest.mark.heavy
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
    found = fields(judged)
    assert found["rank"].tolist() == [order.index(docs[row]) + 1 for row in found["row"]]
    assert judged.tied.tolist() == [1000]
    assert set(found["tie_first"].tolist()) == {1}
    assert set(found["tie_last"].tolist()) == {1000}


def test_hits_come_in_parts_as_in_the_whole():
    """The hits of some queries are that stretch of all hits, and judged results are counted to a depth."""
    pool, run = (make(table) for make, table in zip((pool_of, run_of), reference.sample(3), strict=True))
    judged = _core.judge(pool, run, "score", "docid_desc", "float64", "close", False)
    start, whole = judged.hit_start, judged.hits(0, len(judged.returned))
    for first, last in itertools.combinations_with_replacement(range(len(judged.returned) + 1), 2):
        for part, all_of_it in zip(judged.hits(first, last), whole, strict=True):
            assert np.array_equal(part, all_of_it[start[first] : start[last]], equal_nan=True)
    rank, grade = whole[0], whole[1]
    for depth, below in itertools.product([None, 1, 3], [True, False]):
        kept = (rank <= (depth or 10**9)) & (below | (grade >= 0))
        counts = [int(kept[start[q] : start[q + 1]].sum()) for q in range(len(judged.returned))]
        assert judged.judged_within(depth, below).tolist() == counts
    with pytest.raises(IndexError, match=r"no queries 1\.\.9999"):
        judged.hits(1, 9999)


def test_arrays_are_read_only_and_outlive_their_object():
    """An array keeps the memory it shows, and cannot be written to."""
    judged = _core.judge(
        pool_of([("q", "d", 2.0)]), run_of([("q", "d", 1.0, 1.0)]), "score", "given", "float64", "close", False
    )
    returned = judged.returned
    del judged
    assert returned.tolist() == [1]
    with pytest.raises(ValueError, match="read-only"):
        returned[0] = 2


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
