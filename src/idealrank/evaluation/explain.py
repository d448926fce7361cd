"""explain: the arithmetic behind one value, from the judgments and results it comes of."""

from __future__ import annotations

from typing import Any, Unpack

from idealrank.decisions.keywords import naming
from idealrank.errors import UsageError
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.explanation.explanation import Explanation
from idealrank.evaluation.options import EvaluationOptions


@naming(EvaluationOptions)
def explain(
    judgments: Any,
    results: Any = None,
    measure: str = "nDCG@10",
    query: object = None,
    *,
    system: str | None = None,
    **options: Unpack[EvaluationOptions],
) -> Explanation:
    """Explain the value of one measure for one query.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``.
    results
        A path, a dataframe, or ``{query: {document: score}}``; several systems as ``{name: results}``.
    measure
        One measure, such as ``nDCG@10``.
    query
        A query id, or a query's text; None where only one query is judged.
    system
        The system to explain, where there are several.
    **options
        `convention`, `queries`, `weights`, `only` and answers to decisions, as for `evaluate`.

    Raises
    ------
    UsageError
        If the query is not judged, its text belongs to several ids, or it is needed and not given.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2])
    >>> e = ir.explain(judgments, results, "DCG@2", query="q")
    >>> [round(share, 4) for share in e.steps["contribution"]], round(e.score, 4)
    ([3.0, 1.2619], 4.2619)
    """
    scores = evaluate(judgments, results, [measure], system=system, **options)
    if len(scores.measures) != 1:
        raise UsageError(f"{measure}: explain takes one measure with one cutoff.")
    return scores.explain(scores.labels[0], query, system)
