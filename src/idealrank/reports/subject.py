"""What a report or a plot is about: scores, or a comparison or leaderboard, which brings its scores."""

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.errors import UsageError
from idealrank.evaluation.scores import Scores

Subject = Scores | Comparison | Leaderboard


def scores_of(subject: Subject) -> Scores:
    """Return the scores: those given, or those that are compared or ranked.

    Raises
    ------
    UsageError
        If it is none of them.
    """
    if isinstance(subject, (Comparison, Leaderboard)):
        return subject.scores
    if isinstance(subject, Scores):
        return subject
    raise UsageError(
        f"Reports and plots show scores, a comparison or a leaderboard, not a {type(subject).__name__}. "
        "Evaluate first: ir.evaluate(judgments, results)."
    )


def comparison_of(subject: Subject) -> Comparison | None:
    """Return the comparison; None of scores alone."""
    return subject if isinstance(subject, Comparison) else None


def need_comparison(subject: Subject, plot: str) -> Comparison:
    """Return the comparison that a plot needs.

    Raises
    ------
    UsageError
        If there is none.
    """
    scores_of(subject)
    if isinstance(subject, Comparison):
        return subject
    raise UsageError(
        f"{plot} shows a comparison, not scores alone. Compare first: ir.plots.{plot}(ir.compare(scores))."
    )
