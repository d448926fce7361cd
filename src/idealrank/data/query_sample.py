"""A sample of queries for people to judge: which were drawn, from which stratum, and with what chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.data.queries import Queries, read_queries
from idealrank.data.roles import ALIASES, fold
from idealrank.display.columns import QueryId
from idealrank.display.schema import RowType, Share, Within
from idealrank.display.table import Table
from idealrank.errors import DataError, either, plural, some

UNCHANGED = "unchanged"
"""The stratum of the queries in which both systems return the same top of the list: they need nobody."""

DRAWN_FOR = "drawn for"
"""The column that says for which systems the unchanged queries were left out, and how deep."""

SEED, DRAWN_FROM = "seed", "drawn from"
"""The columns of the random seed, and of how many queries the sample was drawn from: so the draw can be repeated."""

OWN_COLUMNS = ("query", "text", "sampled", "stratum", "inclusion", DRAWN_FOR, SEED, DRAWN_FROM)
"""What `QuerySample.table` has columns of its own for; no column of the table of queries is called so in it."""

WHOLE = "all"
"""The stratum of all queries, where none was asked for."""

SAMPLE_ROW = RowType(
    {
        "query": QueryId,
        "sampled": Annotated[str, "yes: to be judged by people; no: not drawn."],
        "stratum": Annotated[str, "The stratum it was drawn from; unchanged: it needs nobody."],
        "inclusion": Annotated[Share, "The chance with which a query of this stratum was drawn."],
        "drawn for": NotRequired[Annotated[str, "Of which systems unchanged queries were left out, and how deep."]],
        "seed": NotRequired[Annotated[int, Within(0), "The random seed it was drawn with."]],
        "drawn from": NotRequired[Annotated[int, Within(1), "How many queries it was drawn from, unchanged ones too."]],
    },
    Annotated[str | None, "A column of the table of queries."],
)

MAKE = either("ir.sample(queries, n=50)", "idealrank sample QUERIES -n 50 -o sample.csv")


@dataclass(frozen=True, eq=False)
class QuerySample:
    """All queries of a population, those that were drawn among them.

    Attributes
    ----------
    queries
        (N,) their ids.
    sampled
        (N,) which were drawn.
    stratum
        (N,) the stratum of each.
    texts
        Their texts, by id, where they are known.
    attributes
        ``{column: {id: value}}`` of the other columns of the table of queries.
    drawn_for
        The two systems whose unchanged queries were not drawn, and how deep these were compared; "" if all were.
    seed
        The random seed it was drawn with; None if that is not known.
    left_out
        The columns of the table of queries that the sample does not keep.
    name
        Where it was read from.
    """

    queries: tuple[str, ...]
    sampled: Mask
    stratum: tuple[str, ...]
    texts: dict[str, str]
    name: str = "sample"
    attributes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    drawn_for: str = ""
    seed: int | None = None
    left_out: tuple[str, ...] = ()

    @property
    def drawn(self) -> tuple[str, ...]:
        """The ids of the queries that were drawn."""
        return tuple(query for query, chosen in zip(self.queries, self.sampled, strict=True) if chosen)

    @property
    def unchanged(self) -> Mask:
        """(N,) the queries in which both systems returned the same, when the sample was drawn."""
        return np.array([name == UNCHANGED for name in self.stratum], np.bool_)

    @property
    def inclusion(self) -> Floats:
        """(N,) the chance with which each was drawn."""
        place = self.stratum_places
        drawn, size = np.bincount(place, self.sampled), np.bincount(place)
        chance: Floats = (drawn / size)[place]
        return chance

    @property
    def stratum_places(self) -> Ints:
        """(N,) the number of each query's stratum, in the order of their names."""
        places: Ints = np.unique(np.array(self.stratum, object), return_inverse=True)[1]
        return places

    @property
    def table(self) -> Table:
        """One row per query, those that were drawn first: its stratum, and the chance with which it was drawn."""
        order = np.argsort(~self.sampled, kind="stable")
        columns: dict[str, Any] = {"query": [self.queries[place] for place in order]}
        if self.texts:
            columns["text"] = [self.texts.get(self.queries[place]) for place in order]
        columns |= {
            "sampled": ["yes" if self.sampled[place] else "no" for place in order],
            "stratum": [self.stratum[place] for place in order],
            "inclusion": self.inclusion[order],
        }
        columns |= {
            name: [values.get(self.queries[place]) for place in order] for name, values in self.attributes.items()
        }
        if self.drawn_for:
            columns[DRAWN_FOR] = [self.drawn_for] * len(order)
        if self.seed is not None:
            columns |= {SEED: [self.seed] * len(order), DRAWN_FROM: [len(order)] * len(order)}
        return Table(columns, "sample", row=SAMPLE_ROW)

    def refuse_other_draw(self, chances: Floats) -> None:
        """Refuse a sample in which other queries are drawn than chance drew.

        Parameters
        ----------
        chances
            (N,) the random number of each query by the seed: of a stratum, those with the lowest are drawn.

        Raises
        ------
        DataError
            With the queries that should be drawn, and those that should not.
        """
        names = np.array(self.stratum, object)
        for name in dict.fromkeys(self.stratum):
            inside = np.flatnonzero((names == name) & ~self.unchanged)
            drawn = self.sampled[inside]
            first = np.zeros(len(inside), np.bool_)
            first[np.argsort(chances[inside], kind="stable")[: int(drawn.sum())]] = True
            if (drawn != first).any():
                lost, added = ([self.queries[q] for q in inside[at]] for at in (first & ~drawn, drawn & ~first))
                raise DataError(
                    f"{self.name}: of the stratum {name!r}, the seed {self.seed} draws {some(lost)} and not "
                    f"{some(added)}. Either others were marked as sampled than chance drew, so nothing follows from "
                    f"them for the rest, or ids were rewritten, as 007 to 7. {_AS_WRITTEN}"
                )

    def refuse_other_lists(self, same: Mask, baseline: str, system: str) -> None:
        """Refuse to compare two systems whose results differ where those that the sample was drawn for did not.

        Parameters
        ----------
        same
            (N,) for which queries both return the same, as deep as the measure reads.

        Raises
        ------
        DataError
            With what the sample was drawn for, and the queries nobody could draw.
        """
        lost = np.flatnonzero(self.unchanged & ~same)
        if not len(lost):
            return
        was = f", drawn for {self.drawn_for}," if self.drawn_for else ""
        again = either(f"changed=[{baseline!r}, {system!r}]", f"--changed {baseline} {system}")
        raise DataError(
            f"{self.name}: this sample{was} leaves out queries as unchanged, of which {plural(len(lost), 'query')} "
            f"changed from {baseline} to {system}: {some([self.queries[q] for q in lost])}. So they could not be "
            f"drawn, and nothing is known of them. Draw a sample for these two systems ({again}) with k = the cutoff "
            "of the measure."
        )


