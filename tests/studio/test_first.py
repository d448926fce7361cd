"""The first screen: what it says of a flip."""

from __future__ import annotations

from pathlib import Path

import pytest

from idealrank.studio.first import FirstScreen
from idealrank.studio.frame import Frame
from tests.studio.serving import shop_project


@pytest.mark.parametrize("answers", [{"no_results": "skip"}, {"gain": "exp2"}, {"unjudged": "filter"}])
def test_a_flip_has_the_difference_of_the_card(tmp_path: Path, answers: dict[str, str]) -> None:
    """Where a query counts in one system alone, the difference of both means is not that of the comparison."""
    project = shop_project(str(tmp_path / "shop.db"))
    look = project.look(answers)
    said = FirstScreen(Frame(project)).flips(look)
    assert said["difference"] == pytest.approx(project.comparison(look)["nDCG@10"].difference, abs=1e-12)
    plain = project.comparison(project.look())["nDCG@10"].difference
    assert [flip["before"] for flip in said["flips"]] == [pytest.approx(plain, abs=1e-12)]
    project.close()
