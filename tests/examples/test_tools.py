"""The files of other tools in the examples."""

from __future__ import annotations

import runpy
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "examples" / "tools"


def test_files_are_what_the_script_writes(tmp_path: Path) -> None:
    """The script writes every file of the folder, byte for byte."""
    runpy.run_path(str(FOLDER / "make.py"))["main"](tmp_path)
    files = {path.relative_to(FOLDER) for path in FOLDER.glob("*/**/*") if path.is_file() and path.suffix != ".pyc"}
    assert files == {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    for file in files:
        assert (FOLDER / file).read_bytes() == (tmp_path / file).read_bytes(), file
