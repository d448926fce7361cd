"""Arrow IPC files and streams."""

from idealrank._core import Frame, Progress, read_arrow
from idealrank.data.formats.head import Content, Form, Head


def looks_like(head: Head) -> Form | None:
    """Recognize a file or a stream by its first bytes."""
    return Form("arrow", read) if head.start.startswith((b"ARROW1", b"\xff\xff\xff\xff")) else None


def read(content: Content, progress: Progress | None) -> Frame:
    """Read all columns at once."""
    return read_arrow(content)
