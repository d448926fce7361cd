"""Robustness: the same comparison under every flavour of the measure that decides."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats
from idealrank.comparison.contrasts import Contrast, contrasts
from idealrank.comparison.findings import ComparisonData
from idealrank.comparison.overlap import same_lists
from idealrank.comparison.pairing import Key
from idealrank.comparison.types import ROBUSTNESS_ROW
from idealrank.comparison.verdict.assumptions import assumption_doubt
from idealrank.comparison.verdict.rule import CANT_TELL, gains_of
from idealrank.decisions.decisions import DEFAULT
from idealrank.decisions.question import answer_text
from idealrank.display.document import Described
from idealrank.display.schema import Named
from idealrank.display.table import Table
from idealrank.errors import UsageError, plural
from idealrank.evaluation.scoring import refuse_unreached
from idealrank.evaluation.variants import Variant, variants
from idealrank.measures.definition import Measure

MOST_SIGNS = 100_000_000
"""Signs drawn per flavour (draws x contrasts x queries); above it there are fewer draws, but at least 1,000."""


class VariantResult(NamedTuple):
    """One pair of systems under one flavour.

    Attributes
    ----------
    pair
        What the pair is called.
    answers
        The answers of the flavour.
    contrast
        The evidence under it.
    outcome
        What the rule says to it, before holes are weighed.
    own
        Whether it is the flavour of the comparison itself.
    fingerprint
        Of the measure under it.
    """

    pair: str
    answers: dict[str, Any]
    contrast: Contrast
    outcome: str
    own: bool
    fingerprint: str


@dataclass(frozen=True, eq=False, repr=False)
class Robustness(Described):
    """The comparison under every flavour of the first measure.

    Attributes
    ----------
    flavors
        One entry per flavour and pair of systems.
    varied
        By decision, the answers tried; the cutoff is `k`.
    refused
        Flavours that cannot be computed, with the reason.
    """

    flavors: tuple[VariantResult, ...]
    varied: Annotated[dict[str, Annotated[tuple[str, ...], "Answers."]], "The answers tried, by decision."]
    refused: Annotated[tuple[str, ...], "Flavours that cannot be computed, with the reason."]

    @property
    def table(
        self,
    ) -> Annotated[
        Table,
        Named("flavors"),
        ROBUSTNESS_ROW,
        "A row per flavour and pair of systems; the answer to each decision varied is under its name.",
    ]:
        """One row per flavour and pair: the answers, the difference with its corrected interval and p, the outcome."""
        rows = self.flavors
        several = len(self.pairs) > 1
        columns: dict[str, Any] = {"system": [row.pair for row in rows]} if several else {}
        columns |= {name: [answer_word(row.answers[name]) for row in rows] for name in self.varied}
        columns |= {
            "difference": np.array([row.contrast.difference for row in rows]),
            "low": np.array([row.contrast.corrected.low for row in rows]),
            "high": np.array([row.contrast.corrected.high for row in rows]),
            "corrected p": np.array([row.contrast.p for row in rows]),
            "outcome": [row.outcome for row in rows],
            "own": ["own" if row.own else "" for row in rows],
        }
        return Table(columns, "robustness", {"fingerprint": [row.fingerprint for row in rows]}, ROBUSTNESS_ROW)

    @property
    def pairs(self) -> tuple[str, ...]:
        """What the pairs of systems are called."""
        return tuple(dict.fromkeys(row.pair for row in self.flavors))

    def of(self, pair: str | None = None) -> list[VariantResult]:
        """Return the flavours of one pair; None: of the first."""
        return [row for row in self.flavors if row.pair == (pair or self.pairs[0])]

    def depends_on(self, pair: str | None = None) -> tuple[str, ...]:
        """Return the decisions of which another answer, all else the same, gives another outcome somewhere."""
        names: list[str] = []
        for name in self.varied:
            seen: dict[tuple[str, ...], set[str]] = {}
            for row in self.of(pair):
                rest = tuple(answer_word(row.answers[other]) for other in self.varied if other != name)
                seen.setdefault(rest, set()).add(row.outcome)
            names += [name] if any(len(outcomes) > 1 for outcomes in seen.values()) else []
        return tuple(names)

    def turned_by(self, pair: str | None = None) -> tuple[VariantResult, ...]:
        """Return the flavours one answer away from the comparison's own that have another outcome."""
        rows = self.of(pair)
        (own,) = (row for row in rows if row.own)
        return tuple(
            row
            for row in rows
            if row.outcome != own.outcome and sum(row.answers[n] != own.answers[n] for n in self.varied) == 1
        )

    def sentence(self, pair: str | None = None) -> str:
        """Say whether the outcome is the same under all flavours, or which decisions it depends on."""
        rows = self.of(pair)
        (own,) = (row for row in rows if row.own)
        counts = Counter(row.outcome for row in rows)
        if len(counts) == 1:
            return f"{own.outcome}: the same under all {plural(len(rows), 'flavour')}."
        others = ", ".join(
            f"{outcome} under {count}" for outcome, count in counts.most_common() if outcome != own.outcome
        )
        line = f"{own.outcome} under {counts[own.outcome]} of {plural(len(rows), 'flavour')}, {others}; "
        line += f"depends on: {', '.join(self.depends_on(pair))}."
        turned = [f"{_departure_text(row, own)} ({row.outcome})" for row in self.turned_by(pair)]
        single = f"A single answer changes it: {', '.join(turned)}." if turned else "No single answer changes it."
        return f"{line} {single}"

    @property
    def _sentences(
        self,
    ) -> Annotated[
        dict[str, Annotated[str, "A sentence."]],
        Named("sentences"),
        "Whether the outcome depends on the flavour, by system or pair.",
    ]:
        return {pair: self.sentence(pair) for pair in self.pairs}

    @property
    def _depended_on(
        self,
    ) -> Annotated[
        dict[str, Annotated[tuple[str, ...], "Decisions."]],
        Named("depends_on"),
        "The decisions that it depends on, by system or pair.",
    ]:
        return {pair: self.depends_on(pair) for pair in self.pairs}

    def __repr__(self) -> str:
        several = len(self.pairs) > 1
        lines = [(f"{pair}: " if several else "") + self.sentence(pair) for pair in self.pairs]
        return "\n".join([*lines, *(f"not computed: {text}" for text in self.refused), repr(self.table)])


