"""How light the ground of a page is."""

from __future__ import annotations

import re

from playwright.sync_api import Page

DARK_FROM, LIGHT_FROM = 70, 200
"""Grey levels of a ground: up to the one it is dark, from the other on it is light."""


def ground(page: Page) -> float:
    """Return how light the page's ground is, 0 to 255."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    levels = [int(level) for level in re.findall(r"\d+", colour)[:3]]
    return sum(levels) / 3
