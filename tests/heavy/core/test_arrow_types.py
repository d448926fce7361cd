"""Values of Arrow types that are not a column's own: as pyarrow casts them, or as Python computes them."""

from __future__ import annotations

import datetime
import io
import json
from decimal import Decimal

import numpy as np
import pytest

from idealrank import _core

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

LONG = "a text longer than twelve bytes"
TICKS = [0, 1, -1, 86_399, 1_709_210_096, -62_135_596_800, None]
"""Seconds: the epoch and both sides of it, the end of a day, a leap day, the first day of year 1."""


def read(array) -> list:
    """Return the values of an array that is read whole; in pieces, and from Parquet, they are the same."""
    table = pa.table({"x": array})
    values = _core.from_arrow(table).column(0).to_list()
    pieces = pa.concat_tables([table.slice(0, 1), table.slice(1), table.slice(0, 0)])
    assert _core.from_arrow(pieces).column(0).to_list() == values
    return values


def through_parquet(array) -> list:
    """Return the values of an array that is written to Parquet and read from there."""
    out = io.BytesIO()
    pq.write_table(pa.table({"x": array}), out)
    return _core.read_parquet(out.getvalue()).column(0).to_list()


@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_integers_are_those_of_pyarrow(name: str) -> None:
    """The least and greatest integer of every width, as pyarrow casts them to int64."""
    kind = getattr(pa, name)()
    limits = np.iinfo(kind.to_pandas_dtype())
    array = pa.array([limits.min, 0, None, min(limits.max, 2**63 - 1)], kind)
    assert read(array) == array.cast(pa.int64()).to_pylist() == through_parquet(array)


def test_half_floats_are_those_of_pyarrow() -> None:
    """Half floats, the smallest and the greatest among them, as pyarrow casts them to double."""
    array = pa.array(np.array([0.1, -0.0, 65504, 6e-8, np.inf], np.float16))
    assert read(array) == array.cast(pa.float64()).to_pylist()


@pytest.mark.parametrize("kind", [pa.decimal32(9, 2), pa.decimal64(18, 2), pa.decimal128(38, 2), pa.decimal256(76, 2)])
def test_decimals_are_the_nearest_floats(kind) -> None:
    """A decimal is the double that Python rounds it to, where a quotient of doubles is exact and beyond."""
    digits = "9" * (kind.precision - 2)
    exact = ["0.01", "-1.25", "1234567.89", f"{digits}.99", f"-{digits}.99"]
    wide = ["90071992547409.93", "0.29"] if kind.precision > 16 else []
    values = [Decimal(text) for text in [*exact, *wide]]
    assert read(pa.array([*values, None], kind)) == [*map(float, values), None]


@pytest.mark.parametrize("scale", [22, 23, 38])
def test_small_decimals_are_the_nearest_floats(scale: int) -> None:
    """Powers of ten beyond the 22nd are not exact in float64: the digits are read then."""
    values = [Decimal(n).scaleb(-scale) for n in (1, 3, 7, 2**53 - 1, 2**53 + 1)]
    assert read(pa.array(values, pa.decimal128(38, scale))) == list(map(float, values))


