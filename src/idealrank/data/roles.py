"""The role of each column: names people use for query, document, grade, rank, score and system."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from idealrank.errors import NoColumnError, either, listed, nearest, option, quoted_option, some

Tiers = tuple[frozenset[str], ...]

ChosenColumns = Mapping[str, str | tuple[str, ...] | None]
"""The column of each role as the user named it; the grade may have several, one per rater."""


def _tiers(*tiers: str) -> Tiers:
    return tuple(frozenset(tier.split()) for tier in tiers)


ALIASES: dict[str, Tiers] = {
    # Two columns of one tier are ambiguous; an earlier tier takes precedence.
    "query": _tiers("queryid qid querykey", "topicid querynumber querynum", "topic", "questionid", "taskid"),
    "text": _tiers(
        "query",
        "querytext userquery searchtext",
        "searchterm searchquery question queries",
        "userinput",
        "input inputs",
        "q",
    ),
    "user": _tiers("userid", "user", "sessionid", "customerid"),
    "doc": _tiers(
        "docid docno dockey documentid documentkey documentno pid productid corpusid itemid objectid passageid",
        "doc docs document documents product item",
        "id sku asin url",
        "chunkid nodeid productuid movieid recipeid articleid",
        "expecteddocid expecteddocumentid expectedid expectedchunkid relevantdocid relevantdocumentid relevantid "
        "relevantchunkid golddocid golddocumentid goldid goldchunkid groundtruthid groundtruthdocid",
        "passage",
        "filename",
        "source",
        "refdocid",
        "uuid",
    ),
    "grade": _tiers(
        "grade relevance rel rating label judgment judgement relevancelabel",
        "gain relevancejudgment relevancejudgement relevancegrade relevancelevel gradedrelevance hasanswer",
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

CHOSEN_FOR = "chosen for"
"""The column of the two systems whose comparison a label was chosen for, which `label_next` writes."""

ANSWER = (
    r"(expected|reference|gold|golden|ideal|correct|generated|model|predicted|true|short|long|final)?"
    r"(answers?|responses?)(text)?|groundtruths?"
)
"""Names of columns, folded, that contain an answer to the query in words."""

_MADE_OF_RATINGS, _ABOUT_RATINGS, _VERSIONS, _FINAL = _tiers(
    "agreement average avg confidence count kappa majority max maximum mean median min minimum mode ms n norm "
    "normalised normalized number scaled sd std stddev sum total var variance "
    # German, French, Spanish, Portuguese, Italian and Dutch
    "abweichung anzahl durchschnitt durchschnittlich gesamt gesamtwert mehrheit mittel mittelwert schnitt "
    "standardabweichung summe "
    "ecart écart effectif mediane médiane moyen moyenne nb nombre somme "
    "cantidad conteo cuenta desviacion desviación media mediana numero número promedio recuento suma "
    "contagem desvio média quantidade soma "
    "conteggio deviazione somma totale "
    "aantal afwijking gemiddeld gemiddelde mediaan som totaal",
    "by comment comments date duration id note notes raw reason scale source text time timestamp ts type version "
    "weight anmerkung bemerkung commentaire comentario datum fecha kommentar opmerking remarque",
    "after before corrected current description explanation first initial justification last latest level new old "
    "orig original previous rationale reasoning relevance schema second set updated",
    "adjudicated adjudication agreed combined consensus final gold official overall resolved",
)
"""What is beside the word rating, rater or grade in the name of a column, where that is not a rater: what was computed
of the ratings, what the column is about, versions of one grade, and the grade that all raters' became."""

_NO_RATER = _MADE_OF_RATINGS | _ABOUT_RATINGS
_NO_GRADER = _NO_RATER | _VERSIONS

_RATED = (
    r"(?i)(?P<word>rating|rater|grade)[\s_\-.]+(?P<name>[^\s_\-.].*)",  # rating_Ana, Grade Bo
    r"(?i)(?P<word>rating|rater)(?P<name>\d+)",  # rating2
    r"(?i)(?P<name>.*[^\s_\-.])[\s_\-.]+(?P<word>grade)",  # Ana_grade
)
_SHOWN = 20


KNOWN = frozenset(name for tiers in ALIASES.values() for tier in tiers for name in tier)
"""Names of columns that say what is in them, folded."""

