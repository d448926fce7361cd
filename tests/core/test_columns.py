"""Frames from Arrow tables, Python columns and dicts; what a column answers."""

import numpy as np
import pytest

from idealrank import _core

LONG = "a text longer than twelve bytes"


def columns(frame):
    """Return the columns of a frame as lists, by name."""
    return {name: frame.column(at).to_list() for at, name in enumerate(frame.names)}


def kinds(frame):
    """Return the kind of each column."""
    return [frame.column(at).kind for at in range(len(frame.names))]


def one(values):
    """Make one column."""
    return _core.from_columns(["x"], [values]).column(0)


def test_python_values_of_any_mixture():
    """Lists, tuples and NumPy arrays; None and NaN are missing; numbers beside texts are texts."""
    nan = float("nan")
    given = {
        "list": [1, 2, None],
        "tuple": (1, 2.5, nan),
        "mixed": [1, "a", 2.0],
        "scalars": [np.int64(3), np.float32(0.5), np.bool_(True)],
        "wide": [2**70, 1, None],
        "ints": np.array([1, 2, 3], np.uint8),
        "floats": np.array([1.5, nan, 3], np.float32),
        "strings": np.array(["a", "b", "c"]),
        "objects": np.array(["a", None, 1.5], object),
        "bools": np.array([True, False, True]),
        "dates": np.array(["2024-01-02", "NaT", "2024-01-03"], "datetime64[D]"),
    }
    assert columns(_core.from_columns(list(given), list(given.values()))) == {
        "list": [1, 2, None],
        "tuple": [1.0, 2.5, None],
        "mixed": ["1", "a", "2"],
        "scalars": [3.0, 0.5, 1.0],
        "wide": ["1180591620717411303424", "1", None],
        "ints": [1, 2, 3],
        "floats": [1.5, None, 3.0],
        "strings": ["a", "b", "c"],
        "objects": ["a", None, "1.5"],
        "bools": [True, False, True],
        "dates": ["2024-01-02", None, "2024-01-03"],
    }


def test_columns_must_fit_together():
    """As many names as columns, columns of one length and one dimension."""
    for names, values in [(["a"], []), (["a", "b"], [[1], [1, 2]]), (["a"], [np.zeros((2, 2))])]:
        with pytest.raises(ValueError, match="column"):
            _core.from_columns(names, values)
    assert _core.from_columns([], []).rows == 0


def test_dicts_of_dicts():
    """{query: {doc: number}}: ids of any type, an empty query as one row without a document."""
    mapping = {"q1": {"d1": 1, "d2": np.float32(0.5), LONG: None}, 2: {3: 2.5, 4.0: True}, "none": {}}
    frame = _core.from_dicts(mapping)
    assert frame.format == "dicts"
    assert columns(frame) == {
        "query": ["q1", "q1", "q1", "2", "2", "none"],
        "doc": ["d1", "d2", LONG, "3", "4", None],
        "value": [1.0, 0.5, None, 2.5, 1.0, None],
    }
    assert _core.from_dicts({}).rows == 0


def test_dicts_with_bad_values_are_refused():
    """A fractional id and a value that is no number are bad rows, anything but a mapping a TypeError."""
    for mapping, facts in [
        ({"q": {"d": 1, 1.5: 1}}, ("fractional_id", 1, "doc", "1.5", "", -1)),
        ({"q": {"d": "x"}}, ("not_a_number", 0, "value", "x", "", -1)),
    ]:
        with pytest.raises(_core.BadRow) as caught:
            _core.from_dicts(mapping)
        assert caught.value.args == facts
    for wrong in [3, {"q": 3}, [1]]:
        with pytest.raises(TypeError):
            _core.from_dicts(wrong)


def test_text_becomes_numbers():
    """Blanks around a number, empty texts and, if asked for, words for missing."""
    column = one([" 1.5 ", "", "+2", None, "1e3", "NaN"])
    assert column.number("x").to_list() == [1.5, None, 2.0, None, 1000.0, None]
    words = one(["null", "NA", "None", "nan", "1"])
    assert words.number("x", missing_words=True).to_list() == [None, None, None, None, 1.0]
    with pytest.raises(_core.BadRow) as caught:
        words.number("grade")
    assert caught.value.args == ("not_a_number", 0, "grade", "null", "", -1)
    with pytest.raises(TypeError):
        words.floats()


def test_the_first_bad_number_is_reported():
    """Of several texts that are no numbers the first row is named, however long the column."""
    values = ["1"] * 200_000
    for at in range(70_001, 200_000, 1000):
        values[at] = "x"
    with pytest.raises(_core.BadRow) as caught:
        one(values).number("score")
    assert caught.value.args[:2] == ("not_a_number", 70_001)


def test_distinct_values_come_in_first_seen_order():
    """Up to a limit, missing ones left out."""
    assert one(["b", "a", None, "b", "c"]).distinct(10) == ["b", "a", "c"]
    assert one(["b", "a", None, "b", "c"]).distinct(2) == ["b", "a"]
    assert one([2, 1, 2]).distinct(10) == [2, 1]
    assert one([0.5, -0.0, 0.0]).distinct(10) == [0.5, -0.0]
    run = _core.read_trec(b"q Q0 a 1 1 s\nq Q0 b 2 1 t\nq Q0 c 3 1 s\n", "run")
    assert run.column(4).distinct(5) == ["s", "t"]


def test_rows_pick_values():
    """`to_list(rows)` gives those rows in that order; a row that does not exist is an IndexError."""
    column = one(["a", None, LONG])
    assert column.to_list(np.array([2, 0, 1])) == [LONG, "a", None]
    assert len(column) == 3
    for row in [-1, 3]:
        with pytest.raises(IndexError):
            column.to_list(np.array([row]))
    with pytest.raises(IndexError):
        _core.from_columns(["a"], [[1]]).column(1)


@pytest.mark.parametrize(
    ("values", "codes", "distinct"),
    [
        (["b", None, "a", "b", "", LONG, LONG], [0, -1, 1, 0, 2, 3, 3], ["b", "a", "", LONG]),
        ([7, None, -7, 7], [0, -1, 1, 0], [7, -7]),
        ([0.5, float("nan"), -0.0, 0.0], [0, -1, 1, 1], [0.5, -0.0]),
        ([True, None, False, True], [0, -1, 1, 0], [True, False]),
        ([None, None], [-1, -1], []),
        ([], [], []),
    ],
)
def test_codes_number_the_distinct_values(values, codes, distinct):
    """The same number for the same value, counted as they first occur; -1 where there is none."""
    found, kept = one(values).codes()
    assert (found.tolist(), kept.to_list()) == (codes, distinct)
    assert found.dtype == np.int64


def test_codes_join_over_pieces():
    """A column of many rows has the codes Python would give it."""
    values = [f"document number {at * 7919 % 5000}" for at in range(200_000)]
    seen = {}
    wanted = [seen.setdefault(value, len(seen)) for value in values]
    found, kept = one(values).codes()
    assert (found.tolist(), kept.to_list()) == (wanted, list(seen))


def test_single_dates_of_numpy_are_text():
    """A date of NumPy in a list is what it prints, and one that is missing is missing."""
    values = [np.datetime64("2026-01-02"), np.timedelta64(3, "s"), np.datetime64("NaT"), np.timedelta64("NaT")]
    assert one(values).to_list(None) == ["2026-01-02", "3 seconds", None, None]
