"""Corrections against statsmodels and a printed example."""

from __future__ import annotations

import numpy as np
import pytest

from idealrank import IdealrankError
from idealrank.statistics.corrections import benjamini_hochberg, holm

PRINTED = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0
]  # fmt: skip
"""The fifteen p-values in the example of Benjamini & Hochberg (1995)."""

METHODS = {"holm": holm, "fdr_bh": benjamini_hochberg}


def test_the_printed_example() -> None:
    """Benjamini & Hochberg reject four hypotheses at 0.05, Bonferroni and with it Holm three."""
    assert (benjamini_hochberg(PRINTED) <= 0.05).sum() == 4
    assert (holm(PRINTED) <= 0.05).sum() == 3


@pytest.mark.heavy
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("count", [1, 2, 17, 400])
def test_those_of_statsmodels(name: str, count: int) -> None:
    """Adjusted p-values are those of statsmodels, ties and ones included."""
    from statsmodels.stats.multitest import multipletests

    p = np.round(np.random.default_rng(count).random(count) ** 3, 3)
    assert METHODS[name](p) == pytest.approx(multipletests(p, method=name)[1], rel=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_nan_is_no_test(name: str) -> None:
    """NaN stays where it is and is not counted, in arrays of any shape."""
    p = np.array([[0.01, np.nan, 0.02], [np.nan, 0.5, 0.03]])
    found = METHODS[name](p)
    assert np.array_equal(np.isnan(found), np.isnan(p))
    assert found[~np.isnan(p)] == pytest.approx(METHODS[name](p[~np.isnan(p)]), rel=1e-12)
    assert np.isnan(METHODS[name]([np.nan])).all()
    assert METHODS[name]([]).shape == (0,)


@pytest.mark.parametrize("name", METHODS)
def test_numbers_that_are_no_p_values(name: str) -> None:
    """A number outside 0 to 1 is an error."""
    with pytest.raises(IdealrankError, match="outside 0 to 1"):
        METHODS[name]([0.5, 1.5])
