"""Errors name the lines of the original file; temporary folders are removed on any end."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from idealrank.distributed.division import divide_files
from idealrank.distributed.memory import PREFIX
from idealrank.errors import DataError, NoColumnError, UsageError
from tests.distributed.buckets.reading import every

JUDGED = "query_id,doc_id,grade\n1,d1,1\n"

HOLDER = """
import sys, time
from idealrank.distributed.division import divide_files
with divide_files(sys.argv[1], [sys.argv[1]], 3, folder=sys.argv[2]):
    print("ready", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def judged(tmp_path: Path) -> str:
    """Return a small file of judgments."""
    (tmp_path / "j.csv").write_text(JUDGED)
    return str(tmp_path / "j.csv")


def read_all(judged: str, file: Path, count: int = 7) -> None:
    """Divide a file of results and read all buckets."""
    with divide_files(judged, [str(file)], count, folder=str(file.parent)) as partition:
        for _ in every(partition):
            pass


def left(folder: Path) -> list[str]:
    """Return the temporary folders there."""
    return [name for name in os.listdir(folder) if name.startswith(PREFIX)]


def broken(name: str, queries: int) -> tuple[str, int]:
    """Return a text of so many queries, row 700 of which cannot be read, and the line of that row."""
    if name == "r.run":
        line = "q{0} Q0 d 1 {1} s\n# a comment\n\n"
        return "".join(line.format(at % queries, "abc" if at == 700 else 1) for at in range(999)), 2101
    if name == "r.csv":
        rows = (f'q{at % queries},"d\n{at}"{",x" if at == 700 else ""}\n' for at in range(999))
        return "".join(["# from a tool\nquery_id,doc_id\n", *rows]), 1403
    rows = (f'{{"query_id": "q{at % queries}", "doc_id": "d"{"," * (at == 700)}}}\n\n' for at in range(999))
    return "".join(rows), 1401


@pytest.mark.parametrize("queries", [13, 999])
@pytest.mark.parametrize("name", ["r.run", "r.csv", "r.jsonl"])
def test_an_error_names_the_line_of_the_file(judged: str, tmp_path: Path, name: str, queries: int) -> None:
    """A line that cannot be read has the number that it has in the whole file, copied or not; the folder is removed."""
    text, line = broken(name, queries)
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=rf"{name} line {line}: "):
        read_all(judged, tmp_path / name)
    assert left(tmp_path) == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_row_knows_its_line(judged: str, tmp_path: Path, end: str) -> None:
    """Every row of every bucket says its line of the file: line 1 is the comment, 2 the header."""
    rows = "".join(f'q{at % 13},"d{end}{at}"{end}{end * (at % 2)}' for at in range(60))
    file = tmp_path / "r.csv"
    file.write_text(f"# from a tool{end}query_id,doc_id{end}{rows}", newline="")
    lines = {at: 3 + 2 * at + at // 2 for at in range(60)}
    with divide_files(judged, [str(file)], 5, folder=str(tmp_path)) as partition:
        for bucket in every(partition):
            if (source := bucket.results[0]) is not None:
                documents = [int(value.split("\n")[1]) for value in source.frame.column(1).to_list()]
                places = [source.place(row) for row in range(source.frame.rows)]
                assert places == [f"{file} line {lines[at]}" for at in documents]


@pytest.mark.parametrize("name", ["r.run.gz", "r.csv.gz"])
def test_a_file_that_ends_early(judged: str, tmp_path: Path, name: str) -> None:
    """Compressed data that is cut off is refused, and the folder is removed."""
    header = "query_id,doc_id\n" if "csv" in name else ""
    text = header + "".join(f"q{at},d\n" if header else f"q{at} Q0 d 1 1 s\n" for at in range(99_999))
    (tmp_path / name).write_bytes(gzip.compress(text.encode())[:-2000])
    with pytest.raises(DataError, match=f"{name}: the compressed data ends early"):
        read_all(judged, tmp_path / name)
    assert left(tmp_path) == []


def test_what_cannot_be_divided(judged: str, tmp_path: Path) -> None:
    """Files without a query in each row are refused with what to do."""
    (tmp_path / "r.json").write_text('{"q1": {"d1": 1.0}}')
    with pytest.raises(DataError, match=r"r.json: JSON documents, which cannot be .* idealrank convert"):
        read_all(judged, tmp_path / "r.json")
    (tmp_path / "r.csv").write_text("doc_id,score\nd,1\n")
    with pytest.raises(NoColumnError, match="which column is the query"):
        read_all(judged, tmp_path / "r.csv")
    with (
        pytest.raises(UsageError, match="no temporary folder can be made"),
        divide_files(judged, [judged], 2, folder=str(tmp_path / "absent")),
    ):
        pass


def holder(judged: str, folder: Path) -> subprocess.Popen[str]:
    """Start a process that divides files and waits."""
    # Under nohup the end of a terminal is ignored, by children, too.
    code = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)\n{HOLDER}"
    process = subprocess.Popen([sys.executable, "-c", code, judged, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.heavy
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_removes_the_folder(judged: str, tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C, SIGTERM and the end of a terminal end the run, and its folder is gone."""
    with holder(judged, tmp_path) as process:
        assert len(left(tmp_path)) == 1
        process.send_signal(number)
        process.communicate()
    assert process.returncode == (-signal.SIGINT if number == signal.SIGINT else 128 + number)
    assert left(tmp_path) == []


@pytest.mark.heavy
def test_the_next_run_removes_what_a_killed_one_left(judged: str, tmp_path: Path) -> None:
    """The folder of a run that was killed is removed by the next, that of a run which goes on is not."""
    with holder(judged, tmp_path) as killed:
        killed.kill()
        killed.communicate()
    (abandoned,) = left(tmp_path)
    with holder(judged, tmp_path) as process:
        (running,) = left(tmp_path)
        assert running != abandoned
        read_all(judged, Path(judged))
        assert left(tmp_path) == [running]
        process.terminate()
        process.communicate()


@pytest.mark.heavy
def test_a_full_disk(tmp_path: Path) -> None:
    """A disk without space is one error that says how much is needed and what to do; nothing is left."""
    lines = "".join(f"q{at % 999} Q0 document-{at} 1 1 s\n" for at in range(20_000))
    (tmp_path / "r.run").write_text(lines)
    limited = HOLDER.replace("import sys", "import resource, sys").replace(
        "with", "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\nwith", 1
    )
    run = [sys.executable, "-c", limited, str(tmp_path / "r.run"), str(tmp_path)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    # Judgments and results are the same file here, so twice its size is needed.
    size = f"{2 * len(lines) / 1e6:.1f} MB"
    assert f"{tmp_path}: not enough space for temporary files: about {size} needed" in done.stderr
    assert "temporary=DIR" in done.stderr
    assert left(tmp_path) == []


def test_without_duckdb(judged: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without DuckDB, a message says how to install it, and nothing is left."""
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(UsageError, match=r"not installed. Install it: pip install 'idealrank\[large\]'"):
        read_all(judged, Path(judged))
    assert left(tmp_path) == []