def drawn_for(baseline: str, system: str, k: int | None) -> str:
    """Return what a sample says of the systems whose unchanged queries were not drawn.

    Examples
    --------
    >>> drawn_for("bm25", "hybrid", 10)
    'bm25 vs hybrid, top 10'
    """
    return f"{baseline} vs {system}, {'whole lists' if k is None else f'top {k}'}"


def read_sample(source: Any) -> QuerySample:
    """Read a sample: the proof that people's queries were drawn at random.

    Parameters
    ----------
    source
        What `sample` of `labels` returned or wrote: a path, a table, or the value.

    Raises
    ------
    DataError
        If it does not say how each query was drawn, samples documents, or says what cannot be so.
    """
    if isinstance(source, QuerySample):
        return source
    table = read_queries(source)
    _refuse_documents(table)
    columns = {name: table.column_called(name) for name in ("sampled", "stratum", "inclusion")}
    missing = [name for name, found in columns.items() if not found]
    if missing:
        raise DataError(
            f"{table.name}: no column {' and '.join(missing)}. Whether people's queries were drawn at random decides "
            f"what may be concluded, so a sample says how each query was drawn. Draw one: {MAKE}."
        )
    sampled, stratum, inclusion = (dict(table.attributes[found]) for found in columns.values())
    queries = tuple(sampled)
    texts = {key: str(value) for key, value in table.attributes.get(table.text, {}).items() if value is not None}
    found = QuerySample(
        queries,
        np.array([_is_yes(table, query, sampled[query]) for query in queries], np.bool_),
        # A spreadsheet may have added blanks; `sample` names no two strata that differ in nothing else.
        tuple(str(stratum[query]).strip() for query in queries),
        texts,
        table.name,
        drawn_for=_drawn_for(table, queries),
        seed=_drawn_with(table, queries, SEED),
    )
    _refuse_other_rows(found, _drawn_with(table, queries, DRAWN_FROM))
    _refuse_changed(found, [inclusion[query] for query in queries])
    return found


