"""What is the same of scores in parts and of scores at once."""

from __future__ import annotations

import numpy as np

import idealrank as ir


def assert_same(ours: ir.Scores, theirs: ir.Scores) -> None:
    """Assert that scores are the same to the last bit, with everything their ledgers say."""
    assert ours.queries == theirs.queries
    assert ours.systems == theirs.systems
    assert ours.values.tobytes() == theirs.values.tobytes()
    assert ours.states.tobytes() == theirs.states.tobytes()
    assert np.array(ours.all_means).tobytes() == np.array(theirs.all_means).tobytes()
    assert ours.ledger.to_dict() == theirs.ledger.to_dict()
    assert ours.ledger.notes == theirs.ledger.notes
    assert ours.to_json() == theirs.to_json()
    assert repr(ours.describe()) == repr(theirs.describe())
    assert list(ours.ledger.queries) == list(theirs.ledger.queries)
