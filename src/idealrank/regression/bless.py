"""bless: accept the values of a system as the baseline, and say what that changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np

from idealrank.comparison.pairing import refuse_no_mean
from idealrank.data.formats.head import is_baseline, is_saved_scores
from idealrank.display.blocks import Block, Lines
from idealrank.display.columns import Value
from idealrank.display.document import Described, Shown
from idealrank.display.files import write_file
from idealrank.display.numbers import decimal
from idealrank.display.schema import Named
from idealrank.errors import DataError, UsageError, either, listed, named, option, plural
from idealrank.evaluation.scores import Scores
from idealrank.regression.baseline import Baseline, baseline_of, read_baseline
from idealrank.regression.baseline_diff import Differences, differences, means_changed


@dataclass(frozen=True, eq=False, repr=False)
class Blessing(Shown, Described):
    """What was accepted, and what it changes.

    Attributes
    ----------
    path
        The file that was written.
    baseline, before
        The baseline in it now, and the one that it replaced; None if there was none, or it could not be read.
    differences
        What differs between the two; None where there was none.
    unread
        Why the file that was replaced could not be read; "" if it could, or there was none.
    """

    path: Annotated[str, Named("blessed"), "The file that was written."]
    baseline: Baseline
    before: Baseline | None
    differences: Differences | None
    unread: str = ""

    def shown(self) -> list[Block]:
        """Return what was written, and what changed."""
        queries = plural(len(self.baseline.queries), "query")
        head = [("blessed", f"{self.path}: {self.baseline.system}, {queries}")]
        if self.before is None or self.differences is None:
            means = [(name, decimal(self.baseline.mean(name))) for name in self.baseline.measures]
            means += [("before", self._unread)] if self.unread else []
            return [Lines(head, indent=8, leads=True), Lines(means, indent=12)]
        rows = means_changed(self.before, self.baseline, list(self.baseline.measures))
        left = [name for name in self.before.measures if name not in self.baseline.measures]
        rows += [(name, "no longer guarded") for name in left]
        rows += [("" if i else "changed", text) for i, text in enumerate(self.differences.blessed)]
        return [Lines(head, indent=8, leads=True), Lines(rows, indent=12)]

    @property
    def _unread(self) -> str:
        return f"the file replaced could not be read, so nothing says what changed: {self.unread}"

    @property
    def _means(self) -> Annotated[dict[str, Value], Named("means"), "The mean of each measure in it."]:
        return {name: self.baseline.mean(name) for name in self.baseline.measures}

    @property
    def _means_before(
        self,
    ) -> Annotated[
        dict[str, Value] | None, Named("before"), "The means in the baseline that it replaced; null if there was none."
    ]:
        return None if self.before is None else {name: self.before.mean(name) for name in self.before.measures}

    @property
    def _changed(
        self,
    ) -> Annotated[
        Sequence[str],
        Named("changed"),
        "What differs between the two, or why the first could not be read; empty if there was none.",
    ]:
        return [self._unread] if self.unread else [] if self.differences is None else self.differences.blessed


def bless(scores: Scores, path: str | Path) -> Blessing:
    """Accept the values of one system: write them to a file as the baseline that `gate` compares with.

    Nothing else writes that file, so a baseline never moves by itself.

    Parameters
    ----------
    scores
        What `idealrank.evaluate` returned for one system.
    path
        The file. Only a baseline is written over; its folder is made if need be.

    Returns
    -------
    Blessing: what was written, and what it changes.

    Raises
    ------
    DataError
        If searches failed, and no decision says how they count.
    UsageError
        If there are several systems, less of a measure is better, or the file is something else.

    Examples
    --------
    >>> import idealrank as ir, pathlib, tempfile
    >>> qrels = {"q1": {"d": 1}, "q2": {"d": 1}}
    >>> first = ir.evaluate(qrels, {"q1": {"d": 1.0}, "q2": {"x": 2.0, "d": 1.0}}, ["RR"])
    >>> better = ir.evaluate(qrels, {"q1": {"d": 1.0}, "q2": {"d": 2.0, "x": 1.0}}, ["RR"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     base = pathlib.Path(folder, "base.json")
    ...     _ = ir.bless(first, base)
    ...     ir.bless(better, base).differences.lists
    ('q2',)
    """
    file = Path(path)
    _refuse_unfit(scores, file)
    baseline, (before, unread) = baseline_of(scores), _replaced_baseline(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(str(file), baseline.text(), "--baseline FILE")
    changed = None if before is None else differences(before, baseline)
    return Blessing(str(path), baseline, before, changed, unread)


def _refuse_unfit(scores: Scores, file: Path) -> None:
    if len(scores.systems) > 1:
        raise UsageError(f"A baseline is of one system, and there are {len(scores.systems)}: {listed(scores.systems)}.")
    if is_saved_scores(file):
        anew = either("scores.save(path)", "idealrank evaluate JUDGMENTS RESULTS --save FILE")
        raise UsageError(
            f"{file}: saved scores, which are not blessed. Save those of today in their place: {anew}; or give the "
            "baseline a file of its own, such as eval/base.json."
        )
    if file.exists() and file.stat().st_size and not is_baseline(file):
        raise UsageError(f"{file}: not a baseline, so it is not written over. Give another file, or remove it.")
    refuse_failed(scores)
    for measure, label in zip(scores.measures, scores.labels, strict=True):
        refuse_no_mean(measure, label)
        refuse_lower_better(measure.definition.properties.direction, measure.name)


def refuse_lower_better(direction: str, name: str) -> None:
    """Refuse a measure that cannot drop: less of it is better, or it is neither good nor bad."""
    if direction != "higher":
        why = f"lower {name} is better" if direction == "lower" else f"{name} is neither good nor bad"
        way = named("minimum", f"{name}<=…", "min")
        raise UsageError(f"{name}: {why}, so it has no drop to guard against. Give it a limit: {way}.")


def refuse_failed(scores: Scores) -> None:
    """Refuse values that failed searches leave open."""
    lost_values = np.any(scores.unanswered, axis=(0, 1))
    failed = [query for query, lost in zip(scores.queries, lost_values.tolist(), strict=True) if lost]
    if failed:
        raise DataError(
            f"The search failed for {plural(len(failed), 'query')} ({listed(failed)}), so there is no value to bless. "
            f"Search them again, or say that a failed search counts 0: {option('failed', '0')}."
        )


def _replaced_baseline(file: Path) -> tuple[Baseline | None, str]:
    """Return the baseline in a file, or why it cannot be read; neither if there is none."""
    try:
        return (read_baseline(file) if file.exists() else None), ""
    except DataError as error:
        return None, str(error).partition(". ")[0]
