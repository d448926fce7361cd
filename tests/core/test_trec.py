"""TREC text: what is read, what is passed over, what is refused and with which facts."""

import gzip
import math

import numpy as np
import pytest

from idealrank import _core

RUN = b"q1 Q0 d1 1 3.5 a\nq1 Q0 d2 2 2.5 a\nq2 Q0 d1 1 1e3 b\n"


def columns(frame):
    """Return the columns of a frame as lists, by name."""
    return {name: frame.column(at).to_list() for at, name in enumerate(frame.names)}


def refused(source, kind="run"):
    """Return what a refused read says."""
    with pytest.raises(_core.BadInput) as caught:
        _core.read_trec(source, kind)
    return caught.value.args


def test_a_run_has_five_columns():
    """Query, document, rank, score and system of every line."""
    frame = _core.read_trec(RUN, "run")
    assert (frame.rows, frame.format, frame.skipped) == (3, "trec-run", 0)
    assert columns(frame) == {
        "query": ["q1", "q1", "q2"],
        "doc": ["d1", "d2", "d1"],
        "rank": [1, 2, 1],
        "score": [3.5, 2.5, 1000],
        "system": ["a", "a", "b"],
    }
    assert [frame.column(at).kind for at in range(5)] == ["text", "text", "float", "float", "text"]


def test_judgments_leave_the_iteration_out():
    """Query, document and grade of every line; a grade may be fractional, negative or nan (missing)."""
    frame = _core.read_trec(b"q 0 a 1\nq 0 b -0.5\nq 0 c nan\n", "qrels")
    assert (frame.format, columns(frame)) == (
        "trec-qrels",
        {"query": ["q"] * 3, "doc": ["a", "b", "c"], "grade": [1, -0.5, None]},
    )
    assert frame.column(2).missing == 1


@pytest.mark.parametrize(
    "text",
    [
        RUN.replace(b"\n", b"\r\n"),
        RUN.replace(b" ", b"\t"),
        RUN.replace(b" ", b"   \t "),
        b"\xef\xbb\xbf" + RUN,
        RUN.rstrip(b"\n"),
        RUN.replace(b"\n", b"  \n").replace(b"q", b"  q"),
        RUN.replace(b"a\n", b"a further fields\n"),
        gzip.compress(RUN, mtime=0),
        gzip.compress(RUN[:20], mtime=0) + gzip.compress(RUN[20:], mtime=0),
    ],
)
def test_forms_of_the_same_text_read_alike(text):
    """Blanks of any kind and number, CRLF, BOM, no last newline, further fields and gzip change nothing."""
    assert columns(_core.read_trec(text, "run")) == columns(_core.read_trec(RUN, "run"))


def test_comments_and_blank_lines_are_counted_and_rows_keep_their_lines():
    """A row knows the line it stands on, whatever was passed over before it."""
    frame = _core.read_trec(b"# head\n\nq 0 a 1\n   \n  # more\r\nq 0 b 2\nq 0 c 3\n\n", "qrels")
    assert (frame.rows, frame.skipped) == (3, 5)
    assert [frame.line(row) for row in range(3)] == [3, 6, 7]


def test_a_rank_that_is_no_number_is_missing():
    """The rank column of a run need not hold numbers."""
    frame = _core.read_trec(b"q Q0 a - 1 t\nq Q0 b 7 1 t\nq Q0 c inf 1 t\n", "run")
    assert columns(frame)["rank"] == [None, 7, None]


