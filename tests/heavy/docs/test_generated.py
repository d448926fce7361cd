"""The generated pages follow from the definitions."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from types import ModuleType

import pytest

import idealrank as ir
from idealrank.measures import DEFINITIONS
from tests.docs.blocks import ROOT

SCRIPT = ROOT / "docs" / "generate.py"


@pytest.fixture
def generate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, as a module."""
    monkeypatch.syspath_prepend(SCRIPT.parent)
    spec = importlib.util.spec_from_file_location("generate", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pages_are_fresh() -> None:
    """``docs/generate.py --check`` finds nothing to write."""
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_check_finds_a_stale_page(
    generate: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A definition that has no page yet fails the check, and the page is named."""
    monkeypatch.setattr("pages.measures.DEFINITIONS", DEFINITIONS[1:])
    assert generate.main(["--check"]) == 1
    assert "stale: measures.md" in capsys.readouterr().out


def test_the_gallery_has_every_plot_with_its_line() -> None:
    """Below each heading that is the name of a plot stand the line that calls it, and then its picture."""
    page = (ROOT / "docs" / "plots.md").read_text("utf-8")
    shown = dict(re.findall(r"^### (.*?)\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL))
    assert set(ir.plots.__all__) == set(shown) - {"segments of a comparison"}
    for name in ir.plots.__all__:
        assert re.search(rf"= ir\.plots\.{name}\(.*^!\[[^]]+\]\(plots-{name}\.svg\)$", shown[name], re.DOTALL | re.M)
