"""leaderboard: from judgments and the results of many systems to means, rank intervals, and who may be the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from idealrank.comparison.board_ranks import board_of_pairs
from idealrank.comparison.compare import scored
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Pairing
from idealrank.comparison.roles import roles
from idealrank.decisions.keywords import naming, refuse_unknown
from idealrank.evaluation.options import SystemsOptions
from idealrank.measures import Measure
from idealrank.statistics.draws import Progress

_OWN = (
    "measures", "level", "draws", "seed", "convention", "queries", "weights", "only", "system",
)  # fmt: skip


@naming(SystemsOptions)
def leaderboard(
    judgments: Any,
    results: Any = None,
    measures: Sequence[str | Measure] | str | None = None,
    *,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Unpack[SystemsOptions],
) -> Leaderboard:
    """Rank many systems: means with intervals, the ranks each can have, and those that cannot be told from the best.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``. Or finished scores: a `Scores` of several systems,
        or ``{name: Scores}`` of one each.
    results
        All systems together: ``{"bm25": first, "hybrid": second}``, a list, a folder of files or of a folder per
        system, or a table with a system column; each a path, a dataframe, or ``{query: {document: score}}``.
    measures
        Names such as ``nDCG@10``. The first ranks the systems; the means of the others are shown beside it.
    level
        Confidence of the intervals of the means, one by one, and of the rank intervals, all together.
    draws, seed
        Of all that is drawn.
    progress
        Called with the draws done and the draws in all.
    **options
        `convention`, `queries`, `weights`, `system` (which of several), `only` and answers to decisions, as for
        `evaluate`.

    Returns
    -------
    Leaderboard: a table with one row per system, best first, and a sentence. Means and ranks are over the queries that
    every system has a value for.

    Raises
    ------
    DataError
        If the data cannot be used: where, what, and what to do.
    UsageError
        If a name or an answer is not known, or there is one system.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {f"q{i}": {"d": 1, "x": 0} for i in range(60)}
    >>> good = {f"q{i}": {"d": 2.0, "x": 1.0} for i in range(60)}
    >>> poor = {f"q{i}": {"x": 2.0, "d": 1.0} for i in range(60)}
    >>> board = leaderboard(qrels, {"a": good, "b": poor, "c": good | {"q0": {"x": 1.0}}}, ["RR"])
    >>> [(row["system"], row["best rank"], row["worst rank"]) for row in board.table]
    [('a', 1, 2), ('c', 1, 2), ('b', 3, 3)]
    >>> board.best
    ('a', 'c')
    """
    refuse_unknown((name for name in options if name not in _OWN), _OWN)
    methods = Methods(level=level, draws=draws, seed=seed)
    scores = scored(judgments, results, measures, options)
    pairing = Pairing(scores, "", roles(scores, 0.0))
    return board_of_pairs(pairing, methods, progress)
