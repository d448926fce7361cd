"""A summary of scores: which queries count, what nobody judged, which choices move the first measure most."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from idealrank.decisions.fields import ASSUMES_COMPLETE
from idealrank.decisions.question import answer_text
from idealrank.display.numbers import percent
from idealrank.errors import listed, plural
from idealrank.evaluation.ledger.sensitivity import unjudged_share
from idealrank.evaluation.mean_tables import counts_of_queries, in_mean, unjudged_in_mean
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import QueryState

RATERS = 8
"""Raters that are named one by one."""

NAMED = 3
"""Systems, or queries of one, that are named one by one."""


def summary_sentences(scores: Scores) -> list[str]:
    """Say how many queries count, what became of the others, how much nobody judged, and how long searches took."""
    counts = {system: int(in_mean(scores, s, 0).sum()) for s, system in enumerate(scores.systems)}
    judged = len(scores.queries)
    every = f"All {plural(judged, 'query')}" if set(counts.values()) == {judged} else counts_of_queries(counts, judged)
    counted = f"{every} counted"
    first = ". ".join([counted, *_exception_notes(scores)]) + "."
    return [first, *_unjudged_sentences(scores), *_rater_sentences(scores), *_latency_sentences(scores)]


def _latency_sentences(scores: Scores) -> list[str]:
    if not scores.has_times:
        return []
    from idealrank.evaluation.latency import latency_sentences

    return latency_sentences(scores, NAMED)


def _rater_sentences(scores: Scores) -> list[str]:
    """Name the raters of the judgments, where there are several."""
    raters = scores.counts.judged.raters
    return [f"{plural(len(raters), 'rater')}: {listed(raters, RATERS)}."] if len(raters) > 1 else []


def no_results_notes(scores: Scores) -> list[str]:
    """Say for which queries a system returned nothing, and what became of them; nothing where there are none."""
    accounts = scores.ledger.systems
    kinds = {
        "No results": {account.system: account.judged_nothing_returned for account in accounts},
        "Never asked": {account.system: account.never_asked for account in accounts},
    }
    return _notes(scores, kinds)


def _notes(scores: Scores, kinds: Mapping[str, Mapping[str, tuple[str, ...]]]) -> list[str]:
    """Name the queries of each kind, given by system, and say what became of them; nothing of a kind without any."""
    return [
        f"{kind}: {_name_queries(of)}, {fate_text(set().union(*query_fates(scores, of).values()))}"
        for kind, of in kinds.items()
        if any(of.values())
    ]


def no_judgments_notes(scores: Scores) -> list[str]:
    """Say which queries that were returned nobody judged, and what became of them; nothing where there are none."""
    strangers = {account.system: account.returned_not_judged for account in scores.ledger.systems}
    if not any(strangers.values()):
        return []
    counted = "scored 0" if any(unjudged_in_mean(scores, s, 0) for s in range(len(scores.systems))) else "left out"
    return [f"No judgments: {_name_queries(strangers)}, {counted}"]


def _exception_notes(scores: Scores) -> list[str]:
    """Say which queries are not simply scored, and what became of them under the first measure."""
    accounts, empty = scores.ledger.systems, (QueryState.FILLED_NO_RELEVANT, QueryState.SKIPPED_NO_RELEVANT)
    lacking = {
        system: tuple(scores.queries[q] for q in np.flatnonzero(np.isin(scores.states[s, 0], empty)))
        for s, system in enumerate(scores.systems)
    }
    kinds = {"Search failed": {a.system: a.failed for a in accounts}, "No relevant document": lacking}
    texts = no_results_notes(scores)
    texts += _notes(scores, kinds)
    texts += no_judgments_notes(scores)
    if scores.weights is not None and len(places := np.flatnonzero(scores.weights == 0)):
        texts.append(f"Weight 0, left out: {listed([scores.queries[q] for q in places], NAMED)}")
    asked = max(account.left_out for account in accounts)
    return [*texts, *([f"Left out on request: {plural(asked, 'query')}"] if asked else [])]


def _name_queries(of: Mapping[str, tuple[str, ...]]) -> str:
    """Name queries, with their system if systems differ; of many, the first."""
    different = set(of.values())
    if len(different) == 1:
        return listed(different.pop(), NAMED)
    there = {system: queries for system, queries in of.items() if queries}
    return listed((f"{listed(queries, NAMED)} ({system})" for system, queries in there.items()), NAMED)


def query_fates(scores: Scores, of: Mapping[str, tuple[str, ...]]) -> dict[str, set[str]]:
    """Return what became of each system's queries under the first measure: left out, or which value they have."""
    place = {query: q for q, query in enumerate(scores.queries)}
    # Once for systems with the same queries, of which a board may have hundreds.
    places = {queries: np.array([place[query] for query in queries], np.intp) for queries in set(of.values())}
    fates = {}
    for s, system in enumerate(scores.systems):
        values = scores.values[s, 0, places[of[system]]]
        filled = set(values[~np.isnan(values)].tolist())
        fates[system] = {f"scored {value:g}" for value in filled} | ({"left out"} if np.isnan(values).any() else set())
    return fates


