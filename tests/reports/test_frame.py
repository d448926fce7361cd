"""The frame of the page: its data, its policy, its scripts and styles."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from idealrank.reports.page import page as assets
from tests.reports.reading import data_of, read
from tests.reports.worlds import alone, hostile, shop

FOLDER = Path(str(files("idealrank.reports.page")))
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
IMPORTED = re.compile(r'^import \{ ([^}]*) \} from "(\.\.?/[\w./]+\.js)";$', re.MULTILINE)


@pytest.mark.parametrize("make", [shop, alone, hostile], ids=["shop", "alone", "hostile"])
def test_the_data_is_the_value(make: object) -> None:
    """The blocks of data, unpacked, are `Report.to_dict`, part by part and to the last digit."""
    report = make()  # type: ignore[operator]
    assert data_of(read(report.to_html())) == json.loads(json.dumps(report.to_dict()))


def test_the_policy_allows_the_page_s_own_scripts_and_styles_and_nothing_else() -> None:
    """Each inline script and style is allowed by its SHA-256, there are no other allowances, and no connection."""
    page = read(shop().to_html())
    content = page.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    policy = dict(part.split(" ", 1) for part in content.split("; "))
    scripts = [s.text for s in page.all("script") if s.attributes.get("type") != "application/gzip"]
    assert set(policy["script-src"].split()) == {_hash(text) for text in scripts}
    assert set(policy["style-src"].split()) == {_hash(style.text) for style in page.all("style")}
    for name in ("default-src", "connect-src", "base-uri", "form-action"):
        assert policy[name] == "'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _begins(text: str) -> str:
    """Return the line of a module that declares its first name, as it is in the joined script."""
    rest = re.sub(r"^import .*\n|^ *//.*\n|^/\*\*[\s\S]*?\*/\n", "", text, flags=re.MULTILINE)
    return rest.strip().splitlines()[0].removeprefix("export ")


def test_lines_of_comment_are_left_out() -> None:
    """The joined script has every line of the modules but imports, empty lines and comments."""
    code = re.compile(r"^\s*(//|\*|/\*\*|import )")
    joined = [line for line in assets.page_script().splitlines() if line]
    modules = [path.read_text("utf-8").splitlines() for path in (FOLDER / "scripts").rglob("*.js")]
    lines = [line.removeprefix("export ") for text in modules for line in text if line and not code.match(line)]
    assert sorted(joined) == sorted(lines)


def test_each_module_stands_after_those_it_imports() -> None:
    """In the joined script every module is there once, and what it imports is declared before it."""
    joined = assets.page_script()
    for path in sorted((FOLDER / "scripts").rglob("*.js")):
        text = path.read_text("utf-8")
        own = joined.index(_begins(text))
        assert joined.count(_begins(text)) == 1, path.name
        for name, module in IMPORTED.findall(text):
            first = _begins((path.parent / module).read_text("utf-8"))
            assert joined.index(first) < own, f"{path.name} imports {name}"
    assert not re.search(r"^(import|export) ", joined, re.MULTILINE)


def test_no_name_is_declared_twice() -> None:
    """The modules share one scope when joined: no two declare the same name at the top."""
    names = [name for path in (FOLDER / "scripts").rglob("*.js") for name in DECLARED.findall(path.read_text("utf-8"))]
    assert sorted(names) == sorted(set(names))


def test_what_a_module_imports_is_exported() -> None:
    """Every imported name is exported by the module it is taken from, and used."""
    for path in (FOLDER / "scripts").rglob("*.js"):
        text = path.read_text("utf-8")
        for names, module in IMPORTED.findall(text):
            there = (path.parent / module).read_text("utf-8")
            for name in names.split(", "):
                assert re.search(rf"^export (async )?(function|const|class) {name}\b", there, re.MULTILINE), name
                assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{path.name} does not use {name}"


def test_modules_are_short() -> None:
    """A newcomer reads one noun at a time: no module has more than 250 lines."""
    for path in (FOLDER / "scripts").rglob("*.js"):
        assert len(path.read_text("utf-8").splitlines()) <= 250, path.name


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to parse the script with")
def test_the_joined_script_parses(tmp_path: Path) -> None:
    """The joined modules are a valid module."""
    path = tmp_path / "page.mjs"
    path.write_text(assets.page_script(), "utf-8")
    subprocess.run(["node", "--check", str(path)], check=True)


def test_the_scripts_make_elements_of_no_text() -> None:
    """No script turns text into elements or code."""
    for path in (FOLDER / "scripts").rglob("*.js"):
        text = path.read_text("utf-8")
        for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert forbidden not in text, path.name


def test_the_chart_library_is_as_it_was_released() -> None:
    """The vendored files have the checksums noted beside them; with its licence; below 200 KB."""
    vendor = FOLDER / "vendor"
    noted = dict(reversed(line.split()) for line in (vendor / "SHA256SUMS").read_text("utf-8").splitlines())
    assert set(noted) == {path.name for path in vendor.iterdir()} - {"SHA256SUMS"}
    for name, sum_ in noted.items():
        assert hashlib.sha256((vendor / name).read_bytes()).hexdigest() == sum_
    assert "MIT" in (vendor / "uPlot.LICENSE").read_text("utf-8")
    assert sum(path.stat().st_size for path in vendor.iterdir()) < 200_000