@pytest.mark.parametrize(
    ("text", "kind", "facts"),
    [
        (b"", "run", ("empty", 0, "", "", "")),
        (b"# only\n\n", "qrels", ("empty", 0, "", "", "")),
        (b"q 0 d 1\nq 0 d\n", "qrels", ("too_few_fields", 2, "", "q 0 d", "3 of 4")),
        (b"\nq Q0 d 1 2.5", "run", ("too_few_fields", 2, "", "q Q0 d 1 2.5", "5 of 6")),
        (b"q 0 d x", "qrels", ("not_a_number", 1, "grade", "x", "")),
        (b"q Q0 d 1 1,5 t", "run", ("not_a_number", 1, "score", "1,5", "")),
        (b"q Q0 d 1 nan t", "run", ("not_finite", 1, "score", "nan", "")),
        (b"q Q0 d 1 -inf t", "run", ("not_finite", 1, "score", "-inf", "")),
        (b"q 0 d inf", "qrels", ("not_finite", 1, "grade", "inf", "")),
        (b"q 0 d 1\nq 0 \xff 1\n", "qrels", ("not_utf8", 2, "", "q 0 \ufffd 1", "")),
        (b"q 0 d 1\nq 0 \0 1\n", "qrels", ("binary", 2, "", "q 0 \0 1", "")),
        (gzip.compress(RUN * 50, mtime=0)[:-20], "run", ("truncated", 0, "", "", "")),
    ],
)
def test_bad_text_is_refused_with_its_facts(text, kind, facts):
    """Kind, line, column, value and detail of what is wrong."""
    assert refused(text, kind) == facts


@pytest.mark.parametrize("before", [0, 1, 30_000])
def test_blanks_within_tabs_are_refused_on_any_line(before):
    """An id that holds a blank would shift the fields after it; the line is named, wherever it stands."""
    plain = b"q\t0\td\t1\n" * before
    assert refused(plain + b"q\t0\ta 2\t1\n", "qrels") == ("blank_in_id", before + 1, "", "a 2", "")
    assert refused(plain + b"q\t0\ta 2 3\t1\r\n", "qrels") == ("blank_in_id", before + 1, "", "a 2 3", "")
    plain = b"q\tQ0\td\t1\t2.5\ts\n" * before
    assert refused(plain + b"q 1\tQ0\td\t1\t2.5\ts", "run") == ("blank_in_id", before + 1, "", "q 1", "")
    assert _core.read_trec(plain + b"q Q0 d 1 2.5 a longer\tname\n", "run").rows == before + 1