def fate_text(fates: Iterable[str]) -> str:
    """Say what became of queries, those that have a value first."""
    return " or ".join(sorted(fates, key=lambda fate: fate == "left out"))


def _unjudged_sentences(scores: Scores) -> list[str]:
    """Say which share of the results within the first measure's cutoff nobody judged, and what they count as."""
    first = scores.measures[0]
    where = f"in the top {first.cutoff}" if first.cutoff else "in the lists"
    shares = {system: unjudged_share(scores, [s], first.cutoff) for s, system in enumerate(scores.systems)}
    if first.decisions.unjudged == "complete":
        return [f"{ASSUMES_COMPLETE} (unjudged=complete)."]
    if not any(shares.values()):
        return [f"Every result {where} is judged."]
    as_what = {"zero": ", counted as not relevant", "filter": ", removed from the lists"}
    answer = first.decisions.unjudged
    counted = as_what.get(str(answer), f", counted as grade {answer_text(answer)}")
    counted = counted if "unjudged" in first.definition.decisions else ""
    return [f"Unjudged {where}{counted}: {_shares_text(shares)}."]


def _shares_text(shares: Mapping[str, float]) -> str:
    """Write the share of each system; of many systems, the lowest and the highest."""
    if len(shares) == 1:
        return f"{_percent_text(next(iter(shares.values())))} of the results"
    if len(shares) <= NAMED:
        return ", ".join(f"{_percent_text(share)} of {system}" for system, share in shares.items())
    low, high = min(shares, key=lambda name: shares[name]), max(shares, key=lambda name: shares[name])
    return f"from {_percent_text(shares[low])} of {low} to {_percent_text(shares[high])} of {high}"


def _percent_text(share: float) -> str:
    return "under 1%" if 0 < share < 0.005 else percent(round(share, 2))


class DecisionEffect(NamedTuple):
    """Another answer to one decision, and what each system's mean of the first measure would be under it.

    Attributes
    ----------
    means
        ``{system: (mean, mean under the other answer)}``, where they differ.
    """

    decision: str
    answer: str
    means: dict[str, tuple[float, float]]

    @property
    def size(self) -> float:
        """The largest change of a mean."""
        return max(abs(other - mean) for mean, other in self.means.values())


def decision_effects(scores: Scores, most: int = 4) -> list[DecisionEffect]:
    """Return the choices that move the first measure most, the largest change first."""
    found: dict[tuple[str, str], dict[str, tuple[float, float]]] = {}
    for move in scores.ledger.moves:
        for measure, mean, other in move.means:
            if measure == scores.measures[0].name:
                found.setdefault((move.decision, move.answer), {}).setdefault(move.system, (mean, other))
    every = [DecisionEffect(*setting, means) for setting, means in found.items()]
    return sorted(every, key=lambda choice: -choice.size)[:most]


MUCH = 0.2
"""The share of unjudged results above which they are mentioned first."""

_SHARES = {
    "Nearly all": 0.95, "Most": 0.6, "About half": 0.45, "About a third": 0.28, "About a quarter": 0.23,
    "About a fifth": MUCH,
}  # fmt: skip
"""The share from which each phrase is used."""


def mostly_unjudged(share: float) -> str:
    """Say how much of what came back was never judged; "" where that is a fifth or less."""
    if not share > MUCH:
        return ""
    part = next(words for words, least in _SHARES.items() if share >= least)
    return f"{part} of what these systems returned was never judged ({percent(round(share, 2))})"
