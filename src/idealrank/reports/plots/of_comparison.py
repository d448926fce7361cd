"""The plots of a comparison: `comparison.plot.NAME()`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.pairing import Key, Pair
from idealrank.comparison.segments.attributes import answered, attributes
from idealrank.comparison.segments.segment import segment
from idealrank.comparison.shown import paired_note
from idealrank.evaluation.footnote import footnote, of_queries
from idealrank.reports.parts.curves import DEPTH
from idealrank.reports.plots.of_scores import ScoresPlots, no_segments

if TYPE_CHECKING:
    from idealrank.reports.plots.picture import Picture
    from idealrank.reports.plots.segments import Row


@dataclass(frozen=True, eq=False)
class ComparisonPlots:
    """Plots of a comparison for papers and notebooks; each returns a matplotlib figure.

    They are those of `ScoresPlots`, and what two systems differ in. `system` is called as the verdicts name it; without
    it there is a panel for each pair.

    Raises
    ------
    UsageError
        If matplotlib is not installed, a name is not known, or there are too many pairs for panels.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}, "r": {"a": 1.0}}
    >>> found = ir.compare(qrels, {"old": run, "new": run}, ["RR"])
    >>> print(found.plot.differences().axes[0].get_title(loc="left"))
    new vs old
    ▲ 0 better  = 2 equal  ▼ 0 worse, mean +0.0000
    """

    comparison: Comparison

    def means(self, measure: str | None = None, system: str | None = None) -> Picture:
        """Draw means with the comparison's intervals: see `ScoresPlots.means`."""
        from idealrank.reports.plots.means import draw

        scores, systems = self.comparison.scores, self.comparison.scores._asked(system)
        places = range(len(scores.labels)) if measure is None else [scores.place_of(measure)]
        note = footnote(scores, places, systems)
        return draw(scores, self.comparison.means, self.comparison.methods.level, places, systems, note)

    def distribution(self, measure: str | None = None, system: str | None = None) -> Picture:
        """Draw how the values of queries are distributed: see `ScoresPlots.distribution`."""
        return self._of_scores.distribution(measure, system)

    def curve(self, measure: str | None = None, system: str | None = None, depth: int = DEPTH) -> Picture:
        """Draw the mean of a measure at every cutoff: see `ScoresPlots.curve`."""
        return self._of_scores.curve(measure, system, depth)

    def grades(self, measure: str | None = None, system: str | None = None, depth: int = DEPTH) -> Picture:
        """Draw the grades of the first results: see `ScoresPlots.grades`."""
        return self._of_scores.grades(measure, system, depth)

    def segments(self, by: str | None = None, measure: str | None = None, system: str | None = None) -> Picture:
        """Draw the mean difference of each segment of the queries with its interval: one panel a pair.

        Parameters
        ----------
        by
            What segments go by: a column of the queries table, length, digit, traffic or results; None: what the
            comparison was asked for, else the first there is.
        measure
            One of the measures; None: the first.
        system
            One of those compared; None: all.
        """
        from idealrank.reports.plots.differences import pair_name
        from idealrank.reports.plots.picture import called
        from idealrank.reports.plots.segments import draw

        keys, note = self._keys(measure, system)
        found, label = self.comparison, self.comparison.scores.labels[keys[0][1]]
        attribute = self._attribute(by, keys[0][0])
        rows = {pair_name(found, key): self._rows(key, attribute) for key in keys}
        note = f"{note}. Behind a segment: its queries. {found.methods.level:.0%} intervals, each for itself."
        shown = found.scores.measures[keys[0][1]]
        title = f"{called(label)} by {called(attribute)}: differences"
        return draw(title, f"difference in {called(label)}", rows, note, shown, differs=True)

    def differences(self, measure: str | None = None, system: str | None = None) -> Picture:
        """Draw the difference of every query as a bar, the greatest gain first, with wins, ties and losses.

        Parameters
        ----------
        measure
            One of the measures; None: the first.
        system
            One of those compared; None: all.
        """
        from idealrank.reports.plots.differences import draw

        return draw(self.comparison, *self._keys(measure, system))

    def scatter(self, measure: str | None = None, system: str | None = None) -> Picture:
        """Draw the values of the baseline against those of the system, query by query, with the diagonal.

        Parameters
        ----------
        measure
            One of the measures; None: the first.
        system
            One of those compared; None: all.
        """
        from idealrank.reports.plots.scatter import draw

        return draw(self.comparison, *self._keys(measure, system))

    def overlap(self, system: str | None = None, depth: int = DEPTH) -> Picture:
        """Draw how much the lists of two systems share: Jaccard and RBO of every query, each in falling order.

        Parameters
        ----------
        system
            One of those compared; None: all.
        depth
            Only the first so many results of each.
        """
        from idealrank.reports.plots.overlap import draw

        found = self.comparison
        asked = of_queries({"": int(found.pairing.chosen.sum())}, len(found.scores.queries))
        note = f"Lists under {found.scores.setting.text}, judged or not; {asked}"
        return draw(found, self._pairs(system), depth, note)

    def intervals(self, measure: str | None = None, system: str | None = None) -> Picture:
        """Draw the corrected intervals of the differences: one line a pair, one panel a measure, with zero and margin.

        Parameters
        ----------
        measure
            One of the measures; None: all.
        system
            One of those compared; None: all.
        """
        from idealrank.reports.plots.intervals import draw

        scores, pairs = self.comparison.scores, self._pairs(system)
        places = range(len(scores.labels)) if measure is None else [scores.place_of(measure)]
        return draw(self.comparison, places, pairs, self._note(places, pairs))

    @property
    def _of_scores(self) -> ScoresPlots:
        return ScoresPlots(self.comparison.scores)

    def _pairs(self, system: str | None) -> Sequence[Pair]:
        return self.comparison.pairing.pairs if system is None else [self.comparison.key(None, system).pair]

    def _keys(self, measure: str | None, system: str | None) -> tuple[list[Key], str]:
        """Return the pairs under the measure, and the footnote."""
        m = 0 if measure is None else self.comparison.scores.place_of(measure)
        pairs = self._pairs(system)
        return [Key(pair, m) for pair in pairs], self._note([m], pairs)

    def _note(self, measures: Sequence[int], pairs: Sequence[Pair]) -> str:
        """Say the measures, the convention, and how many of the judged queries are paired."""
        scores = self.comparison.scores
        labels = ", ".join(scores.labels[m] for m in measures)
        return f"{labels} under {scores.setting.text}; {paired_note(self.comparison, measures, pairs)}"

    def _attribute(self, by: str | None, pair: Pair) -> str:
        """Return the attribute asked for, else the first of the comparison's, else the first there is."""
        if by is not None:
            return by
        scores = self.comparison.scores
        known = self.comparison.segment or [a.name for a in (*attributes(scores), *answered(scores, pair))]
        if not known:
            raise no_segments(None)
        return known[0]

    def _rows(self, key: Key, name: str) -> list[Row]:
        from idealrank.reports.plots.segments import Row

        found = self.comparison
        (attribute,) = attributes(found.scores, (name,)) + answered(found.scores, key[0], (name,))
        made = [
            segment(found.pairing, found.methods, key, name, each, mask) for each, mask in attribute.segments.items()
        ]
        return [Row(row.name, row.queries, row.difference, *_ends(row.low, row.high)) for row in made]


def _ends(low: float, high: float) -> tuple[float, float]:
    return (low, high) if math.isfinite(low + high) else (math.nan, math.nan)