def test_broken_compression_is_corrupt():
    """A gzip stream with a wrong byte in it is corrupt."""
    whole = bytearray(gzip.compress(np.random.default_rng(1).bytes(1000).hex().encode()))
    whole[len(whole) // 2] ^= 0xFF
    assert refused(bytes(whole))[0] in {"corrupt", "too_few_fields"}


def test_a_line_of_ten_megabytes_is_refused():
    """Lines over 1 MiB are refused by number, wherever they stand."""
    long = b"q 0 d 1 " + b"x" * 10_000_000
    assert refused(b"q 0 d 1\n" * 500_000 + long, "qrels")[:2] == ("line_too_long", 500_001)
    assert refused(long + b"\nq 0 d 1\n", "qrels")[:2] == ("line_too_long", 1)
    fits = b"q 0 " + b"x" * (1_048_576 - 6) + b" 1"
    assert _core.read_trec(b"q 0 e 1\n" * 100_000 + fits + b"\nq 0 f 1\n", "qrels").rows == 100_002
    assert refused(b"q 0 e 1\n" + fits + b"x\n", "qrels")[:2] == ("line_too_long", 2)


@pytest.mark.parametrize("before", [1, 130_000])
@pytest.mark.parametrize("odd", [b"q 0 e 1 0 f 2\n", b"q 0 e 1 x\n", b"1000 3 0 7 1\n"])
def test_judgments_of_uneven_lines_are_refused(before, odd):
    """Two lines that became one, or an id with a blank, shift the fields: the line that differs is named."""
    kind, line, _, _, detail = refused(b"q 0 d 1\n" * before + odd + b"q 0 g 1\n", "qrels")
    assert (kind, line, detail) == ("uneven_fields", before + 1, f"{len(odd.split())} 4 1")
    assert _core.read_trec(b"q 0 d 1 20260101\n" * before, "qrels").rows == before


def test_a_blank_in_an_id_of_a_run_is_seen_where_the_rank_would_be_the_score():
    """``d 1`` moves the rank to the place of the score; a system's name may contain blanks."""
    assert refused(b"q Q0 d 1 2.5 s\nq Q0 e 1 2 2.25 s\n", "run")[:2] == ("uneven_fields", 2)
    assert _core.read_trec(b"q Q0 d 1 2.5 s\nq Q0 e 2 2.25 s two\n", "run").rows == 2


@pytest.mark.parametrize("line", [1, 130_000, 200_000])
def test_the_first_bad_line_is_named_with_its_number(line):
    """Of several bad lines in a file of several blocks the first one is reported."""
    lines = [b"q 0 d%d 1" % at for at in range(200_000)]
    for at in range(line - 1, 200_000, 777):
        lines[at] = b"q 0 d%d one" % at
    assert refused(b"\n".join(lines), "qrels") == ("not_a_number", line, "grade", "one", "")


def test_blocks_join_without_a_seam():
    """A file of many blocks reads as Python reads it: ids short and long, comments, ties, several systems."""
    rng = np.random.default_rng(3)
    lines, rows = [], []
    for number in range(60_000):
        if number % 997 == 0:
            lines.append("# comment")
        query = f"q{number // 500}" if number % 2 else f"a query of many letters {number // 700}".replace(" ", "_")
        doc = f"d{number}" if number % 3 else f"urn:document:number:{number}"
        row = (query, doc, float(number % 500 + 1), float(rng.integers(0, 10**9)) / 2**10, f"s{number // 20_000}")
        rows.append((len(lines) + 1, row))
        lines.append(f"{row[0]} Q0 {row[1]} {int(row[2])} {row[3]!r} {row[4]}")
    frame = _core.read_trec("\n".join(lines).encode(), "run")
    assert list(zip(*columns(frame).values(), strict=True)) == [row for _, row in rows]
    assert [frame.line(at) for at in range(frame.rows)] == [line for line, _ in rows]
    assert frame.skipped == 61


def test_scores_are_exact():
    """Scores that float32 cannot hold come back as float64 reads them."""
    values = ["0.1", "16777217", "1e-300", "0.12345678901234567", "-2.5", "+3"]
    text = "\n".join(f"q Q0 d{at} 1 {value} t" for at, value in enumerate(values))
    assert columns(_core.read_trec(text.encode(), "run"))["score"] == [float(value) for value in values]


def test_a_path_and_its_bytes_read_alike_and_progress_counts(tmp_path):
    """A file is read from its path; progress ends at its size, in compressed bytes if it is compressed."""
    file = tmp_path / "run.txt.gz"
    file.write_bytes(gzip.compress(RUN))
    progress = _core.Progress()
    frame = _core.read_trec(str(file), "run", progress)
    assert columns(frame) == columns(_core.read_trec(RUN, "run"))
    assert progress.done == progress.total == file.stat().st_size
    assert columns(_core.read_trec(file, "run")) == columns(frame)


def test_what_cannot_be_opened_is_an_oserror(tmp_path):
    """A missing file and a folder raise what Python's open raises."""
    with pytest.raises(FileNotFoundError):
        _core.read_trec(str(tmp_path / "none"), "run")
    with pytest.raises(IsADirectoryError):
        _core.read_trec(str(tmp_path), "run")


def test_sniff_shows_the_first_decompressed_bytes():
    """At most `size` bytes of the text behind a path or bytes."""
    assert _core.sniff(gzip.compress(RUN), 10) == RUN[:10]
    assert _core.sniff(RUN) == RUN
    assert _core.sniff(b"") == b""


def test_nan_is_a_missing_grade_only():
    """NaN shows as None, and as NaN among floats."""
    grades = _core.read_trec(b"q 0 a nan\nq 0 b 2\n", "qrels").column(2)
    assert math.isnan(grades.floats()[0])
    assert grades.floats()[1] == 2
