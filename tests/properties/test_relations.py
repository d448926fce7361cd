"""What holds between measures, and between a measure and itself: orders, scales, forms, explanations, ties."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from idealrank.arrays import Floats
from idealrank.conventions import CONVENTIONS
from idealrank.decisions import Decisions, questions
from idealrank.errors import UsageError
from idealrank.measures import DEFINITIONS, Measure, parse
from idealrank.measures.steps import Steps, apply_rounding
from tests.amounts import tried
from tests.properties.answers import acts_on_lists, answers, measures
from tests.properties.promises.counterexamples import CLOSE
from tests.properties.promises.ties import mean_over_orders, orders_of
from tests.properties.ranked import BINARY, GRADED, TIED, Corpus, Ranked, at_random, ranked, scores, settled

fixed = settings(deadline=None, derandomize=True, database=None, max_examples=tried(48))

ON_LISTS = [a for name in questions() for a in answers(name) if name != "rounding" and acts_on_lists(a)]
SAMPLE = Corpus(GRADED.queries[::5] + TIED.queries)


@st.composite
def decisions(draw: st.DrawFn, without: tuple[str, ...] = ()) -> Decisions:
    """Up to five answers at once."""
    chosen = draw(st.lists(st.sampled_from([a for a in ON_LISTS if a.decision not in without]), max_size=5))
    combined = Decisions().but(**{answer.decision: answer.value for answer in chosen})
    assume((combined.ideal, combined.ideal_depth) != ("max", "all"))
    return combined


def _may_be_refused(measure: Measure) -> bool:
    """Whether ties=average may be refused: the divisor, or whether there is one, depends on the order."""
    under = measure.decisions
    pairs = (answer.split("=") for answer in measure.definition.properties.not_averaged)
    declared = any(getattr(under, name) == word for name, word in pairs)
    by_local = measure.definition.name == "nDCG" and under.ideal == "local" and under.no_relevant != "0"
    never = measure.definition.properties.average != "exact"
    return under.ties == "average" and (never or declared or by_local)


@st.composite
def any_measure(draw: st.DrawFn, under: Decisions) -> Measure:
    """Any measure at any cutoff under these decisions."""
    definition = draw(st.sampled_from(DEFINITIONS))
    return draw(st.sampled_from(list(measures(definition, under))))


# ---------------------------------------------------------------- orders


@pytest.mark.parametrize("gain", ["linear", "exp2"])
@pytest.mark.parametrize("discount", ["log2", "reciprocal", "log(3)", "none"])
@pytest.mark.parametrize("k", [1, 2, 3, 5, 10])
def test_wider_ideals_score_less(gain: str, discount: str, k: int) -> None:
    """At equal depth and under unjudged=zero: nDCG with ideal max <= global <= returned <= local."""
    base = Decisions(gain=gain, discount=discount)
    for corpus in (GRADED, BINARY, TIED):
        values = [
            settled(corpus, replace(parse(f"nDCG@{k}")[0], decisions=base.but(ideal=ideal)))
            for ideal in ("max", "global", "returned", "local")
        ]
        for lower, higher in itertools.pairwise(values):
            assert (lower <= higher + CLOSE).all()


@fixed
@given(st.lists(ranked(), min_size=1, max_size=5), st.sampled_from(["unjudged", "zero"]), st.integers(1, 8))
def test_wider_ideals_score_less_at_random(queries: list[Ranked], negative: str, k: int) -> None:
    """At equal depth and under unjudged=zero: nDCG with ideal max <= global <= returned <= local, on random lists."""
    corpus = Corpus(tuple(queries))
    values = [
        settled(corpus, replace(parse(f"nDCG@{k}")[0], decisions=Decisions(ideal=ideal, negative=negative)))
        for ideal in ("max", "global", "returned", "local")
    ]
    assert all((lower <= higher + CLOSE).all() for lower, higher in itertools.pairwise(values))


# ---------------------------------------------------------------- scales


def _scaled(query: Ranked, factor: float) -> Ranked:
    grades = tuple(None if g is None else g * factor for g in query.grades)
    return replace(query, grades=grades, missed=tuple(g * factor for g in query.missed))


@pytest.mark.parametrize("factor", [0.1, 3.0, 1000.0])
@pytest.mark.parametrize("unjudged", ["zero", "filter", 0.5])
@pytest.mark.parametrize("ideal", ["global", "returned", "local", "max"])
def test_linear_ndcg_knows_no_scale(factor: float, unjudged: Any, ideal: str) -> None:
    """Linear nDCG stays the same when every grade, and what an unjudged result counts, is multiplied by a constant."""
    other = unjudged * factor if isinstance(unjudged, float) else unjudged
    larger = Corpus(tuple(_scaled(query, factor) for query in SAMPLE.queries))
    for k in (None, 1, 3, 5):
        one = Measure(parse("nDCG")[0].definition, k, (), Decisions(unjudged=unjudged, ideal=ideal))
        two = replace(one, decisions=one.decisions.but(unjudged=other))
        np.testing.assert_allclose(settled(larger, two), settled(SAMPLE, one), rtol=0, atol=CLOSE)


def test_exponential_ndcg_knows_scale() -> None:
    """With gain=exp2 nDCG changes when every grade is multiplied: the sweep above would notice."""
    larger = Corpus(tuple(_scaled(query, 3.0) for query in SAMPLE.queries))
    measure = parse("nDCG(gain=exp2)")[0]
    assert np.abs(settled(larger, measure) - settled(SAMPLE, measure)).max() > 0.1


# ---------------------------------------------------------------- forms


@fixed
@given(st.data(), decisions())
def test_sparse_and_dense_lists_agree(data: st.DataObject, under: Decisions) -> None:
    """A measure reads the same from the sparse form (judged results only) and the dense one (every result)."""
    assume(isinstance(under.unjudged, str))
    measure = data.draw(any_measure(under))
    assume(not _tells_zero_from_unjudged(measure))
    if _may_be_refused(measure):
        return
    sparse = scores(SAMPLE, measure, "sparse")
    np.testing.assert_allclose(scores(SAMPLE, measure, "dense"), sparse, rtol=0, atol=CLOSE)


def _tells_zero_from_unjudged(measure: Measure) -> bool:
    """Whether it matters to a measure which of a judged 0 and an unjudged result ties=best or worst puts first."""
    under = measure.decisions
    zero_is_relevant = "relevant_from" in measure.definition.reads and under.relevant_from == 0
    judged_counts = "short_list" in measure.definition.reads and under.short_list == "judged"
    telling = zero_is_relevant or judged_counts or measure.definition.name == "Judged"
    return telling and under.ties in ("best", "worst")


@pytest.mark.parametrize("ties", ["best", "worst"])
def test_sparse_and_dense_lists_agree_on_tied_zeros(ties: str) -> None:
    """Among tied results, judged ones of grade 0 stand in the same places in both forms."""
    corpus, measure = (
        Corpus((Ranked((None, 0.0), ((1, 2),)),)),
        replace(parse("Judged@1")[0], decisions=Decisions(ties=ties)),
    )
    assert scores(corpus, measure, "dense")[0] == scores(corpus, measure, "sparse")[0]


# ---------------------------------------------------------------- rounding


def test_rounding_keeps_what_is_round() -> None:
    """A value that has no more digits than are kept stays as it is, rounded or floored."""
    values = np.arange(101) / 100
    for rule in ("round", "floor"):
        steps = Decisions(rounding=f"query,{rule},2").rounding
        np.testing.assert_array_equal(apply_rounding(values, steps, "query"), values)


# ---------------------------------------------------------------- explanations


def explained(steps: Steps, under: Decisions) -> Floats:
    """Sum of the contributions of each query, exactly rounded, divided by its normaliser; NaN if that is 0 or less.

    Rounded once more where the decisions say that a query's value is.
    """
    terms, start = apply_rounding(steps.contribution, under.rounding, "term"), steps.lists.hit_start
    sums = [math.fsum(terms[a:b].tolist()) for a, b in itertools.pairwise(start.tolist())]
    shares = np.array([s / n if n > 0 else np.nan for s, n in zip(sums, steps.normaliser.tolist(), strict=True)])
    return apply_rounding(shares, under.rounding, "query")


def _explains(corpus: Corpus, measure: Measure) -> None:
    steps = measure.steps(corpus.lists(measure))
    values = steps.scores(measure.decisions)
    if steps.score is not None:
        assert steps.unsplit, f"{measure} gives a score without steps and does not say why"
    else:
        np.testing.assert_allclose(explained(steps, measure.decisions), values, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_explanation_total_is_the_score(name: str) -> None:
    """Under every convention a measure's contributions, divided by its normaliser, sum to the score within 1e-12."""
    convention = CONVENTIONS[name]
    for definition in DEFINITIONS:
        if convention.measures is None or definition.name in convention.measures:
            under = convention.for_measure(definition.name, convention.decisions, {})
            for measure, corpus in itertools.product(measures(definition, under), (SAMPLE, BINARY)):
                _explains(corpus, measure)


