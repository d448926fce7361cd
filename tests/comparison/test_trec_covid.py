"""The nine runs of TREC-COVID round 1: the page that walks through their verdicts shows what is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, Place, blocks, console

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "trec-covid-round1"


@pytest.mark.skipif(not FOLDER.exists(), reason="the TREC runs are not beside the repository")
def test_page_shows_what_is_printed() -> None:
    """The command of the page prints the page's verdicts, means and differences."""
    page = (ROOT / "docs" / "trec-covid.md").read_text("utf-8")
    shown = next(content for language, content in blocks(page) if language == "text")
    command = re.match(r"(\$ .*\\\n.*\n)", shown)
    assert command is not None
    assert console(command[0], Place(ROOT)).startswith(shown)
