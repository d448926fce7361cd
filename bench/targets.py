"""What the benchmark is to show, as data: one row per promise, judged met or not met."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A named value of the results and the bound it is to keep."""

    key: str
    what: str
    at_least: float | None = None
    at_most: float | None = None

    def joined(self, value: float) -> bool:
        """Whether the value keeps the bound."""
        above = self.at_least is None or value >= self.at_least
        return above and (self.at_most is None or value <= self.at_most)

    def bound(self) -> str:
        """The bound in words."""
        if self.at_least is not None:
            return f"at least {self.at_least:g}"
        return f"at most {self.at_most:.3g}"


def _data(name: str, faster: float, memory: float) -> tuple[Target, Target]:
    """The two promises of a data set."""
    return (
        Target(f"{name}.faster", f"{name}: times faster than pytrec_eval, whole process", at_least=faster),
        Target(f"{name}.memory", f"{name}: peak memory over pytrec_eval's", at_most=memory),
    )


def _quick_command(name: str) -> tuple[Target, Target]:
    """The two promises of a command that evaluates nothing."""
    return (
        Target(f"start.{name}", f"idealrank {name}: seconds", at_most=0.10),
        Target(f"numpy.{name}", f"idealrank {name}: NumPy modules imported", at_most=0),
    )


TARGETS = (
    *_data("A", 1.3, 2),
    *_data("B", 15, 1 / 3),
    *_data("B-shuffled", 6, 1 / 2),
    *_data("C", 8, 1 / 3),
    *_data("D", 6, 1 / 3),
    Target("all_trec.A", "A, all_trec: times faster than pytrec_eval with all its measures, whole process", at_least=5),
    Target("all_trec.C", "C, all_trec: the same", at_least=5),
    Target("in-process.polars", "polars frames of B: times faster than pytrec_eval on dicts", at_least=15),
    Target("in-process.pandas", "Arrow-backed pandas frames of B: the same", at_least=15),
    Target("in-process.dicts", "dicts of dicts of B: the same", at_least=8),
    Target("in-process.drop-in", "the pytrec_eval drop-in on dicts of B: the same", at_least=8),
    Target("calls.1 × 10: dicts", "one query of ten judged documents, dicts: processor ms of a call", at_most=1),
    Target("calls.1,000 × 100: dicts, faster", "1,000 × 100, all judged, dicts: times pytrec_eval", at_least=2),
    Target("calls.5,000 × 100: pandas, faster", "5,000 × 100, all judged, pandas: the same", at_least=3),
    Target("calls.5,000 × 100: polars, faster", "polars: the same", at_least=3),
    Target("calls.5,000 × 100: tables read before, faster", "tables read before: the same", at_least=3),
    Target("calls.first call: ratio", "first call of a process, one query: times pytrec_eval's", at_most=1.2),
    Target("significance.baseline", "100 systems against one, 10,000 queries, 4 measures, 10,000 flips: s", at_most=10),
    Target("significance.baseline.memory", "the same: peak memory in GiB", at_most=2),
    Target("significance.pairs", "20 systems, all pairs, 1,000 queries, 4 measures, 10,000 draws: s", at_most=30),
    Target("plots", "the slowest plot of 10,000 queries, as SVG: processor seconds", at_most=1.0),
    Target("large.memory", "200 million rows in buckets: peak memory in GB", at_most=4),
    Target("large.row", "the same: seconds per row over those of 20 million rows at once", at_most=1.3),
    Target(
        "spark.times the command line", "Spark local[2]: times the seconds of --memory on the same files", at_most=2
    ),
    Target("spark.twice the rows", "Spark local[2] with twice the rows: times the seconds", at_most=2.1),
    Target("spark.two workers against one", "Spark local[1]: times the seconds of local[2]", at_least=1.6),
    Target("spark.RankingMetrics against ours", "PySpark's RankingMetrics: times our seconds", at_least=5),
    Target("hits.hits", "hits of a search engine as JSON: MB per second on one core", at_least=150),
    Target("hits.lines of hits", "the same as lines", at_least=150),
    Target("units.B.wall", "B as chunks, rolled up: times the same file as returned", at_most=1.3),
    Target("units.C.wall", "C as chunks, rolled up: the same", at_most=1.3),
    Target("replaying.per second", "queries a second from a server that answers at once, 16 at a time", at_least=2000),
    Target("replaying.memory", "the same: memory at the end, times that after a tenth of the queries", at_most=1.05),
    Target("scaling", "B with twice the queries: times the time of B", at_most=2.2),
    Target("import", "import idealrank: seconds over import numpy", at_most=0.03),
    Target("page.first paint", "page of 1,000 queries, 3 systems: ms to the first paint", at_most=1000),
    Target("page.scrolling", "page of 20,000 queries: ms of the longest task while scrolled", at_most=100),
    Target("page.sorting", "the same: ms from the key that sorts to the paint", at_most=300),
    Target("page.filtering", "the same: ms from a letter of the filter to the paint", at_most=300),
    Target("page.opening", "the same: ms from the key for the next query to the paint", at_most=300),
    *_quick_command("--help"),
    *_quick_command("measures"),
    *_quick_command("conventions"),
)
