"""The palette: page and plots have the same colours, and each can be read on its ground."""

from __future__ import annotations

import pytest

from idealrank.display import palette
from tests.display.face import contrast
from tests.reports.reading import read
from tests.reports.worlds import shop

GROUNDS = {"light": "#ffffff", "dark": "#1b1e24"}


def test_contrast_of_black_and_white() -> None:
    """Black on white is 21 to 1."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("ground", GROUNDS)
def test_words_in_these_colours_can_be_read(ground: str) -> None:
    """Every colour of a word has a contrast of at least 4.5 on its ground, those of lines at least 3."""
    words = (palette.GAIN, palette.LOSS, palette.UNSURE, palette.EQUAL)
    assert min(contrast(getattr(each, ground), GROUNDS[ground]) for each in words) >= 4.5
    assert min(contrast(getattr(each, ground), GROUNDS[ground]) for each in palette.SERIES) >= 3


def test_the_page_has_the_palette() -> None:
    """The styles of the page begin with it."""
    assert palette.properties() in read(shop().to_html()).all("style")[0].text


@pytest.mark.heavy
def test_page_and_plots_have_one_palette() -> None:
    """The plots draw with the light half of the palette of the page."""
    from idealrank.reports.plots import picture

    assert (palette.GAIN.light, palette.LOSS.light) == (picture.GAIN, picture.LOSS)
    assert tuple(each.light for each in palette.SERIES) == picture.LINES


def test_no_two_colours_are_the_same() -> None:
    """Lines of systems, gain, loss and doubt are told apart."""
    named = [*palette.SERIES, palette.GAIN, palette.LOSS, palette.UNSURE]
    for ground in GROUNDS:
        assert len({getattr(each, ground) for each in named}) == len(named)
