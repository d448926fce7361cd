"""Parquet files."""

from idealrank._core import Frame, Progress, read_parquet
from idealrank.data.formats.head import Content, Form, Head


def looks_like(head: Head) -> Form | None:
    """Recognize Parquet by its first bytes."""
    return Form("parquet", read) if head.start.startswith(b"PAR1") else None


def read(content: Content, progress: Progress | None) -> Frame:
    """Read all columns at once."""
    return read_parquet(content)
