"""What a plot shows: the systems, or the pairs of systems, and the measures, with the footnote that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.pairing import Key, Pair
from idealrank.comparison.text import paired_note
from idealrank.evaluation.mean_tables import footnote
from idealrank.evaluation.scores import Scores
from idealrank.reports.plots.picture import EQUAL, GAIN, LOSS, safe_label
from idealrank.reports.subject import Subject, need_comparison, scores_of


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


def select_systems(subject: Subject, measure: str | None, system: str | None, unnamed: int | None = 1) -> Systems:
    """Find the systems and measures by name.

    Parameters
    ----------
    unnamed
        How many measures are shown where none is named; None: all.
    """
    scores = scores_of(subject)
    measures, systems = _select_measures(scores, measure, unnamed), scores.system_places(system)
    return Systems(scores, measures, systems, footnote(scores, measures, systems))


def select_pairs(
    comparison: Comparison, plot: str, measure: str | None, system: str | None, unnamed: int | None = 1
) -> Pairs:
    """Find the pairs and measures by name; a system is called as the verdicts name it."""
    scores, pairs = need_comparison(comparison, plot).scores, pairs_of(comparison, system)
    measures = _select_measures(scores, measure, unnamed)
    labels = ", ".join(scores.labels[m] for m in measures)
    note = f"{labels} under {scores.setting.text}; {paired_note(comparison, measures, pairs)}"
    return Pairs(measures, pairs, note)


def pairs_of(comparison: Comparison, system: str | None) -> Sequence[Pair]:
    """Return the pair of one of the systems compared; all pairs where none is named."""
    return comparison.pairing.pairs if system is None else [comparison.key(None, system)[0]]


def _select_measures(scores: Scores, measure: str | None, unnamed: int | None) -> Sequence[int]:
    return range(len(scores.labels))[:unnamed] if measure is None else [scores.place_of(measure)]


class PairedDifferences(NamedTuple):
    """The paired queries, the greatest gain first, equal ones by id: their places, differences and gains."""

    places: Ints
    values: Floats
    gains: Floats


def differences_of(comparison: Comparison, key: Key) -> PairedDifferences:
    """Return the differences of the paired queries; a gain is a difference above 0, or below where less is better."""
    by_id = comparison.pairing.by_id
    paired = by_id[comparison.pairing.paired(*key)[by_id]]
    values: Floats = comparison.pairing.difference(*key)[paired]
    gains = -values if comparison.contrasts[key].direction == "lower" else values
    order = np.argsort(-gains, kind="stable")
    return PairedDifferences(paired[order], values[order], gains[order])


def tally(contrast: Contrast, in_full: bool = True) -> str:
    """Write how many queries are better, equal and worse, higher and lower of a count; without words where small."""
    more, less = ("higher", "lower") if contrast.direction == "count" else ("better", "worse")
    wins, ties, losses = (f" {more}", " equal", f" {less}") if in_full else ("", "", "")
    return f"▲ {contrast.wins}{wins}  = {contrast.ties}{ties}  ▼ {contrast.losses}{losses}"


def colours(contrast: Contrast) -> tuple[str, str]:
    """Return the colours of gains and losses; a count is neither good nor bad."""
    return (EQUAL, EQUAL) if contrast.direction == "count" else (GAIN, LOSS)


def pair_name(comparison: Comparison, key: Key) -> str:
    """Return what is compared with what, as a label."""
    baseline, system = (comparison.systems[place] for place in key[0])
    return f"{safe_label(system)} vs {safe_label(baseline)}"
