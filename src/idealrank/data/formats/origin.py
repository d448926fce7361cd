"""The file a table was read from, and whether it is still the same."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """A file as it was when it was read.

    Attributes
    ----------
    path
        Its absolute path, which does not depend on the working directory.
    size, changed
        Its size in bytes, and when it last changed, in nanoseconds.
    """

    path: str
    size: int
    changed: int

    @classmethod
    def of(cls, path: str) -> Origin:
        """Record the current state of a file."""
        now = os.stat(path)
        return cls(os.path.abspath(path), now.st_size, now.st_mtime_ns)

    def sha256(self) -> str | None:
        """Return the SHA-256 of the file's bytes; None if it has changed since it was read."""
        import hashlib

        try:
            if Origin.of(self.path) != self:
                return None
            with open(self.path, "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            return None
