"""What the account of every query says: queries without relevant documents, and the warnings of the ledger."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from idealrank.doctor.finding import SHOWN, Finding
from idealrank.doctor.inputs import Inputs
from idealrank.errors import plural
from idealrank.evaluation.scoring import State

SHARED = re.compile("equal in results and judgments except for|no grade is above 1|every judged document was returned")
"""Warnings of the ledger that have a finding of their own here."""


def warnings(inputs: Inputs) -> Iterator[Finding]:
    """The ledger warns of something else, such as failed searches or results without an order."""
    facts = inputs.scores.ledger.facts if inputs.scores is not None else ()
    for fact in facts:
        if fact.warns and not SHARED.search(fact.text):
            yield Finding(
                name="warning of the ledger",
                text=fact.text if not fact.system else f"{fact.system}: {fact.text}",
                count=max(1, len(fact.queries)),
                examples=fact.queries[:SHOWN],
                way="See idealrank evaluate --ledger.",
            )


def no_relevant(inputs: Inputs) -> Iterator[Finding]:
    """Queries have judgments but no relevant document, and count as 0 (no_relevant=0)."""
    scores = inputs.scores
    if scores is None:
        return
    filled = np.flatnonzero((scores.states == State.FILLED_NO_RELEVANT).any(axis=(0, 1)))
    if len(filled):
        pool, table = inputs.mets[0].pool, inputs.judgments
        rows = [int(pool.row[pool.start[q]]) for q in filled[:SHOWN]]
        lines = [f"{table.source.place(row)}: query {scores.queries[q]}" for row, q in zip(rows, filled, strict=False)]
        text = f"{plural(len(filled), 'query')} without a relevant document, which no system can get right"
        answers = {"no_relevant": "skip"}
        yield Finding(
            name="queries without relevant documents",
            text=text,
            count=len(filled),
            examples=tuple(lines),
            answers=answers,
        )
