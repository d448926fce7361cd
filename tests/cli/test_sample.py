"""idealrank sample: files with grades in them are not written over."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.terminal import SHOP, run

DRAW = ("sample", "judgments.csv", "-n", "5", "--changed", "bm25.csv", "hybrid.csv")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return a folder with judgments, two systems and titles."""
    for name in ("judgments.csv", "bm25.csv", "hybrid.csv", "products.csv"):
        shutil.copy(SHOP / name, tmp_path)
    return tmp_path


def test_a_sheet_that_people_filled_in_is_not_written_over(shop: Path) -> None:
    """A second call with the same words writes nothing at all, not even the sample."""
    assert run(*DRAW, "-o", "sample.csv", "--sheet", "people.csv", cwd=shop).code == 0
    filled, sample = "query,doc,grade\nq01,P1008,2\n", (shop / "sample.csv").read_text()
    (shop / "people.csv").write_text(filled)
    said = run(*DRAW, "--seed", "9", "-o", "sample.csv", "--sheet", "people.csv", cwd=shop)
    why = "--sheet people.csv: is there already and may hold grades. Name another file, or remove it."
    assert (said.code, why in said.err) == (2, True), said.err
    assert ((shop / "people.csv").read_text(), (shop / "sample.csv").read_text()) == (filled, sample)


def test_an_empty_file_and_a_device_have_no_grades(shop: Path) -> None:
    """As mktemp makes the first."""
    (shop / "people.csv").touch()
    assert run(*DRAW, "-o", "sample.csv", "--sheet", "people.csv", cwd=shop).code == 0
    assert (shop / "people.csv").read_text().startswith("query,")
    assert run(*DRAW, "-o", "sample.csv", "--sheet", os.devnull, cwd=shop).code == 0


@pytest.mark.parametrize("sheet", ["both.csv", "./both.csv", "../{here}/both.csv"])
def test_sample_and_sheet_are_two_files(shop: Path, sheet: str) -> None:
    """Whatever the second is called: the sample would be written over the sheet."""
    said = run(*DRAW, "-o", "both.csv", "--sheet", sheet.format(here=shop.name), cwd=shop)
    assert (said.code, "both.csv: also the file of -o. Give another name." in said.err) == (2, True), said.err
    assert not (shop / "both.csv").exists()


def test_sample_and_sheet_are_not_both_piped() -> None:
    """Two tables in one stream are none."""
    said = run(*DRAW, "--sheet", "-", cwd=SHOP)
    assert (said.code, said.out) == (2, "")
    assert "--sheet -: the table goes to standard output, too. Give a file: --sheet FILE." in said.err