def test_whole_decimals() -> None:
    """Decimals without a fraction are integers; if one needs more than 64 bits, all are their digits."""
    fitting = [2**63 - 1, -(2**63), None]
    assert read(pa.array([n and Decimal(n) for n in fitting], pa.decimal128(38, 0))) == fitting
    beyond = [2**63, -5, None, 10**38 - 1]
    assert read(pa.array([n and Decimal(n) for n in beyond], pa.decimal128(38, 0))) == [n and str(n) for n in beyond]
    hundreds = pa.array([1200, None, -300], pa.int64()).cast(pa.decimal128(38, 0)).cast(pa.decimal128(38, -2))
    assert read(hundreds) == [1200, None, -300]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_are_iso_8601(unit: str) -> None:
    """Timestamps without a zone are as Python writes them, with 0, 3, 6 or 9 digits of the second."""
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    ticks = [tick and tick * per_second for tick in TICKS if unit != "ns" or tick is None or tick > -(10**9)]
    epoch = datetime.datetime(1970, 1, 1)
    texts = [None if t is None else (epoch + datetime.timedelta(seconds=t // per_second)).isoformat() for t in ticks]
    array = pa.array(ticks, pa.int64()).cast(pa.timestamp(unit))
    assert read(array) == texts
    assert unit == "s" or through_parquet(array) == texts
    half = pa.array([per_second // 2, per_second * 3 // 1000], pa.int64()).cast(pa.timestamp(unit))
    assert unit == "s" or read(half) == ["1970-01-01T00:00:00.500", "1970-01-01T00:00:00.003"]


@pytest.mark.parametrize("zone", ["UTC", "+02:00", "Europe/Berlin", "America/New_York"])
def test_times_with_a_zone(zone: str) -> None:
    """A timestamp is written with the offset its column gives; one in a zone with a name is written in UTC, as Z."""
    array = pa.array([0, 1_709_210_096, 1_720_000_000], pa.int64()).cast(pa.timestamp("s", zone))
    utc = datetime.UTC
    moments = [value if zone.startswith("+") else value.astimezone(utc) for value in array.to_pylist()]
    assert read(array) == [moment.isoformat().replace("+00:00", "Z") for moment in moments]


def test_dates_and_times_of_day() -> None:
    """Dates and times of day are as Python writes them."""
    days = [datetime.date(1, 1, 1), datetime.date(1969, 12, 31), datetime.date(9999, 12, 31), None]
    assert read(pa.array(days, pa.date32())) == [day and day.isoformat() for day in days]
    times = [datetime.time(0, 0, 1), datetime.time(23, 59, 59, 999_999), None]
    assert read(pa.array(times, pa.time64("us"))) == [time and time.isoformat() for time in times]


def test_spans_of_time() -> None:
    """Durations are ISO 8601 in seconds; calendar intervals are as pyarrow prints them."""
    assert read(pa.array([0, 1500, -1, None], pa.duration("ms"))) == ["P0D", "PT1.5S", "-PT0.001S", None]
    interval = pa.array([pa.MonthDayNano([1, 2, 3]), pa.MonthDayNano([-1, 0, -5]), None])
    printed = [line.strip(" ,") for line in str(interval).splitlines()[1:-1]]
    assert read(interval) == [*printed[:2], None]


@pytest.mark.parametrize("name", ["binary", "large_binary", "binary_view"])
def test_bytes_are_text(name: str) -> None:
    """Bytes are the UTF-8 they must be, as pyarrow casts them; other bytes are refused."""
    kind = getattr(pa, name)()
    array = pa.array([b"ab", b"", None, LONG.encode(), "ä".encode()], kind)
    assert read(array) == ["ab", "", None, LONG, "ä"]
    with pytest.raises(_core.BadInput):
        _core.from_arrow(pa.table({"x": pa.array([b"\xff"], kind)})).column(0)


@pytest.mark.parametrize("index", [pa.int8(), pa.int32(), pa.uint16()])
@pytest.mark.parametrize(
    "values",
    [
        pa.array([3, 1], pa.int16()),
        pa.array([0.5, 2.0]),
        pa.array([Decimal("1.25"), Decimal("0.10")]),
        pa.array([LONG, "b"], pa.string_view()),
        pa.array([LONG, "b"], pa.large_string()),
        pa.array([True, False]),
        pa.array([7, None]),
    ],
    ids=lambda values: str(values.type),
)
def test_dictionaries_are_their_values(values, index) -> None:
    """A dictionary-encoded column is what its keys stand for, whatever the types of both."""
    array = pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 1], index), values)
    known = read(values)
    assert read(array) == [known[1], None, known[0], known[1]]


def test_runs_are_their_values() -> None:
    """A run-end-encoded column is what it stands for."""
    assert read(pa.RunEndEncodedArray.from_arrays([2, 3, 5], [1.5, None, 2.0])) == [1.5, 1.5, None, 2.0, 2.0]
    ends = pa.array([1, 3], pa.int16())
    assert read(pa.RunEndEncodedArray.from_arrays(ends, ["a", LONG])) == ["a", LONG, LONG]


def test_nested_values_are_json() -> None:
    """Lists, objects and maps of any type are JSON of what pyarrow gives for them."""
    days = pa.array([[datetime.date(2024, 2, 29), None]])
    assert read(days) == ['["2024-02-29",null]']
    plain = [
        pa.array([[1, None], [], None], pa.large_list(pa.int8())),
        pa.array([[1, None], [], None], pa.list_view(pa.int64())),
        pa.array([["a", 'b"']], pa.list_(pa.string_view())),
        pa.array([{"k": [0.5, True and 2.0]}]),
        pa.array([["a", None, "b"]], pa.list_(pa.dictionary(pa.int8(), pa.string()))),
        pa.array([[None, None]], pa.list_(pa.null())),
    ]
    for array in plain:
        assert [text and json.loads(text) for text in read(array)] == array.to_pylist()
    grades = pa.array([[("d1", 3), ("d2", None)], None], pa.map_(pa.string(), pa.int64()))
    assert [text and json.loads(text) for text in read(grades)] == [{"d1": 3, "d2": None}, None]


def test_a_wish_for_a_type_may_be_left_to_the_caller() -> None:
    """A consumer that asks for a type gets the column as it is; a table is then cast by pyarrow."""
    frame = _core.from_columns(["x"], [["1", None]])
    capsules = frame.column(0).__arrow_c_array__(pa.large_string().__arrow_c_schema__())
    assert pa.Array._import_from_c_capsule(*capsules).to_pylist() == ["1", None]
    table = pa.table(frame, schema=pa.schema({"x": pa.large_string()}))
    assert (table["x"].type, table["x"].to_pylist()) == (pa.large_string(), ["1", None])


def test_a_table_is_asked_for() -> None:
    """What is no table is refused with words: no Arrow data, an array that is no struct, rows that are missing."""
    rows = pa.StructArray.from_arrays([pa.array([1, 2])], ["x"], mask=pa.array([True, False]))
    for wrong in [3, pa.array([1, 2]), pa.chunked_array([[1]]), rows]:
        with pytest.raises(ValueError, match=r"\w"):
            _core.from_arrow(wrong)


def test_streams_are_taken_and_given_once() -> None:
    """A reader is read to its end, and what it raises on the way is told."""
    batches = [pa.record_batch({"x": [1]}), pa.record_batch({"x": [2, None]})]
    reader = pa.RecordBatchReader.from_batches(batches[0].schema, batches)
    assert _core.from_arrow(reader).column(0).to_list() == [1, 2, None]

    def broken():
        yield batches[0]
        raise OSError("the disk is gone")

    with pytest.raises(ValueError, match="the disk is gone"):
        _core.from_arrow(pa.RecordBatchReader.from_batches(batches[0].schema, broken()))
