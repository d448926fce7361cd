"""The plots of scores: `scores.plot.NAME()`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from idealrank.comparison.segments.attributes import Attribute, attributes
from idealrank.errors import UsageError, either
from idealrank.evaluation.footnote import footnote
from idealrank.evaluation.mean_intervals import LEVEL, in_mean, mean_of, means, over, spread
from idealrank.evaluation.scores import Scores
from idealrank.reports.parts.curves import DEPTH

if TYPE_CHECKING:
    from idealrank.arrays import Mask
    from idealrank.reports.plots.picture import Picture
    from idealrank.reports.plots.segments import Row


@dataclass(frozen=True, eq=False)
class ScoresPlots:
    """Plots of scores for papers and notebooks; each returns a matplotlib figure.

    A notebook shows it; ``figure.savefig("means.svg")`` writes it. Every figure says in its footnote which measure it
    shows, under which convention, and how many of the judged queries are in it. matplotlib is imported when a plot is
    asked for: ``pip install 'idealrank[plot]'``.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or a name is not known.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"])
    >>> [panel.get_title(loc="left") for panel in scores.plot.means().axes]
    ['RR']
    """

    scores: Scores

    def means(self, measure: str | None = None, system: str | None = None) -> Picture:
        """Draw means with their 95 % intervals: one panel a measure, one line a system.

        Parameters
        ----------
        measure, system
            One of them; None: all.
        """
        from idealrank.reports.plots.means import draw

        scores, systems = self.scores, self.scores.system_places(system)
        places = range(len(scores.labels)) if measure is None else [scores.place_of(measure)]
        return draw(scores, means(scores), LEVEL, places, systems, footnote(scores, places, systems))

    def distribution(self, measure: str | None = None, system: str | None = None) -> Picture:
        """Draw how the values of queries are distributed: one panel a system, with median and mean.

        Parameters
        ----------
        measure
            One of the measures; None: the first.
        system
            One of the systems; None: all.
        """
        from idealrank.reports.plots.distribution import draw

        m, systems, note = self._asked(measure, system)
        word = over(self.scores, m)
        return draw(self.scores, m, systems, f"{note}. Line: median; dot: {'mean' if word == 'sum' else word}.")

    def curve(self, measure: str | None = None, system: str | None = None, depth: int = DEPTH) -> Picture:
        """Draw the mean of a measure at k = 1 to `depth`: one line a system.

        Parameters
        ----------
        measure
            One of the measures that take a cutoff; None: the first.
        system
            One of the systems; None: all.
        depth
            The last k.
        """
        from idealrank.reports.plots.curve import draw

        m, systems, note = self._asked(measure, system)
        return draw(self.scores, m, systems, depth, note, over(self.scores, m))

    def grades(self, measure: str | None = None, system: str | None = None, depth: int = DEPTH) -> Picture:
        """Draw the grades of the first results: one row a query, one column a rank, one panel a system.

        Parameters
        ----------
        measure
            Queries stand by its value, the best mean over the systems first; None: the first measure.
        system
            One of the systems; None: all.
        depth
            The last rank.
        """
        from idealrank.reports.plots.grades import draw

        m, systems, note = self._asked(measure, system)
        return draw(self.scores, m, systems, depth, note)

    def segments(self, by: str | None = None, measure: str | None = None, system: str | None = None) -> Picture:
        """Draw the mean of each segment of the queries with its 95 % interval: one panel a system.

        Parameters
        ----------
        by
            What segments go by: a column of the queries table, length, digit or traffic; None: the first there is.
        measure
            One of the measures; None: the first.
        system
            One of the systems; None: all.
        """
        from idealrank.reports.plots.picture import called
        from idealrank.reports.plots.segments import draw

        m, systems, note = self._asked(measure, system)
        attribute, label = self._attribute(by), self.scores.labels[m]
        rows = {
            self.scores.systems[s]: [self._row(s, m, name, mask) for name, mask in attribute.segments.items()]
            for s in systems
        }
        note = f"{note}. Behind a segment: its queries. {LEVEL:.0%} intervals, each for itself."
        title, said = f"{called(label)} by {called(attribute.name)}", f"{over(self.scores, m)} {called(label)}"
        return draw(title, said, rows, note, self.scores.measures[m], differs=False)

    def _asked(self, measure: str | None, system: str | None) -> tuple[int, list[int], str]:
        """Return the places of the measure and the systems, and the footnote."""
        m = 0 if measure is None else self.scores.place_of(measure)
        systems = self.scores.system_places(system)
        return m, systems, footnote(self.scores, [m], systems)

    def _attribute(self, by: str | None) -> Attribute:
        found = attributes(self.scores, () if by is None else (by,))
        if not found:
            raise no_segments(by)
        return found[0]

    def _row(self, s: int, m: int, name: str, mask: Mask) -> Row:
        from idealrank.reports.plots.segments import Row

        scores = self.scores
        keep = mask & in_mean(scores, s, m)
        if not keep.any():
            return Row(name, 0, math.nan, math.nan, math.nan)
        return Row(name, int(keep.sum()), mean_of(scores, s, m, keep), *spread(scores, s, m, keep))


def no_segments(by: str | None) -> UsageError:
    """Build the error for queries that nothing tells apart."""
    if by is not None:
        return UsageError(f"{by} tells the results of two systems apart: it is a segment of comparisons alone.")
    way = either("queries=…", "--queries-table FILE")
    return UsageError(
        f"Nothing known of the queries tells them apart. Give {way}: their texts, segments or frequencies."
    )
