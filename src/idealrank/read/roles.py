"""Which column is what: names people use for query, document, grade, rank, score and system."""

from __future__ import annotations

import re
from collections.abc import Sequence

from idealrank.errors import NoColumnError, nearest, some

Tiers = tuple[frozenset[str], ...]


def _tiers(*tiers: str) -> Tiers:
    return tuple(frozenset(tier.split()) for tier in tiers)


ALIASES: dict[str, Tiers] = {
    # Two columns of one tier are ambiguous; an earlier tier wins over a later one.
    "query": _tiers("queryid qid querykey topic topicid querynumber querynum"),
    "text": _tiers("query querytext userquery searchtext searchterm question queries"),
    "doc": _tiers(
        "docid docno documentid dockey documentkey pid corpusid productid itemid objectid passageid",
        "doc document documents product item",
        "id",
    ),
    "grade": _tiers("grade relevance rel rating label judgment judgement relevancelabel", "gain", "score"),
    "rank": _tiers("rank position docposition ordinal pos", "order orders"),
    "score": _tiers("score sim similarity"),
    "system": _tiers("system systemname engine run runid tag"),
    "rater": _tiers("rater raterid judge annotator assessor useremail"),
    "weight": _tiers("frequency weight traffic", "count volume searches"),
}
"""Accepted names for each role, folded by `fold`, in tiers."""

_RATINGS = re.compile(r"rating\d+|rater\d+|rater_.+")


def fold(name: str) -> str:
    """Fold a column name for matching: no case, no ``_``, ``-`` or blanks.

    Examples
    --------
    >>> fold("Doc-ID"), fold("QUERY_KEY")
    ('docid', 'querykey')
    """
    return re.sub(r"[\s_\-.]", "", name).lower()


class Roles:
    """The columns of one table by role; asks are answered once, errors name what was found."""

    def __init__(self, source: str, names: Sequence[str], given: dict[str, str | None]) -> None:
        self.source = source
        self.names = list(names)
        self.given = given

    def find(self, role: str, without: tuple[frozenset[str], ...] = ()) -> int | None:
        """Return the index of the column that plays a role, or None.

        Raises
        ------
        NoColumnError
            If a given name is not there, or two columns could play the role.
        """
        if (name := self.given.get(role)) is not None:
            return self._named(role, name)
        taken = {self.names.index(n) for r, n in self.given.items() if n in self.names and r != role}
        for tier in ALIASES[role]:
            if tier in without:
                continue
            found = [i for i, n in enumerate(self.names) if fold(n) in tier and i not in taken]
            if len(found) > 1:
                raise NoColumnError(
                    f"{self.source}: {some(self.names[i] for i in found)} could each be the {role}. "
                    f"Say which: {role}=… (--{role}-col on the command line)."
                )
            if found:
                return found[0]
        return None

    def need(self, role: str) -> int:
        """Return the column of a role that a table must have.

        Raises
        ------
        NoColumnError
            If there is none: with the columns found and what to pass.
        """
        found = self.find(role)
        if found is None:
            raise self.missing(role)
        return found

    def missing(self, role: str) -> NoColumnError:
        """Build the error for a role no column plays."""
        return NoColumnError(
            f"{self.source}: no {role} column. Found: {', '.join(self.names) or 'no columns'}. "
            f"Name it: {role}=… (--{role}-col on the command line)."
        )

    def ratings(self) -> list[int]:
        """Return the columns that each hold one rater's grades (rating_1, rater_ana …)."""
        return [i for i, name in enumerate(self.names) if _RATINGS.fullmatch(name.strip().lower())]

    def _named(self, role: str, name: str) -> int:
        if name in self.names:
            return self.names.index(name)
        raise NoColumnError(
            f"{self.source}: no column called {name!r} for the {role}.{nearest(name, self.names)} "
            f"Found: {', '.join(self.names)}."
        )
