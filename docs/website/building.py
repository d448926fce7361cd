"""A folder goes in; the site is in it, with each page's Markdown, the lists for language models and the search."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

from sphinx.application import Sphinx

from website.reading import search_data
from website.sections import unplaced
from website.staging import DOCS, SiteError, staged
from website.twins import llms, llms_full

HERE = Path(__file__).parent
NOT_FOUND = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Page not found - idealrank</title>
<body style="max-width: 36rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif">
<h1>This page does not exist</h1>
<p>It may have been renamed. Start from the <a href="index.html">first page</a>, which lists and searches all pages.</p>
</body>
</html>
"""
"""What a server shows in place of a page that is not there; it needs no other file, so any folder will do."""


def built(folder: Path) -> list[str]:
    """Build the site into an emptied folder and return the names of its pages, or raise what is wrong with them."""
    if lost := unplaced(sorted(page.stem for page in DOCS.glob("*.md"))):
        raise SiteError(f"docs/{lost[0]}.md is in no section. Add its line in docs/website/sections.py.")
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "source")
        names = staged(source)
        _rendered(source, folder, Path(scratch, "doctrees"))
        shutil.copytree(source, folder, dirs_exist_ok=True)
        for name, text in {"llms.txt": llms(source), "llms-full.txt": llms_full(source)}.items():
            (folder / name).write_text(text, "utf-8")
    (folder / "404.html").write_text(NOT_FOUND, "utf-8")
    (folder / "pages.js").write_text(search_data(folder, names), "utf-8")
    return names


def _rendered(source: Path, folder: Path, doctrees: Path) -> None:
    """Render the pages; any warning is a problem."""
    warnings = io.StringIO()
    app = Sphinx(source, HERE, folder, doctrees, "html", status=None, warning=warnings)
    app.build()
    if warnings.getvalue():
        raise SiteError(warnings.getvalue().replace(f"{source}/", ""))
    for made in ("objects.inv", ".buildinfo"):
        (folder / made).unlink()
    (folder / "_sources").rmdir()
