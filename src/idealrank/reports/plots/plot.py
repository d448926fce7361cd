"""plot: the plot of a name, or the one that says most of scores or of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.errors import UsageError, unknown
from idealrank.regression.history import History
from idealrank.reports import plots
from idealrank.reports.subject import Subject, scores_of

if TYPE_CHECKING:
    from idealrank.reports.plots.picture import Picture

_USUAL = {Comparison: "intervals", Leaderboard: "leaderboard"}


def plot(subject: Subject | History, name: str | None = None, **options: Any) -> Picture:
    """Draw scores, a comparison, a leaderboard or a history: a matplotlib figure, which a notebook shows.

    Parameters
    ----------
    subject
        What `evaluate`, `compare`, `leaderboard` or `history` returned.
    name
        One of `idealrank.plots`, such as ``"distribution"``; None: the means of scores, the
        intervals of a comparison, the ranks of a leaderboard.
    **options
        What this plot takes, such as ``measure`` and ``system``.

    Raises
    ------
    UsageError
        If no plot is called so, or it needs a comparison and has scores alone.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"])
    >>> [panel.get_title(loc="left") for panel in ir.plot(scores).axes]
    ['RR']
    """
    if "kind" in options:
        raise UsageError(f"kind={options['kind']!r}: the plot is the second argument: ir.plot(x, {options['kind']!r}).")
    if isinstance(subject, History):
        drawn: Picture = plots.history(subject, **options)
        return drawn
    chosen = name or next((plot for kind, plot in _USUAL.items() if isinstance(subject, kind)), "means")
    scores_of(subject)
    if chosen not in plots.NAMES:
        raise unknown("plot", chosen, plots.NAMES)
    picture: Picture = getattr(plots, chosen)(subject, **options)
    return picture
