"""Links between the pages lead somewhere."""

from __future__ import annotations

import re

import pytest

from tests.docs.blocks import PAGES, ROOT

ALL = (
    *PAGES,
    "examples/README.md",
    "examples/shop/README.md",
    "examples/engines/README.md",
    "examples/github-actions/README.md",
    "examples/tools/README.md",
    "bench/README.md",
)


def headings(text: str) -> set[str]:
    """Return the anchors of a page."""
    found = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", ALL)
def test_links_resolve(page: str) -> None:
    """Every relative link names a file of the repository, and a heading where it names one."""
    path = ROOT / page
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("https://", "http://")):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), link
        assert not anchor or anchor in headings(target.read_text("utf-8")), link


def test_every_page_is_reached() -> None:
    """Every page of docs is linked from the README or from another page."""
    texts = {page: (ROOT / page).read_text("utf-8") for page in ALL}
    for page in PAGES:
        name = page.removeprefix("docs/")
        assert page == "README.md" or any(name in text for other, text in texts.items() if other != page), page


def test_every_picture_is_shown() -> None:
    """Every picture in docs is on a page: one that no page shows any more is removed, with what makes it.

    The site shows a picture that was taken dark, or narrow, in the place of the one that the page names.
    """
    shown = "".join((ROOT / page).read_text("utf-8") for page in ALL)
    found = [path.name for ending in ("png", "svg") for path in (ROOT / "docs").glob(f"*.{ending}")]
    pictures = [re.sub(r"(-narrow)?(-dark)?(?=\.png)", "", name) for name in found]
    assert [name for name in pictures if name not in shown] == []


def test_every_file_that_a_contributor_is_sent_to_is_there() -> None:
    """Every file that CONTRIBUTING.md names by its folder is where it says; x and NAME stand for a new one."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = set(re.findall(r"`((?:\w+/)+[\w.-]+\.(?:py|md|tsv|html|js|css))`", text))
    rooms = ("", "studio", "reports/page", "reports/page/scripts")
    there = (ROOT, *(ROOT / "src" / "idealrank" / room for room in rooms))
    lost = sorted(file for file in named if not any((folder / file).is_file() for folder in there))
    assert len(named) > 50
    assert [file for file in lost if not re.search(r"[/-]x\.|NAME", file)] == []


def test_every_name_that_a_contributor_is_sent_to_is_there() -> None:
    """Where CONTRIBUTING.md says that a name is in a file, a file called so has it."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"`(\w+)`(?: and `\w+`)? (?:of|in) `([\w./-]+\.(?:py|js))`", text)
    texts = {
        f"/{path.as_posix()}": path.read_text("utf-8")
        for folder in ("src", "tests", "docs", "tools")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in (".py", ".js")
    }

    def is_in(name: str, file: str) -> bool:
        return any(path.endswith(f"/{file}") and re.search(rf"\b{name}\b", text) for path, text in texts.items())

    assert len(named) > 50
    assert [pair for pair in named if not is_in(*pair)] == []


@pytest.mark.parametrize("page", ALL)
def test_a_merge_is_finished(page: str) -> None:
    """No page has both sides of a conflict."""
    lines = (ROOT / page).read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith(("<<<<<<< ", ">>>>>>> "))] == []
