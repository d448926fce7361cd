"""The numbers of a gate are those of other libraries, and of the comparison."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from scipy import stats

import idealrank as ir
from tests.regression.worlds import judged, ranked

DROPS = ("RR drops 0.01", "nDCG@3 drops 0.01")


def test_rounded_sums_are_compared_as_meant() -> None:
    """P@10 from 0.3 to 0.2 in every query is a drop of 0.1, though 0.2 − 0.3 is more than −0.1 to a computer."""
    qrels = {f"q{i}": {"a": 1, "b": 1, "c": 1} for i in range(7)}
    before = {q: {"a": 3.0, "b": 2.0, "c": 1.0} for q in qrels}
    after = {q: {"a": 3.0, "b": 2.0, "x": 1.0} for q in qrels}
    assert ir.gate(qrels, before, after, fail_if="P@10 drops 0.1").code == 1


@pytest.mark.parametrize(("alpha", "level"), [(None, 0.95), (0.2, 0.8)])
def test_the_interval_is_that_of_the_comparison(alpha: float | None, level: float) -> None:
    """Intervals are those of `compare` under the measures that may not drop; a minimum is not corrected for."""
    draw, how = random.Random(5), {"baseline": "baseline", "level": level, "seed": 4}
    before, after = [ranked([draw.randint(1, 4) for _ in range(30)]) for _ in range(2)]
    found = ir.gate(judged(30), before, after, fail_if=DROPS, minimum="P@1>=0", alpha=alpha, seed=4)
    compared = ir.compare(judged(30), {"baseline": before, "results": after}, ["RR", "nDCG@3"], **how)
    ends = [(c.corrected.low, c.corrected.high) for c in compared.contrasts.values()]
    assert [(f.low, f.high) for f in found.findings[:2]] == ends


def test_the_order_of_rows_and_queries_is_nothing() -> None:
    """Queries in another order, on either side, give the same findings to the last bit."""
    draw = random.Random(3)
    before, after = [ranked([draw.randint(1, 5) for _ in range(40)]) for _ in range(2)]

    def shuffled(lists: Any) -> Any:
        queries = list(lists.items())
        draw.shuffle(queries)
        return dict(queries)

    asked: dict[str, Any] = {"fail_if": ["RR drops 0.01", "nDCG@3 drops 2%"], "alpha": 0.1, "seed": 4}
    first = ir.gate(judged(40), before, after, **asked)
    again = ir.gate(shuffled(judged(40)), shuffled(before), shuffled(after), **asked)
    assert again.findings == first.findings
    assert again.to_junit() == first.to_junit()


def test_weights_count() -> None:
    """With weights the drop is that of the weighted mean: 10 % of the traffic lost half is a drop of 0.05."""
    weights = {"q000": 1.0, "q001": 9.0}
    found = ir.gate(judged(2), ranked([1, 1]), ranked([2, 1]), fail_if="RR drops 0.05", weights=weights)
    assert (found.code, found.findings[0].value) == (1, pytest.approx(-0.05))


@pytest.mark.parametrize("seed", range(2))
def test_differences_are_those_of_numpy(seed: int) -> None:
    """Means and difference are NumPy's over the reciprocal ranks."""
    draw = random.Random(seed)
    before, after = ([draw.randint(1, 6) for _ in range(25)] for _ in range(2))
    found = ir.gate(judged(25), ranked(before), ranked(after), fail_if="RR drops 0.01").findings[0]
    expected = np.mean(1 / np.array(after)) - np.mean(1 / np.array(before))
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert f"from {np.mean(1 / np.array(before)):.4f} to {np.mean(1 / np.array(after)):.4f}" in found.sentence


def test_the_kept_interval_is_students() -> None:
    """Against values that were kept, the interval is SciPy's Student's t, at the level 1 − α for each measure."""
    from idealrank.regression.baseline import baseline_of

    draw = random.Random(8)
    before, after = ([draw.randint(1, 4) for _ in range(30)] for _ in range(2))
    after = [rank + 1 for rank in after]
    backwards = dict(reversed(judged(30).items()))
    kept = baseline_of(ir.evaluate(backwards, ranked(before), ["RR", "P@1"]))
    scores = ir.evaluate(backwards, ranked(after), ["RR", "P@1"])
    found = ir.gate(scores, kept, fail_if=["RR drops 0.01", "P@1 drops 0.01"], alpha=0.1)
    finding, table = found.findings[0], found.worst()
    assert table is not None
    expected = stats.ttest_rel(1 / np.array(after), 1 / np.array(before)).confidence_interval(0.9)
    assert (finding.low, finding.high) == pytest.approx((expected.low, expected.high))
    losses = [(1 / a - 1 / b, f"q{q:03}") for q, (a, b) in enumerate(zip(after, before, strict=True))]
    assert table["query"] == [query for _, query in sorted(losses)[:10]]
