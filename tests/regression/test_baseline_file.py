"""The file of a baseline: deterministic, readable, and refused with its line where it is damaged."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import idealrank as ir
from tests.regression.worlds import judged, ranked

RANKS = [1, 2, 4]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the baseline of three queries whose document is found at ranks 1, 2 and 4."""
    path = tmp_path / "base.json"
    ir.bless(ir.evaluate(judged(3), ranked(RANKS), ["RR", "P@1"]), path)
    return path


def test_what_it_says(file: Path) -> None:
    """RR of ranks 1, 2 and 4 is 1, 1/2 and 1/4; one document of grade 1 is judged per query; a line per query."""
    whole = json.loads(file.read_text("utf-8"))
    rows = whole["queries"]
    assert [row["values"] for row in rows.values()] == [
        {"RR": 1.0, "P@1": 1.0},
        {"RR": 0.5, "P@1": 0.0},
        {"RR": 0.25, "P@1": 0.0},
    ]
    assert whole["means"] == {"RR": pytest.approx(1.75 / 3), "P@1": pytest.approx(1 / 3)}
    assert [row["grades"] for row in rows.values()] == [{"1": 1}] * 3
    assert [row["results"] for row in rows.values()] == [3, 3, 4]
    assert whole["form"] == "idealrank baseline 1"
    assert whole["measures"]["RR"] == ir.measure("RR").fingerprint
    assert whole["corpus"]["seen"] == 4  # d, x1, x2, x3
    assert sum(line.startswith('    "q00') for line in file.read_text("utf-8").split("\n")) == 3


def test_reading_returns_what_was_written(file: Path) -> None:
    """Text, values and means survive reading, and writing what was read gives the same bytes."""
    read = ir.read_baseline(file)
    assert read.text().encode() == file.read_bytes()
    assert read.values("RR") == {"q000": 1.0, "q001": 0.5, "q002": 0.25}
    assert read.mean("P@1") == pytest.approx(1 / 3)


def test_windows_line_ends_are_the_same(file: Path) -> None:
    """A checkout with CRLF is the same baseline."""
    before = ir.read_baseline(file)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert ir.read_baseline(file) == before


def test_every_cut_is_refused(file: Path) -> None:
    """The file cut off after any byte but the last is one error that names it."""
    data = file.read_bytes()
    for end in range(0, len(data) - 2, 7):
        file.write_bytes(data[:end])
        with pytest.raises(ir.DataError, match=r"base\.json") as refused:
            ir.read_baseline(file)
        assert "\n" not in str(refused.value)


def test_every_changed_digit_is_refused(file: Path) -> None:
    """Each digit changed by hand is refused; on the line of a query, with this line and the query."""
    lines = file.read_text("utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        for match in list(re.finditer(r"\d", line))[::5]:
            other = "7" if match[0] != "7" else "3"
            edited = [*lines[: number - 1], line[: match.start()] + other + line[match.end() :], *lines[number:]]
            file.write_text("\n".join(edited), "utf-8")
            with pytest.raises(ir.DataError, match=r"base\.json") as refused:
                ir.read_baseline(file)
            if line.startswith('    "q'):
                assert f"base.json line {number}: query " in str(refused.value)


def test_a_line_taken_out_is_refused(file: Path) -> None:
    """A query that was deleted by hand or by a merge is no silent change of the baseline."""
    lines = file.read_text("utf-8").split("\n")
    place = next(i for i, line in enumerate(lines) if line.startswith('    "q001"'))
    file.write_text("\n".join([*lines[:place], *lines[place + 1 :]]), "utf-8")
    with pytest.raises(ir.DataError, match="which queries there are"):
        ir.read_baseline(file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"base\.json line 1: not a baseline: it ends in the middle\. Get it back from version control"),
        ("[1, 2]", r"base\.json line 1: not a baseline: it does not begin with {"),
        (
            "query,doc\nq,d\n",
            r"base\.json line 1: not a baseline: Expecting value in column 1\. .* before the new ones",
        ),
        ("<<<<<<< ours\n{}", r"base\.json line 1: not a baseline: Expecting value in column 1"),
        ('{"a": 1}', r"base\.json line 2: not a baseline: \"form\" is not 'idealrank baseline 1'"),
        ('{"form": "idealrank baseline 1"}', r"base\.json: not a baseline: it has no queries"),
        (
            '{"form": "idealrank baseline 2", "idealrank": "3.1"}',
            r"base\.json line 2: version 2 of the schema, written by idealrank 3\.1; this idealrank reads up to 1\. "
            r"Install a newer idealrank\.",
        ),
    ],
)
def test_what_is_no_baseline(tmp_path: Path, text: str, said: str) -> None:
    """A file that is something else, of a newer schema, or not JSON is one error with file and place."""
    path = tmp_path / "base.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ir.DataError, match=said):
        ir.read_baseline(path)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    """Bytes that are not UTF-8, a folder and a file that is not there are told with their name."""
    (tmp_path / "base.json").write_bytes(b"{\xff\xfe")
    for path, said in (("base.json", "byte 1 is not UTF-8"), (".", "Is a directory"), ("no.json", "No such file")):
        with pytest.raises(ir.DataError, match=said):
            ir.read_baseline(tmp_path / path)


def test_the_date_is_that_of_the_results(tmp_path: Path) -> None:
    """The date comes from the name of the results, never from the clock: the same input gives the same bytes."""
    for name in ("nightly_20261123.csv", "plain.csv"):
        (tmp_path / name).write_text("query,doc,rank\nq000,d,1\n")
    dated, plain = (
        ir.bless(ir.evaluate(judged(1), str(tmp_path / name), "RR"), tmp_path / f"{name}.json").baseline
        for name in ("nightly_20261123.csv", "plain.csv")
    )
    assert (dated.date, plain.date) == ("2026-11-23", "")
    assert '"date"' not in plain.text()


def test_weights_and_failures_are_kept(tmp_path: Path) -> None:
    """A weight of each query is kept, and a search that failed under failed=0 is marked as such."""
    rows = {"query": ["q000", "q001"], "doc": ["d", None], "rank": [1, None], "status": ["ok", "timeout"]}
    scores = ir.evaluate(judged(2), rows, "RR", failed="0", weights={"q000": 3.0, "q001": 1.0})
    baseline = ir.bless(scores, tmp_path / "base.json").baseline
    assert baseline.queries["q001"].failed
    assert [row.weight for row in baseline.queries.values()] == [3.0, 1.0]
    assert baseline.mean("RR") == pytest.approx(0.75)
    assert ir.read_baseline(tmp_path / "base.json") == baseline


def test_subtopics_move_the_hash() -> None:
    """A document judged under another subtopic is another judgment, though its grade is the same."""
    from idealrank.regression.baseline import baseline_of

    def hashed(subtopic: str) -> str:
        rows = {"query": ["q", "q"], "subtopic": ["a", subtopic], "doc": ["d", "e"], "grade": [1, 1]}
        return baseline_of(ir.evaluate(rows, {"q": {"d": 2.0, "e": 1.0}}, "RR")).queries["q"].judgments

    assert hashed("b") == hashed("b") != hashed("c")


def test_a_baseline_is_no_table(tmp_path: Path) -> None:
    """Neither judgments nor results: it keeps hashes of them."""
    file = tmp_path / "base.json"
    ir.bless(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"]), file)
    for tables in ((file, {"q": {"d": 1.0}}), ({"q": {"d": 1}}, file)):
        with pytest.raises(ir.DataError, match=r"base\.json: a baseline of idealrank gate, which is no table"):
            ir.evaluate(*tables)
