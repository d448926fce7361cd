"""Each part of a small page is as it was approved."""

from __future__ import annotations

import pytest

from tests.approving import approved, difference
from tests.heavy.browser.approve import APPROVED, parts
from tests.heavy.browser.opening import Opener

COMMAND = "python -m tests.heavy.browser.approve"
NAMES = approved(APPROVED, "yml")


@pytest.fixture(scope="module")
def found(shared: Opener) -> dict[str, str]:
    """The parts as they are."""
    return parts(shared)


@pytest.mark.parametrize("name", NAMES)
def test_a_part_is_as_approved(name: str, found: dict[str, str]) -> None:
    """What a screen reader finds in a part of the page is what was read and approved; else the difference is named."""
    said = difference(APPROVED / f"{name}.yml", found[name], COMMAND)
    assert not said, said


def test_every_part_is_approved(found: dict[str, str]) -> None:
    """There is a file for every part, and none besides."""
    assert sorted(found) == NAMES
