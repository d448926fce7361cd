"""reconcile: what causes the difference between two numbers."""

from __future__ import annotations

import os
from typing import Any, Unpack

from idealrank.audit.against import reconcile_results, reconcile_values
from idealrank.audit.printed_tables import read_score_table
from idealrank.audit.reconciliation import Reconciliation
from idealrank.audit.shapley import Attribution
from idealrank.conventions import CONVENTIONS
from idealrank.data.formats.paths import near_file
from idealrank.decisions.answers import DecisionAnswers
from idealrank.decisions.keywords import naming, refuse_unknown
from idealrank.errors import UsageError
from idealrank.evaluation.one_system import OneSystem


@naming(DecisionAnswers)
def reconcile(
    judgments: Any,
    results: Any,
    measure: str,
    convention: str,
    other: Any,
    *,
    system: str | None = None,
    **decisions: Unpack[DecisionAnswers],
) -> Reconciliation:
    """Say what causes the difference between a measure under two conventions, or between two tables.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``.
    results
        A path, a dataframe, or ``{query: {document: score}}``.
    system
        The system that is meant, where the results are of several.
    measure
        One measure, by a name both conventions know.
    convention
        The convention of the first number, with overrides if need be: ``"trec_eval-9.0.8, no_results=0"``.
    other
        The source of the second number: another convention; other results, under the same convention;
        or values of queries that somebody computed: ``{query: value}``, `Scores`, a table or file with a
        query column and one called after the measure, or the output of ``trec_eval -q``. A convention's
        name takes precedence over a file with the same name.
    **decisions
        Answers that apply to both.

    Raises
    ------
    UsageError
        If a convention does not support the measure, or `other` is neither a convention nor a table.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {"q": {"a": 3, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}
    >>> found = ir.reconcile(qrels, run, "nDCG@10", "idealrank-1", "idealrank-1, gain=exp2")
    >>> found.text
    'nDCG@10 0.7967 → 0.7098: gain −0.0869'
    """
    refuse_unknown(decisions, ("system",))
    if not isinstance(convention, str):
        raise UsageError(
            f"Give the first convention as text, then what it is compared with; got {type(convention).__name__}."
        )
    ground = OneSystem(judgments, results, system)
    one = ground.measure(convention, measure, decisions)
    if isinstance(other, str) and not _is_file(other):
        return Attribution(ground, one, ground.measure(other, measure, decisions)).reconciliation()
    if (table := read_score_table(other, measure, ground.judged_queries)) is not None:
        return reconcile_values(ground, one, table, measure, decisions)
    return reconcile_results(ground, one, OneSystem(ground.judgments, other))


def _is_file(other: str) -> bool:
    """Whether a text names a file; a convention's name takes precedence, and a missing file is refused."""
    if CONVENTIONS.spelt(other) is not None or "=" in other:
        return False
    if other == "-" or os.path.isfile(other):
        return True
    if os.path.splitext(other)[1].lower() in _ENDINGS or os.sep in other:
        raise UsageError(f"{other}: neither a convention nor an existing file.{near_file(other)}")
    return False


_ENDINGS = {".csv", ".tsv", ".txt", ".json", ".jsonl", ".parquet", ".arrow", ".run", ".gz", ".zst"}
"""Of names that are files."""
