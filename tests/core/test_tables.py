"""`Pool` and `Run`: grouping by query, natural order, ids, duplicates, placeholders, ranks."""

import numpy as np
import pytest

from idealrank import _core

from . import reference


def columns(**given):
    """Make columns."""
    frame = _core.from_columns(list(given), list(given.values()))
    return [frame.column(at) for at in range(len(given))]


def pool(query, doc, grade, duplicates="error"):
    """Make a pool."""
    return _core.Pool(*columns(query=query, doc=doc, grade=grade), duplicates)


def run(query, doc, score=None, rank=None, rows=None, duplicates="error"):
    """Make a run."""
    column = lambda values: None if values is None else columns(x=values)[0]  # noqa: E731
    rows = None if rows is None else np.array(rows)
    return _core.Run(column(query), column(doc), column(score), column(rank), rows, duplicates)


def bad(make, *arguments, **named):
    """Return what a refused call says."""
    with pytest.raises(_core.BadRow) as caught:
        make(*arguments, **named)
    return caught.value.args


def test_a_pool_holds_the_highest_grade_first():
    """Queries in natural order; within one by grade, then by document."""
    made = pool(["q10", "q2", "q10", "q2", "q10"], ["b", "x", "a", "y", "c"], [1, 0.5, 1, None, 3])
    assert (made.queries, made.start.tolist(), made.grade.tolist()) == (["q2", "q10"], [0, 1, 4], [0.5, 3, 1, 1])
    assert (made.row.tolist(), made.docs(np.array([3, 0]))) == ([1, 4, 2, 0], ["b", "x"])
    assert (made.ungraded, made.ungraded_queries, made.dropped) == (1, [], 0)


def test_rows_without_a_grade_are_dropped_and_counted():
    """A query with rows but no grade is named; its rows may lack a document."""
    made = pool(["a", "b", "b"], ["x", "y", None], [1, None, None])
    assert (made.queries, made.ungraded, made.ungraded_queries) == (["a"], 2, ["b"])


@pytest.mark.parametrize("seed", range(5))
def test_queries_come_in_natural_order(seed):
    """Digits compare as numbers, all else as bytes, ties by bytes."""
    rng = np.random.default_rng(seed)
    pieces = ["1", "2", "10", "007", "7", "a", "b", "-", "é", "A", "_"]
    names = sorted({"".join(rng.choice(pieces, rng.integers(1, 6))) for _ in range(500)})
    shuffled = list(rng.permutation(names))
    made = run(shuffled, ["d"] * len(shuffled), shuffled and [1.0] * len(shuffled))
    assert made.queries == sorted(names, key=reference.natural)


def test_numbers_are_ids_when_they_are_whole():
    """12, "12" and 12.0 are one id."""
    texts, ints, floats = ["12", "7", "-3"], [12, 7, -3], [12.0, 7.0, -3.0]
    assert pool(texts, ints, [1, 2, 3]).queries == pool(floats, texts, [1, 2, 3]).queries == ["-3", "7", "12"]
    assert pool(ints, floats, [1, 2, 3]).docs(np.array([0])) == ["-3"]


@pytest.mark.parametrize(
    ("make", "arguments", "facts"),
    [
        (pool, ([1.0, 2.5], ["a", "b"], [1, 1]), ("fractional_id", 1, "query", "2.5", "", -1)),
        (pool, (["q", "q"], [1.0, 2.5], [1, 1]), ("fractional_id", 1, "doc", "2.5", "", -1)),
        (pool, (["q", None], ["a", "b"], [1, 1]), ("missing_id", 1, "query", "", "", -1)),
        (pool, (["q", ""], ["a", "b"], [1, 1]), ("missing_id", 1, "query", "", "", -1)),
        (pool, (["q", "q"], ["a", None], [1, 1]), ("missing_id", 1, "doc", "", "", -1)),
        (pool, (["q", "q"], ["a", "b"], [1, float("inf")]), ("not_finite", 1, "grade", "inf", "", -1)),
        (pool, (["q", "r", "q"], ["a", "a", "a"], [1, 1, 2]), ("duplicate", 2, "doc", "a", "q", 0)),
        (run, (["q", None], ["a", "b"], [1, 1]), ("missing_id", 1, "query", "", "", -1)),
        (run, (["q", "q"], ["a", "b"], [1, -float("inf")]), ("not_finite", 1, "score", "-inf", "", -1)),
        (run, (["q", "r", "r", "q"], ["a", "b", "b", "a"]), ("duplicate", 2, "doc", "b", "r", 1)),
    ],
)
def test_bad_rows_are_refused_with_their_facts(make, arguments, facts):
    """Kind, row, column, value, detail and the other row of what is wrong."""
    assert bad(make, *arguments) == facts


