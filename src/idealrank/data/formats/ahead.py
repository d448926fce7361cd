"""A file that is read in the background while modules are imported."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from idealrank.data.formats.source import Source


class Ahead:
    """A source that is still being read: asking for it waits for the reader."""

    def __init__(self, read: Callable[[], Source]) -> None:
        self._read = read
        self._source: Source | None = None
        self._failed: Exception | None = None
        # A daemon, so that a usage error found in the meantime need not wait for a large file.
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._source = self._read()
        except Exception as error:  # raised where the source is asked for
            self._failed = error

    def source(self) -> Source:
        """Return the source, or raise what reading it raised."""
        self._thread.join()
        if self._failed is not None:
            raise self._failed
        assert self._source is not None
        return self._source
