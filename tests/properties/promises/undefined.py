"""0/0: whether a measure is undefined just where its words say so."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from idealrank.decisions import Decisions
from idealrank.measures import Definition, Measure
from tests.properties import model
from tests.properties.answers import Answer, measures
from tests.properties.promises.counterexamples import counterexample
from tests.properties.ranked import CORPORA, Corpus, Grade, Ranked, scores, thinned


def wrongly_undefined(definition: Definition, answer: Answer, when: str) -> str | None:
    """A query that is 0/0 although the words do not say so, or the other way round."""
    for measure, which in itertools.product(measures(definition, answer.given()), range(len(CORPORA))):
        corpus = thinned(which)
        values, expected = scores(corpus, measure), _UNDEFINED[when](corpus, measure)
        if found := counterexample(np.isnan(values) != expected, measure, corpus.queries, values):
            return found
    return None


def _no_relevant(corpus: Corpus, measure: Measure) -> Any:
    return _without_relevant(corpus, measure.decisions.negative, measure.decisions.relevant_from)


@functools.cache
def _without_relevant(corpus: Corpus, negative: str, level: Any) -> Any:
    decisions = Decisions(negative=negative, relevant_from=level)
    return np.array([not model.relevant_judged(query, decisions) for query in corpus.queries])


def _nothing_returned(corpus: Corpus, measure: Measure) -> Any:
    decisions = measure.decisions
    return np.array([not model.results(query, decisions) for query in corpus.queries])


def _share_of_nothing(corpus: Corpus, measure: Measure) -> Any:
    """Nothing returned, where the share of the returned is asked for: a share of k places is 0/k."""
    of_returned = measure.cutoff is None or measure.decisions.short_list == "returned"
    return of_returned & _nothing_returned(corpus, measure)


def _ideal_zero(corpus: Corpus, measure: Measure) -> Any:
    # An ideal below zero measures nothing either.
    declared = measure.decisions.max_grade
    top = corpus.highest if declared == "highest" else declared
    return np.array([model.ideal_worth(query, measure, top) <= 0 for query in corpus.queries])


def _nothing_of_worth(corpus: Corpus, measure: Measure) -> Any:
    under = measure.decisions
    return np.array([all(model.gain(g, under) <= 0 for g in model.pool(q, under)) for q in corpus.queries])


def _within_cutoff(query: Ranked, measure: Measure) -> list[Grade]:
    found = model.results(query, measure.decisions)
    return found[: model.last_rank(measure, len(found))]


def _none_found(corpus: Corpus, measure: Measure) -> Any:
    lists = [_within_cutoff(query, measure) for query in corpus.queries]
    return np.array([not any(model.relevant(g, measure.decisions) for g in grades) for grades in lists])


def _none_judged(corpus: Corpus, measure: Measure) -> Any:
    return np.array([all(g is None for g in _within_cutoff(query, measure)) for query in corpus.queries])


def _no_pair(corpus: Corpus, measure: Measure) -> Any:
    lists = (model.results(query, measure.decisions) for query in corpus.queries)
    return np.array([len({0.0 if grade is None else grade for grade in grades}) < 2 for grades in lists])


def _no_preference(corpus: Corpus, measure: Measure, kinds: int) -> Any:
    """No two judged documents of different grades: with both returned, with one of them, with none."""
    return np.array([not any(_preferences(query, measure.decisions)[:kinds]) for query in corpus.queries])


def _preferences(query: Ranked, decisions: Decisions) -> list[bool]:
    returned = {grade for g in query.grades if (grade := model.judged(g, decisions)) is not None}
    missed = {grade for g in query.missed if (grade := model.judged(g, decisions)) is not None}
    return [len(returned) > 1, bool(returned) and len(returned | missed) > 1, len(missed) > 1]


def _one_kind(corpus: Corpus, measure: Measure) -> Any:
    lists = (model.results(query, measure.decisions) for query in corpus.queries)
    return np.array([len({model.relevant(grade, measure.decisions) for grade in grades}) < 2 for grades in lists])


def _none_of_worth(corpus: Corpus, measure: Measure) -> Any:
    under = measure.decisions
    lists = (model.results(query, under) for query in corpus.queries)
    return np.array([all(model.gain(grade, under) <= 0 for grade in grades) for grades in lists])


def _all_relevant(corpus: Corpus, measure: Measure) -> Any:
    under = measure.decisions
    return np.array([all(model.relevant(grade, under) for grade in model.pool(q, under)) for q in corpus.queries])


_UNDEFINED: dict[str, Callable[[Corpus, Measure], Any]] = {
    "never": lambda corpus, _: np.zeros(len(corpus.queries), bool),
    "no relevant": _no_relevant,
    "ideal zero": _ideal_zero,
    "nothing of worth": lambda c, m: _nothing_of_worth(c, m),
    "nothing of worth or no relevant": lambda c, m: _nothing_of_worth(c, m) | _no_relevant(c, m),
    "nothing returned": _share_of_nothing,
    "no pair": _no_pair,
    "no pair judged": lambda c, m: _no_preference(c, m, 3),
    "no pair with a result": lambda c, m: _no_preference(c, m, 2),
    "no pair of judged results": lambda c, m: _no_preference(c, m, 1),
    "no pair of relevant and other": _one_kind,
    "nothing of worth returned": _none_of_worth,
    "none judged non-relevant": _all_relevant,
    # The words of the exceptions.
    "nothing returned, no relevant": lambda c, m: (m.cutoff is None) & _nothing_returned(c, m) & _no_relevant(c, m),
    "nothing returned or no relevant": lambda c, m: _nothing_returned(c, m) | _no_relevant(c, m),
    "nothing of worth judged or returned": lambda c, m: _nothing_of_worth(c, m) & _none_of_worth(c, m),
    "none found": _none_found,
    "none judged": _none_judged,
}
