"""Axe tells what is hard to read or to reach."""

from __future__ import annotations

from tests.heavy.browser.axe import axe
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.pages import page

SCHEMES = """<style>
:root { color-scheme: light dark }
p { color: #222; background: #fff }
@media (prefers-color-scheme: dark) { p { color: #222; background: #111 } }
</style>"""


def test_contrast_in_each_scheme(opened: Opener) -> None:
    """Contrast is asked in the scheme named: what is easy to read in light may be hard to read in dark."""
    shown = opened(page("<h1>A page</h1><p>Text</p>", SCHEMES))
    assert axe(shown, "light") == []
    (found,) = axe(shown, "dark")
    assert found.startswith("dark, serious: color-contrast at p: ")
    assert "4.5:1" in found


def test_what_is_minor(opened: Opener) -> None:
    """What is moderate or minor is left out: here no heading, and text outside of landmarks."""
    assert axe(opened("<!doctype html><html lang=en><title>A page</title><p>Text</p></html>"), "light") == []
