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


def tiny_project(folder: Path) -> StudioProject:
    """Three queries and two systems as a project, in a folder with the files it was made from."""
    tables = {
        "judgments": "query,doc,grade\nq1,a,2\nq1,b,0\nq2,a,1\nq3,d,3\n",
        "one": "query,doc,rank\nq1,a,1\nq1,c,2\nq2,b,1\nq3,d,1\n",
        "two": "query,doc,rank\nq1,b,1\nq1,a,2\nq2,a,1\nq3,e,1\n",
    }
    project = StudioProject(Store(folder / "tiny.db"))
    for name, rows in tables.items():
        (folder / f"{name}.csv").write_text(rows)
        project.add("judgments" if name == "judgments" else "results", folder / f"{name}.csv")
    return project
