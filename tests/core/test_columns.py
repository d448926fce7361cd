"""Frames from Arrow tables, Python columns and dicts; what a column answers."""

import datetime
import decimal

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


def test_arrow_types_become_text_int_float_bool():
    """Every Arrow type a dataframe may hold, with nulls, from one chunk and from several."""
    pa = pytest.importorskip("pyarrow")
    table = pa.table(
        {
            "utf8": pa.array(["a", LONG, None]),
            "large": pa.array(["a", LONG, None], pa.large_string()),
            "view": pa.array(["a", LONG, None], pa.string_view()),
            "coded": pa.array(["a", LONG, None]).dictionary_encode(),
            "numbers": pa.array([7, 8, None]).dictionary_encode(),
            "i8": pa.array([1, -2, None], pa.int8()),
            "u32": pa.array([1, 2, None], pa.uint32()),
            "u64": pa.array([1, 2**64 - 1, None], pa.uint64()),
            "f16": pa.array([np.float16(0.5), None, np.float16("nan")], pa.float16()),
            "f32": pa.array([0.5, None, float("nan")], pa.float32()),
            "f64": pa.array([0.1, None, float("nan")]),
            "dec": pa.array([decimal.Decimal("1.25"), None, decimal.Decimal(3)], pa.decimal128(10, 2)),
            "bool": pa.array([True, False, None]),
            "null": pa.nulls(3),
            "date": pa.array([datetime.date(2024, 2, 29), None, None]),
            "list": pa.array([[1, 2], [], None]),
        }
    )
    text = ["a", LONG, None]
    wanted = {
        "utf8": text,
        "large": text,
        "view": text,
        "coded": text,
        "numbers": [7, 8, None],
        "i8": [1, -2, None],
        "u32": [1, 2, None],
        "u64": ["1", "18446744073709551615", None],
        "f16": [0.5, None, None],
        "f32": [0.5, None, None],
        "f64": [0.1, None, None],
        "dec": [1.25, None, 3.0],
        "bool": [True, False, None],
        "null": [None] * 3,
        "date": ["2024-02-29", None, None],
        "list": ["[1,2]", "[]", None],
    }
    assert columns(_core.from_arrow(table)) == wanted
    assert columns(_core.from_arrow(table.to_batches()[0])) == wanted
    parts = pa.concat_tables([table.slice(0, 1), table, table.slice(1, 2)])
    assert columns(_core.from_arrow(parts)) == {n: [v[0], *v, *v[1:]] for n, v in wanted.items()}


@pytest.mark.parametrize("module", ["polars", "pandas", "duckdb"])
def test_dataframes_go_in_as_they_are(module):
    """polars, pandas and DuckDB tables through the Arrow capsule interface."""
    library = pytest.importorskip(module)
    pytest.importorskip("pyarrow")
    if module == "duckdb":
        table = library.sql("select * from (values ('a', 1), (NULL, 2)) t(q, n)")
    else:
        table = library.DataFrame({"q": ["a", None], "n": [1, 2]})
    assert columns(_core.from_arrow(table)) == {"q": ["a", None], "n": [1, 2]}


def test_columns_go_out_through_arrow():
    """A column of every kind is an Arrow array, missing values nulls."""
    pa = pytest.importorskip("pyarrow")
    frame = _core.read_trec(f"q Q0 {LONG.replace(' ', '_')} x 3.5 t\nq Q0 d 2 0.1 t\n".encode(), "run")
    out = [pa.array(frame.column(at)).to_pylist() for at in range(5)]
    assert out == [["q", "q"], [LONG.replace(" ", "_"), "d"], [None, 2.0], [3.5, 0.1], ["t", "t"]]
    assert pa.chunked_array(one([1, None])).to_pylist() == [1, None]
    assert pa.chunked_array(one([True, None])).to_pylist() == [True, None]


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


def test_codes_of_a_dictionary_count_what_occurs():
    """An Arrow dictionary may list its values in any order, and some no row has."""
    pa = pytest.importorskip("pyarrow")
    array = pa.DictionaryArray.from_arrays(pa.array([2, None, 0, 2]), pa.array(["a", "unused", "c"]))
    found, kept = _core.from_arrow(pa.table({"x": array})).column(0).codes()
    assert (found.tolist(), kept.to_list()) == ([0, -1, 1, 0], ["c", "a"])


def test_codes_join_over_pieces():
    """A column of many rows has the codes Python would give it."""
    values = [f"document number {at * 7919 % 5000}" for at in range(200_000)]
    seen = {}
    wanted = [seen.setdefault(value, len(seen)) for value in values]
    found, kept = one(values).codes()
    assert (found.tolist(), kept.to_list()) == (wanted, list(seen))


def test_integers_beyond_64_bits_are_ids_and_exact_numbers():
    """Decimals without a fraction are ints, or with more digits text; as numbers only if a float64 holds them."""
    pa = pytest.importorskip("pyarrow")
    kind = pa.decimal128(38, 0)

    def column(*numbers):
        return _core.from_arrow(pa.table({"x": pa.array(map(decimal.Decimal, numbers), kind)})).column(0)

    assert (column(1, -2).kind, column(1, -2).to_list()) == ("int", [1, -2])
    wide = column(2**100, 3)
    assert (wide.kind, wide.to_list()) == ("text", [str(2**100), "3"])
    assert wide.number("x").floats().tolist() == [2.0**100, 3]
    with pytest.raises(_core.BadRow) as caught:
        column(3, 2**100 + 1).number("x")
    assert caught.value.args == ("not_exact", 1, "x", str(2**100 + 1), "", -1)


def test_single_dates_of_numpy_are_text():
    """A date of NumPy in a list is what it prints, and one that is missing is missing."""
    values = [np.datetime64("2026-01-02"), np.timedelta64(3, "s"), np.datetime64("NaT"), np.timedelta64("NaT")]
    assert one(values).to_list(None) == ["2026-01-02", "3 seconds", None, None]
