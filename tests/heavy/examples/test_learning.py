"""The examples that train a model: each prints its library's own number and ours, the same in every round."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.examples.running import FOLDER

SCRIPTS = sorted(path.name for path in (FOLDER / "learning").glob("with_*.py"))


def printed(script: str) -> dict[str, list[str]]:
    """Run an example as a program, with warnings as errors; its lines by their first word."""
    done = subprocess.run(
        [sys.executable, "-W", "error", FOLDER / "learning" / script],
        capture_output=True, encoding="utf-8", env={**os.environ, "PYTHONIOENCODING": "utf-8"}, check=False,
    )  # fmt: skip
    assert (done.stderr, done.returncode) == ("", 0)
    return {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}


@pytest.mark.parametrize(
    ("script", "theirs", "ours"),
    [
        ("with_lightgbm.py", "ndcg@10", "nDCG@10"),
        ("with_xgboost.py", "ndcg@10", "nDCG@10"),
        ("with_catboost.py", "NDCG:top=10;type=Base", "CustomMetric"),
    ],
)
def test_same_number(script: str, theirs: str, ours: str) -> None:
    """To every printed digit; the other convention gives another number."""
    lines = printed(script)
    assert lines[ours] == lines[theirs]
    assert all(values != lines[theirs] for name, values in lines.items() if name not in (ours, theirs))


def test_sklearn() -> None:
    """Every fold has a value under either convention, and the search a best setting."""
    lines = printed("with_sklearn.py")
    assert [len(lines[name]) for name in ("sklearn", "lightgbm")] == [3, 3]
    assert lines["best"][:2] == ["{'alpha':", "1000.0}"]


def test_every_script_is_tried_and_listed() -> None:
    """The scripts are these four, and the list of examples names them."""
    listed = (FOLDER / "README.md").read_text("utf-8")
    assert [f"with_{name}.py" for name in ("catboost", "lightgbm", "sklearn", "xgboost")] == SCRIPTS
    assert all(f"(learning/{script})" in listed for script in SCRIPTS)
