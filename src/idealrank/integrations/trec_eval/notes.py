"""Notes on standard error if trec_eval's number is not printed because it comes from a fault."""

import math
from collections.abc import Iterator
from itertools import pairwise

from idealrank.integrations.trec_eval.arguments import Arguments
from idealrank.integrations.trec_eval.below_zero import MIXED
from idealrank.integrations.trec_eval.columns import Column
from idealrank.integrations.trec_eval.files import Files
from idealrank.integrations.trec_eval.formulas import Formulas

_CLIPPED = ("G", "ndcg_rel", "Rndcg")


def notes(columns: list[Column], arguments: Arguments, files: Files) -> Iterator[str]:
    """Yield one line for each number that differs."""
    yield from _levels(columns, files)
    for column in columns:
        if arguments.level < 0 and column.measure in MIXED:
            yield f"{column.name}: only judged results count; below -l 0, trec_eval mixes them with all results."
        if column.measure == "rbp":
            yield "rbp is RBP of relevant documents: trec_eval 10.0 reads uninitialised memory, and may print anything."
        elif column.pairs and not column.measure.startswith("rbp"):
            gains = Formulas(arguments, files.pool).gains(column)
            if min(gains) < 0:
                yield f"{column.name}: the gain below grade 0 is not used; trec_eval gives it to unjudged results."
            if column.measure in _CLIPPED and min(gains.values()) < 0:
                yield f"{column.name}: gains below 0 count as 0; trec_eval subtracts them."
            if any(0 < other - one < 1 for one, other in pairwise(sorted(gains.values()))):
                yield f"{column.name}: gains less than 1 apart are used as given; trec_eval mixes up their order."


def _levels(columns: list[Column], files: Files) -> Iterator[str]:
    if not any(column.entry.form == "prefs" for column in columns):
        return
    levels = [row.level for rows in (files.groups or {}).values() for row in rows]
    if any(map(math.isnan, levels)):
        yield "levels that are not numbers come last; where trec_eval puts them depends on how it sorts."
    if any(level < 0 for level in levels) and any("Rnonrel" in column.measure for column in columns):
        yield "prefs_avgjg_Rnonrel: only the lowest of the levels below 0 counts; trec_eval reads past its documents."