@fixed
@given(st.data(), decisions(), st.sampled_from(["none", "term,round,2", "term,floor,2"]))
def test_explanation_total_is_the_score_whatever_was_decided(
    data: st.DataObject, under: Decisions, rounding: str
) -> None:
    """Under any five answers at once the contributions, divided by the normaliser, sum to the score within 1e-12."""
    measure = data.draw(any_measure(under.but(rounding=rounding)))
    if not _may_be_refused(measure):
        _explains(SAMPLE, measure)


# ---------------------------------------------------------------- ties


@settings(fixed, max_examples=tried(100))
@given(st.data(), ranked(longest=6, tied=True), decisions(without=("ties",)))
def test_average_is_the_mean_of_all_orders(data: st.DataObject, query: Ranked, under: Decisions) -> None:
    """Whatever else is decided, ties=average gives the mean over all orders of the tied results, or refuses."""
    measure = data.draw(any_measure(under.but(ties="average")))
    corpus = Corpus((query,))
    try:
        got = settled(corpus, measure)[0]
    except UsageError:
        assert _may_be_refused(measure)
        return
    assert got == pytest.approx(mean_over_orders(corpus, measure)[0], abs=CLOSE, nan_ok=True)


@pytest.mark.parametrize("unjudged", ["zero", "filter", 0.5])
@pytest.mark.parametrize("negative", ["unjudged", "zero", "keep"])
def test_average_with_two_spans_and_a_cutoff_inside_one(unjudged: Any, negative: str) -> None:
    """With negative, fractional and unjudged grades in two spans, and every cutoff, the average is exact."""
    queries = at_random(12, 6, seed=8, shortest=6)
    spans = [((1, 3), (4, 6)), ((1, 2), (3, 6)), ((2, 4), (5, 6))]
    corpus = Corpus(tuple(replace(q, ties=spans[i % 3]) for i, q in enumerate(queries)))
    for definition in (one for one in DEFINITIONS if one.properties.average == "exact"):
        for measure in measures(definition, Decisions(ties="average", unjudged=unjudged, negative=negative)):
            wanted = mean_over_orders(corpus, measure)
            np.testing.assert_allclose(settled(corpus, measure), wanted, rtol=0, atol=CLOSE, err_msg=str(measure))


@fixed
@given(st.data(), ranked(longest=6, tied=True))
def test_best_and_worst_bound_the_average(data: st.DataObject, query: Ranked) -> None:
    """ties=best is the highest and ties=worst the lowest of all orders, where a better document never lowers it."""
    promised = [d for d in DEFINITIONS if d.properties.direction == "higher" and d.properties.monotone != "no"]
    definition = data.draw(st.sampled_from(promised))
    measure = data.draw(st.sampled_from(list(measures(definition, Decisions()))))
    corpus = Corpus((query,))
    every = settled(orders_of(corpus)[0], measure)
    for ties, extreme in (("best", every.max()), ("worst", every.min())):
        value = settled(corpus, replace(measure, decisions=Decisions(ties=ties)))[0]
        assert value == pytest.approx(extreme, abs=CLOSE)
