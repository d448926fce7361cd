"""Variants: values of the lists of an evaluation under other settings are those of an evaluation under them."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.errors import DataError, UsageError
from idealrank.evaluation.scoring import QueryState
from idealrank.evaluation.variants import Variant, values_of, variants
from tests.amounts import tried
from tests.oracles.data import random_data

ANSWERS: dict[str, tuple[Any, ...]] = {
    "no_relevant": ("0", "1", "skip"), "no_results": ("0", "skip", "skip_missing"), "no_judgments": ("skip", "0"),
    "ties": ("docid_desc", "docid_asc", "average", "best", "worst"), "average": ("arithmetic", "median"),
    "unjudged": ("zero", "filter"), "ideal": ("global", "local"), "gain": ("linear", "exp2"),
    "relevant_from": (1, 2), "rounding": ("none", "query,round,2"), "score_precision": ("float32", "float64"),
}  # fmt: skip

MEASURES = ["nDCG@3", "AP", "RR", "P@2", "num_ret", "R"]


def evaluated(*asked: Any, **options: Any) -> Any:
    """Return the scores, or the error."""
    try:
        return ir.evaluate(*asked, **options)
    except (DataError, UsageError) as refusal:
        return refusal


@pytest.mark.parametrize("seed", range(tried(40)))
def test_a_variant_is_what_an_evaluation_says(seed: int) -> None:
    """Under one, two or three other answers, values and states are those of `evaluate`, to the last bit."""
    judged, results = random_data(seed, (-1, 0, 1, 2), queries=15, depth=8)
    rng, some = random.Random(seed), sorted(judged)[:11]
    runs = {"a": results, "b": dict(list(results.items())[1:])}
    scores = ir.evaluate(judged, runs, MEASURES, only=some)
    for count in (1, 1, 2, 3):
        answers = {name: rng.choice(ANSWERS[name]) for name in rng.sample(sorted(ANSWERS), count)}
        settings = [replace(m, decisions=m.decisions.but(**answers)) for m in scores.measures]
        found = variants(scores, [(s, setting) for s in (0, 1) for setting in settings])
        for s, system in enumerate(scores.systems):
            for m, name in enumerate(MEASURES):
                one, told = found[s * len(MEASURES) + m], evaluated(judged, runs[system], [name], only=some, **answers)
                if isinstance(one, Variant) and not isinstance(told, Exception):
                    assert np.array_equal(one.values, told.values[0, 0], equal_nan=True), (system, name, answers)
                    assert np.array_equal(one.states, told.states[0, 0]), (system, name, answers)
                else:  # `evaluate` refuses more: that no grade is relevant, say
                    assert isinstance(told, Exception), (system, name, answers, one)


def test_why_a_setting_has_no_values_is_an_answer_too() -> None:
    """A setting that is refused does not stop the others, and its error is what is returned for it."""
    scores = ir.evaluate({"q": {"a": 1}, "r": {"b": 1}}, {"q": {"a": 1.0}}, ["RR"])
    (measure,) = scores.measures
    refused, kept = (replace(measure, decisions=measure.decisions.but(no_results=each)) for each in ("error", "skip"))
    error, found = variants(scores, [(0, refused), (0, kept)])
    assert isinstance(error, DataError)
    with pytest.raises(DataError, match="no_results=error"):
        values_of(error)
    assert values_of(found)[0] == 1
    assert isinstance(found, Variant)
    assert found.states[1] == QueryState.SKIPPED_NO_RESULTS
