"""The frame of the page: its data, its policy, its scripts and styles."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from importlib.resources import files
from os.path import normpath
from pathlib import Path

import pytest

from idealrank.reports.page import page as assets
from tests.reports.reading import data_of, read
from tests.reports.worlds import alone, hostile, shop

FOLDER = Path(str(files("idealrank.reports.page")))
SCRIPTS = {path.relative_to(FOLDER / "scripts"): path.read_text("utf-8") for path in (FOLDER / "scripts").rglob("*.js")}
IMPORTED = re.compile(r'^import \{([^}]*)\} from "(\.\.?/[\w./]+\.js)";$', re.MULTILINE)
EXPORTED = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.MULTILINE)


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


def test_every_import_and_export_is_understood() -> None:
    """No line that begins an import or an export has a form that the bundle does not translate."""
    for path, text in SCRIPTS.items():
        assert len(re.findall(r"^\s*import\b", text, re.MULTILINE)) == len(assets._IMPORT.findall(text)), path
        assert len(re.findall(r"^\s*export\b", text, re.MULTILINE)) == len(assets._EXPORT.findall(text)), path
    assert not re.search(r"^\s*(import|export)\b", assets.bundle(), re.MULTILINE)


def test_each_module_is_there_once_after_those_it_imports() -> None:
    """Every module of the folder has its constant in the bundle, behind the constants it takes names from."""
    few, bundle = assets.bundle(assets.FEW), assets.bundle(assets.SEVERAL)
    named = [set(re.findall(r"^const (\$\w+) = ", each, re.MULTILINE)) for each in (few, bundle)]
    assert named[0] | named[1] == {_constant(path) for path in SCRIPTS}
    assert named[1] - named[0] == {"$several", "$pair"}, "pages of two systems do without choosing two"
    for path, text in SCRIPTS.items():
        if path == Path(assets.FEW):
            continue
        begin = f"const {_constant(path)} = (() => {{"
        assert bundle.count(begin) == 1, path
        for _, module in _imports(path, text):
            assert bundle.index(f"const {_constant(module)} = ") < bundle.index(begin), f"{path} imports {module}"


def test_no_text_of_a_script_goes_over_lines() -> None:
    """Each line closes the template it opens, so that indents may be left out."""
    for path, text in SCRIPTS.items():
        for line in text.splitlines():
            assert line.count("`") % 2 == 0, f"{path}: {line}"


def test_what_a_module_imports_is_exported() -> None:
    """Every imported name is exported by the module it is taken from, and used; what is exported is imported."""
    wanted = set()
    for path, text in SCRIPTS.items():
        for name, module in _imports(path, text):
            wanted.add((module, name))
            assert name in EXPORTED.findall(SCRIPTS[module]), f"{path} imports {name} of {module}"
            assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{path} does not use {name}"
    assert wanted == {(path, name) for path, text in SCRIPTS.items() for name in EXPORTED.findall(text)}


def _imports(path: Path, text: str) -> list[tuple[str, Path]]:
    """Return each name that a module imports, with the module it is of."""
    found = [(names, Path(normpath(path.parent / module))) for names, module in IMPORTED.findall(text)]
    return [(name, module) for names, module in found for name in re.findall(r"(\w+)(?: as \w+)?", names)]


def _constant(path: Path) -> str:
    return "$" + "_".join(path.with_suffix("").parts)


def test_an_import_may_span_lines_and_rename(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are taken out of the constant of their module, under the name they are imported by."""
    written = {
        "scripts/main.js": 'import {\n  one,\n  two as other,\n} from "./far/parts.js";\n\nother(one);\n',
        "scripts/far/parts.js": "// Two.\nexport const one = 1;\nconst own = 2;\nexport async function two() {}\n",
    }
    monkeypatch.setattr(assets, "read_asset", written.__getitem__)
    assert assets.bundle.__wrapped__("main.js") == (
        "const $far_parts = (() => {\nconst one = 1;\nconst own = 2;\nasync function two() {}\n"
        "return { one, two };\n})();\n\n"
        "const $main = (() => {\nconst {\none,\ntwo: other,\n} = $far_parts;\n\nother(one);\nreturn {  };\n})();\n"
    )


def test_lines_of_comment_are_left_out() -> None:
    """The bundle has no line that is only a comment."""
    assert not re.search(r"^\s*(//|/\*)", assets.bundle(), re.MULTILINE)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to parse the script with")
def test_the_bundle_parses(tmp_path: Path) -> None:
    """The bundle is a valid module."""
    path = tmp_path / "page.mjs"
    path.write_text(assets.bundle(), "utf-8")
    subprocess.run(["node", "--check", str(path)], check=True)


def test_the_scripts_make_elements_of_no_text() -> None:
    """No script turns text into elements or code."""
    for path, text in SCRIPTS.items():
        for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert forbidden not in text, path


def test_the_chart_library_is_as_it_was_released() -> None:
    """The vendored files have the checksums noted beside them; with its licence; below 200 KB."""
    vendor = FOLDER / "vendor"
    noted = dict(reversed(line.split()) for line in (vendor / "SHA256SUMS").read_text("utf-8").splitlines())
    assert set(noted) == {path.name for path in vendor.iterdir()} - {"SHA256SUMS"}
    for name, sum_ in noted.items():
        assert hashlib.sha256((vendor / name).read_bytes()).hexdigest() == sum_
    assert "MIT" in (vendor / "uPlot.LICENSE").read_text("utf-8")
    assert sum(path.stat().st_size for path in vendor.iterdir()) < 200_000
