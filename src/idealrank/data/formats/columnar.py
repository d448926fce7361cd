"""Parquet files, and Arrow IPC files and streams."""

from idealrank._core import Frame, Progress, read_arrow, read_parquet
from idealrank.data.formats.head import Content, DetectedFormat, Head


def detect_parquet(head: Head) -> DetectedFormat:
    """Take a file that begins as Parquet."""
    return DetectedFormat("parquet", _read_parquet_file)


def detect_arrow(head: Head) -> DetectedFormat:
    """Take a file that begins as Arrow, a file or a stream."""
    return DetectedFormat("arrow", _read_arrow_file)


def _read_parquet_file(content: Content, progress: Progress | None) -> Frame:
    return read_parquet(content)


def _read_arrow_file(content: Content, progress: Progress | None) -> Frame:
    return read_arrow(content)