def _departure_text(row: VariantResult, own: VariantResult) -> str:
    return answers_text({name: answer for name, answer in row.answers.items() if answer != own.answers[name]})


def robustness(findings: ComparisonData) -> Robustness:
    """Compare again under every flavour of the deciding measure.

    Flavours are all combinations of unjudged (zero, filter), ideal (local, returned, global, max), gain (linear,
    exp2) and cutoff (5, 10, 20, or half and twice another one), as far as the measure reads them; for measures of
    relevant documents each grade of the scale as `relevant_from`. Baseline, rule, test, interval and correction
    stay what they are, guardrails too; of a large comparison fewer draws are made. Outcomes are those of the rule
    before holes are weighed.

    Raises
    ------
    DataError
        If no query pairs under a flavour.
    UsageError
        If a judge was calibrated on people: under a flavour, people alone would be compared.
    """
    if findings.calibration:
        raise UsageError(
            "Flavours of a measure are compared by people alone, and this verdict is by a judge calibrated on them. "
            "Compare without the judge, or with it under the answers you mean, one run each."
        )
    scores, measure = findings.scores, findings.scores.measures[0]
    grades = np.array(sorted(findings.unjudged.facts[0].grades))
    computable, refused = flavors(measure, grades)
    systems = range(len(scores.systems))
    found = variants(scores, [(s, flavor) for s in systems for _, flavor in computable], refuse_unreached)
    rows: list[VariantResult] = []
    for place, (answers, flavor) in enumerate(computable):
        every = found[place :: len(computable)]
        computed = [one for one in every if isinstance(one, Variant)]
        if len(computed) < len(every):
            refused.append(f"{answers_text(answers)}: {next(one for one in every if not isinstance(one, Variant))}")
        else:
            rows += _compare_variant(findings, answers, flavor, computed)
    varied = {
        name: tuple(map(answer_word, tried)) for name, tried in variant_axes(measure, grades).items() if len(tried) > 1
    }
    return Robustness(tuple(rows), varied, tuple(refused))


def _compare_variant(
    findings: ComparisonData, answers: dict[str, Any], flavor: Measure, found: Sequence[Variant]
) -> list[VariantResult]:
    """Compare the systems under one flavour and the guardrails."""
    own = flavor.fingerprint == findings.scores.measures[0].fingerprint
    same = np.array_equal([one.values for one in found], findings.scores.values[:, 0], equal_nan=True)
    by_key = findings.contrasts if same else _variant_contrasts(findings, flavor, found)
    rows: list[VariantResult] = []
    for pair in findings.pairing.pairs:
        labels = enumerate(findings.scores.labels)
        evidence = [replace(by_key[Key(pair, m)], measure=label) for m, label in labels]
        outcome, _ = findings.rule.outcome(*gains_of(evidence), all(one.same for one in evidence))
        identical = all(one.same for one in evidence) and same_lists(findings.scores, pair)
        # As in `decide`, the shape of the differences is doubted; holes are not weighed (see `robustness`).
        outcome = CANT_TELL if assumption_doubt(outcome, evidence[0], findings.rule, identical=identical) else outcome
        label = findings.pairing.pair_label(pair)
        rows.append(VariantResult(label, answers, evidence[0], outcome, own=own, fingerprint=flavor.fingerprint))
    return rows


