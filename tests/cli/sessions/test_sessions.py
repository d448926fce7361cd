"""Each session is as it was approved."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from tests.cli.sessions.session import facts, replayed, sessions

FACTS = [(name, fact) for name in sessions() for fact in facts(name)]


@pytest.mark.parametrize(("name", "fact"), FACTS, ids=[f"{name}: {fact[2:]}" for name, fact in FACTS])
def test_a_session_is_as_approved(name: str, fact: str, tmp_path: Path) -> None:
    """What a call says, and its exit code, are what was read and approved; else the difference is named."""
    before = facts(name)[fact]
    found = difflib.unified_diff(before, list(replayed(before, tmp_path)), "approved", "now", lineterm="", n=1)
    said = "\n".join(found)
    assert not said, f"{said}\nIf this is meant: python -m tests.cli.sessions.session, and read the difference."
