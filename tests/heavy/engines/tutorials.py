"""Renew the tutorials, whose commands ask an engine: ``python -m tests.heavy.engines.tutorials``.

An address such as http://localhost:9200 on a page stands for that of an engine started for the tests.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.docs.blocks import ROOT, TUTORIALS, renewed
from tests.heavy.engines.servers import AbsentError
from tests.heavy.engines.servers.catalogue import ENGINES
from tests.heavy.engines.servers.sharing import shared


def renewed_at(page: str, address: str) -> str:
    """Return a tutorial with the output its commands give now, with the engine at an address."""
    shown = TUTORIALS[page][1]
    return renewed((ROOT / page).read_text("utf-8").replace(shown, address)).replace(address, shown)


def renew(page: str) -> None:
    """Start the engine of a tutorial and write the page with the output of today."""
    name = next(name for name in ENGINES if name.lower() == TUTORIALS[page][0])
    with tempfile.TemporaryDirectory() as folder, shared(Path(folder), *ENGINES[name]) as address:
        text = renewed_at(page, address)
    (ROOT / page).write_text(text, "utf-8")


if __name__ == "__main__":
    for each in TUTORIALS:
        try:
            renew(each)
        except AbsentError as error:
            print(f"NOT RENEWED: {each} ({error})")
