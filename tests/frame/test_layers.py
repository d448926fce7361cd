"""The house is built in layers."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_imports_run_one_way() -> None:
    """Every import runs from a later room of the flow to an earlier one, but for the listed lazy renderings."""
    command = [sys.executable, "-c", "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 kept, 0 broken" in done.stdout
