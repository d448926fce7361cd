"""The sections of the site, on its first page."""

from __future__ import annotations

import re

from website.sections import SECTIONS

from pages.tables import DOCS


def sections_list() -> str:
    """Every section with its pages and what each answers."""
    return "\n\n".join(
        f"## {section.title}\n\n{section.about}\n\n"
        + "\n".join(f"- [{page_title(page)}]({page}.md): {answer}" for page, answer in section.pages.items())
        for section in SECTIONS
    )


def page_title(page: str) -> str:
    """Return the heading of a page, without marks."""
    found = re.search(r"^# (.*)$", (DOCS / f"{page}.md").read_text("utf-8"), re.MULTILINE)
    assert found, f"{page}.md has no heading"
    return found[1]
