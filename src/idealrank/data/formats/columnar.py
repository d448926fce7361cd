"""Parquet files, and Arrow IPC files and streams."""

from idealrank._core import Frame, Progress, read_arrow, read_parquet
from idealrank.data.formats.head import Content


def read_arrow_file(content: Content, progress: Progress | None) -> Frame:
    """Read an Arrow IPC file or stream."""
    return read_arrow(content)


def read_parquet_file(content: Content, progress: Progress | None) -> Frame:
    """Read a Parquet file."""
    return read_parquet(content)
