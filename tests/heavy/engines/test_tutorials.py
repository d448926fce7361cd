"""The tutorials show what real engines answer, and the templates of the examples are answered."""

from __future__ import annotations

import pytest

import idealrank as ir
from tests.docs.blocks import ROOT, TUTORIALS
from tests.heavy.engines.shop import SHOP
from tests.heavy.engines.tutorials import renewed_at


@pytest.mark.parametrize("page", TUTORIALS)
def test_output_is_that_of_today(page: str, request: pytest.FixtureRequest) -> None:
    """Every command of a tutorial prints what stands under it, with a real engine at the address of the page."""
    address = request.getfixturevalue(TUTORIALS[page][0])
    assert renewed_at(page, address) == (ROOT / page).read_text("utf-8")


def states(address: str, template: str, **settings: list[int]) -> list[str]:
    """Return what came of each query of the shop and of the awkward one, under a template of the examples."""
    mark = "&" if "?" in address else "?"
    engine = f"{address}{mark}template={SHOP.parent}/engines/{template}"
    texts = (SHOP.parent / "engines" / "awkward.txt").read_text("utf-8").splitlines()
    found = [ir.replay(each, engine, settings=settings) for each in (SHOP / "queries.csv", texts)]
    return [state for each in found for state in each.account["state"]]


def test_templates_of_solr(solr: str) -> None:
    """Local params find what the same parameters find, and an awkward query does not fail."""
    found = states(f"solr+{solr}/products", "local.params", title=[3])
    assert found == states(f"solr+{solr}/products", "title.params")
    assert "failed" not in found


def test_templates_of_postgresql(postgresql: str) -> None:
    """Full-text search in English answers every query, an awkward one as well."""
    found = states(postgresql, "products.sql")
    assert "failed" not in found
    assert "answered" in found
