"""Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idealrank.data.formats.head import Content, Form, Head

if TYPE_CHECKING:
    from idealrank._core import Frame, Progress


def looks_like(head: Head) -> Form | None:
    """Recognize Parquet by its first bytes."""
    return Form("parquet", read) if head.start.startswith(b"PAR1") else None


def read(content: Content, progress: Progress | None) -> Frame:
    """Read all columns at once."""
    from idealrank._core import read_parquet

    return read_parquet(content)
