"""What is asked next of whom: the order that settles a comparison soonest, over what a rater has not rated yet."""

from __future__ import annotations

import functools
import hashlib
import itertools
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from idealrank.data.writing.rows import ranks_and_scores
from idealrank.errors import DataError, UsageError
from idealrank.measures import measure
from idealrank.studio.grading import BLIND, OVERLAP, SUGGEST, setting
from idealrank.studio.joined import RESOLVER, Pair
from idealrank.studio.project import RESULTS, Look, StudioProject
from idealrank.studio.store import Rating, Store

WINDOW = 12
"""Pairs of the order that are shuffled among each other."""

REFRESHED = 25
"""Ratings after which an order is made anew, while the old one is asked on."""

KEPT_ORDERS = 16

FROM_THE_TOP = 10
"""Results of each list that are graded first, under a measure without a cutoff."""

ON_SCREEN = 600.0
"""Seconds for which a pair that one rater sees is not asked of another."""

SEED = "shuffle"
"""The setting that keeps the seed of the shuffle."""

NOW, LAST, LATER = range(3)
"""When a pair is asked: in its turn; after all others, as somebody could not tell; at the end, as the rater said so."""


class RatingsByPair:
    """What everybody says of each pair, kept by reading what is new."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._state = (0, 0)
        self._by_pair: dict[Pair, Mapping[str, Rating]] = {}
        self._lock = threading.Lock()

    def now(self) -> Mapping[Pair, Mapping[str, Rating]]:
        """Return the ratings of each pair by rater."""
        with self._lock:
            state = self._store.state
            if state != self._state:
                undone = state[1] != self._state[1]
                found = {} if undone else self._by_pair
                for one in self._store.ratings(after=0 if undone else self._state[0]):
                    found[one.query, one.doc] = {**found.get((one.query, one.doc), {}), one.rater: one}
                self._by_pair, self._state = found, state
            return self._by_pair


Ranks = tuple[int | None, int | None]
"""Of a document in the baseline and in the system; None where it was not returned."""


@dataclass(frozen=True)
class AskingOrder:
    """The pairs without a label, in the order in which they are asked.

    Attributes
    ----------
    made
        The state of the store when it was made.
    ranks
        Those of each.
    """

    pairs: tuple[Pair, ...]
    made: tuple[int, int]
    ranks: Mapping[Pair, Ranks]

    @functools.cached_property
    def places(self) -> dict[Pair, int]:
        """The place of each pair."""
        return {pair: place for place, pair in enumerate(self.pairs)}


class NextPair(NamedTuple):
    """What is asked next: None where nothing is; how many are left for the rater, this one included; its ranks."""

    pair: Pair | None
    left: int
    ranks: Ranks | None = None


class Asking:
    """Says what is asked next of whom.

    The order is that of `label_next` by weight. A rater who saw it as it is could tell which system returned a
    document, as pairs of equal weight follow each other by rank and query: within windows of `WINDOW` pairs it is
    shuffled, by a seed that the project keeps. What is settled soonest hardly suffers.

    Every n-th pair, by chance and by the same seed, is asked of a second rater. All others are asked of one, and
    what one rater has on the screen is not asked of another.

    Parameters
    ----------
    project
        Whose pairs are asked.
    """

    def __init__(self, project: StudioProject) -> None:
        self.project = project
        self.ratings = RatingsByPair(project.store)
        self._orders: OrderedDict[Any, AskingOrder] = OrderedDict()
        self._on_screen: dict[str, tuple[Pair, float]] = {}
        self._renewed: set[Any] = set()
        self._lock = threading.Lock()

    def next(self, rater: str, look: Look) -> NextPair:
        """Return what is asked next of a rater, and remember that it is on the screen."""
        order = self._order(look)
        found = self._next(rater, order)
        if found.pair is None and order.made != self.project.store.state:
            found = self._next(rater, self._renew(look))
        if found.pair is not None:
            self.shown(rater, found.pair)
        return found

    def shown(self, rater: str, pair: Pair) -> None:
        """Remember what a rater has on the screen."""
        self._on_screen[rater] = pair, time.monotonic()

    def asks(self, rater: str, look: Look, pair: Pair) -> bool:
        """Whether a pair is asked of a rater who has not rated it: then nobody shows them what others say of it."""
        mine = self.ratings.now().get(pair, {}).get(rater)
        if mine is not None and mine.state != "later":
            return False
        if (on_screen := self._on_screen.get(rater)) is not None and on_screen[0] == pair:
            return True
        order = self._order(look)
        return pair in order.places and self._turns(rater, order).get(pair, (NOW, 0)) is not None

    def today(self, rater: str) -> int:
        """Return how many pairs a rater graded today, by the clock of this machine."""
        midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        since = midnight.astimezone(UTC).isoformat(timespec="milliseconds")
        mine = (given.get(rater) for given in list(self.ratings.now().values()))
        return sum(1 for one in mine if one is not None and one.grade is not None and one.at >= since)

    def _next(self, rater: str, order: AskingOrder) -> NextPair:
        turns = self._turns(rater, order)
        left = len(order.pairs) - sum(turn is None for turn in turns.values())
        if not left:
            return NextPair(None, 0)
        pair, _ = self._on_screen.get(rater, (order.pairs[0], 0.0))
        turn = turns.get(pair, (NOW, 0)) if pair in order.places else None
        if turn is None or turn[0] == LATER:  # else what is on the screen stays there
            found = [(turn, each) for each, turn in turns.items() if turn is not None]
            untouched = (each for each in order.pairs if each not in turns)
            found += [((NOW, order.places[each]), each) for each in itertools.islice(untouched, 1)]
            _, pair = min(found)
        return NextPair(pair, left, order.ranks.get(pair))

    def _turns(self, rater: str, order: AskingOrder) -> dict[Pair, tuple[int, int] | None]:
        """Return when pairs are asked of a rater, None for never; all that nobody rated or sees are asked now."""
        ratings, every, seed = self.ratings.now(), int(setting(self.project, OVERLAP) or 0), self._seed
        oldest = time.monotonic() - ON_SCREEN
        seen = {pair for name, (pair, at) in list(self._on_screen.items()) if name != rater and at > oldest}
        turns: dict[Pair, tuple[int, int] | None] = {}
        for pair in filter(order.places.__contains__, {*ratings, *seen}):
            given = ratings.get(pair, {})
            when = _when(given, rater, pair in seen, _is_shared(seed, pair, every))
            # What was put off comes back in the order in which it was.
            place = given[rater].id if when == LATER else order.places[pair]
            turns[pair] = None if when is None else (when, place)
        return turns

    @property
    def queries(self) -> frozenset[str]:
        """The queries that can be graded: those that have judgments or results."""
        return self.project.once(("known queries", self.project.tables_version), self._known)

    def refuse_unknown(self, query: str) -> None:
        """Refuse a query that cannot be graded.

        Raises
        ------
        UsageError
            If neither judgments nor results have it.
        """
        if query not in self.queries:
            raise UsageError(
                f"No query called {query!r}: neither judgments nor results have it. Choose one at /queries."
            )

    def _known(self) -> frozenset[str]:
        read = self.project.ratings_read()
        return frozenset((*self.project.queries_returned, *(read.queries if read else ())))

    # The order.

    def _key(self, look: Look) -> tuple[Any, ...]:
        project = self.project
        asked = tuple(setting(project, name) for name in (BLIND, SUGGEST, OVERLAP))
        return look.address, project.tables_version, project.convention, asked

    def _order(self, look: Look) -> AskingOrder:
        """Return the order; one that many ratings were given since is made anew meanwhile."""
        key = self._key(look)
        with self._lock:
            order = self._orders.get(key)
            old = order is not None and self.project.store.state[0] - order.made[0] >= REFRESHED
            if renews := old and key not in self._renewed:
                self._renewed.add(key)
        if renews:
            threading.Thread(target=self._renew_once, args=(look, key), daemon=True).start()
        return self._renew(look) if order is None else order

    def _renew_once(self, look: Look, key: Any) -> None:
        try:
            self._renew(look)
        except Exception:  # the old order is asked on, and the next rating tries again
            logging.getLogger("idealrank.studio").exception("the order of what to grade could not be made anew")
        finally:
            with self._lock:
                self._renewed.discard(key)

    def _renew(self, look: Look) -> AskingOrder:
        key, made = self._key(look), self.project.store.state
        try:
            ranks = self._without_label(look)
        except DataError:  # too little is graded to compare anything: both lists are graded from the top
            ranks = _from_the_top(self.project, look)
        pairs = list(ranks)
        seed = self._seed
        if setting(self.project, BLIND):
            windows = (pairs[at : at + WINDOW] for at in range(0, len(pairs), WINDOW))
            pairs = [pair for window in windows for pair in sorted(window, key=lambda one: _chance(seed, one))]
        # What one rater graded is no longer without a label; it was ahead in the order, and so is its second rating.
        order = AskingOrder((*self._waiting(ranks), *pairs), made, ranks)
        with self._lock:
            self._orders[key] = order
            self._orders.move_to_end(key)
            while len(self._orders) > KEPT_ORDERS:
                self._orders.popitem(last=False)
        return order

    def _without_label(self, look: Look) -> dict[Pair, Ranks]:
        """Return the pairs without a label by weight, with their ranks."""
        found = self.project.label_next(look, 0, str(setting(self.project, SUGGEST) or ""))
        columns = (found.rows[name] for name in ("query", "doc", "baseline rank", "rank"))
        return {(query, doc): (first, second) for query, doc, first, second in zip(*columns, strict=True)}

    def _waiting(self, known: Mapping[Pair, Any]) -> Iterator[Pair]:
        """Yield the pairs with one rating that are asked of a second rater."""
        every, seed = int(setting(self.project, OVERLAP) or 0), self._seed
        for pair, given in list(self.ratings.now().items()):
            is_half = len(_graded(given)) == 1 and not _is_resolved(given)
            if is_half and pair not in known and _is_shared(seed, pair, every):
                yield pair

    @property
    def _seed(self) -> str:
        with self._lock:
            found = self.project.store[SEED]
            if found is None:
                found = self.project.store[SEED] = secrets.token_hex(8)
        return str(found)


def _from_the_top(project: StudioProject, look: Look) -> dict[Pair, Ranks]:
    """Return the first results of both systems, the best rank first, whether they have a grade or not."""
    most = measure(look.measure).cutoff or FROM_THE_TOP
    ranks: dict[Pair, list[int | None]] = {}
    for side, name in enumerate((look.baseline, look.system)):
        for pair, rank in _first_results(project, name, most):
            ranks.setdefault(pair, [None, None])[side] = rank
    in_order = sorted(ranks, key=lambda pair: (min(rank for rank in ranks[pair] if rank), pair))
    return {pair: (ranks[pair][0], ranks[pair][1]) for pair in in_order}


def _first_results(project: StudioProject, system: str, most: int) -> Iterator[tuple[Pair, int]]:
    (source,) = (one for one in project.store.sources(RESULTS) if system in one.systems)
    several = len(source.systems) > 1
    rows = project.table(source).rows_to_write(system if several else "")
    for query, doc, rank in zip(rows.query, rows.doc, ranks_and_scores(rows, [])[0].tolist(), strict=True):
        if doc and rank <= most:
            yield (query, doc), rank


def _graded(given: Mapping[str, Rating]) -> list[Rating]:
    return [one for one in given.values() if one.grade is not None]


def _is_resolved(given: Mapping[str, Rating]) -> bool:
    return RESOLVER in given and given[RESOLVER].grade is not None


def _when(given: Mapping[str, Rating], rater: str, is_seen: bool, is_shared: bool) -> int | None:
    """Return when a pair is asked of a rater; None for never."""
    mine = given.get(rater)
    if mine is not None:
        return LATER if mine.state == "later" else None
    graded = len(_graded(given))
    if _is_resolved(given) or graded > is_shared or (is_seen and not is_shared):
        return None
    return LAST if any(one.state == "cannot tell" for one in given.values()) else NOW


def _is_shared(seed: str, pair: Pair, every: int) -> bool:
    """Whether a pair is asked of two raters."""
    return every > 0 and int(_chance(seed, pair)[:12], 16) % every == 0


def _chance(seed: str, pair: Pair) -> str:
    return hashlib.sha256("\0".join((seed, *pair)).encode("utf-8", "surrogatepass")).hexdigest()
