"""What the ledger warns of, and what `evaluate` refuses: facts that others found already."""

from __future__ import annotations

import re
from collections.abc import Iterator

from idealrank.doctor.finding import Finding
from idealrank.doctor.inputs import Inputs

SHARED = re.compile(
    "equal in results and judgments except for|nothing returned is judged|no grade is above 1|"
    "every judged document was returned"
)
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
                examples=fact.queries[:3],
                way="See idealrank evaluate --ledger.",
            )
