"""Write the lessons as notebooks: examples/lesson-….ipynb from docs/lesson-….md, run in a Jupyter kernel.

``python -m tests.heavy.docs.notebooks`` writes them, or those that are named, as lesson-ndcg-step-by-step; a test runs
each and compares its outputs with those stored. The prose of a page becomes cells of text. Its Python becomes cells of
code, one for each statement that prints something. Files named from the root of the repository are named from the
notebook's folder.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat
from nbclient import NotebookClient

from tests.docs.blocks import COLUMNS, ROOT, TRACEBACK, UndeclaredError, asked, blocks_with_prose, statements

LESSONS = sorted(path.stem for path in (ROOT / "docs").glob("lesson-*.md"))
FOLDERS = ("shop", "rag")
"""The folders of examples whose files the lessons read."""

_KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

_QUIET = ["--IPKernelApp.log_level=ERROR"]


def notebook_path(lesson: str) -> Path:
    """Return where the notebook of a lesson is."""
    return ROOT / "examples" / f"{lesson}.ipynb"


def notebook(lesson: str) -> Any:
    """Return a lesson as a notebook that has not been run."""
    text = (ROOT / "docs" / f"{lesson}.md").read_text("utf-8")
    cells = [
        {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source}
        | ({"outputs": [], "execution_count": None} if kind == "code" else {})
        for number, (kind, source) in enumerate(_cells(text), 1)
    ]
    made = nbformat.from_dict({"cells": cells, "metadata": _KERNEL, "nbformat": 4, "nbformat_minor": 5})
    nbformat.validate(made)
    return made


def _cells(text: str) -> Iterator[tuple[str, str]]:
    for language, content in blocks_with_prose(text):
        if language == "python":
            yield from (("code", _beside(source)) for source in _sources(content))
        elif content.strip():
            yield "markdown", _linked(content.strip())


def _sources(block: str) -> Iterator[str]:
    """Yield the sources of cells: statements up to and with one that prints something."""
    waiting = ""
    for _, source, output in statements(block):
        waiting += source
        if output.strip():
            yield waiting.rstrip()
            waiting = ""
    if waiting:
        yield waiting.rstrip()


def _beside(source: str) -> str:
    """Name files from the folder of the notebook."""
    return re.sub(r'"(examples|target)/', '"', source)


def _linked(text: str) -> str:
    """Let links lead from the folder of the notebook to where those of the page lead."""
    text = re.sub(r"\]\((?=[\w-]+\.md)", "](../docs/", text)
    return text.replace("](../examples/", "](")


def executed(lesson: str) -> Any:
    """Run a lesson in a kernel of its own, in a folder with the example files, and return it with its outputs."""
    made = notebook(lesson)
    with tempfile.TemporaryDirectory() as folder:
        for name in FOLDERS:
            (Path(folder) / name).symlink_to(ROOT / "examples" / name)
        settings = {"COLUMNS": str(COLUMNS), "IPYTHONDIR": folder, "JUPYTER_PLATFORM_DIRS": "1"}
        with mock.patch.dict(os.environ, settings):
            place = {"metadata": {"path": folder}}
            client = NotebookClient(made, timeout=120, record_timing=False, resources=place, extra_arguments=_QUIET)
            client.coalesce_streams = True  # what a cell prints is one output, in however many pieces it comes
            client.execute()
    made.metadata = nbformat.from_dict(_KERNEL)
    for cell in made.cells:
        if cell.cell_type == "code":  # where a bar was that is gone: whether there was one depends on the machine
            cell.outputs = [
                each for each in cell.outputs if each.get("data", True) != {"text/html": "", "text/plain": ""}
            ]
    return made


def written(lesson: str) -> str:
    """Return the file of a lesson's notebook, run now; a cell that ends in an error ends this too."""
    text = str(nbformat.writes(executed(lesson))) + "\n"
    if TRACEBACK in text:
        raise UndeclaredError(f"{lesson}: a traceback would be written into the notebook. Mend what prints it.")
    return text


def main() -> None:
    """Write the notebook of every lesson, or of those that are named."""
    for lesson in asked(sys.argv[1:], LESSONS):
        path, text = notebook_path(lesson), written(lesson)
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
