"""Build the site once for all processes of a test session."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.docs.blocks import ROOT
from tests.heavy.engines.servers.locks import locked


def build(folder: Path, docs: Path = ROOT / "docs") -> subprocess.CompletedProcess[str]:
    """Run what `make site` runs."""
    return subprocess.run(
        [sys.executable, docs / "make_site.py", folder], capture_output=True, text=True, check=False, timeout=300
    )


def built_once(folder: Path) -> Path:
    """Return the folder of the site; the first process to ask builds it."""
    done = folder.with_suffix(".done")
    with locked(folder.with_suffix(".lock")):
        if not done.exists():
            result = build(folder)
            assert (result.returncode, result.stderr) == (0, ""), result.stderr
            done.touch()
    return folder


def pages(site: Path) -> list[str]:
    """Return the name of every page, without its ending; not of what a server shows where none is found."""
    found = sorted(page.relative_to(site).with_suffix("").as_posix() for page in site.rglob("*.html"))
    return [name for name in found if name != "404"]