_ROLES_BY_ALIAS = {
    name: tuple(role for role, tiers in ALIASES.items() if any(name in tier for tier in tiers)) for name in KNOWN
}


@functools.lru_cache(maxsize=1 << 16)  # a table of JSON may have a column for each row, asked about again and again
def fold(name: str) -> str:
    """Fold a column name for matching: no case, no ``_``, ``-``, ``.`` or blanks, no ``#`` before a header.

    RecBole writes a type behind each name, which is left out.

    Examples
    --------
    >>> fold("Doc-ID"), fold("QUERY_KEY"), fold("# query id"), fold("item_id:token")
    ('docid', 'querykey', 'queryid', 'itemid')
    """
    return re.sub(r"^\s*#|[\s_\-.]|:(token|float)(_seq)?$", "", name).lower()


def first_named(names: Sequence[str], wanted: Iterable[str], but: int | None = None) -> int | None:
    """Return the place of the column with the first of these folded names that a table has, or None.

    Examples
    --------
    >>> first_named(["Body", "Page Title", "title"], ("title", "pagetitle")), first_named(["q"], ("title",))
    (2, None)
    """
    # Reversed, so that of two columns of one name the first is found.
    places = {fold(name): place for place, name in reversed(list(enumerate(names))) if place != but}
    return next((places[name] for name in wanted if name in places), None)


NOUNS = (
    "ids?|docs?|documents?|(chunk|passage|node|item|product|page|section|article|paper|book|title|source|reference"
    "|image|movie|film|recipe|ticket|entry|record|context|candidate|citation|listing|offer|video|song|case|law|faq)s?"
    "|entries|files?|filenames?|paths?|urls?|uris?|links?|skus?|asins?|results?|hits?"
)
"""What documents are called; the names of texts, keywords, topics or numbers are not among them."""

_ARE_RELEVANT = (
    "relevant", "gold", "golden", "expect", "expected", "reference", "positive", "groundtruth", "gt", "target",
    "supporting", "correct", "ideal",
)  # fmt: skip
_SAYS_RELEVANT = (
    rf"({'|'.join(_ARE_RELEVANT)}"
    rf"|must(have|retrieve|find|return|include|cite)?|pos(?=chunk|doc|passage|ctx|item))\w*?({NOUNS})"
    r"|answers?(doc|document|chunk|passage|page|section)?ids?"
)
"""Names, folded, that begin with what documents are and end with what they are called."""


def is_word(name: str) -> bool:
    """Whether a name is of letters only, as those of columns and lists are; a question or an address may be a key, too.

    Examples
    --------
    >>> is_word("expected_urls"), is_word("correct way to list links"), is_word("doc-17")
    (True, False, False)
    """
    return re.fullmatch(r"[^\W\d]+(-[^\W\d]+){,3}", name) is not None


def says_relevant(name: str) -> bool:
    """Whether the name of a column or a list says, in its words, that documents are relevant.

    Examples
    --------
    >>> says_relevant("expectedUrls"), says_relevant("gold_file"), says_relevant("expected_keywords")
    (True, True, False)
    """
    folded = fold(name)
    if not folded.startswith((*_ARE_RELEVANT, "must", "pos", "answer")):
        return False  # most names
    return is_word(name) and re.fullmatch(_SAYS_RELEVANT, folded) is not None


_TABLES = {"read_judgments": "judgments", "read_results": "results"}
"""The table that a function reads."""


