"""Every page is in one section, has its Markdown beside it, and is listed for language models."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tests.heavy.site.building import build, pages

DOCS = sorted(page.stem for page in (ROOT / "docs").glob("*.md"))
SECTIONS = ("Learn", "Do", "Understand", "Choose", "Look up")
LINK = re.compile(r"^- \[.*?\]\(([\w-]+)\.md(?:\): )(.+)$", re.MULTILINE)


def listed(text: str) -> dict[str, str]:
    """Return the pages that a list names, with the line of each."""
    return dict(LINK.findall(text))


def test_a_page_in_no_section(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The site is not built while a page is in no section; the message says where its line is to be added."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    building = importlib.import_module("website.building")
    monkeypatch.setattr(building, "DOCS", tmp_path)
    (tmp_path / "gate.md").touch()
    (tmp_path / "new.md").touch()
    with pytest.raises(building.SiteError, match=r"docs/new\.md is in no section\. Add its line in .*sections\.py"):
        building.built(tmp_path / "site")


def test_each_page_is_in_one_section() -> None:
    """The start page lists every other page of docs, each once, in its section."""
    text = (ROOT / "docs" / "index.md").read_text("utf-8")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(SECTIONS)
    assert Counter(page for page, _ in LINK.findall(text)) == Counter(page for page in DOCS if page != "index")


def test_the_navigation(site: Path) -> None:
    """The navigation of a page shows the sections and every page."""
    text = (site / "gate.html").read_text("utf-8").partition('class="sidebar-tree"')[2].partition("</aside>")[0]
    assert re.findall(r'class="caption-text">(.*?)<', text) == list(SECTIONS)
    links = re.findall(r'href="([\w-]+)\.html"', text)
    assert sorted([*links, "index", "gate"]) == DOCS


def test_each_page_has_its_markdown(site: Path) -> None:
    """Beside each page is its Markdown, and the page leads to it; it says what the page of docs says."""
    for name in pages(site):
        assert f'href="{Path(name).name}.md"' in (site / f"{name}.html").read_text("utf-8")
        assert (site / f"{name}.md").is_file()
    for name in DOCS:
        ours, theirs = ((folder / f"{name}.md").read_text("utf-8") for folder in (site, ROOT / "docs"))
        assert re.sub(r"\]\([^)]*\)", "]", ours) == re.sub(r"\]\([^)]*\)", "]", theirs)


def test_links_of_the_markdown(site: Path) -> None:
    """The links of the Markdown lead to files of the site."""
    broken = []
    for file in site.rglob("*.md"):
        text = re.sub(r"^```.*?^```", "", file.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)\s#]+)", text):
            broken += [] if link.startswith("http") or (file.parent / link).exists() else [f"{file.name}: {link}"]
    assert broken == []


def test_llms(site: Path) -> None:
    """`llms.txt` lists every page with a line, and `llms-full.txt` contains them all."""
    text, full = ((site / name).read_text("utf-8") for name in ("llms.txt", "llms-full.txt"))
    assert re.match(r"# idealrank\n\n> .+\n", text)
    assert sorted(listed(text)) == DOCS
    assert all((site / f"{name}.md").read_text("utf-8") in full for name in DOCS)


def small(tmp_path: Path) -> Path:
    """Copy what builds the site, with pages of one line."""
    docs = tmp_path / "docs"
    (docs / "website").mkdir(parents=True)
    for file in [ROOT / "docs" / "make_site.py", *(ROOT / "docs" / "website").rglob("*.*")]:
        if file.is_file() and file.suffix != ".pyc":
            copy = docs / file.relative_to(ROOT / "docs")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    for page in DOCS:
        (docs / f"{page}.md").write_text(f"# {page}\n", "utf-8")
    return docs


def test_the_same_twice(tmp_path: Path) -> None:
    """Two builds of the same pages are the same, byte by byte."""
    docs = small(tmp_path)
    first, second = tmp_path / "first", tmp_path / "second"
    assert [build(first, docs).stderr, build(second, docs).stderr] == ["", ""]
    files = sorted(file.relative_to(first) for file in first.rglob("*") if file.is_file())
    assert len(files) > len(DOCS)
    assert [file for file in files if (first / file).read_bytes() != (second / file).read_bytes()] == []


@pytest.mark.parametrize(
    ("text", "said"), [("[a](gate.md#nowhere)", "gate.md:3: WARNING: "), ("![](none.png)", "gate.md links to none.png")]
)
def test_a_broken_link(text: str, said: str, tmp_path: Path) -> None:
    """A link to an anchor or a file that is not there fails the build, which names the page."""
    docs = small(tmp_path)
    (docs / "gate.md").write_text(f"# Gate\n\n{text}\n", "utf-8")
    result = build(tmp_path / "site", docs)
    assert result.returncode == 1
    assert said in result.stderr
