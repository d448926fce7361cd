"""The steps of a task stand one under the other in its list."""

from __future__ import annotations

import idealrank as ir
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import open_query
from tests.reports.test_searches import SCORES


def test_the_steps_of_a_task(opened: Opener) -> None:
    """The first result of every step is below its heading; the list of what is judged best has none."""
    query = open_query(opened(ir.report(SCORES).to_html()), "t1")
    items = query.locator("[data-list=results] li")
    headings = [item.locator(".step").all_inner_texts() for item in items.all()]
    assert headings == [["step 1"], [], ["step 4"], []]
    assert query.locator("[data-list=ideal] .step").count() == 0