class Unread(Protocol):
    """What a table contains beside its columns."""

    @property
    def file(self) -> str:
        """The file that it was read from; "" for a table in memory."""

    @property
    def lists(self) -> tuple[str, ...]:
        """The lists that were not read."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What contains texts, not ids, as what stands beside it says."""

    @property
    def doubtful(self) -> str:
        """The list that the rows are in, where its name does not say what its documents are; "" otherwise."""

    @property
    def answers(self) -> str:
        """The one query whose answer it is, by its own word or after its file; "" otherwise."""

    @property
    def renamed(self) -> Mapping[str, str]:
        """The new names of columns that were called otherwise in a document."""

    def names_below(self) -> str:
        """Where the names of the columns are, if a title stands above them; "" if they are where they belong."""

    def guess_columns(self, roles: Collection[str], free: Iterable[int]) -> Mapping[str, str]:
        """Which of the free columns each of some roles may be, by their cells; empty if that cannot be told.

        The rank is found or not.
        """


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
    unread
        What beside the columns was not read.
    """

    def __init__(
        self,
        source: str,
        names: Sequence[str],
        chosen: ChosenColumns,
        taken: Collection[int] = (),
        hint: str = "",
        reader: str = "",
        unread: Unread | None = None,
    ) -> None:
        self.source = source
        self.hint = hint
        self.reader = reader
        self.unread = unread
        self.names = list(names)
        self.chosen = {role: self._find_chosen(role, name) for role, name in chosen.items() if isinstance(name, str)}
        several = {role: names for role, names in chosen.items() if isinstance(names, tuple)}
        self.several = [self._find_chosen(role, name) for role, names in several.items() for name in names]
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
        if role not in self._named_roles and role != "doc":
            return None
        taken = {*self.taken, *self.chosen.values(), *self.several, but}
        for tier in ALIASES[role][tiers]:
            # The names that there are, looked up in the tier: a table has few columns, and a tier many names.
            called = self._places_by_folded_name.keys() & tier
            places = sorted(i for name in called for i in self._places_by_folded_name[name] if i not in taken)
            if len(places) > 1:
                ways = [self.suggest_naming_as(role, self.names[i]) for i in places[:_OFFERED]]
                way = f"Say which: {' or '.join(ways)}{_SEVERAL if role == 'grade' else ''}"
                way = "Rename one" if role in _NEVER_CHOSEN else way
                raise NoColumnError(
                    f"{self.source}: {some(self.names[i] for i in places)} could each be the {role}. {way}."
                )
            if places and not (role == "doc" and self._is_query_id(places[0])):
                return places[0]
        return self._find_relevant(taken) if role == "doc" and tiers == slice(None) else None

    def _find_relevant(self, taken: Collection[int | None]) -> int | None:
        """Return the one column whose name says in words that its documents are relevant, as expected_file does."""
        places = [i for i, name in enumerate(self.names) if i not in taken and _is_one_relevant(name)]
        places = [i for i in places if not (self.unread and self.names[i] in self.unread.lists)]
        if len(places) > 1:
            raise NoColumnError(
                f"{self.source}: {some(self.names[i] for i in places)} could each be the doc. Say which: "
                f"{' or '.join(self.suggest_naming_as('doc', self.names[i]) for i in places[:_OFFERED])}."
            )
        return next(iter(places), None)

    @functools.cached_property
    def _places_by_folded_name(self) -> dict[str, list[int]]:
        """The places of each folded name: looked up once, since a table of JSON may have a column for every row."""
        places: dict[str, list[int]] = {}
        for place, name in enumerate(self.names):
            places.setdefault(fold(name), []).append(place)
        return places

    @functools.cached_property
    def _named_roles(self) -> frozenset[str]:
        """The roles that the name of any column is an alias of: most tables have columns of three or four."""
        return frozenset(role for name in self._places_by_folded_name for role in _ROLES_BY_ALIAS.get(name, ()))

    @property
    def key(self) -> int | None:
        """The column that tells queries apart: ids, else texts, else users; None if there is none."""
        found = (self.find(role) for role in ("query", "text", "user"))
        return next((place for place in found if place is not None), None)

    def _is_query_id(self, place: int) -> bool:
        """Whether a column called id is the query's.

        It is beside a text, in a table with ids of parts of documents, with documents that are called relevant, with
        an answer to the text, or with a list that was not read, unless the row says how good its document is.
        """
        if (
            place not in self._places_by_folded_name.get("id", ())
            or self.find("query") is not None
            or self.find("text") is None
        ):
            return False
        if any(name in PART_IDS for name in self._places_by_folded_name):
            return True
        if any(says_relevant(name) or re.fullmatch(ANSWER, fold(name)) for name in self.names):
            return True
        numbers = (self.find(role) for role in ("grade", "rank", "score"))
        return bool(self.unread and self.unread.lists) and all(place is None for place in numbers)

    def find_query_id(self) -> int | None:
        """Return the column called id that is the query's, or None."""
        return next(filter(self._is_query_id, self._places_by_folded_name.get("id", ())), None)

    def require(self, *roles: str) -> None:
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
            raise self.missing_columns(*missing)

    def missing_columns(self, *roles: str, way: str = "") -> NoColumnError:
        """Build the error for roles without a column."""
        which = ", ".join(roles[:-1]) + " or " + roles[-1] if len(roles) > 1 else roles[0]
        if self.unread is not None and (below := self.unread.names_below()):
            return NoColumnError(
                f"{self.source}: no {which} column. {self.columns}. This looks like a title, and the names of the "
                f"columns seem to be in {below}. Delete what is above it: the first line must name the columns."
            )
        if self.hint and {"query", "doc"} <= set(roles):
            way = f"{way}; or give {self.hint}"
        elif any(re.fullmatch(r"[-+\d.]+", name) for name in self.names):
            return NoColumnError(
                f"{self.source}: no {which} column. {self.columns}. The first line looks like a row: add one above it "
                "that names the columns, such as query, doc and grade."
            )
        if "doc" in roles and self.unread is not None and (advice := self._without_documents(self.unread)):
            return NoColumnError(f"{self.source}: {advice}")
        if roles == ("query",) and self.unread is not None and self.unread.answers:
            return NoColumnError(
                f"{self.source}: no query column. {self.columns}. If it is the answer to one query, give a folder with "
                'such a file for each, called as the query is, or write {"QUERY": ANSWER}. Else name the column: '
                f"{self.suggest_naming(*roles)}."
            )
        way = f"Name {'it' if len(roles) == 1 else 'them'}: {self.suggest_naming(*roles)}{way}"
        if roles == ("grade",) and self.unread is not None and self.unread.doubtful:
            name = self.unread.doubtful
            way += f"; or, if all documents in the list {name} are relevant: {self.suggest_naming_as('doc', name)}"
            return NoColumnError(
                f"{self.source}: no grade column, and the name of the list {name} does not say that its documents are "
                f"relevant. {self.columns}. {way}."
            )
        offered = self._guess_columns(roles)
        way += self._offer_columns(offered) if offered else ""
        way += f"{_SEVERAL}; if every row is relevant, add a column grade of 1" if roles == ("grade",) else ""
        error = NoColumnError(f"{self.source}: no {which} column. {self.columns}. {way}.")
        error.offered, error.table = offered, _TABLES.get(self.reader, "")
        return error

    def _guess_columns(self, roles: Sequence[str]) -> Mapping[str, str]:
        """Guess the columns of some roles, and of the ranks of results that have none; empty if that cannot be told."""
        if self.unread is None:
            return {}
        taken = {*self.taken, *self.chosen.values(), *self.several}
        others = [self.key, *(self.find(role) for role in _ROW if role not in roles)]
        taken |= {place for place in others if place is not None}
        unranked = _TABLES.get(self.reader) == "results" and self.find("rank") is None and self.find("score") is None
        wanted = [*roles, "rank"] if unranked else roles
        return self.unread.guess_columns(wanted, [i for i in range(len(self.names)) if i not in taken])

    def _offer_columns(self, found: Mapping[str, str]) -> str:
        """Offer the columns that have the cells of some roles, as they are passed."""
        named = ", ".join(f"{role}={name!r}" for role, name in found.items())
        side = f"{_TABLES[self.reader]}:" if self.reader in _TABLES else ""
        typed = " ".join(quoted_option(f"{role}-col", side + name) for role, name in found.items())
        table = repr(self.unread.file) if self.unread is not None and self.unread.file else "table"
        way = either(f"ir.{self.reader}({table}, {named})" if self.reader else named, typed)
        return f". By the cells: {way}. Check whether that is right"

    def _without_documents(self, unread: Unread) -> str:
        """Say which list may name the documents, or that texts do not; "" if there is nothing to say."""
        query_id = self.find_query_id()
        has_query = self.key is not None or query_id is not None
        if unread.texts:
            return (
                f"{listed(unread.texts)} beside an answer contain texts, not ids of documents, and measures compare "
                f"ids. {self.columns}. Add lists of ids, such as relevant_ids and retrieved_ids, or, if "
                f"{unread.texts[0]} contains ids, name it: {self.suggest_naming_as('doc', unread.texts[0])}."
            )
        if unread.lists:
            way = self.suggest_naming_as("doc", unread.lists[0])
            return (
                f"no doc column. {self.columns}. If such a list, or another column, contains the documents, name it: "
                f"{way}."
            )
        answers = [name for name in self.names if re.fullmatch(ANSWER, fold(name))]
        if has_query and answers:
            id_name = ""
            if query_id is not None:
                name = self.names[query_id]
                id_name = f"; if {name} is the document: {self.suggest_naming_as('doc', name)}"
            return (
                f"questions and answers ({listed(answers)}), but no documents. {self.columns}. Add a list such as "
                f"relevant_ids, or name the column of the documents: {self.suggest_naming('doc')}{id_name}."
            )
        return ""

    def suggest_naming_as(self, role: str, name: str) -> str:
        """Say how to name a certain column."""
        if not self.reader:
            return option(role, name, f"{role}-col")
        return either(f"ir.{self.reader}(table, {role}={name!r})", quoted_option(f"{role}-col", name))

    def required(self, role: str) -> int:
        """Return the column of a role that a table must have."""
        self.require(role)
        place = self.find(role)
        assert place is not None
        return place

    @property
    def columns(self) -> str:
        """The columns there are, in words."""
        shown = [name.replace("\n", " ")[:40] or "(unnamed)" for name in self.names[:_SHOWN]]
        more = len(self.names) - len(shown)
        lists = f"; lists that are not read: {listed(self.unread.lists)}" if self.unread and self.unread.lists else ""
        return f"Found: {', '.join(shown) or 'no columns'}" + (f" and {more} more" if more else "") + lists

    def ratings(self) -> list[int]:
        """Return the columns with one rater's grades each: those chosen, else rating_1, rater_ana …, or grade_ana …."""
        if self.several:
            return self.several
        folded = enumerate(map(str.lower, self.names))  # a table may have thousands of columns
        words = [place for place, name in folded if "rat" in name or "grade" in name]
        rated = [place for place in words if rater_of(self.names[place])]
        graded = [place for place in rated if _split_rating(self.names[place])[0] == "grade"]
        if len(graded) < len(rated):
            return [place for place in rated if place not in graded]
        graded = [place for place in graded if place not in self.chosen.values()]
        return graded if len(graded) > 1 else []  # one may be anything

    def made_of_ratings(self) -> list[str]:
        """Return the names of the columns called rating_mean, rating_count …, which no rater filled."""
        if self.several:
            return []
        return [name for name in self.names if _split_rating(name)[1].lower() in _MADE_OF_RATINGS]

    def refuse_final(self, ratings: Sequence[int]) -> None:
        """Refuse ratings beside what they were made into, such as rater_ana, rater_ben and rating_final.

        Raises
        ------
        NoColumnError
            If they were not chosen: the last may be the grade that counts, and not one more rater's.
        """
        final = [self.names[i] for i in ratings if _split_rating(self.names[i])[1].lower() in _FINAL]
        if self.several or not final or len(ratings) == 1:
            return
        others = [self.names[i] for i in ratings if self.names[i] != final[0]]
        way = either(f"grade={final[0]!r}", quoted_option("grade-col", final[0]))
        raise NoColumnError(
            f"{self.source}: {final[0]!r} may be the grade that counts, or one more rater's beside {some(others)}. "
            f"If it is the grade: {way}{_SEVERAL}."
        )

    def numbered_ratings(self) -> list[int]:
        """Return the columns with one rater's grades each, called like agent_1_rating."""
        form = r"\w+?[\s_\-.]\d+[\s_\-.]rating"
        return [i for i, name in enumerate(self.names) if re.fullmatch(form, name.strip().lower())]

    def suggest_spans(self) -> str:
        """Say how to score spans of text, if columns that are not read yet are called like their offsets; else ""."""
        begins = [fold(name) in ALIASES["begin"][0] for i, name in enumerate(self.names) if i not in self.taken]
        return f" If rows are spans of text: {option('unit', 'spans')}." if any(begins) else ""

    def without_columns_of(self, *roles: str) -> Roles:
        """Return the roles of a table in which the columns of some have been read."""
        read = copy.copy(self)
        read.taken = self.taken | {place for role in roles if (place := self.find(role)) is not None}
        return read

    def suggest_naming(self, *roles: str) -> str:
        """Say how to name the columns of some roles."""
        if roles == ("weight",):  # a column of its own table, whose columns cannot be named
            return either("weights=…, a column of queries=…", "--weights COLUMN with --queries-table FILE")
        if not self.reader:
            return ", ".join(option(role, flag=f"{role}-col") for role in roles)
        named = ", ".join(f"{role}='…'" for role in roles)
        return either(f"ir.{self.reader}(table, {named})", ", ".join(f"--{role}-col NAME" for role in roles))

    def _find_chosen(self, role: str, name: str) -> int:
        if not name:
            raise NoColumnError(
                f"{self.source}: the name given for the {role} column is empty. Give it, or leave it out. "
                f"{self.columns}."
            )
        if name in self.names:
            return self.names.index(name)
        alike = [i for i, other in enumerate(self.names) if fold(other) == fold(name)]
        if not alike and self.unread is not None and role in ("query", "text"):
            alike = [i for i, other in enumerate(self.names) if other == self.unread.renamed.get(fold(name))]
        if len(alike) == 1:
            return alike[0]
        raise NoColumnError(
            f"{self.source}: no column called {name!r} for the {role}.{nearest(name, self.names)} {self.columns}."
        )


