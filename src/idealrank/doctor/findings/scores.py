"""Scores that do not order results from best to worst."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from idealrank.arrays import Floats
from idealrank.data.ids import codes
from idealrank.data.results import Results
from idealrank.doctor.finding import SHOWN, Finding, of_mends
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.lists import is_constant, placed, tied_lists
from idealrank.doctor.mend import Mend
from idealrank.errors import plural
from idealrank.evaluation.ledger.score_doubts import score_orders
from idealrank.judged_lists.meeting import Met

TIED = 0.01
"""Share of the results that are tied, from which on ties are no accident."""


def distances(inputs: Inputs) -> Iterator[Finding]:
    """Scores rise from the first result to the last, as distances do, and the highest counts as the best."""
    for results in inputs.results:
        place = results.roles.find("score")
        if results.score is None or place is None or results.order(inputs.decisions.order_by) != "score":
            continue
        values = results.score.floats()
        if _rising(results, values):
            cells = {row: repr(float(0.0 - values[row])) for row in np.flatnonzero(~np.isnan(values)).tolist()}
            text = f"of {results.name} with scores that rise down the list, as distances do; a mended copy negates them"
            yield from of_mends("distances read as scores", "result", text, [Mend(results, {place: cells})])


def _rising(results: Results, values: Floats) -> bool:
    """Whether the scores of nearly every list rise from row to row, and with the ranks where there are any."""
    query, column = codes(results.keys.query), results.systems_column()
    system = codes(column) if column is not None else np.zeros(len(query), np.int64)
    lists = np.unique(np.stack([query, system]), axis=1, return_inverse=True)[1].reshape(-1)
    return score_orders(lists, values, None if results.rank is None else results.rank.floats()).mostly_rising


def constant(inputs: Inputs) -> Iterator[Finding]:
    """All results of nearly every query have the same score, so that the ids of documents decide the order."""
    for met in inputs.mets:
        lists = tied_lists(met)
        if met.order == "score" and is_constant(met):
            text = f"all scores are the same in {plural(len(lists), 'query')} of {met.system}: ids decide the order"
            other = "given" if met.results.rank is None else "rank"
            lines = placed(met, lists.tolist(), SHOWN)
            yield Finding(
                name="constant scores",
                text=text,
                count=len(lists),
                system=met.system,
                examples=lines,
                answers={"order_by": other},
            )


def ties(inputs: Inputs) -> Iterator[Finding]:
    """Results with the same score could stand in another order, which moves a mean."""
    if inputs.scores is None:
        return
    table = inputs.scores.tie_ranges
    names = [row.get("system", inputs.mets[0].system) for row in table]
    for met in inputs.mets:
        tied = met.judged.tied.sum() >= TIED * met.judged.returned.sum()
        if is_constant(met) or met.order == "given" or not tied:
            continue
        rows = [row for row, name in zip(table, names, strict=True) if name == met.system]
        wide = [row for row in rows if row["highest"] - row["lowest"] > inputs.by]
        if wide:
            yield _tied(met, wide[0])


def _tied(met: Met, row: dict[str, object]) -> Finding:
    tied = int(met.judged.tied.sum())
    share = tied / max(1, int(met.judged.returned.sum()))
    return Finding(
        name="tied results",
        text=f"{plural(tied, 'result')} of {met.system} ({share:.0%}) tied by {met.order}: their order makes "
        f"{row['measure']} anything from {row['lowest']:.4f} to {row['highest']:.4f}",
        count=tied,
        system=met.system,
        examples=placed(met, np.flatnonzero(met.judged.tied > 0).tolist(), SHOWN),
        answers={"ties": "average"},
    )
