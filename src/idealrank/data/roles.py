"""The role of each column: names people use for query, document, grade, rank, score and system."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Collection, Mapping, Sequence

from idealrank.errors import NoColumnError, either, nearest, option, some

Tiers = tuple[frozenset[str], ...]

ChosenColumns = Mapping[str, str | tuple[str, ...] | None]
"""The column of each role as the user named it; the grade may have several, one per rater."""


def _tiers(*tiers: str) -> Tiers:
    return tuple(frozenset(tier.split()) for tier in tiers)


ALIASES: dict[str, Tiers] = {
    # Two columns of one tier are ambiguous; an earlier tier takes precedence.
    "query": _tiers("queryid qid querykey", "topicid topic querynumber querynum", "questionid", "taskid"),
    "text": _tiers(
        "query",
        "querytext userquery searchtext",
        "searchterm searchquery question queries",
        "userinput",
        "input inputs",
        "q",
    ),
    "user": _tiers("userid", "user", "sessionid"),
    "doc": _tiers(
        "docid docno dockey documentid documentkey documentno pid productid corpusid itemid objectid passageid",
        "doc docs document documents product item",
        "id sku asin url",
        "chunkid nodeid productuid movieid recipeid",
        "expecteddocid expecteddocumentid expectedid expectedchunkid relevantdocid relevantdocumentid relevantid "
        "relevantchunkid golddocid golddocumentid goldid goldchunkid groundtruthid groundtruthdocid",
        "passage",
        "filename",
        "source",
        "refdocid",
    ),
    "grade": _tiers(
        "grade relevance rel rating label judgment judgement relevancelabel",
        "gain",
        "escilabel medianrelevance finalrating",
        "ytrue target labels truth",
        "score",
    ),
    "rank": _tiers("rank position docposition ordinal pos", "order orders"),
    "score": _tiers(
        "score",
        "relevancescore searchscore sim similarity",
        "prediction predictedrating predictions pred preds ypred",
        "yscore yhat proba prob probability logit logits modelscore",
    ),
    "system": _tiers("system systemname engine run runid tag", "retriever retrievername", "model modelname ranker"),
    "status": _tiers("status", "searchstatus", "querystatus", "statuscode", "httpstatus", "httpstatuscode", "httpcode"),
    "error": _tiers("error", "errormessage", "errormsg", "exception", "failure", "failurereason"),
    "rater": _tiers("rater raterid ratername rateremail judge annotator assessor useremail"),
    "subtopic": _tiers("subtopic subtopicid subtopicno subtopicnumber", "intent intentid aspect aspectid"),
    "step": _tiers(
        "step stepno stepnumber searchstep searchno searchnumber", "hop hopno hopnumber", "callno callnumber searchcall"
    ),
    "weight": _tiers("frequency weight traffic", "count volume searches"),
    "begin": _tiers(
        "begin start beginindex startindex beginoffset startoffset beginchar startchar charstart startcharidx "
        "beginposition startposition spanstart chunkstart",
        "from",
        "begintoken starttoken tokenstart starttokenidx starttokenindex",
    ),
    "end": _tiers(
        "end stop endindex endoffset endchar charend endcharidx endposition spanend chunkend",
        "to",
        "endtoken tokenend endtokenidx endtokenindex",
    ),
    "offsets": _tiers("offsets offsettype offsetunit offsetsin"),
}
"""Accepted names for each role, folded by `fold`, in tiers."""

_NO_RATING = "average avg by comment comments count date id mean note notes reason scale source text time timestamp"
_RATINGS = rf"(rating|rater)[\s_\-.]*\d+|(rating|rater)[\s_\-.]+(?!({_NO_RATING.replace(' ', '|')})$)\S.*"
_NUMBERED = r"\w+?[\s_\-.]\d+[\s_\-.]rating"
_SHOWN = 20


KNOWN = frozenset(name for tiers in ALIASES.values() for tier in tiers for name in tier)
"""Names of columns that say what is in them, folded."""


def fold(name: str) -> str:
    """Fold a column name for matching: no case, no ``_``, ``-``, ``.`` or blanks, no ``#`` before a header.

    RecBole writes a type behind each name, which is left out.

    Examples
    --------
    >>> fold("Doc-ID"), fold("QUERY_KEY"), fold("# query id"), fold("item_id:token")
    ('docid', 'querykey', 'queryid', 'itemid')
    """
    return re.sub(r"^\s*#|[\s_\-.]|:(token|float)(_seq)?$", "", name).lower()


class Roles:
    """The columns of one table by role; errors name what was found.

    Parameters
    ----------
    source
        The table's name in messages.
    names
        Names of its columns.
    chosen
        ``{role: column name}`` as the user chose; the grade may be several columns, one per rater.
    taken
        Columns that have a role elsewhere, and here only if chosen.
    hint
        What else to give, if neither queries nor documents are found.
    reader
        The function that takes the names of the columns; empty: that which was called.
    """

    def __init__(
        self,
        source: str,
        names: Sequence[str],
        chosen: ChosenColumns,
        taken: Collection[int] = (),
        hint: str = "",
        reader: str = "",
    ) -> None:
        self.source = source
        self.hint = hint
        self.reader = reader
        self.names = list(names)
        self.chosen = {role: self._place(role, name) for role, name in chosen.items() if isinstance(name, str)}
        several = {role: names for role, names in chosen.items() if isinstance(names, tuple)}
        self.several = [self._place(role, name) for role, names in several.items() for name in names]
        self.taken = frozenset(taken)

    def find(self, role: str, tiers: slice = slice(None), but: int | None = None) -> int | None:
        """Return the index of a role's column, or None.

        Parameters
        ----------
        tiers
            Only these tiers of names.
        but
            Not this column.

        Raises
        ------
        NoColumnError
            If two columns could have the role.
        """
        if role in self.chosen and self.chosen[role] != but:
            return self.chosen[role]
        taken = {*self.taken, *self.chosen.values(), *self.several, but}
        for tier in ALIASES[role][tiers]:
            places = sorted(i for name in tier for i in self._folded.get(name, ()) if i not in taken)
            if len(places) > 1:
                way = f"Say which: {self.way(role)}{_SEVERAL if role == 'grade' else ''}"
                way = "Rename one" if role in _NEVER_CHOSEN else way
                raise NoColumnError(
                    f"{self.source}: {some(self.names[i] for i in places)} could each be the {role}. {way}."
                )
            if places and not (role == "doc" and self._is_query_id(places[0])):
                return places[0]
        return None

    @functools.cached_property
    def _folded(self) -> dict[str, list[int]]:
        """The places of each folded name: looked up once, since a table of JSON may have a column for every row."""
        places: dict[str, list[int]] = {}
        for place, name in enumerate(self.names):
            places.setdefault(fold(name), []).append(place)
        return places

    @property
    def key(self) -> int | None:
        """The column that tells queries apart: ids, else texts, else users; None if there is none."""
        found = (self.find(role) for role in ("query", "text", "user"))
        return next((place for place in found if place is not None), None)

    def _is_query_id(self, place: int) -> bool:
        """Whether a column called id is the query's: beside a text, in a table with ids of parts of documents."""
        if fold(self.names[place]) != "id" or self.find("query") is not None or self.find("text") is None:
            return False
        return any(name in PARTS for name in self._folded)

    def query_id(self) -> int | None:
        """Return the column called id that is the query's, or None."""
        return next((place for place in range(len(self.names)) if self._is_query_id(place)), None)

    def need(self, *roles: str) -> None:
        """Refuse a table without the column of a role.

        Raises
        ------
        NoColumnError
            The message names every missing role, the columns found, and what to pass.
        """
        missing = [role for role in roles if self.find(role) is None]
        if missing and missing != ["query"] and self.key is None:
            missing.insert(0, "query")
        if missing:
            raise self.missing(*missing)

    def missing(self, *roles: str, way: str = "") -> NoColumnError:
        """Build the error for roles without a column."""
        which = ", ".join(roles[:-1]) + " or " + roles[-1] if len(roles) > 1 else roles[0]
        if self.hint and {"query", "doc"} <= set(roles):
            way = f"{way}; or give {self.hint}"
        elif any(re.fullmatch(r"[-+\d.]+", name) for name in self.names):
            return NoColumnError(
                f"{self.source}: no {which} column. {self.columns}. The first line must name the columns."
            )
        way = f"Name {'it' if len(roles) == 1 else 'them'}: {self.way(*roles)}{way}"
        way += f"{_SEVERAL}; if every row is relevant, add a column grade of 1" if roles == ("grade",) else ""
        return NoColumnError(f"{self.source}: no {which} column. {self.columns}. {way}.")

    def the(self, role: str) -> int:
        """Return the column of a role that a table must have."""
        self.need(role)
        place = self.find(role)
        assert place is not None
        return place

    @property
    def columns(self) -> str:
        """The columns there are, in words."""
        shown = [name.replace("\n", " ")[:40] or "(unnamed)" for name in self.names[:_SHOWN]]
        more = len(self.names) - len(shown)
        return f"Found: {', '.join(shown) or 'no columns'}" + (f" and {more} more" if more else "")

    def ratings(self) -> list[int]:
        """Return the columns with one rater's grades each: those chosen, else rating_1, rater_ana …."""
        if self.several:
            return self.several
        raters = ALIASES["rater"][0]
        return [
            i
            for i, name in enumerate(self.names)
            if "rat" in name.lower() and re.fullmatch(_RATINGS, name.strip().lower()) and fold(name) not in raters
        ]

    def numbered_ratings(self) -> list[int]:
        """Return the columns with one rater's grades each, called like agent_1_rating."""
        return [i for i, name in enumerate(self.names) if re.fullmatch(_NUMBERED, name.strip().lower())]

    def of_spans(self) -> str:
        """Say how to score spans of text, if columns that are not read yet are called like their offsets; else ""."""
        begins = [fold(name) in ALIASES["begin"][0] for i, name in enumerate(self.names) if i not in self.taken]
        return f" If rows are spans of text: {option('unit', 'spans')}." if any(begins) else ""

    def without(self, *roles: str) -> Roles:
        """Return the roles of a table in which the columns of some have been read."""
        read = copy.copy(self)
        read.taken = self.taken | {place for role in roles if (place := self.find(role)) is not None}
        return read

    def way(self, *roles: str) -> str:
        """Say how to name the columns of some roles."""
        if roles == ("weight",):  # a column of its own table, whose columns cannot be named
            return either("weights=…, a column of queries=…", "--weights COLUMN with --queries-table FILE")
        if not self.reader:
            return ", ".join(option(role, flag=f"{role}-col") for role in roles)
        named = ", ".join(f"{role}='…'" for role in roles)
        return either(f"ir.{self.reader}(table, {named})", ", ".join(f"--{role}-col NAME" for role in roles))

    def _place(self, role: str, name: str) -> int:
        if name in self.names:
            return self.names.index(name)
        alike = [i for i, other in enumerate(self.names) if fold(other) == fold(name)]
        if len(alike) == 1:
            return alike[0]
        raise NoColumnError(
            f"{self.source}: no column called {name!r} for the {role}.{nearest(name, self.names)} {self.columns}."
        )


def has(names: Sequence[str], column: str | None) -> bool:
    """Whether a table has a column of this name, ignoring case and separators.

    Examples
    --------
    >>> has(["Query Text"], "query_text"), has(["q"], None)
    (True, False)
    """
    return column is not None and fold(column) in map(fold, names)


_SEVERAL = "; for several raters: " + either("grade=['A', 'B']", "--grade-col A --grade-col B")


PARTS = ALIASES["doc"][3]
"""Names of columns with ids of parts of documents."""


_NEVER_CHOSEN = ("status", "error", "user", "offsets")
"""Roles without an option that names their column."""
