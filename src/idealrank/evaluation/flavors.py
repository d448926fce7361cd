"""flavors: one DCG and NDCG beside the other, over what is done with unjudged results and which ideal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from idealrank.conventions import parse_convention
from idealrank.decisions.decisions import naming, questions, refuse_unknown
from idealrank.display.blocks import SHOWN_ROWS, Block, Folded, Lines, Small, TextColumn
from idealrank.display.document import Shown
from idealrank.display.table import Table, fingerprint_columns
from idealrank.errors import UsageError, option, unknown
from idealrank.evaluation.evaluate import SystemsOptions, evaluate
from idealrank.evaluation.explanation import IDEALS
from idealrank.evaluation.ledger.ledger import Ledger
from idealrank.evaluation.mean_tables import count_text
from idealrank.evaluation.scores import Scores
from idealrank.measures import parse

_UNJUDGED = {"z": "zero", "f": "filter"}
_IDEALS = {"l": "local", "r": "returned", "g": "global", "m": "max"}


@dataclass(frozen=True, eq=False, repr=False)
class Flavors(Shown):
    """DCG-z and -f, and NDCG with each ideal, per query and on average.

    Names are those of Turnbull's "Flavors of NDCG": z and f say what becomes of unjudged results,
    l, r, g and m which ideal.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, None, 1])
    >>> f = flavors(judgments, results, k=10)
    >>> round(f["NDCG-zl@10"]["q"], 4), round(f["NDCG-fl@10"]["q"], 4)
    (0.9639, 1.0)
    """

    scores: Scores
    names: tuple[str, ...]

    def __getitem__(self, key: str | tuple[str, str]) -> dict[str, float]:
        """Return one flavour's values by query: ``flavors["NDCG-fg@10"]``, or ``flavors["NDCG-fg@10", "bm25"]``.

        Raises
        ------
        UsageError
            If there is no such flavour, or the system is not named and there are several.
        """
        name, system = key if isinstance(key, tuple) else (key, None)
        folded = {own.lower(): place for place, own in enumerate(self.names)}
        place = folded.get(name.lower(), folded.get(f"{name}{self._suffix}".lower()))
        if place is None:
            raise unknown("flavour", name, self.names)
        values = self.scores.of(self.scores.measures[place], system)
        return dict(zip(self.scores.queries, values.tolist(), strict=True))

    @property
    def _suffix(self) -> str:
        return "@" + self.names[0].partition("@")[2] if "@" in self.names[0] else ""

    @property
    def table(self) -> Table:
        """One row per query (and system), one column per flavour."""
        plain = self.scores.per_query
        columns: dict[str, Any] = {name: plain[name] for name in ("query", "text", "system") if name in plain.columns}
        renamed = zip(self.names, self.scores.measures, strict=True)
        columns |= {name: plain.array(measure.name) for name, measure in renamed}
        return Table(columns, "flavors", fingerprint_columns(self.fingerprints))

    @property
    def means(self) -> Table:
        """One row per flavour: its mean for each system, and what it means."""
        columns: dict[str, Any] = {"flavor": list(self.names)}
        for system in self.scores.systems:
            label = "mean" if len(self.scores.systems) == 1 else system
            columns[label] = np.array([self.scores.mean(m, system) for m in self.scores.measures])
        columns["meaning"] = list(self.meanings.values())
        return Table(columns, "flavors", {"fingerprint": list(self.fingerprints.values())})

    @property
    def fingerprints(self) -> dict[str, str]:
        """The fingerprint of each flavour's measure."""
        return {name: m.fingerprint for name, m in zip(self.names, self.scores.measures, strict=True)}

    @property
    def ledger(self) -> Ledger:
        """What became of every query; `unjudged`, which the flavours answer both ways, moves nothing here."""
        ledger, labels = self.scores.ledger, self.scores.labels
        # Accounts have the label of a measure, moves its name: they differ where two measures have one name.
        flavor_of = dict(zip(labels, self.names, strict=True)) | {
            m.name: name for m, name in zip(self.scores.measures, self.names, strict=True)
        }
        moves = [
            move._replace(means=tuple((flavor_of[name], mean, other) for name, mean, other in move.means))
            for move in ledger.moves
            if move.decision != "unjudged"
        ]
        return replace(
            ledger,
            measures=tuple(account._replace(measure=flavor_of[account.measure]) for account in ledger.measures),
            moves=tuple(moves),
            words={flavor_of[label]: words for label, words in ledger.words.items()},
            fingerprints=self.fingerprints,
        )

    def to_json(self, per_query: bool = False) -> str:
        """Return the means with their meanings (or the values per query), the decisions and the ledger as JSON."""
        table = self.table if per_query else self.means
        whole = {
            "convention": self.scores.setting.text,
            "decisions": self.fingerprints,
            "flavors": table.rows(),
            "ledger": self.ledger.to_dict(),
        }
        return json.dumps(whole, ensure_ascii=False, indent=2)

    @property
    def in_brief(self) -> Table:
        """The means without the meanings: `letters` says them once."""
        means = self.means
        return Table({name: means.array(name) for name in means.columns if name != "meaning"}, "flavors")

    @property
    def letters(self) -> dict[str, str]:
        """What each letter of a flavour's name means, in words."""
        unjudged = {letter: _describe_unjudged(letter) for letter in _UNJUDGED}
        return unjudged | {letter: f"the ideal is {IDEALS[ideal]}" for letter, ideal in _IDEALS.items()}

    @property
    def meanings(self) -> dict[str, str]:
        """What each flavour means, in words."""
        return {name: _describe_flavor(name) for name in self.names}

    def shown(self) -> list[Block]:
        """Return the means with what their letters mean, the decisions and the ledger, then the values per query."""
        meanings = TextColumn("meaning", list(self.meanings.values()), numeric=False)
        means = self.in_brief.grid()._replace(on_page=[meanings], stated=self.means.stated)
        scores = self.scores
        foot = f"means under {scores.setting.text}; {count_text(scores, range(len(scores.labels)))}"
        return [means, Small(foot), Folded(self.account()), self.table.grid(SHOWN_ROWS)]

    def account(self) -> list[Block]:
        """Return the notes below the means: what the letters mean, the decisions and the ledger."""
        letters = [(f"  {letter}", meaning) for letter, meaning in self.letters.items()]
        return [Lines(letters, "letters", 5), *self.scores.answers.shown(), *self.ledger.account()]