def _variant_contrasts(findings: ComparisonData, flavor: Measure, found: Sequence[Variant]) -> dict[Key, Contrast]:
    scores, methods = findings.scores, findings.methods
    values, states = scores.values.copy(), scores.states.copy()
    values[:, 0], states[:, 0] = [one.values for one in found], [one.states for one in found]
    changed = replace(scores, measures=(flavor, *scores.measures[1:]), values=values, states=states)
    enough = max(1000, MOST_SIGNS // (len(findings.contrasts) * len(scores.queries)))
    return contrasts(replace(findings.pairing, scores=changed), replace(methods, draws=min(methods.draws, enough)))


# The flavours of a measure: the same measure under other answers to the decisions it reads.


UNJUDGED = ("zero", "filter")
IDEALS = ("local", "returned", "global", "max")
GAINS = ("linear", "exp2")
CUTOFFS = (5, 10, 20)

MOST_LEVELS = 5
"""The most grades that are tried as the one from which a document is relevant."""


def variant_axes(measure: Measure, grades: Floats) -> dict[str, list[Any]]:
    """Return by decision (and `cutoff`) the answers of the flavours, the measure's own among them.

    Parameters
    ----------
    grades
        All grades given.
    """
    own, reads = measure.decisions, measure.definition.reads
    by_results = own.unit != DEFAULT.unit and own.counts == "returned"  # which refuses unjudged=filter
    tried: dict[str, Sequence[Any]] = {
        "unjudged": [own.unjudged] if by_results else UNJUDGED,
        "ideal": IDEALS,
        "gain": GAINS,
    }
    answers = {name: _with_own(own_answers, getattr(own, name)) for name, own_answers in tried.items() if name in reads}
    if "relevant_from" in reads and "gain" not in reads:
        answers["relevant_from"] = _with_own(relevance_levels(grades), own.relevant_from)
    if measure.cutoff is not None:
        answers["k"] = cutoffs(measure.cutoff)
    return answers


def _with_own(answers: Iterable[Any], own: Any) -> list[Any]:
    """Return the answers, the measure's own added where it is another."""
    every = list(answers)
    return every if own in every else [own, *every]


def relevance_levels(grades: Floats) -> list[float]:
    """Return the grades above 0 from which a document may be relevant: all, or some from lowest to highest."""
    positive = np.unique(grades[grades > 0])
    if len(positive) > MOST_LEVELS:
        positive = positive[np.linspace(0, len(positive) - 1, MOST_LEVELS).round().astype(np.int64)]
    return [float(level) for level in positive]


def cutoffs(k: int) -> list[int]:
    """Return 5, 10 and 20, or half, once and twice another cutoff."""
    return list(CUTOFFS) if k in CUTOFFS else sorted({max(1, k // 2), k, 2 * k})


def under_answers(measure: Measure, answers: Mapping[str, Any]) -> Measure:
    """Return the measure under other answers.

    Raises
    ------
    UsageError
        If the answers do not go together.
    """
    decisions = {name: answer for name, answer in answers.items() if name != "k"}
    return replace(measure, cutoff=answers.get("k"), decisions=measure.decisions.but(**decisions), typed="")


def flavors(measure: Measure, grades: Floats) -> tuple[list[tuple[dict[str, Any], Measure]], list[str]]:
    """Return every flavour with its answers, and in words those whose answers do not go together."""
    computable: list[tuple[dict[str, Any], Measure]] = []
    refused: list[str] = []
    tried = variant_axes(measure, grades)
    for chosen in itertools.product(*tried.values()):
        answers = dict(zip(tried, chosen, strict=True))
        try:
            computable.append((answers, under_answers(measure, answers)))
        except UsageError as refusal:
            refused.append(f"{answers_text(answers)}: {refusal}")
    return computable, refused


def answers_text(answers: Mapping[str, Any]) -> str:
    """Write answers as they are typed."""
    return " ".join(f"{name}={answer_word(answer)}" for name, answer in answers.items())


def answer_word(answer: Any) -> str:
    """Write one answer."""
    return str(answer) if isinstance(answer, int) else answer_text(answer)
