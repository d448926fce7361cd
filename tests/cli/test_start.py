"""Starting: what a call imports, how it ends, and when it reads; shown by processes of their own."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from idealrank.cli import COMMANDS
from tests.cli.terminal import COMMAND, PLAIN

pytestmark = pytest.mark.heavy

HEAVY = ("numpy", "idealrank._core", "rich", "idealrank.evaluation.evaluate")


def imported(*calls: str) -> set[str]:
    """Return which heavy modules are imported by calls, one after the other in one process."""
    code = (
        "import sys, contextlib, io\n"
        "from idealrank.cli import main\n"
        "for call in sys.argv[1:]:\n"
        "    sys.argv = ['idealrank', *call.split()]\n"
        "    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "        main()\n"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code, *calls], capture_output=True, text=True, check=True)
    return set(found.stdout.split())


def test_nothing_heavy_is_imported() -> None:
    """Help and conventions import neither NumPy nor the core, in whatever order; measures import NumPy alone."""
    helps = ["--help", *(f"{name} --help" for name in COMMANDS if name != "trec_eval"), "--version"]
    assert imported(*helps, "conventions", "conventions trec_eval-9.0.8", "conventions --json") == set()
    assert imported("measures", "measures nDCG", "measures --json") == {"numpy"}


COUNTED = """
import contextlib, io, sys
call, *words = sys.argv[1:]
said = io.StringIO()
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
    if call == "command":
        from idealrank.cli import main
        sys.argv = ["idealrank", *words]
        main()
    else:
        exec(call)
names = set(sys.modules)
import json
print(json.dumps({"names": sorted(names), "said": said.getvalue()}))
"""
"""Prints the modules of a call, and what it said."""


@functools.cache
def modules(folder: Path, call: str, *words: str) -> set[str]:
    """Return the names of the modules that a command, or a line of Python, has imported at its end."""
    command = [sys.executable, "-c", COUNTED, call, *words]
    found = json.loads(
        subprocess.run(command, capture_output=True, text=True, env=PLAIN, cwd=folder, check=True).stdout
    )
    assert "idealrank: " not in found["said"], found["said"]
    return set(found["names"])


@pytest.mark.parametrize(
    ("call", "words", "ours", "others"),
    [
        ("command", "--help", 7, 16),
        ("command", "evaluate qrels.txt up.run -m nDCG@10 --format tsv", 101, 10),
        ("command", "evaluate qrels.txt up.run -m nDCG@10", 121, None),
        ("command", "evaluate j.csv r.csv -m nDCG@10 --format tsv", 108, 10),
        ("command", "compare qrels.txt up.run other.run -m nDCG@10", 167, None),
        ("import idealrank", "", 1, 3),
        ("import idealrank as ir; ir.evaluate('qrels.txt', 'up.run', 'nDCG@10')", "", 83, 5),
        ("import idealrank as ir; ir.evaluate({'q': {'d': 1}}, {'q': {'d': 1.0}}, 'nDCG@10')", "", 84, 5),
    ],
)
def test_a_call_imports_what_its_input_needs(
    folder: Path, call: str, words: str, ours: int, others: int | None
) -> None:
    """A call imports no more modules than this: ours, and others that neither click nor NumPy imports.

    Lower a bound when it can be. Where a call needs a module more, raise it in the commit that says why.
    """
    (folder / "j.csv").write_text("query,doc,grade\nq1,d1,1\nq2,d1,1\n")
    (folder / "r.csv").write_text("query,doc,score\nq1,d1,1\nq2,d1,1\n")
    names = modules(folder, call, *words.split())
    mine = {name for name in names if name.partition(".")[0] == "idealrank"}
    assert len(mine) <= ours, sorted(mine)
    more = names - mine - modules(Path("."), "import click, numpy")
    assert others is None or len(more) <= others, sorted(more)


@pytest.mark.parametrize(
    ("words", "needless"),
    [
        (
            "evaluate qrels.txt up.run",
            {"json", "hashlib", "tempfile", "urllib.parse", "html", "pathlib"}
            | {f"idealrank.data.formats.{name}" for name in ("json_text", "shapes", "nested")}
            | {f"idealrank.evaluation.{name}" for name in ("latency", "explanation")}
            | {"idealrank.data.writing", "idealrank.distributed", "idealrank.display.html"},
        ),
        ("evaluate j.csv r.csv", {"json", "idealrank.data.formats.shapes", "idealrank.data.formats.yaml_text"}),
    ],
)
def test_what_other_inputs_need_is_not_imported(folder: Path, words: str, needless: set[str]) -> None:
    """TREC text and CSV need no other format, nothing that writes files, and no view that nobody asked for."""
    (folder / "j.csv").write_text("query,doc,grade\nq1,d1,1\n")
    (folder / "r.csv").write_text("query,doc,score\nq1,d1,1\n")
    assert not needless & modules(folder, "command", *words.split())


@pytest.mark.parametrize(
    ("words", "code", "ending"),
    [
        ("measures", 0, "\n"),
        ("evaluate qrels.txt up.run -q -m RR", 0, "RR       0.5000\n"),
        ("evaluate qrels.txt up.run --nope", 2, ""),
        ("evaluate qrels.txt nowhere.run", 3, ""),
    ],
)
def test_the_process_ends_at_once(folder: Path, words: str, code: int, ending: str) -> None:
    """The console script ends without taking the interpreter apart, and all it said has arrived."""
    program = (
        "import atexit, sys; atexit.register(print, 'taken apart'); "
        "from idealrank.__main__ import program; sys.argv[0] = 'idealrank'; program()"
    )
    command = [sys.executable, "-c", program, *words.split()]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=PLAIN, check=False)
    assert (found.returncode, bool(found.stderr)) == (code, code != 0)
    assert found.stdout.endswith(ending)
    assert "taken apart" not in found.stdout


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted as Linux shows them")
def test_numpy_starts_no_threads() -> None:
    """In the process of the command line, importing NumPy starts no threads."""
    program = (
        "import os, sys, idealrank.cli as cli, idealrank.__main__ as process\n"
        "def main():\n"
        "    import numpy\n"
        "    print(len(os.listdir('/proc/self/task')), flush=True)\n"
        "    sys.exit(0)\n"
        "cli.main = main\n"
        "process.program()"
    )
    env = {key: value for key, value in PLAIN.items() if not key.endswith("_NUM_THREADS")}
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, check=True)
    assert found.stdout == "1\n"


@pytest.mark.parametrize("words", ["evaluate", "explain --query q1", "flavors"])
def test_files_are_read_while_numpy_is_imported(folder: Path, words: str) -> None:
    """The readers are started before NumPy is imported."""
    env = {**PLAIN, "PYTHONPROFILEIMPORTTIME": "1"}
    command = [COMMAND, *words.split(), "qrels.txt", "up.run"]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env, check=True)
    order = [line.rpartition("|")[2].strip() for line in found.stderr.splitlines() if line.startswith("import time:")]
    assert order.index("idealrank.data.formats.source") < order.index("numpy")


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
def test_an_interruption_ends_with_130(folder: Path) -> None:
    """Control-C ends with 130, is said, and shows no traceback."""
    import signal

    os.mkfifo(folder / "slow.run")
    words = [COMMAND, "evaluate", "qrels.txt", "slow.run"]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(folder / "slow.run", "wb"):  # waits until the command reads
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert err.endswith(b"idealrank: interrupted.\n")
    assert b"Traceback" not in err