@pytest.mark.parametrize(("rule", "kept"), [("first", 0), ("last", 3), ("max", 2)])
def test_of_duplicates_one_row_stays(rule, kept):
    """The first, the last, or the one with the highest grade, score or else lowest rank."""
    query, doc, value = ["q"] * 5, ["d", "e", "d", "d", "f"], [1, 1, 3, 2, 1]
    made = pool(query, doc, value, rule)
    assert (made.dropped, sorted(made.row.tolist())) == (2, sorted([kept, 1, 4]))
    for given in [{"score": value}, {"rank": [-v for v in value]}]:
        made = run(query, doc, **given, duplicates=rule)
        assert (made.dropped, made.results, made.rows_of(0).tolist()) == (2, 3, sorted([kept, 1, 4]))


def test_equal_documents_of_other_queries_are_no_duplicates():
    """A document may be returned for many queries."""
    assert run(["q", "r"] * 500, [f"d{at // 2}" for at in range(1000)]).results == 1000


@pytest.mark.parametrize("seed", range(20))
def test_duplicates_are_found_among_many(seed):
    """One duplicate among thousands of rows, in any order, is found with both rows."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 3000))
    docs = [f"d{at}" if seed % 2 else f"a rather long document id {at}" for at in range(size)]
    first, second = sorted(rng.choice(size, 2, replace=False).tolist())
    docs[second] = docs[first]
    assert bad(run, ["q"] * size, docs) == ("duplicate", second, "doc", docs[first], "q", first)


def test_placeholders_say_that_a_query_has_no_results():
    """A row with an empty or missing document keeps its query and is no result."""
    made = run(["a", "b", "c", "c"], ["x", None, "", "y"], [1, None, None, 2])
    assert (made.queries, made.results, made.placeholders) == (["a", "b", "c"], 2, 2)
    assert [made.rows_of(at).tolist() for at in range(3)] == [[0], [], [3]]
    assert made.missing_scores == 0


def test_a_run_may_be_some_rows_in_some_order():
    """`rows` picks the rows of one system from a table of several."""
    made = run(["a", "b", "a", "b"], ["x", "x", "y", "x"], [1, 2, 3, 4], rows=[3, 2, 0])
    assert (made.queries, made.results) == (["a", "b"], 3)
    assert [made.rows_of(at).tolist() for at in range(2)] == [[2, 0], [3]]
    assert made.docs(np.array([3, 2])) == ["x", "y"]
    text = _core.read_trec(b"a Q0 x 1 1 s\nb Q0 x 1 1 t\na Q0 y 2 1 s\nb Q0 x 1 1 s\n", "run")
    query, doc, rank, score = (text.column(at) for at in range(4))
    made = _core.Run(query, doc, score, rank, np.array([0, 2, 3]), "error")
    assert [made.rows_of(at).tolist() for at in range(2)] == [[0, 2], [3]]
    with pytest.raises(IndexError):
        run(["a"], ["x"], rows=[1])


def test_what_is_known_of_ranks_and_scores():
    """Missing ones are counted, the lowest rank is found, repeats and gaps are counted by query."""
    made = run(
        query=["a", "a", "a", "b", "b", "c", "c", "d"],
        doc=list("xyzxyxyx"),
        score=[1, None, 3, 4, 5, None, 7, 8],
        rank=[1, 2, 3, 1, 1, 1, 3, None],
    )
    assert (made.missing_scores, made.missing_ranks, made.lowest_rank) == (2, 1, 1)
    assert (made.rank_repeats, made.rank_gaps) == (1, 1)
    made = run(["a", "a", "b"], ["x", "y", "x"], rank=[0, 1, 1])
    assert (made.lowest_rank, made.rank_repeats, made.rank_gaps) == (0, 0, 1)
    made = run(["a"], ["x"])
    assert np.isnan(made.lowest_rank)
    assert (made.missing_scores, made.missing_ranks) == (1, 1)


def test_order_conflicts():
    """0 rank and score agree, 1 they differ, 2 every pair with different scores is reversed."""
    made = run(
        query=["a"] * 3 + ["b"] * 3 + ["c"] * 3 + ["d"] * 2 + ["e"] * 2 + ["f"] * 2,
        doc=list("xyzxyzxyzxyxyxy"),
        score=[3, 2, 2, 1, 3, 2, 1, 1, 2, 5, 5, 1, 2, 1, None],
        rank=[1, 2, 3, 1, 2, 3, 1, 2, 3, 2, 1, 1, 1, 2, 1],
    )
    sorts, counts = made.order_conflict()
    assert (sorts.tolist(), counts) == ([0, 1, 2, 0, 0, 0], [4, 1, 1])
    with pytest.raises(ValueError, match="ranks and scores"):
        run(["a"], ["x"], [1]).order_conflict()


def test_sequences_of_scores_and_ranks():
    """By query, as its rows stand: known, changes, falls, first, counting; and known, low, high, fractions."""
    made = run(
        query=list("aaabbbcccdde"),
        doc=list("xyzxyzxyzxyx"),
        score=[0, 1, 2, 5, 5, 5, 9, None, 7, 1, 2, None],
        rank=[1, 2, 3, 1, 1, 2.5, 4, 6, 9, 2, 1, None],
    )
    known, changes, falls, first, counting = (each.tolist() for each in made.score_sequence())
    assert (known, changes) == ([3, 3, 2, 2, 0], [2, 0, 1, 1, 0])
    assert (falls, first[:4]) == ([0, 0, 1, 1, 0], [0, 5, 9, 1])  # that of d is of its ranks
    assert counting[:4] == [True, False, False, True]
    known, low, high, fractions, fraction = (each.tolist() for each in made.rank_sequence())
    assert (known, low[:4], high[:4]) == ([3, 3, 3, 2, 0], [1, 1, 4, 1], [3, 2.5, 9, 2])
    assert (fractions, fraction[1]) == ([0, 1, 0, 0, 0], 2.5)


def test_what_single_precision_ties():
    """Scores that differ and are the same in float32, in any order; exact ties and other queries are none."""
    near = 1 + 2.0**-40
    assert run(["a"] * 3, list("xyz"), [1, 2, near]).single_ties()
    assert not run(["a", "b", "a"], list("xyz"), [1, near, 2]).single_ties()
    assert not run(["a", "a"], list("xy"), [near, near]).single_ties()
    assert not run(["a", "a"], list("xy"), [1, None]).single_ties()


def test_arrays_are_views_of_the_pool():
    """Offsets and grades are read-only and not copied."""
    made = pool(["q"], ["d"], [2])
    assert made.grade.base is not None
    assert not made.grade.flags.writeable
    assert not made.start.flags.writeable


def test_unknown_duplicate_rules_are_refused():
    """A rule that does not exist is a ValueError."""
    with pytest.raises(ValueError, match="'best'"):
        pool(["q"], ["d"], [1], "best")


@pytest.mark.parametrize(
    "dicts",
    [
        {"q": {"1": 1.0, 1: 2.0}},
        {"1": {"d": 1.0}, 1: {"d": 2.0}},
        {"q": {"1": 1.0, np.int64(1): 2.0}},
        {"q": {"1": 1.0, 1.0: 2.0}},
    ],
)
def test_keys_that_read_alike_are_duplicates(dicts):
    """Keys of a dict differ, but the ids they are read as may not."""
    frame = _core.from_dicts(dicts)
    query, doc, value = (frame.column(index) for index in range(3))
    with pytest.raises(_core.BadRow, match="duplicate"):
        _core.Run(query, doc, value, None, None, "error")
    with pytest.raises(_core.BadRow, match="duplicate"):
        _core.Pool(query, doc, value, "error")
    assert _core.Run(query, doc, value, None, None, "last").dropped == 1
