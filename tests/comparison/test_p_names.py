"""Every p of a comparison says whether it is corrected."""

import pytest
from scipy.stats import false_discovery_control, ttest_rel

import idealrank as ir
from tests.comparison.worlds import random_world


def test_both_p_say_which_they_are() -> None:
    """The table's uncorrected p are SciPy's t tests, its corrected p their false discovery rates, as contrasts' p."""
    judgments, runs = random_world(15, systems=4)
    found = ir.compare(judgments, runs, ["nDCG@5"], baseline="s0", correction="bh")
    values = dict(zip(found.systems, found.scores.values[:, 0], strict=True))
    theirs = [ttest_rel(values[s], values["s0"]).pvalue for s in ("s1", "s2", "s3")]
    assert found.differences["uncorrected p"] == pytest.approx(theirs)
    corrected = false_discovery_control(theirs, method="bh").tolist()
    assert found.differences["corrected p"] == pytest.approx(corrected)
    assert [found["nDCG@5", s].p for s in ("s1", "s2", "s3")] == pytest.approx(corrected)
    assert "p" not in found.differences.columns
    assert f"corrected p {corrected[0]:.4f})" in repr(found["nDCG@5", "s1"])
