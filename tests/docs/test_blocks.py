"""What the documentation shows is what the program prints."""

from __future__ import annotations

import re

import pytest

from tests.docs.blocks import LANGUAGES, PAGES, ROOT, TUTORIALS, UndeclaredError, asked, blocks, renewed

OF_LIBRARIES = re.compile(
    "integrations|plots|spark|versus|lesson-forty-hours|from-rag|clicks|first-verdict|gate|report|studio"
)
"""Pages that call another library, or take long: they are of the last ring."""

_FILE = re.compile(r"\[`(examples/[^`]+)`\]\(\.\./\1\):\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("ignore:Cannot cache compiled function")  # numba compiles ranx for a page
@pytest.mark.filterwarnings("ignore:unsafe cast from")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.heavy] * bool(OF_LIBRARIES.search(page)))
        for page in PAGES
        if page not in TUTORIALS
    ],
)
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


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ('```console\n$ python -c "raise SystemExit(3)"\n```\n', r"declares no error and ended with 3\."),
        ('<!-- exit 1 -->\n```console\n$ python -c "pass"\n```\n', r"declares 1 and ended with none\."),
        ('<!-- exit 1 -->\n```console\n$ python -c "1 / 0"\n```\n', "ZeroDivisionError"),
        (
            '```python\n>>> import idealrank as ir\n>>> ir.measure("P@0")\n```\n',
            "declares no error and ended with Usage",
        ),
        ("<!-- raises DataError -->\n```python\n>>> 1\n1\n```\n", "declares DataError and ended with none"),
    ],
    ids=["exit code", "no exit code", "traceback of a command", "exception", "no exception"],
)
def test_an_error_is_not_written_unless_declared(block: str, reason: str) -> None:
    """A page shows an error only where it says that it does, so a fault of the program cannot become its output."""
    with pytest.raises(UndeclaredError, match=reason):
        renewed(block)


def test_a_declared_error_is_written() -> None:
    """Each command that ends with another code than 0 is declared, and so is each error of Python."""
    console = (
        '<!-- exit 3, 1 -->\n```console\n$ python -c "raise SystemExit(3)"\n$ python -c "raise SystemExit(1)"\n```\n'
    )
    assert renewed(console) == console
    python = '<!-- raises UsageError -->\n```python\n>>> import idealrank as ir\n>>> ir.measure("P@0")\n```\n'
    assert "idealrank.errors.UsageError: " in renewed(python)
