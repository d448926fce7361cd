"""Weights & Biases: means, decisions, counts and the report of scores or a comparison go into a run."""

from __future__ import annotations

import contextlib
from typing import Any

from idealrank.errors import UsageError
from idealrank.integrations.trackers import REPORT, collect
from idealrank.reports.report import Report
from idealrank.reports.subject import Subject

__all__ = ["to_wandb"]


def to_wandb(scores_or_comparison: Subject | Report, *, step: int | None = None) -> str:
    """Log scores or a comparison to Weights & Biases, and return the id of the run.

    The active run is used; without one, a run is begun and finished. Where it goes is W&B's own setting, such as
    ``WANDB_MODE=offline``, or ``wandb.init(project="search")`` beforehand. The run gets:

    - metrics: the mean of each measure, as ``nDCG_at_10``, or ``bm25/nDCG_at_10`` where there are several systems; and
      of a comparison with a baseline each difference, the ends of its interval, and p
    - in its config: the fingerprint of each measure, which is its own name with every decision; W&B then refuses other
      decisions in the same run
    - in its summary: the convention, what became of the queries, and the verdicts
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
        If W&B is not installed, or two measures or systems would have the same name there.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["nDCG@10"])
    >>> run_id = ir.to_wandb(scores)  # doctest: +SKIP
    """
    wandb, collected = _import_wandb(), collect(scores_or_comparison)
    with contextlib.nullcontext(wandb.run) if wandb.run else wandb.init() as run:
        run.config.update({f"idealrank/{name}": text for name, text in collected.decisions.items()})
        run.summary.update({f"idealrank/{name}": fact for name, fact in collected.facts.items()})
        run.log(collected.metrics, step=step)
        kept = wandb.Artifact(REPORT, type="report")
        with kept.new_file(f"{REPORT}.html", encoding="utf-8") as file:
            file.write(collected.page)
        run.log_artifact(kept)
    return str(run.id)


def _import_wandb() -> Any:
    try:
        import wandb
    except ImportError:
        raise UsageError(
            "to_wandb needs Weights & Biases, and it is not installed. Install it: pip install 'idealrank[wandb]'."
        ) from None
    return wandb