def has_column(names: Sequence[str], column: str | None) -> bool:
    """Whether a table has a column of this name, ignoring case and separators.

    Examples
    --------
    >>> has_column(["Query Text"], "query_text"), has_column(["q"], None)
    (True, False)
    """
    return column is not None and fold(column) in [fold(name) for name in names if fold(name)]


def _split_rating(column: str) -> tuple[str, str]:
    """Split the name of a column into its word for a grade, and who or what is named beside it; empty for others.

    Examples
    --------
    >>> _split_rating("Rating_Ana"), _split_rating("rater2"), _split_rating("Bo Lee Grade"), _split_rating("grade")
    (('rating', 'Ana'), ('rater', '2'), ('grade', 'Bo Lee'), ('', ''))
    """
    found = next(filter(None, (re.fullmatch(form, column.strip()) for form in _RATED)), None)
    return (found["word"].lower(), found["name"]) if found else ("", "")


def rater_of(column: str) -> str | None:
    """Return the rater whose grades a column contains by its name; None if it is not called like one of a rater.

    Examples
    --------
    >>> rater_of("rating_Ana"), rater_of("rater 2"), rater_of("Bo_grade"), rater_of("rating_mean"), rater_of("grade_id")
    ('Ana', '2', 'Bo', None, None)
    """
    word, name = _split_rating(column)
    if not name or fold(column) in ALIASES["rater"][0]:
        return None
    if word != "grade":
        return None if name.lower() in _NO_RATER else name
    if name.lower() == "max":  # a person, or the highest of the ratings: their cells tell (`raters.rater_columns`)
        return name
    # grade_second_rater may be somebody's; original_grade, and mean_of_all_grade, are nobody's.
    first = name if column.strip().lower().startswith("grade") else re.split(r"[\s_\-.]", name)[0]
    return None if first.lower() in _NO_GRADER else name


