"""Who gave which grade is said beside the grade."""

from __future__ import annotations

import idealrank as ir
from tests.evaluation.test_explain_ratings import RATINGS, RESULTS
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import open_query


def test_a_grade_says_whose_it_is(opened: Opener) -> None:
    """Where several rated a document, in the results and in the ideal list; a single rating is only a grade."""
    query = open_query(opened(ir.report(ir.evaluate(RATINGS, RESULTS, ["nDCG@10"])).to_html()), "q")
    for part in ("results", "ideal"):
        titles = [chip.get_attribute("title") for chip in query.locator(f"[data-list={part}] .grade").all()]
        assert "grade 2: ana 3 (right model), ben 1" in titles
        assert "grade 0" in titles or part == "ideal"
    hidden = query.locator("[data-list=results] .grade .hidden").all_text_contents()
    assert "grade 2: ana 3 (right model), ben 1" in hidden