@naming(SystemsOptions)
def flavors(judgments: Any, results: Any = None, *, k: int | None = None, **options: Unpack[SystemsOptions]) -> Flavors:
    """Compute DCG-z, DCG-f and NDCG under every ideal, per query and on average.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``.
    results
        A path, a dataframe, or ``{query: {document: score}}``; several systems as ``{name: results}``.
    k
        The cutoff; None for the whole lists.
    **options
        `convention`, `queries`, `weights`, `system`, `only` and answers to decisions, as for `evaluate`, but for
        `ideal` and `unjudged`, which differ from flavour to flavour.

    Raises
    ------
    UsageError
        If a decision is answered that every flavour answers for itself, or that none reads.

    Examples
    --------
    >>> import idealrank as ir
    >>> found = flavors(*ir.from_grades([3, None, 1]), k=2)
    >>> round(found["DCG-z@2"]["q"], 4), round(found["DCG-f@2"]["q"], 4)
    (3.0, 3.6309)
    """
    _refuse_unread(options)
    at = "" if k is None else f"@{k}"
    names = [f"DCG-{u}{at}" for u in _UNJUDGED] + [f"NDCG-{u}{i}{at}" for u in _UNJUDGED for i in _IDEALS]
    scores = evaluate(judgments, results, names, **options)
    return Flavors(scores, tuple(names))


VARIED_DECISIONS = ("ideal", "unjudged")
"""The decisions that tell the flavours apart."""

_OF_NDCG = parse("nDCG")[0].definition.decisions

SHARED_DECISIONS = tuple(name for name in questions() if name in _OF_NDCG and name not in VARIED_DECISIONS)
"""The decisions that all flavours share."""


def _refuse_unread(options: Mapping[str, Any]) -> None:
    """Refuse answers that would change no number, or are each flavour's own."""
    own = ("k", "convention", "queries", "weights", "system", "only")
    answers = {name: value for name, value in options.items() if name not in own}
    refuse_unknown(answers, own)
    setting = parse_convention(options.get("convention", "idealrank-1"), answers)
    for name, answer in setting.overrides.items():
        fixed = f"{name}={answer} of the convention {options.get('convention')!r}"
        origin = option(name, str(answer)) if name in answers else fixed
        if name in VARIED_DECISIONS:
            raise UsageError(
                f"flavors computes every answer to ideal, and both zero and filter to unjudged. Leave out "
                f"{origin}, or ask evaluate for one measure: nDCG({name}={answer})@10."
            )
        if name not in SHARED_DECISIONS:
            raise UsageError(f"{name} changes neither DCG nor nDCG. Leave out {origin}.")


def _describe_flavor(name: str) -> str:
    letters = name.partition("@")[0].partition("-")[2]
    unjudged = _describe_unjudged(letters[0])
    return unjudged if len(letters) == 1 else f"{unjudged}; the ideal is {IDEALS[_IDEALS[letters[1]]]}"


def _describe_unjudged(letter: str) -> str:
    return f"an unjudged result {questions()['unjudged'].answers[_UNJUDGED[letter]].partition(' (')[0]}"
