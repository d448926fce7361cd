"""Build the pages of docs into a static site that needs no server and no network.

python docs/make_site.py [FOLDER]   target/site, unless a folder is named
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from website.building import built
from website.staging import ROOT, SiteError


def main(arguments: list[str]) -> int:
    """Build the site and say where it is, or what is wrong with the pages."""
    folder = Path(arguments[0]) if arguments else ROOT / "target" / "site"
    start = time.perf_counter()
    try:
        pages = built(folder)
    except SiteError as problems:
        print(problems, file=sys.stderr)
        return 1
    print(f"{len(pages)} pages in {time.perf_counter() - start:.0f} s. Open {folder / 'index.html'} in a browser.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
