"""Spellings of many ids at once are those of each."""

import random

import pytest

from idealrank.judged_lists import near_ids
from idealrank.judged_lists.near_ids import fold_spelling, fold_spellings


@pytest.mark.parametrize("letters", ["aB0017-_", "aB0 7", "a%410", "0:/w.", "é0Å\u200b", "0\n1\t", "\u0661\u06600"])
def test_they_are_those_of_each(letters: str) -> None:
    """Whatever the ids contain, and wherever one ends in a digit or begins with a zero."""
    rng = random.Random(letters)
    for many in (0, 1, 50):
        texts = ["".join(rng.choices(letters, k=rng.randrange(6))) for _ in range(many)]
        assert fold_spellings(texts) == [fold_spelling(text) for text in texts]


def test_plain_ids_are_not_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call for each of millions of ids is most of the time of a diagnosis."""
    monkeypatch.setattr(near_ids, "fold_spelling", lambda _: pytest.fail("one by one"))
    assert fold_spellings(["D007", "d10"]) == ["d7", "d10"]