def _drawn_for(table: Queries, queries: Sequence[str]) -> str:
    column = table.column_called(DRAWN_FOR)
    return str(table.attributes[column].get(queries[0]) or "") if column and queries else ""


def _drawn_with(table: Queries, queries: Sequence[str], name: str) -> int | None:
    """Return the one whole number that a column has in each row; None if there is no such column, as in older files."""
    column = table.column_called(name)
    if not column:
        return None
    texts = {str(table.attributes[column].get(query)).strip().removesuffix(".0") for query in queries}
    if len(texts) != 1 or not min(texts).isdecimal():
        raise DataError(
            f"{table.name}: the column {name} says {some(sorted(texts))}, and a sample has the same whole number in "
            f"each row. {_AS_WRITTEN}"
        )
    return int(texts.pop())


def _refuse_other_rows(found: QuerySample, many: int | None) -> None:
    """Refuse a sample that has not a row for each query it was drawn from."""
    if many is not None and many != len(found.queries):
        raise DataError(
            f"{found.name}: {plural(len(found.queries), 'query')}, but it was drawn from {many:,}. Each of these has a "
            f"row, drawn or not, changed or not, since all count in the mean. {_AS_WRITTEN}"
        )


_AS_WRITTEN = f"Give the file as it was written, or draw anew: {MAKE}."


def _refuse_documents(table: Queries) -> None:
    docs = [name for name in table.attributes if fold(name) in ALIASES["doc"][0] | ALIASES["doc"][1]]
    if docs:
        raise DataError(
            f"{table.name}: it has documents ({docs[0]}), so pairs were sampled. From some of a query's documents "
            "nDCG, RR and AP cannot be estimated without bias, whatever the judge says of the others. Sample whole "
            f"queries: {MAKE}."
        )


def _is_yes(table: Queries, query: str, value: Any) -> bool:
    word = str(value).strip().lower()
    if word not in ("yes", "no", "true", "false", "1", "0"):
        where = table.place(query) if table.place else table.name
        raise DataError(f"{where}: sampled {str(value)!r}. Say yes or no.")
    return word in ("yes", "true", "1")


def _share(value: Any) -> float:
    """Read a share as a spreadsheet may have written it: with a decimal comma, or as a percentage; NaN if it is none.

    Examples
    --------
    >>> _share(0.5), _share("0,125"), _share("12,5 %"), _share("half")
    (0.5, 0.125, 0.125, nan)
    """
    text = str(value).strip().replace(",", ".")
    try:
        return float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return np.nan


def _refuse_changed(found: QuerySample, recorded: Sequence[Any]) -> None:
    """Refuse a sample whose chances are not those of the queries in it: rows were added, left out or changed."""
    chance = found.inclusion
    wrong = []
    for place, value in enumerate(recorded):
        number = _share(value)
        if not abs(number - chance[place]) <= 1e-6:
            wrong.append(place)
    if wrong:
        first = wrong[0]
        raise DataError(
            f"{found.name}: {plural(len(wrong), 'query')} with an inclusion that is not the share sampled of the "
            f"stratum: {some([found.queries[place] for place in wrong])} has {recorded[first]}, and of stratum "
            f"{found.stratum[first]!r} {chance[first]:.6g} was sampled. Rows were changed since it was drawn: draw "
            "anew, or give the file as it was written."
        )
