"""Each part of a small report's value is as it was approved."""

from __future__ import annotations

import pytest

from tests.approving import approved, difference
from tests.reports.sections.approve import APPROVED, parts

COMMAND = "python -m tests.reports.sections.approve"
NAMES = approved(APPROVED, "json")


@pytest.mark.parametrize("name", NAMES)
def test_a_part_is_as_approved(name: str) -> None:
    """A part holds what was read and approved, to ten digits; else the difference is named."""
    said = difference(APPROVED / f"{name}.json", parts()[name], COMMAND)
    assert not said, said


def test_every_part_is_approved() -> None:
    """There is a file for every part, and none besides."""
    assert sorted(parts()) == NAMES
