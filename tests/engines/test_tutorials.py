"""The tutorials show what real engines answer."""

from __future__ import annotations

import pytest

from tests.docs.blocks import ROOT, TUTORIALS
from tests.engines.tutorials import renewed_at


@pytest.mark.parametrize("page", TUTORIALS)
def test_output_is_that_of_today(page: str, request: pytest.FixtureRequest) -> None:
    """Every command of a tutorial prints what stands under it, with a real engine at the address of the page."""
    address = request.getfixturevalue(TUTORIALS[page][0])
    assert renewed_at(page, address) == (ROOT / page).read_text("utf-8")
