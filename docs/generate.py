"""Write what follows from the definitions: pages, and modules that tell type checkers and editors of them.

python docs/generate.py           write them
python docs/generate.py --check   fail if one of them is stale
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from modules import answers_module, face_stub, methods_module
from pages.command_line import cli_page
from pages.conventions import conventions_page
from pages.decisions import decisions_page
from pages.gallery import gallery
from pages.measures import measures_page
from pages.ndcg_picture import ndcg_picture
from pages.python import python_page
from pages.sections import sections_list
from pages.tables import (
    DOCS,
    HOUSE,
    ROOT,
    aliases_table,
    behaviours_table,
    documents_table,
    findings_table,
    formats_table,
    outputs_table,
    rooms_table,
)
from pages.ten_numbers import ten_numbers_table
from pages.unit_picture import unit_picture

NOTICE = "<!-- Written by docs/generate.py from the definitions: change those, then run it again. -->\n\n"

WHOLE = {
    "measures.md": measures_page,
    "decisions.md": decisions_page,
    "conventions.md": conventions_page,
    "cli.md": cli_page,
    "python.md": python_page,
}
"""Pages that are written from the first line to the last."""

PICTURES = {"chunks-units.svg": unit_picture, "what-is-ndcg.svg": ndcg_picture}
"""Pictures that are drawn from what the examples give."""

MODULES = {
    HOUSE / "__init__.pyi": face_stub,
    HOUSE / "decisions" / "answers.py": answers_module,
    HOUSE / "statistics" / "names.py": methods_module,
}
"""Modules that are written from the first line to the last."""

PARTS = {
    DOCS / "index.md": {"sections": sections_list},
    DOCS / "convert.md": {"formats": formats_table},
    DOCS / "inputs.md": {"documents": documents_table, "aliases": aliases_table},
    DOCS / "why.md": {"ten numbers": ten_numbers_table},
    DOCS / "notebooks.md": {"behaviours": behaviours_table},
    DOCS / "outputs.md": {"outputs": outputs_table},
    DOCS / "doctor.md": {"findings": findings_table},
    ROOT / "CONTRIBUTING.md": {"rooms": rooms_table},
    ROOT / "README.md": {"ten numbers": ten_numbers_table},
}
"""Tables inside pages written by hand, between two comments."""


def pages() -> Iterator[tuple[Path, str]]:
    """Yield every page with the text it should have."""
    for name, page in WHOLE.items():
        yield DOCS / name, NOTICE + without_errors(name, page())
    for name, picture in PICTURES.items():
        yield DOCS / name, picture()
    for name, drawn in gallery().items():
        yield DOCS / name, drawn
    for path, module in MODULES.items():
        yield path, module()
    for path, tables in PARTS.items():
        text = path.read_text("utf-8")
        for part, table in tables.items():
            between = re.compile(rf"(<!-- {part}: [^\n]* -->\n).*?(<!-- end of {part} -->)", re.DOTALL)
            text, found = between.subn(lambda match, t=table: f"{match[1]}\n{t()}\n\n{match[2]}", text)
            without_errors(path.name, between.search(text)[0] if found else "")
            assert found == 1, f"{path.name}: no comments around the {part}"
        yield path, text


def without_errors(name: str, text: str) -> str:
    """Return generated text, or refuse it if it shows a traceback that no docstring gives as its example."""
    if "Traceback (most recent call last)" in re.sub(r"^```pycon\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL):
        raise SystemExit(f"{name}: a traceback would be written into this page. Mend what raises it.")
    return text


def main(arguments: list[str]) -> int:
    """Write the pages, or say which are stale."""
    stale = [(path, text) for path, text in pages() if not path.is_file() or path.read_text("utf-8") != text]
    for path, text in stale:
        if "--check" not in arguments:
            path.write_text(text, "utf-8")
        print(f"{'stale: ' if '--check' in arguments else 'wrote '}{path.name}")
    if "--check" not in arguments and any(path in MODULES for path, _ in stale):
        # Pages follow from these modules, too, which this process imported as they were.
        return subprocess.run([sys.executable, __file__, *arguments], check=False).returncode
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
