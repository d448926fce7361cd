"""The example shop as a project of the studio."""

from __future__ import annotations

from pathlib import Path

from idealrank.studio.project import StudioProject
from idealrank.studio.store import Store

SHOP = Path("examples/shop")


def shop_project(where: str) -> StudioProject:
    """The shop of the examples as a project."""
    project = StudioProject(Store(where))
    project.add("judgments", SHOP / "judgments.csv")
    for system in ("bm25", "hybrid"):
        project.add("results", SHOP / f"{system}.csv")
    project.add("queries", SHOP / "queries.csv")
    project.add("documents", SHOP / "products.csv")
    return project
