"""What the documentation shows is what the program prints."""

from __future__ import annotations

import pytest

from tests.docs.blocks import LANGUAGES, PAGES, ROOT, blocks, renewed


@pytest.mark.parametrize("page", PAGES)
def test_output_is_that_of_today(page: str) -> None:
    """Every command and every Python line of a page prints what stands under it."""
    pytest.importorskip("pty", reason="console blocks are run on a POSIX terminal")
    text = (ROOT / page).read_text("utf-8")
    assert renewed(text) == text


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_it_is(page: str) -> None:
    """A block names its language, so that none is left unrun by mistake; sh blocks hold chores of make only."""
    for language, content in blocks((ROOT / page).read_text("utf-8")):
        assert language in LANGUAGES
        if language == "sh":
            assert all(line.startswith("make ") for line in content.splitlines())
