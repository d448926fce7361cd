"""Tables whose order is said by a column nobody called a score, and ids that are rounded."""

from __future__ import annotations

import numpy as np
import pytest

import idealrank as ir

JUDGMENTS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 0}}
ROWS = {"query_id": ["q1", "q1", "q2", "q2"], "doc_id": ["b", "a", "d", "c"]}
SCORES = [0.25, 0.75, 0.125, 0.5]  # the relevant document is second in the rows, and first by score


@pytest.mark.parametrize("name", ["y_pred", "pred", "predictions", "y_score", "yhat", "proba", "logit", "model_score"])
def test_predictions_are_scores(name: str) -> None:
    """A column called as libraries call predictions orders the results."""
    assert ir.evaluate(JUDGMENTS, {**ROWS, name: SCORES}, ["RR"])["RR"] == 1.0


def test_a_column_of_fractions_is_asked_about() -> None:
    """Without a rank or a score the rows are not ranked as they stand if fractions could be the scores."""
    with pytest.raises(ir.IdealrankError, match=r"no rank or score column\. Is 'margin' the score\? Then name it: "):
        ir.evaluate(JUDGMENTS, {**ROWS, "margin": SCORES}, ["RR"])
    assert ir.evaluate(JUDGMENTS, {**ROWS, "margin": SCORES}, ["RR"], order_by="given")["RR"] == 0.5
    assert ir.evaluate(JUDGMENTS, {**ROWS, "page": [3, 1, 2, 4]}, ["RR"])["RR"] == 0.5


@pytest.mark.parametrize("name", ["y_true", "target", "labels", "truth"])
def test_truths_are_grades(name: str) -> None:
    """Beside a column called as libraries call labels, the score is not read as the grade."""
    table = {**ROWS, name: [0, 1, 0, 1], "score": SCORES}
    assert ir.evaluate(table, measures=["RR"])["RR"] == 1.0


def test_a_model_is_a_system() -> None:
    """A long table with a column of models contains their results."""
    table = {name: values * 2 for name, values in ROWS.items()} | {"score": [*SCORES, *(1 - np.array(SCORES))]}
    scores = ir.evaluate(JUDGMENTS, table | {"model": ["m1"] * 4 + ["m2"] * 4}, ["RR"])
    assert (scores["RR", "m1"], scores["RR", "m2"]) == (1.0, 0.5)


@pytest.mark.parametrize("role", ["query_id", "doc_id"])
def test_rounded_ids_are_refused(role: str) -> None:
    """2^53 and 2^53 + 1 are one float, so ids of that size must not be floats; as whole numbers they are two."""
    pairs = [2**53, 2**53 + 1]
    table = {"query_id": [1, 2], "doc_id": [1, 2], "grade": [1, 0]}
    exact = table | {role: np.array(pairs)}
    assert len({str(key) for key in exact[role]}) == 2
    ir.read_judgments(exact)
    with pytest.raises(ir.DataError, match=rf"row 0: {role} is a float beyond 2\^53"):
        ir.evaluate(table | {role: np.array(pairs, np.float64)}, {"1": {"1": 1.0}}, ["RR"])
