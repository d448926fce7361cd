"""Every page is read in light and dark, on a screen and on a phone, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page

from tests.browser.axe import axe
from tests.site.building import pages
from tests.site.conftest import Opened

KINDS = (
    "index",  # the doors and a picture
    "gate",  # commands and YAML
    "decisions",  # a reference with tables; axe takes minutes on the longest
    "cli",  # long blocks of text
    "inputs",  # wide tables
    "chunks",  # a drawing
    "examples/shop/README",
)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize("name", KINDS)
def test_axe(name: str, opened: Opened) -> None:
    """Axe finds nothing serious or critical, contrast included, in light and in dark."""
    page = opened(name)
    assert [fault for scheme in SCHEMES for fault in axe(page, scheme)] == []


def test_axe_on_a_phone(opened: Opened) -> None:
    """Nor on a phone, where the navigation is folded away."""
    page = opened("gate", width=390)
    assert [fault for scheme in SCHEMES for fault in axe(page, scheme)] == []


def test_axe_in_the_search(opened: Opened) -> None:
    """Nor while the search shows what it found."""
    page = opened("index")
    page.keyboard.press("/")
    page.keyboard.type("confidence interval")
    assert [fault for scheme in SCHEMES for fault in axe(page, scheme)] == []


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_no_page_is_too_wide(width: int, opened: Opened, site: Path) -> None:
    """No page scrolls sideways, and every picture is there; each is opened without a request that leaves."""
    page = opened("index", width=width)
    assert [name for name in pages(site) if not fits(page, site / f"{name}.html", width)] == []


def fits(page: Page, file: Path, width: int) -> bool:
    """Open a page; tell whether it is as wide as the window and all its pictures are drawn."""
    page.goto(file.as_uri())
    drawn = page.locator("article img").evaluate_all("all => all.every(one => one.complete && one.naturalWidth > 0)")
    return bool(drawn) and page.evaluate("document.documentElement.scrollWidth") <= width


def test_code_scrolls_in_itself(opened: Opened) -> None:
    """A block of code that is wider than a phone scrolls in its own box, also by keys."""
    block = opened("gate", width=390).locator("article pre").first
    assert block.evaluate("block => block.scrollWidth > block.clientWidth")
    block.focus()
    block.press("ArrowRight")
    assert block.evaluate("block => new Promise(done => setTimeout(() => done(block.scrollLeft), 300))") > 0


def test_output_fits_a_screen(opened: Opened) -> None:
    """A hundred columns of output fit into the text of a page on a screen."""
    block = opened("which-number").locator("article pre").first
    assert block.evaluate("block => block.scrollWidth <= block.clientWidth")
