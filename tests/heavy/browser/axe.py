"""What axe, the checker of accessibility, finds on a page."""

from __future__ import annotations

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = ("serious", "critical")
ASKED = {
    "resultTypes": ["violations"],  # what is in order needs no account
    "preload": False,  # axe would request the styles again, which a page opened from a file may not
}


COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules that a colour scheme can break, of those that axe asks for."""


def axe_in_both(page: Page, within: str | None = None) -> list[str]:
    """Return what is serious or critical in light, and what the colours of dark make so, in the page or a part."""
    return axe(page, "light", within) + axe(page, "dark", within, COLOURS)


def axe(
    page: Page, scheme: Literal["light", "dark"], within: str | None = None, rules: dict[str, Any] | None = None
) -> list[str]:
    """Return what is serious or critical in one colour scheme, which the page keeps: a text for each element."""
    page.emulate_media(color_scheme=scheme)
    violations = Axe().run(page, within, ASKED | (rules or {})).response["violations"]
    return [text for violation in violations if violation["impact"] in GRAVE for text in _texts(violation, scheme)]


def _texts(violation: dict[str, Any], scheme: str) -> list[str]:
    start = f"{scheme}, {violation['impact']}: {violation['id']}"
    return [f"{start} at {_selector(node)}: {_summary(node)}" for node in violation["nodes"]]


def _selector(node: dict[str, Any]) -> str:
    return " ".join(map(str, node["target"]))


def _summary(node: dict[str, Any]) -> str:
    return " ".join(node["failureSummary"].split())
