"""Download and build all engines: ``python -m tests.heavy.engines.servers``. It says which cannot be had, and why."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.heavy.engines.servers import AbsentError
from tests.heavy.engines.servers.catalogue import ENGINES


def main() -> None:
    """Build each engine that is not built."""
    for name, engine in ENGINES.items():
        try:
            engine.command(Path())
        except AbsentError as error:
            print(f"NOT TESTED: {name} ({error})", file=sys.stderr)


if __name__ == "__main__":
    main()
