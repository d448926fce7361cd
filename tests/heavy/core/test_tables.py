"""Tables of pyarrow, polars and DuckDB as frames, and frames as Arrow; files of Parquet and Arrow."""

import datetime
import decimal
import importlib
import io

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from idealrank import _core
from tests.core.test_columns import LONG, columns, one


def test_arrow_types_become_text_int_float_bool():
    """Every Arrow type a dataframe may hold, with nulls, from one chunk and from several."""
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
    library = importlib.import_module(module)
    if module == "duckdb":
        table = library.sql("select * from (values ('a', 1), (NULL, 2)) t(q, n)")
    else:
        table = library.DataFrame({"q": ["a", None], "n": [1, 2]})
    assert columns(_core.from_arrow(table)) == {"q": ["a", None], "n": [1, 2]}


def test_columns_go_out_through_arrow():
    """A column of every kind is an Arrow array, missing values nulls."""
    frame = _core.read_trec(f"q Q0 {LONG.replace(' ', '_')} x 3.5 t\nq Q0 d 2 0.1 t\n".encode(), "run")
    out = [pa.array(frame.column(at)).to_pylist() for at in range(5)]
    assert out == [["q", "q"], [LONG.replace(" ", "_"), "d"], [None, 2.0], [3.5, 0.1], ["t", "t"]]
    assert pa.chunked_array(one([1, None])).to_pylist() == [1, None]
    assert pa.chunked_array(one([True, None])).to_pylist() == [True, None]


def test_codes_of_a_dictionary_count_what_occurs():
    """An Arrow dictionary may list its values in any order, and some no row has."""
    array = pa.DictionaryArray.from_arrays(pa.array([2, None, 0, 2]), pa.array(["a", "unused", "c"]))
    found, kept = _core.from_arrow(pa.table({"x": array})).column(0).codes()
    assert (found.tolist(), kept.to_list()) == ([0, -1, 1, 0], ["c", "a"])


def test_integers_beyond_64_bits_are_ids_and_exact_numbers():
    """Decimals without a fraction are ints, or with more digits text; as numbers only if a float64 holds them."""
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


def test_text_that_spells_whole_floats_is_these_numbers():
    """Value by value, in plain text and in dictionaries, which may hold values no row has; nothing else changes."""
    texts = ["12.0", "A5", None, "-3.00", "007.0", "1.5", "-0.0", ".0", "0.0", "1234567890123456.0"]
    numbers = ["12", "A5", None, "-3", "007.0", "1.5", "-0.0", ".0", "0", "1234567890123456.0"]
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        column = _core.from_arrow(pa.table({"x": pa.array(texts, pa.string()).cast(kind)})).column(0)
        assert column.plain_ids().to_list() == numbers
    unused = pa.DictionaryArray.from_arrays(pa.array([None, 1], pa.int32()), pa.array(["a", "2.0", "3.0", "4"]))
    column = _core.from_arrow(pa.table({"x": unused})).column(0).plain_ids()
    assert (column.to_list(), column.missing) == ([None, "2"], 1)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("chunk", [3, 1000, 10_000])
def test_text_that_repeats_reads_as_other_text(kind, chunk):
    """A column of runs, with missing and empty values between, groups as the same values one by one."""
    values = [value for q in range(300) for value in [f"query number {q % 250}" if q % 3 else f"q{q}"] * 9]
    values[40], values[41], values[500] = None, "", None
    pieces = [pa.array(values[i : i + chunk], kind) for i in range(0, len(values), chunk)]
    column = _core.from_arrow(pa.table({"query": pa.chunked_array(pieces)})).column(0)
    assert column.to_list() == values
    present = [row for row, value in enumerate(values) if value]
    docs = _core.from_columns(["doc"], [[f"d{row}" for row in range(len(values))]]).column(0)
    run = _core.Run(column, docs, None, None, np.array(present), "error")
    expected = {}
    for row in present:
        expected.setdefault(values[row], []).append(row)
    assert {query: run.rows_of(place).tolist() for place, query in enumerate(run.queries)} == expected
    with pytest.raises(_core.BadRow) as bad:
        _core.Run(column, docs, None, None, np.array([0, 41, 2]), "error")
    assert bad.value.args[:3] == ("missing_id", 41, "query")


def test_parquet_and_arrow_files_read_as_they_were_written():
    """Every type, nulls, several row groups, every compression."""
    number = range(5000)
    frame = pl.DataFrame(
        {
            "t": [None if at % 7 == 0 else f"value {at}" * (1 + at % 3) for at in number],
            "i": [None if at % 5 == 0 else at for at in number],
            "f": [at / 3 for at in number],
            "b": [at % 2 == 0 for at in number],
            "c": pl.Series([f"c{at % 3}" for at in number], dtype=pl.Categorical),
        }
    )
    wanted = frame.to_dict(as_series=False)
    for compression in ["uncompressed", "snappy", "gzip", "lz4", "zstd"]:
        out = io.BytesIO()
        frame.write_parquet(out, compression=compression, row_group_size=1000)
        assert columns(_core.read_parquet(out.getvalue())) == wanted
    for compression in ["uncompressed", "lz4", "zstd"]:
        out = io.BytesIO()
        frame.write_ipc(out, compression=compression)
        assert columns(_core.read_arrow(out.getvalue())) == wanted
    out = io.BytesIO()
    frame.write_ipc_stream(out)
    assert columns(_core.read_arrow(out.getvalue())) == wanted


def test_files_are_read_from_paths(tmp_path):
    """Parquet and Arrow files by path; a folder or a missing file is an OSError."""
    frame = pl.DataFrame({"a": ["x", "y"]})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_ipc(tmp_path / "a.arrow")
    assert columns(_core.read_parquet(str(tmp_path / "a.parquet"))) == {"a": ["x", "y"]}
    assert columns(_core.read_arrow(tmp_path / "a.arrow")) == {"a": ["x", "y"]}
    for read in [_core.read_parquet, _core.read_arrow]:
        with pytest.raises(FileNotFoundError):
            read(str(tmp_path / "none"))
        with pytest.raises(IsADirectoryError):
            read(str(tmp_path))
