"""Broken files: whatever a reader is given, it returns a table or says what is wrong and where."""

import io
import random
import re
from pathlib import Path

import pytest

from idealrank import _core
from idealrank.data.formats.reader import read_frame
from idealrank.errors import DataError

CORPUS = Path(__file__).parent / "corpus"
KINDS = sorted(folder.name for folder in CORPUS.iterdir())

PLAN = [
    (
        "results",
        (".details", "*", ".hits", "[]"),
        True,
        [
            ("query_id", (".details", "*", "@key")),
            ("doc_id", (".details", "*", ".hits", "[]", ".hit", "._id")),
            ("took", (".took",)),
        ],
    ),
    ("dicts", ("*", "*"), False, [("query_id", ("*", "@key")), ("doc_id", ("*", "*", "@key")), ("value", ("*", "*"))]),
]
"""Where rows lie in some of the documents."""

READERS = {
    "qrels": lambda data: _core.read_trec(data, "qrels"),
    "run": lambda data: _core.read_trec(data, "run"),
    "delimited": lambda data: _core.read_delimited(data, ",", None, len(data) % 3),
    "jsonl": _core.read_jsonl,
    "json": lambda data: _core.read_json(data, PLAN)[len(data) % 2][1],
    "parquet": _core.read_parquet,
    "arrow": _core.read_arrow,
    "source": lambda data: _core.read_trec(data, "qrels"),
    "judge": lambda data: _core.read_trec(data, "run"),
}

MUTANTS = 400
"""Tried of each folder: a number, so that every machine tries the same."""


def seeds(kind):
    """Return the content of the files of a folder, in order."""
    return [path.read_bytes() for path in sorted((CORPUS / kind).iterdir())]


def cut(data, other, rng):
    """Return a stretch of the data."""
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[start:end] if rng.random() < 0.5 else data[:end]


def flip(data, other, rng):
    """Return the data with a few bytes changed."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8)) if data else 0):
        changed[rng.randrange(len(data))] = rng.choice((rng.randrange(256), *b'\0\n\r\t "#,{[\xff'))
    return bytes(changed)


def splice(data, other, rng):
    """Return the beginning of the data and the end of another file."""
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def repeat(data, other, rng):
    """Return the data with a stretch of it several times over."""
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:end] + data[start:end] * rng.choice((1, 3, 50)) + data[end:]


def mutants(kind):
    """Yield the files of a folder as they are, then changed in ways that a seed decides."""
    rng, files = random.Random(7), seeds(kind)
    yield from files
    for _ in range(MUTANTS):
        data = rng.choice(files)
        for _ in range(rng.choice((1, 1, 2, 4))):
            data = rng.choice((cut, flip, splice, repeat))(data, rng.choice(files), rng)
        yield data


def use(frame):
    """Look at every column, and at the place of the first and last row."""
    rows = frame.rows
    for at, name in enumerate(frame.names):
        try:
            column = frame.column(at)
        except _core.BadInput as bad:
            says_where(bad, 0)
            continue
        assert len(column) == rows
        assert len(column.codes()[0]) == rows
        assert len(column.to_list()) == rows
        try:
            column.number(name, True)
        except _core.BadRow as bad:
            row = bad.args[1]
            assert 0 <= row < rows


def outcome(stream):
    """Return what reading a stream said: "rows", or the error."""
    try:
        return "rows" if read_frame(stream, "results").frame.rows else "no rows"
    except DataError as error:
        return str(error)


def says_where(bad, lines):
    """Check the facts of a refusal."""
    kind, line, *texts = bad.args
    assert kind
    assert 0 <= line <= lines or lines == 0
    assert all(isinstance(text, str) for text in texts)


@pytest.mark.parametrize("kind", KINDS)
def test_the_core_reads_or_refuses_any_bytes(kind, capfd):
    """A reader of the core returns a table or BadInput with a line of the file; it does not panic, print or hang."""
    for data in mutants(kind):
        try:
            use(READERS[kind](data))
        except _core.BadInput as bad:
            says_where(bad, 0 if data[:1] in (b"\x1f", b"\x28") else data.count(b"\n") + 1)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", KINDS)
def test_any_bytes_are_a_table_or_one_of_our_errors(kind, capfd):
    """Without being told the format: a table, or a DataError that begins with the file and says what to do."""
    for data in mutants(kind):
        stream = io.BytesIO(data)
        stream.name = "a file"
        said = outcome(stream)
        assert said == "rows" or re.match(r"a file( lines? [1-9]\d*( to \d+)?)?: ", said), data
    assert capfd.readouterr() == ("", "")
