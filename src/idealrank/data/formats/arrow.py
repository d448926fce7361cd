"""Arrow IPC files and streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idealrank.data.formats.head import Content, Form, Head

if TYPE_CHECKING:
    from idealrank._core import Frame, Progress


def looks_like(head: Head) -> Form | None:
    """Recognize a file or a stream by its first bytes."""
    return Form("arrow", read) if head.start.startswith((b"ARROW1", b"\xff\xff\xff\xff")) else None


def read(content: Content, progress: Progress | None) -> Frame:
    """Read all columns at once."""
    from idealrank._core import read_arrow

    return read_arrow(content)
