"""A name means one measure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from idealrank.measures import DEFINITIONS, Definition
from idealrank.measures.grammar import by_name

NDCG, DCG = DEFINITIONS[0], DEFINITIONS[1]


def test_every_name_is_in_the_table() -> None:
    """A measure is found by its name, its aliases and the names that carry answers."""
    named = by_name(DEFINITIONS)
    for definition in DEFINITIONS:
        names = (definition.name, *definition.aliases, *definition.carried)
        assert [named[name] for name in names] == [definition] * len(names)


@pytest.mark.parametrize(
    "taken",
    [
        replace(DCG, aliases=("ndcg_cut",)),
        replace(DCG, aliases=("NDCG_Cut",)),
        replace(DCG, carried={"ndcg": {"average": "geometric"}}),
        replace(DCG, name="NDCG"),
        replace(DCG, name="nDCG"),
    ],
    ids=["alias", "alias in other letters", "carried", "name in other letters", "name"],
)
def test_a_name_is_not_taken_twice(taken: Definition) -> None:
    """A measure that takes a name of another, in any case of letters, is refused when the table is built."""
    with pytest.raises(ValueError, match="Two measures are called"):
        by_name((NDCG, taken))
