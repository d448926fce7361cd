"""MLflow: means, decisions, counts and the report of scores or a comparison go into a run."""

from __future__ import annotations

import contextlib
import hashlib
from typing import Any

from idealrank.errors import UsageError
from idealrank.integrations.trackers import REPORT, collect
from idealrank.reports.report import Report
from idealrank.reports.subject import Subject

__all__ = ["to_mlflow"]

_LONGEST = 6000
"""Characters of a parameter: MLflow cuts off the rest."""


def to_mlflow(scores_or_comparison: Subject | Report, *, step: int | None = None) -> str:
    """Log scores or a comparison to MLflow, and return the id of the run.

    The active run is used; without one, a run is begun and ended. Where it is kept is MLflow's own setting, such as
    ``mlflow.set_tracking_uri`` or ``MLFLOW_TRACKING_URI``. The run gets:

    - metrics: the mean of each measure, as ``nDCG_at_10``, or ``bm25/nDCG_at_10`` where there are several systems; and
      of a comparison with a baseline each difference, the ends of its interval, and p
    - parameters: the fingerprint of each measure, which is its own name with every decision; MLflow then refuses other
      decisions in the same run
    - tags: the convention, what became of the queries, and the verdicts
    - an artifact: the report

    Parameters
    ----------
    scores_or_comparison
        What `evaluate`, `compare` or `leaderboard` returned; or a report, where it is to show more,
        such as titles of documents.
    step
        The step of the metrics, such as the number of the week: evaluations of several weeks in one run are then a
        curve. None: the tracker's own.

    Raises
    ------
    UsageError
        If MLflow is not installed, or two measures or systems would have the same name there.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["nDCG@10"])
    >>> run_id = ir.to_mlflow(scores)  # doctest: +SKIP
    """
    mlflow, collected = _import_mlflow(), collect(scores_or_comparison)
    active = mlflow.active_run()
    with contextlib.nullcontext(active) if active else mlflow.start_run() as run:
        mlflow.log_params({f"idealrank/{name}": _shorten(text) for name, text in collected.decisions.items()})
        mlflow.set_tags({f"idealrank/{name}": fact for name, fact in collected.facts.items()})
        mlflow.log_metrics(collected.metrics, step=step)
        mlflow.log_text(collected.page, f"{REPORT}.html")
    return str(run.info.run_id)


def _import_mlflow() -> Any:
    try:
        import mlflow
    except ImportError:
        raise UsageError(
            "to_mlflow needs MLflow, and it is not installed. Install it: pip install 'idealrank[mlflow]'."
        ) from None
    return mlflow


def _shorten(text: str) -> str:
    """Return a parameter in full; a longer one with its beginning and the hash of the whole, so that both count."""
    end = f"… sha256={hashlib.sha256(text.encode()).hexdigest()}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - len(end)] + end
