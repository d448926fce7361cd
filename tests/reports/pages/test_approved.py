"""What each page says without script is as it was approved."""

from __future__ import annotations

import pytest

from tests.approving import approved, difference
from tests.reports.pages.approve import APPROVED, text_of
from tests.reports.pages.worlds import WORLDS

COMMAND = "python -m tests.reports.pages.approve"


@pytest.mark.parametrize("name", WORLDS)
def test_a_page_is_as_approved(name: str) -> None:
    """A page says what was read and approved; else the difference is named."""
    said = difference(APPROVED / f"{name}.txt", text_of(name), COMMAND)
    assert not said, said


def test_every_page_is_approved() -> None:
    """There is a file for every world, and none besides."""
    assert approved(APPROVED, "txt") == sorted(WORLDS)
