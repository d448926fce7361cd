"""What a plot shows: the systems, or the pairs of systems, and the measures, with the footnote that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.pairing import Key, Pair
from idealrank.comparison.shown import paired_note
from idealrank.evaluation.footnote import footnote
from idealrank.evaluation.scores import Scores
from idealrank.reports.subject import Subject, compared, scores_of


class Systems(NamedTuple):
    """Places of the systems and the measures shown, and the footnote."""

    scores: Scores
    measures: Sequence[int]
    systems: Sequence[int]
    note: str

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [self.scores.systems[s] for s in self.systems]


class Pairs(NamedTuple):
    """Pairs of places of systems, the places of the measures shown, and the footnote."""

    measures: Sequence[int]
    pairs: Sequence[Pair]
    note: str

    @property
    def keys(self) -> list[Key]:
        """The keys of the contrasts of all pairs in the first measure."""
        return [Key(pair, self.measures[0]) for pair in self.pairs]


def systems_shown(subject: Subject, measure: str | None, system: str | None, unnamed: int | None = 1) -> Systems:
    """Find the systems and measures by name.

    Parameters
    ----------
    unnamed
        How many measures are shown where none is named; None: all.
    """
    scores = scores_of(subject)
    measures, systems = _measures(scores, measure, unnamed), scores.system_places(system)
    return Systems(scores, measures, systems, footnote(scores, measures, systems))


def pairs_shown(
    comparison: Comparison, plot: str, measure: str | None, system: str | None, unnamed: int | None = 1
) -> Pairs:
    """Find the pairs and measures by name; a system is called as the verdicts name it."""
    scores, pairs = compared(comparison, plot).scores, pairs_of(comparison, system)
    measures = _measures(scores, measure, unnamed)
    labels = ", ".join(scores.labels[m] for m in measures)
    note = f"{labels} under {scores.setting.text}; {paired_note(comparison, measures, pairs)}"
    return Pairs(measures, pairs, note)


def pairs_of(comparison: Comparison, system: str | None) -> Sequence[Pair]:
    """Return the pair of one of the systems compared; all pairs where none is named."""
    return comparison.pairing.pairs if system is None else [comparison.key(None, system)[0]]


def _measures(scores: Scores, measure: str | None, unnamed: int | None) -> Sequence[int]:
    return range(len(scores.labels))[:unnamed] if measure is None else [scores.place_of(measure)]
