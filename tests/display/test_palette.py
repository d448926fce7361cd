"""The palette: page and plots have the same colours, and each can be read on its ground."""

from __future__ import annotations

import pytest

from idealrank.display import palette
from idealrank.reports.page import page as assets
from idealrank.reports.plots import picture
from tests.reports.reading import read
from tests.reports.worlds import shop

GROUNDS = {"light": "#ffffff", "dark": "#1b1e24"}


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2."""
    levels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in levels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of WCAG 2.2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_and_white() -> None:
    """Black on white is 21 to 1."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("ground", GROUNDS)
def test_words_in_these_colours_can_be_read(ground: str) -> None:
    """Every colour of a word has a contrast of at least 4.5 on its ground, those of lines at least 3."""
    words = (palette.GAIN, palette.LOSS, palette.UNSURE, palette.EQUAL)
    assert min(contrast(getattr(each, ground), GROUNDS[ground]) for each in words) >= 4.5
    assert min(contrast(getattr(each, ground), GROUNDS[ground]) for each in palette.SERIES) >= 3


def test_page_and_plots_have_one_palette() -> None:
    """The styles of the page begin with the palette, the plots draw with its light half."""
    assert palette.properties() in assets.page_style()
    assert palette.properties() in read(shop().to_html()).all("style")[0].text
    assert (palette.GAIN.light, palette.LOSS.light) == (picture.GAIN, picture.LOSS)
    assert tuple(each.light for each in palette.SERIES) == picture.LINES


def test_no_two_colours_are_the_same() -> None:
    """Lines of systems, gain, loss and doubt are told apart."""
    named = [*palette.SERIES, palette.GAIN, palette.LOSS, palette.UNSURE]
    for ground in GROUNDS:
        assert len({getattr(each, ground) for each in named}) == len(named)
