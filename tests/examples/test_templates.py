"""The shop's templates; `tests/cli/test_demo.py` has the demo made of them."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import run
from tests.examples.running import FOLDER

SHOP = FOLDER / "shop"


@pytest.mark.parametrize("name", ["all", "any"])
def test_stated_means(name: str, tmp_path: Path) -> None:
    """The means that the README states are those of the templates' lists, written out."""
    stated = re.search(rf"^\| `{name}\.sql` .* \| (\S+) \|$", (SHOP / "README.md").read_text("utf-8"), re.MULTILINE)
    ir.replay(SHOP / "queries.csv", f"sqlite:{SHOP}/products.csv?template={SHOP}/{name}.sql", output=tmp_path)
    lists: dict[str, list[str]] = {}
    with (tmp_path / f"{name}.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            lists.setdefault(row["query_id"], []).append(row["doc_id"])
    assert stated is not None
    found = ir.evaluate(SHOP / "judgments.csv", lists, ["nDCG@10"], raters="median")["nDCG@10"]
    assert found == pytest.approx(float(stated[1]), abs=5.1e-5)


def test_boost() -> None:
    """With the weights of any.sql, boost.sql finds the same."""
    engines = [f"sqlite:{SHOP}/products.csv?template={SHOP}/{name}.sql" for name in ("any", "boost")]
    found = ir.replay(SHOP / "queries.csv", engines, settings={"title": [3], "category": [1]})
    scores = ir.evaluate(SHOP / "judgments.csv", found, ["nDCG@10"])
    assert scores["nDCG@10", "any"] == scores["nDCG@10", "boost title=3 category=1"]


def test_quepid(tmp_path: Path) -> None:
    """The ratings as Quepid exports them are the shop's judgments, converted."""
    words = ["--to", "quepid", "--raters", "median", "--queries-table", SHOP / "queries.csv"]
    run("convert", SHOP / "judgments.csv", tmp_path / "quepid.csv", *words)
    assert (tmp_path / "quepid.csv").read_bytes() == (FOLDER / "engines" / "quepid.csv").read_bytes()


def test_templates_are_listed() -> None:
    """The README names every file beside it."""
    said = (FOLDER / "engines" / "README.md").read_text("utf-8")
    assert all(f"`{path.name}`" in said for path in (FOLDER / "engines").iterdir() if path.suffix != ".md")
