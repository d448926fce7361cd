"""Repository paths go in; the pages of the site, and the files they link to, come out in one folder."""

from __future__ import annotations

import itertools
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


class SiteError(Exception):
    """What is wrong with the pages."""


_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)\s#]+)((?:#[^)\s]*)?)(?=\))")


def staged(folder: Path) -> list[str]:
    """Fill a folder with all pages and what they link to; return the names of the pages, without their ending."""
    waiting = sorted(DOCS.glob("*.md"))
    done: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in done:
            done.add(path)
            waiting += _placed(path, folder)
    return sorted(str(_place(path).with_suffix("")) for path in done if _place(path).suffix == ".md")


def _placed(path: Path, folder: Path) -> list[Path]:
    """Write one page or file into the folder; return what it links to, or a picture's variants for other screens."""
    target = folder / _place(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    if _place(path).suffix != ".md":
        shutil.copyfile(path, target)
        return sorted(path.parent.glob(f"{path.stem}-*.png")) if path.suffix == ".png" else []
    text = _contents(path) if path.is_dir() else path.read_text("utf-8")
    page = path / "README.md" if path.is_dir() else path
    target.write_text(_outside_fences(text, page), "utf-8")
    return [_meant(page, match[1]) for match in _LINK.finditer(_FENCE.sub("", text))]


def _place(path: Path) -> Path:
    """Where a file is in the site: the pages of docs at its root, all else as in the repository."""
    place = path.relative_to(DOCS if path.is_relative_to(DOCS) else ROOT)
    return place / "README.md" if path.is_dir() else place


def _meant(page: Path, link: str) -> Path:
    """Return what a link on a page leads to; a folder with a README is that."""
    path = (page.parent / link).resolve()
    if not path.exists():
        raise SiteError(f"{page.name} links to {link}, which is not there.")
    readme = path / "README.md"
    return readme if readme.is_file() else path


def _outside_fences(text: str, page: Path) -> str:
    """Return a page with links as they are in the site."""
    here = _place(page).parent

    def moved(match: re.Match[str]) -> str:
        return _between(here, _place(_meant(page, match[1]))) + match[2]

    starts = [0, *(place for found in _FENCE.finditer(text) for place in found.span()), len(text)]
    parts = [text[a:b] for a, b in itertools.pairwise(starts)]
    return "".join(part if number % 2 else _LINK.sub(moved, part) for number, part in enumerate(parts))


def _between(here: Path, there: Path) -> str:
    return Path(os.path.relpath(there, here)).as_posix()


def _contents(folder: Path) -> str:
    """A page for a folder that has none: the files in it."""
    return f"# {folder.relative_to(ROOT).as_posix()}\n\n" + "".join(_lines(folder))


def _lines(folder: Path) -> Iterator[str]:
    for file in sorted(folder.iterdir()):
        yield f"- [`{file.name}`]({file.name})\n" if file.is_file() else ""
