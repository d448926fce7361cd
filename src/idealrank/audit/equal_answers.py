"""Which answers to a decision give the same on some data, regardless of the other answers."""

import functools
import hashlib
import itertools
from typing import Any

import numpy as np

from idealrank.decisions import DEFAULT, Decisions
from idealrank.errors import DataError, NoColumnError
from idealrank.evaluation.one_system import OneSystem
from idealrank.judged_lists.lists import reaches
from idealrank.measures.gains import gains

REFUSED = -2
"""Stands for an answer that is impossible on the data, such as ordering by a column that is missing."""

_PLAIN = ("docid_desc", "docid_asc", "given")
"""Answers to `ties` that order the documents regardless of their grades."""

LISTS = frozenset({"systems", "order_by", "rank_gaps", "ties", "score_precision"})
"""Decisions about which results there are, and their order."""


class EqualAnswers:
    """The effect of answers on the lists, the grades and the queries of some data."""

    def __init__(self, ground: OneSystem, systems: int, base: Decisions = DEFAULT) -> None:
        self._ground, self._base = ground, base
        self._pooled = ("separate", "pooled") if systems > 1 and _can_pool(ground, base) else ("separate",)
        self._orders = [order for order in ("score", "rank", "given") if self._resolved(order) is not None]

    def classes(self, name: str, answers: list[Any]) -> list[int]:
        """For each answer the place of the first one that gives the same, or `REFUSED`."""
        signs = [self._sign(name, answer) for answer in answers]
        return [REFUSED if sign is None else signs.index(sign) for sign in signs]

    def _sign(self, name: str, answer: Any) -> Any:
        if name in LISTS:
            return self._list_sign(name, answer)
        if name in ("unjudged", "negative", "no_results", "no_judgments", "failed"):
            return self._rowless(answer) if self._matters(name) else ""
        if name == "relevant_from":
            return reaches(self.grades, answer).tobytes()
        if name == "gain":
            return self._worth(answer)
        return answer

    def _rowless(self, answer: Any) -> Any:
        """Use skip for skip_missing if no row names a query without results."""
        named = answer == "skip_missing" and self._ground.met(self._base).named_but_empty
        return "skip" if answer == "skip_missing" and not named else answer

    def _worth(self, answer: Any) -> Any:
        try:
            return gains(self.grades, self._base.but(gain=answer)).tobytes()
        except DataError:
            return None

    def _matters(self, name: str) -> bool:
        """Whether a decision matters for the data."""
        ground = self._ground
        for systems in self._pooled:
            decisions = self._base.but(systems=systems)
            judged = ground.met(decisions).judged
            holes = judged.returned.sum() > judged.hit_start[-1]
            held = {
                "negative": self.grades[0] < 0,
                "unjudged": holes or self.grades[0] < 0,
                "no_results": bool(((judged.returned == 0) & ~ground.met(decisions).failed).any()),
                "failed": bool(ground.met(decisions).failed.any()),
                "no_judgments": bool(ground.met(decisions).unjudged_queries),
            }
            if held[name]:
                return True
        return False

    @functools.cached_property
    def grades(self) -> Any:
        """The grades there are, and 0, the lowest first."""
        return np.unique(np.append(self._ground.met(self._base).pool.grade, 0.0))

    @property
    def queries(self) -> int:
        """Number of judged queries."""
        return self._ground.met(self._base).size

    def _list_sign(self, name: str, answer: Any) -> Any:
        if name == "systems":
            return self._systems(answer) if self._systems(answer) in self._pooled else None
        if name == "order_by" and self._resolved(answer) is None:
            return None
        if name == "ties" and answer not in _PLAIN and self._tied:
            return answer
        fixed = {"ties": _PLAIN[0]} if name == "ties" and answer not in _PLAIN else {name: answer}
        tried = {
            "systems": self._pooled, "order_by": self._orders, "rank_gaps": ("close", "keep"), "ties": _PLAIN,
            "score_precision": ("float64", "float32"),
        }  # fmt: skip
        every = [[fixed[key]] if key in fixed else list(answers) for key, answers in tried.items()]
        return tuple(
            self.lists(self._base.but(**dict(zip(tried, one, strict=True)))) for one in itertools.product(*every)
        )

    @functools.cached_property
    def _tied(self) -> bool:
        """Whether any judged result shares its score or rank, regardless of how the list is ordered."""
        return any(
            self._hash(systems, order, "docid_desc", "float32", "close")[1]
            for systems in self._pooled
            for order in self._orders
        )

    def _systems(self, answer: str) -> str:
        return "pooled" if len(self._ground.results.systems) > 1 and self._ground.results.pools(answer) else "separate"

    def _resolved(self, order_by: str) -> str | None:
        try:
            return self._ground.results.order(order_by)
        except NoColumnError:
            return None

    def lists(self, decisions: Decisions) -> tuple[str, str]:
        """A value that is equal for equal lists under the decisions that order them.

        Raises
        ------
        NoColumnError
            If the order needs a column that is missing from the results.
        """
        order = self._ground.results.order(decisions.order_by)
        ties = decisions.ties if decisions.ties in _PLAIN else _PLAIN[0]
        precision = decisions.score_precision if order == "score" else "float64"
        gaps = decisions.rank_gaps if order == "rank" else "close"
        pooled = self._systems(decisions.systems) if len(self._pooled) > 1 else "separate"
        ties = _PLAIN[0] if order == "given" else ties
        kind = decisions.ties if decisions.ties not in _PLAIN and self._tied else ""
        return self._hash(pooled, order, ties, precision, gaps)[0], kind

    @functools.cache  # noqa: B019 - lives as long as one search
    def _hash(self, systems: str, order: str, ties: str, precision: str, gaps: str) -> tuple[str, bool]:
        under = self._base.but(systems=systems, order_by=order, ties=ties, score_precision=precision, rank_gaps=gaps)
        judged = self._ground.met(under).judged
        digest = hashlib.blake2b(judged.returned.tobytes(), digest_size=16)
        rank, _, entry, _, first, last = judged.hits(0, len(judged.returned))
        for values in (judged.hit_start, rank, entry, first, last):
            digest.update(np.ascontiguousarray(values).tobytes())
        return f"{systems} {digest.hexdigest()}", bool((first != last).any())


def _can_pool(ground: OneSystem, base: Decisions) -> bool:
    """Whether the rows of all systems can be one ranking: no two returned one document for one query."""
    return ground.is_readable(base.but(systems="pooled"))
