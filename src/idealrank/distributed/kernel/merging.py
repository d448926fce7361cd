"""From portions to scores: as if all queries had been evaluated together."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.queries import Queries, read_queries
from idealrank.data.query_columns import attributes_of_parts, queries_of
from idealrank.distributed.kernel.lookup import Fetch, Lookup
from idealrank.distributed.kernel.order import in_order, judged_in_order, natural
from idealrank.distributed.kernel.plan import Plan
from idealrank.distributed.kernel.portion import Key, Portion
from idealrank.distributed.kernel.survey import Survey
from idealrank.errors import DataError
from idealrank.evaluation.computation import Outcome
from idealrank.evaluation.counts.in_parts import InParts, NoLists, Rows
from idealrank.evaluation.counts.merging import merged as merged_counts
from idealrank.evaluation.counts.result_counts import ResultCounts
from idealrank.evaluation.evaluate import weights_of
from idealrank.evaluation.ledger.accounts import Evidence, ledger_of
from idealrank.evaluation.ledger.attempts import Other
from idealrank.evaluation.ledger.sensitivity import Under
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import refuse_failures
from idealrank.evaluation.values import Values
from idealrank.judged_lists.near_documents import few


def merged(
    plan: Plan, survey: Survey, portions: Sequence[Portion], fetch: Fetch, rows: Rows, queries: Any = None,
    weights: Any = None,
) -> Scores:  # fmt: skip
    """Put portions together.

    Parameters
    ----------
    fetch
        Returns the tables of some queries, where their ids have to be looked at.
    rows
        Goes to the rows again when the scores are asked for lists.
    queries, weights
        As for `evaluate`.

    Raises
    ------
    DataError
        If there are no judgments, if nothing returned is judged, or if every search failed.
    """
    survey.refuse(plan)
    order, ids = natural([query for portion in portions for query in portion.queries])
    if not ids:
        raise DataError(f"{plan.name}: no grade. Give at least one.")
    judged = judged_in_order(merged_counts([portion.judged for portion in portions]))
    systems = range(portions[0].values.shape[0])
    returned = [in_order(merged_counts([portion.returned[s] for portion in portions])) for s in systems]
    texts = {query: text for portion in portions for query, text in portion.texts.items()}
    table = read_queries(_beside(portions) if queries is None else queries, weights)
    ahead = () if plan.missed_along else tuple(query for counts in returned for query in few(counts.candidates))
    look = Lookup(plan, survey, fetch, texts, ahead)
    parts = InParts(judged, tuple(returned), texts, rows, not any(table.systems for table in plan.tables))
    values = Values(
        measures=plan.under, systems=portions[0].systems, queries=ids, setting=plan.setting, table=table,
        values=np.concatenate([portion.values for portion in portions], axis=2)[:, :, order],
        states=np.concatenate([portion.states for portion in portions], axis=2)[:, :, order],
        weights=None, meetings=NoLists(), only=plan.asked, parts=parts,
    )  # fmt: skip
    values = dataclasses.replace(values, weights=weights_of(plan.setting, table, ids, values.in_scope))
    with_results = np.concatenate([portion.with_results for portion in portions], axis=1)[:, order]
    for s, counts in enumerate(returned):
        _refuse_failed(counts, values, s)
        look.refuse_strangers(counts, ids, with_results[s], s)
    evidence = Evidence(
        judged, returned, with_results,
        [look.near_ids(counts, ids, with_results[s], s) for s, counts in enumerate(returned)],
        [_under(portions, values, s, order) for s in systems],
    )  # fmt: skip
    fields = {part.name: getattr(values, part.name) for part in dataclasses.fields(Values)}
    return Scores(**fields, ledger=ledger_of(values, evidence))


def _refuse_failed(counts: ResultCounts, values: Values, s: int) -> None:
    ran = counts.results > 0 or counts.rows["placeholder rows"] > 0
    errors = {query: counts.errors[query] for query in (counts.failed if ran else natural(list(counts.errors))[1])}
    never_run = not ran or len(errors) == int(values.in_scope.sum())
    refuse_failures(counts.name, values.systems[s], errors, values.setting.decisions.failed, never_run)


def _beside(portions: Sequence[Portion]) -> Queries:
    """Return what the tables themselves say about their queries."""
    tables = zip(*(portion.attributes for portion in portions), strict=True)
    return queries_of(map(attributes_of_parts, tables))


def _under(portions: Sequence[Portion], values: Values, s: int, order: Ints) -> Under:
    """Return what looks up the values under another answer; a part that did not try it has the same as before."""

    def under(decision: str, changed: Sequence[Other]) -> list[Outcome]:
        keys = [(decision, each.answer, values.place_of(each.measure)) for each in changed]
        return [_other(portions, values, s, order, key) for key in keys]

    return under


def _other(portions: Sequence[Portion], values: Values, s: int, order: Ints, key: Key) -> Outcome:
    found = [portion.others[s].get(key, portion.values[s, key[2]]) for portion in portions]
    known = [each for each in found if each is not None]
    return np.concatenate(known)[order] if len(known) == len(found) else DataError("refused in a part")