def rater_names(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the names of raters out of those of their columns; whole where these number them, or call two alike.

    Examples
    --------
    >>> rater_names(["rating_Ana", "Rater Bo"]), rater_names(["rating_1", "rating_2"]), rater_names(["Ana", "Bo"])
    (('Ana', 'Bo'), ('rating_1', 'rating_2'), ('Ana', 'Bo'))
    >>> rater_names(["Ana_grade", "Bo_grade"])
    ('Ana', 'Bo')
    """
    found = [_split_rating(column)[1] for column in columns]
    named = all(name and not name[0].isdigit() for name in found) and len({*found}) == len(found)
    return tuple(found if named else columns)


def _is_one_relevant(name: str) -> bool:
    """Whether a name is that of one relevant document: that of several may stand for a text with several ids."""
    return says_relevant(name) and not fold(name).endswith("s")


def has_columns(names: Sequence[str], columns: str | Sequence[str]) -> bool:
    """Whether a table has a column, or each of several columns, as `has_column` says.

    Examples
    --------
    >>> has_columns(["q", "lang"], ("lang", "q")), has_columns(["q"], ("lang", "q"))
    (True, False)
    """
    return all(has_column(names, column) for column in ([columns] if isinstance(columns, str) else columns))


_SEVERAL = "; for several raters: " + either("grade=['A', 'B']", "--grade-col A --grade-col B")


PART_IDS = ALIASES["doc"][3]
"""Names of columns with ids of parts of documents."""


_ROW = ("query", "doc", "grade", "rank", "score")
"""The roles of a row of judgments or results."""

_OFFERED = 3
"""So many columns are offered by name, one of which has to be chosen."""

_NEVER_CHOSEN = ("status", "error", "user", "offsets")
"""Roles without an option that names their column."""
