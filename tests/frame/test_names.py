"""A name means one measure, and one convention."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from idealrank.conventions import CONVENTIONS
from idealrank.conventions.convention import Catalogue
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


@pytest.mark.parametrize("name", ["llama-index", "llama_index-0.12", "LlamaIndex", "another name"])
def test_a_convention_is_found_whatever_its_file_is_called(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A convention is listed and found by its name, in any case of letters, whether its file is called so or not."""
    added = SimpleNamespace(CONVENTIONS=(replace(CONVENTIONS["sklearn"], name=name),))
    monkeypatch.setitem(sys.modules, "idealrank.conventions.tools.llamaindex", added)
    catalogue = Catalogue("sklearn", "llamaindex")
    assert list(catalogue) == ["sklearn", name]
    assert catalogue[name].name == name
    assert catalogue.find_name(name.swapcase()) is catalogue[name]


def test_a_convention_has_a_name_of_its_own() -> None:
    """No two conventions are called alike, in any case of letters and shape of dashes."""
    names = [name.lower().replace("_", "-") for name in CONVENTIONS]
    assert sorted(set(names)) == sorted(names)
    assert [CONVENTIONS[name].name for name in CONVENTIONS] == list(CONVENTIONS)
