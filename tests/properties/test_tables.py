"""From tables to judged lists: every answer of the read and list decisions, through the public API.

The sweep of the promises builds judged lists by hand. Here tables are made such that under one
answer of one decision the very same lists must come out, so that every promise holds there too.
"""

from __future__ import annotations

import functools
import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

import idealrank as ir
from idealrank.decisions import questions
from idealrank.measures import DEFINITIONS, parse
from tests.amounts import part
from tests.properties.answers import Answer, answers
from tests.properties.promises.counterexamples import CLOSE
from tests.properties.ranked import Corpus, Ranked, at_random, settled
from tests.properties.span_tables import SPAN_ENCODINGS
from tests.properties.step_tables import STEP_ENCODINGS
from tests.properties.tables import ENCODINGS, TELLING, Tables, query_ids
from tests.properties.unit_tables import UNIT_ENCODINGS

ENCODED = {**ENCODINGS, **UNIT_ENCODINGS, **SPAN_ENCODINGS, **STEP_ENCODINGS}
ON_TABLES = [a for name, q in questions().items() if q.stage in ("read", "list") for a in answers(name)]

REFUSING = ("duplicates=error", "steps=one")
"""Answers that refuse tables, and read the others as every answer does."""


def _queries(tied: bool) -> tuple[Ranked, ...]:
    found = at_random(60, 8, seed=9, shortest=1, tied=tied)
    return tuple(query for query in found if query.pool)


def _in_order(scores: ir.Scores, ids: list[str]) -> np.ndarray:
    """The values (measures, queries) with the queries in this order."""
    return scores.values[0][:, [scores.queries.index(key) for key in ids]]


@pytest.mark.parametrize("answer", ON_TABLES, ids=str)
def test_the_answer_gives_the_list(answer: Answer) -> None:
    """Tables that mean a list under this answer give every measure the value it has on that list built by hand."""
    queries = _queries(tied=answer.decision in ("ties", "score_precision"))
    tables = ENCODED[str(answer)](queries, random.Random(1))
    ids = [f"{key}/1" if str(answer) == "steps=each" else key for key in query_ids(queries)]
    got = _in_order(ir.evaluate(*tables, TELLING, **answer.options), ids)
    for values, name in zip(got, TELLING, strict=True):
        measure = replace(parse(name)[0], decisions=answer.given())
        np.testing.assert_allclose(values, settled(Corpus(queries), measure), rtol=0, atol=CLOSE, err_msg=name)


@pytest.mark.parametrize("answer", [a for a in ON_TABLES if str(a) not in REFUSING], ids=str)
def test_another_answer_gives_another_list(answer: Answer) -> None:
    """The same tables under another answer of the decision give other values, or are refused: the answers differ."""
    queries = _queries(tied=answer.decision in ("ties", "score_precision"))
    tables = ENCODED[str(answer)](queries, random.Random(1))
    values = [_values(tables, other) for other in answers(answer.decision)]
    here = _values(tables, answer)
    assert here is not None
    assert any(other is None or not np.array_equal(other, here) for other in values)


RULES = {"unit=before(#)", "unit=match(…)", "unit=map(…)"}
"""Three ways to say the same of the ids in these tables."""


@pytest.mark.parametrize("decision", sorted({answer.decision for answer in ON_TABLES}))
def test_every_two_answers_differ(decision: str) -> None:
    """Of any two answers about tables or lists, some table tells them apart, or one refuses it: none is a double."""
    queries = _queries(tied=decision in ("ties", "score_precision"))
    every = answers(decision)
    found = [[_values(ENCODED[str(one)](queries, random.Random(1)), other) for one in every] for other in every]
    for (one, here), (other, there) in itertools.combinations(zip(every, found, strict=True), 2):
        alike = all(itertools.starmap(_same, zip(here, there, strict=True)))
        assert alike == ({str(one), str(other)} <= RULES), f"{one} and {other}"


def _same(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and np.array_equal(one, other, equal_nan=True)


def _values(tables: Tables, answer: Answer) -> np.ndarray | None:
    try:
        return ir.evaluate(*tables, ["nDCG", "RR", "P@2"], **answer.options).values
    except ir.DataError:
        return None


ON_VALUES = [a for name, q in questions().items() if q.stage == "value" for a in answers(name)]


OF_DOCUMENTS = [definition for definition in DEFINITIONS if not definition.by_span]
"""The measures of documents, with or without subtopics."""


@functools.cache
def _in_the_default() -> tuple[Tables, ir.Scores]:
    """Tables with ties and subtopics, and what every measure makes of them under the default."""
    tables = ENCODINGS["ties=docid_desc"](_queries(tied=True), random.Random(2)).by_subtopic()
    return tables, ir.evaluate(*tables, [definition.name for definition in OF_DOCUMENTS])


@pytest.mark.parametrize("answer", ON_VALUES, ids=str)
def test_unread_decisions_change_nothing(answer: Answer) -> None:
    """A decision that a measure does not read leaves its values as they are, to the last bit; some of the measures."""
    tables, plain = _in_the_default()
    unread = [place for place, definition in enumerate(OF_DOCUMENTS) if answer.decision not in definition.reads]
    unread = part(unread, ON_VALUES.index(answer)) or unread
    names = [OF_DOCUMENTS[place].name for place in unread]
    values = ir.evaluate(*tables, names, **answer.options).values
    np.testing.assert_array_equal(values, plain.values[:, unread])
