"""The files of the example shop: in a wheel they are in the package, in a checkout in its examples."""

from __future__ import annotations

from pathlib import Path

from idealrank.errors import DataError

FILES = ("judgments.csv", "queries.csv", "products.csv", "bm25.csv", "hybrid.csv", "all.sql", "any.sql")
"""What a demo is made of: the same names are in `build.rs`, which puts them into the wheel."""

_PACKAGE = Path(__file__).parents[1]
_PLACES = (_PACKAGE / "shop", _PACKAGE.parents[1] / "examples" / "shop")


def shop_files() -> list[Path]:
    """Return the shop's files.

    Raises
    ------
    DataError
        If this installation has none.
    """
    for folder in _PLACES:
        files = [folder / name for name in FILES]
        if all(file.is_file() for file in files):
            return files
    raise DataError(f"{_PLACES[0]}: the example shop is not there. Install idealrank again.")
