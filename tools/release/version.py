"""The version: the same wherever it is stated, and with a section in the changelog."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

CRATE = "idealrank-core"


def version(root: Path, tag: str = "") -> str:
    """Return the version to release.

    Parameters
    ----------
    tag
        The tag it is released under; "": none yet.

    Raises
    ------
    SystemExit
        If two places disagree, or the changelog does not know the version.
    """
    stated = {
        "pyproject.toml": _toml(root / "pyproject.toml")["project"]["version"],
        "Cargo.toml": _toml(root / "Cargo.toml")["package"]["version"],
        "Cargo.lock": next(
            p["version"] for p in _toml(root / "Cargo.lock")["package"] if p["name"] == "idealrank-core"
        ),
    }
    if tag:
        stated["the tag"] = tag.removeprefix("refs/tags/").removeprefix("v")
    if len(set(stated.values())) > 1:
        raise SystemExit(f"versions differ: {', '.join(f'{place} {one}' for place, one in stated.items())}.")
    found = stated["pyproject.toml"]
    _refuse_unknown(found, (root / "CHANGELOG.md").read_text("utf-8"), released=bool(tag))
    return found


def _toml(path: Path) -> dict:
    return tomllib.loads(path.read_text("utf-8"))


def _refuse_unknown(version: str, changelog: str, *, released: bool) -> None:
    heading = re.search(rf"^## {re.escape(version)}(?: \((.*)\))?$", changelog, re.MULTILINE)
    if heading is None:
        raise SystemExit(f"CHANGELOG.md has no section '## {version}'. Write it.")
    if released and heading[1] == "not released":
        raise SystemExit(
            f"CHANGELOG.md says that {version} is not released. Put the date there: ## {version} (2026-01-31)."
        )
