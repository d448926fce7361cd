"""Texts that were read and approved: a file each, compared line by line, written anew by a command."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path


def write(folder: Path, kind: str, texts: Mapping[str, str]) -> None:
    """Write each text to a file named after it, and take away those that are no longer there."""
    folder.mkdir(exist_ok=True)
    for file in folder.glob(f"*.{kind}"):
        file.unlink()
    for name, text in texts.items():
        (folder / f"{name}.{kind}").write_text(text, "utf-8")


def approved(folder: Path, kind: str) -> list[str]:
    """Return the names of the texts that were approved."""
    return sorted(file.stem for file in folder.glob(f"*.{kind}"))


def difference(file: Path, text: str, command: str) -> str:
    """Return how a text differs from the approved one, line by line, and what to do; "" where it does not."""
    lines = difflib.unified_diff(
        file.read_text("utf-8").splitlines(), text.splitlines(), f"approved {file.name}", "now", lineterm="", n=1
    )
    shown = "\n".join(lines)
    return f"{shown}\nIf this is meant: {command}, and read the difference." if shown else ""
