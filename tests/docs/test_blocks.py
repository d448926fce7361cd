"""What the documentation shows is what the program prints."""

from __future__ import annotations

import re

import pytest

from tests.docs.blocks import LANGUAGES, PAGES, ROOT, TUTORIALS, asked, blocks, renewed

_FILE = re.compile(r"\[`(examples/[^`]+)`\]\(\.\./\1\):\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", sorted({*PAGES} - {*TUTORIALS}))
def test_output_is_that_of_today(page: str) -> None:
    """Every command and every Python line of a page prints what stands under it."""
    pytest.importorskip("pty", reason="console blocks are run on a POSIX terminal")
    text = (ROOT / page).read_text("utf-8")
    assert renewed(text) == text


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_it_is(page: str) -> None:
    """A block names its language, so that none is left unrun by mistake; sh blocks contain only chores of make."""
    for language, content in blocks((ROOT / page).read_text("utf-8")):
        assert language in LANGUAGES
        if language == "sh":
            assert all(line.startswith(("make ", "# ")) for line in content.splitlines())


@pytest.mark.parametrize("page", PAGES)
def test_files_are_shown_as_they_are(page: str) -> None:
    """A block below the link to an example is that file."""
    for path, content in _FILE.findall((ROOT / page).read_text("utf-8")):
        assert (ROOT / path).read_text("utf-8") == content, path


def test_pages_may_be_named() -> None:
    """Without names all pages are renewed, else those that are named; a name that is none is refused."""
    assert asked([], ["a.md", "b.md"]) == ["a.md", "b.md"]
    assert asked(["b.md"], ["a.md", "b.md"]) == ["b.md"]
    with pytest.raises(SystemExit, match=r"no page 'c\.md'\. Allowed: a\.md, b\.md\."):
        asked(["c.md"], ["a.md", "b.md"])
