"""Parquet files, and Arrow IPC files and streams."""

from idealrank._core import Frame, Progress, read_arrow, read_parquet
from idealrank.data.formats.head import Content, DetectedFormat, Head

# Arrow IPC files and streams.


def detect_arrow(head: Head) -> DetectedFormat | None:
    """Recognize a file or a stream by its first bytes."""
    return DetectedFormat("arrow", _read_arrow) if head.start.startswith((b"ARROW1", b"\xff\xff\xff\xff")) else None


def _read_arrow(content: Content, progress: Progress | None) -> Frame:
    return read_arrow(content)


# Parquet files.


def detect_parquet(head: Head) -> DetectedFormat | None:
    """Recognize Parquet by its first bytes."""
    return DetectedFormat("parquet", _read_parquet) if head.start.startswith(b"PAR1") else None


def _read_parquet(content: Content, progress: Progress | None) -> Frame:
    return read_parquet(content)
