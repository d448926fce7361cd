"""An engine is asked again from the page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

import idealrank as ir
from idealrank.studio.project import StudioProject
from tests.studio.worlds import SHOP


def test_another_template_becomes_a_new_system(page: Page, project: StudioProject, tmp_path: Path) -> None:
    """The shop's built-in engine is asked with another template; the new system has the numbers of `replay`."""
    engine = f"strict=sqlite:{SHOP.resolve() / 'products.csv'}?template={SHOP.resolve() / 'all.sql'}"
    ir.replay(SHOP / "queries.csv", engine, output=tmp_path / "res", fields=("title",), progress=False)
    project.add("results", tmp_path / "res" / "strict.csv")
    page.goto("/replay")
    page.get_by_label("template").fill((SHOP / "any.sql").read_text())
    page.get_by_label("name of the new system").fill("loose")
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("#replay-state")).to_contain_text("is a system of the project now", timeout=60_000)
    page.goto("/?baseline=strict&system=loose")
    loose = engine.replace("strict=", "loose=").replace("all.sql", "any.sql")
    ir.replay(SHOP / "queries.csv", loose, output=tmp_path / "direct", progress=False)
    files = {"strict": tmp_path / "res" / "strict.csv", "loose": tmp_path / "direct" / "loose.csv"}
    found = ir.compare(SHOP / "judgments.csv", files, ["nDCG@10"], queries=SHOP / "queries.csv")
    expect(page.locator("#summary .big b")).to_have_text(f"{found['nDCG@10'].difference:+.3f}".replace("-", "−"))
