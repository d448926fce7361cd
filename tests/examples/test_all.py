"""Every example runs from a clean checkout, says something and is listed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.examples.running import FOLDER, SCRIPTS, WIDTH, run


@pytest.mark.heavy
@pytest.mark.parametrize("script", SCRIPTS)
def test_runs_quietly(script: str) -> None:
    """As a program of its own, with warnings as errors, it ends well and standard error stays empty."""
    done = subprocess.run(
        [sys.executable, "-W", "error", FOLDER / f"{script}.py"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **WIDTH, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout == run(script).output


@pytest.mark.parametrize("script", SCRIPTS)
def test_is_listed(script: str) -> None:
    """The list of examples names it."""
    assert f"({script}.py)" in (FOLDER / "README.md").read_text("utf-8")


@pytest.mark.parametrize("script", SCRIPTS)
def test_needs_nothing_else(script: str) -> None:
    """It imports the package and the standard library only."""
    lines = (FOLDER / f"{script}.py").read_text("utf-8").splitlines()
    assert {line for line in lines if line.startswith(("import ", "from "))} <= {
        "import idealrank as ir",
        "from pathlib import Path",
    }


ALONE = """
import sys, socket
socket.socket = None
import idealrank as ir
scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, [str(d.name) for d in ir.DEFINITIONS if d.is_plain])
print(repr(scores)[:7], scores.explain("nDCG", "q").score, sep="\\n")
others = {"pandas", "polars", "pyarrow", "sklearn", "catboost", "trectools", "pytrec_eval", "ir_measures", "ranx"}
assert not others & set(sys.modules), others & set(sys.modules)
"""


def test_nothing_else_is_imported_or_fetched() -> None:
    """Every measure works without a network and without any other tool, and standard error stays empty."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", ALONE], capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (["measure", "1.0"], "")
