"""On a terminal: a table that fits, the decisions and the ledger below it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import PLAIN, SHOP, on_terminal, plain

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")


def test_groups_are_tables_of_their_own() -> None:
    """--by draws one table a group under its name (B110)."""
    words = ("--queries-table", "queries.csv", "--by", "segment", "-m", "nDCG@10", "-q")
    lines = plain(on_terminal("evaluate", "judgments.csv", "bm25.csv", *words, cwd=SHOP).out).splitlines()
    assert [line for line in lines if line in ("brand", "category", "problem")] == ["brand", "category", "problem"]


def test_wide_letters_line_up(tmp_path: Path) -> None:
    """Letters that are two columns wide do not push the numbers out of line."""
    from idealrank.display.blocks import text_width

    (tmp_path / "j.csv").write_text("query_id,doc,grade\n検索,d1,1\nab,d1,1\n", "utf-8")
    (tmp_path / "r.csv").write_text("query_id,doc,rank\n検索,d1,1\nab,d1,1\n", "utf-8")
    found = plain(on_terminal("evaluate", "j.csv", "r.csv", "-m", "RR", "--per-query", "-q", cwd=tmp_path).out)
    rows = found.splitlines()[2:]
    assert len(rows) == 2
    assert len({text_width(row) for row in rows}) == 1


@pytest.mark.heavy
def test_the_talk_is_folded_where_standard_error_is_the_terminal() -> None:
    """With the numbers in a pipe the talk is drawn for the terminal it goes to."""
    import pty

    ours, theirs = pty.openpty()
    from tests.cli.terminal import COMMAND

    words = [COMMAND, "evaluate", "judgments.csv", "bm25.csv", "-m", "RR", "-v", "--format", "tsv"]
    subprocess.run(words, cwd=SHOP, stdout=subprocess.PIPE, stderr=theirs, env={**PLAIN, "COLUMNS": "80"}, check=True)
    os.close(theirs)
    seen = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "decisions  idealrank-1\r\n  read     raters=median duplicates=error unit=as_returned" in seen
    assert max(map(len, seen.splitlines())) <= 80


@pytest.mark.heavy
@pytest.mark.parametrize("limit", [10, 10**9])
def test_large_files_show_progress(limit: int, tmp_path: Path) -> None:
    """Reading a file above the limit shows a bar on a terminal; one below, or without a terminal, does not."""
    text = "".join(f"q{i} Q0 d1 1 1 up\n" for i in range(20_000))
    (tmp_path / "up.run").write_text(text)
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    code = (
        "import sys; from idealrank.display import terminal; from idealrank.cli import main; "
        f"assert terminal.LARGE_FILE == 100_000_000; terminal.LARGE_FILE, terminal.SOON = {limit}, 0; "
        "sys.argv = ['idealrank', 'evaluate', 'qrels.txt', 'up.run', '-q', '-m', 'RR']; main()"
    )
    for terminal in (True, False):
        assert (b"reading" in said_on_error(code, tmp_path, terminal)) == (terminal and limit == 10)


@pytest.mark.heavy
@pytest.mark.parametrize("soon", [0, 1e9])
def test_long_work_on_a_report_shows_progress(soon: float, tmp_path: Path) -> None:
    """Making a report that takes long shows the part it is at, on a terminal only; the file is whole."""
    files = [str(SHOP / name) for name in ("judgments.csv", "bm25.csv", "hybrid.csv")]
    code = (
        "import sys; from idealrank.display import terminal; from idealrank.cli import main; "
        f"assert terminal.SOON == 1.0; terminal.SOON = {soon}; "
        f"sys.argv = ['idealrank', 'report', *{files}, '-q', '-m', 'RR', '-o', 'report.html']; main()"
    )
    for terminal in (True, False):
        said = said_on_error(code, tmp_path, terminal)
        assert (b": file (" in said) == (terminal and soon == 0)
        assert (tmp_path / "report.html").read_text("utf-8").endswith("</html>\n")


def said_on_error(code: str, folder: Path, terminal: bool) -> bytes:
    """Run Python code and return what it says on standard error, which is a terminal or a pipe."""
    import pty

    env = {**PLAIN, "TERM": "xterm", "COLUMNS": "80"}
    run: dict[str, Any] = {
        "args": [sys.executable, "-c", code],
        "cwd": folder,
        "stdout": subprocess.DEVNULL,
        "env": env,
    }
    if not terminal:
        found = subprocess.run(**run, stderr=subprocess.PIPE)
        assert found.returncode == 0
        return found.stderr
    ours, theirs = pty.openpty()
    process = subprocess.Popen(**run, stderr=theirs)
    os.close(theirs)
    seen = b""
    # A terminal holds a few thousand bytes: what is not read at once stops the program, and a busy machine shows more.
    with contextlib.suppress(OSError):  # Linux says the end of a terminal by an error
        while part := os.read(ours, 1 << 16):
            seen += part
    os.close(ours)
    assert process.wait() == 0
    return seen
