"""The entries of a ledger: two accounts, what was found in the data, and what would move a mean."""

from typing import NamedTuple

from idealrank.errors import listed, plural

RETURNED, EMPTY, NEVER, FAILED, UNJUDGED, LEFT_OUT = (
    "judged and returned",
    "judged, nothing returned",
    "judged, never asked",
    "judged, search failed",
    "returned, not judged",
    "left out on request",
)
"""States of the first account."""

COMPUTED = "computed"
"""The state of the second account that needs no decision; the others are named by the answer that made them."""


class SystemAccount(NamedTuple):
    """One system's queries: each query on either side is in exactly one of the six states.

    Attributes
    ----------
    never_asked
        Judged queries without a search, where a column of steps says which searches were made; else they are among
        those for which nothing was returned.
    """

    system: str
    judged_and_returned: int
    judged_nothing_returned: tuple[str, ...]
    returned_not_judged: tuple[str, ...]
    left_out: int
    results: int
    counts: dict[str, int]
    failed: tuple[str, ...] = ()
    never_asked: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The account in one line; queries that are not simply judged and returned are named."""
        parts = [f"{self.judged_and_returned} {RETURNED}"]
        for state, names in (
            (EMPTY, self.judged_nothing_returned),
            (NEVER, self.never_asked),
            (FAILED, self.failed),
            (UNJUDGED, self.returned_not_judged),
        ):
            parts += [f"{len(names)} {state} ({listed(names)})"] if names else []
        return "; ".join(parts + ([f"{self.left_out} {LEFT_OUT}"] if self.left_out else []))

    @property
    def counted(self) -> str:
        """What was counted among the results, in one line."""
        unjudged, tied = self.counts.get("unjudged results", 0), self.counts.get("tied results", 0)
        holes = [f"{n:,} in {name.removeprefix('holes in ')}" for name, n in self.counts.items() if "holes" in name]
        elsewhere = [text for text in holes if text.split()[0] != f"{unjudged:,}"]
        places = f" ({', '.join(elsewhere)})" if elsewhere else ""
        parts = [f"{plural(unjudged, 'unjudged result')}{places}"] if unjudged else []
        parts += (
            [f"{plural(tied, 'tied result')} in {plural(self.counts['queries with ties'], 'query')}"] if tied else []
        )
        return "; ".join(parts)


class MeasureAccount(NamedTuple):
    """What became of the judged queries under one measure: all counts but the last sum to them.

    `added_no_judgments` counts queries without judgments that enter the mean as 0.
    """

    system: str
    measure: str
    computed: int
    filled_no_results: int
    skipped_no_results: int
    filled_no_relevant: int
    skipped_no_relevant: int
    left_out: int
    filled_failed: int = 0
    skipped_failed: int = 0
    added_no_judgments: int = 0


class Fact(NamedTuple):
    """Something found in the data; `queries` names those it concerns.

    Attributes
    ----------
    warns
        Whether it is a warning, said even where only the numbers are asked for.
    """

    system: str
    text: str
    queries: tuple[str, ...] = ()
    warns: bool = False


class Columns(NamedTuple):
    """What a table was read as.

    Attributes
    ----------
    table
        What the table is called in messages.
    columns
        ``{role: its column, or columns}``; empty for TREC text and dicts of dicts.
    form
        ``TREC judgments``, ``TREC run``, ``dict of dicts``; "" for a table with columns.
    order
        By what results were ordered: rank, score or given; "" for judgments.
    grades
        The lowest and the highest grade of judgments, in words; "" for results.
    what
        What a document of a tool is, and how it was read; "" for a table.
    """

    table: str
    columns: dict[str, str]
    form: str = ""
    order: str = ""
    grades: str = ""
    what: str = ""

    @property
    def text(self) -> str:
        """What it was read as, without its name."""
        roles = self.form or " ".join(f"{role}={_quoted(name)}" for role, name in self.columns.items())
        order = "as in the table" if self.order == "given" else f"by {self.order}"
        roles = f"{self.what}: {roles}" if self.what else roles
        roles = f"{roles}, {self.grades}" if self.grades else roles
        return f"{roles}, ordered {order}" if self.order else roles


class Move(NamedTuple):
    """What one system's means would be under another answer to one decision.

    Attributes
    ----------
    cause
        What in the data makes the answer matter.
    means
        ``(measure, mean, mean under the other answer)``, where they differ.
    """

    system: str
    cause: str
    decision: str
    answer: str
    means: tuple[tuple[str, float, float], ...]

    @property
    def text(self) -> str:
        """The move as a sentence."""
        moved = ", ".join(f"{measure} {mean:.4f} → {other:.4f}" for measure, mean, other in self.means)
        return f"{self.cause}; with {self.decision}={self.answer}: {moved}"


def _quoted(name: str) -> str:
    """Quote a name that contains a blank, or another sign that would end it."""
    return name if name.strip() and not set(name) & set(" ;='\t\n") else repr(name)
