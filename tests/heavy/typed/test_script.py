"""A user's script in strict mode, and what an editor offers while it is written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import idealrank as ir
from tests.heavy.typed.language_server import language_server

FOLDER = Path(__file__).parent
SCRIPT = (FOLDER / "script.py").read_text("utf-8")
SCORES = ir.evaluate({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}}, ["RR"])
COMPARISON = ir.compare(SCORES)


def pyright(folder: Path, script: str) -> list[tuple[int, str]]:
    """Return the errors of a script in strict mode, each with its line."""
    (folder / "script.py").write_text(script, "utf-8")
    settings = {"include": ["script.py"], "typeCheckingMode": "strict", "pythonVersion": "3.11"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    command = [sys.executable, "-m", "basedpyright", "-p", folder, "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    return [(each["range"]["start"]["line"], each["message"]) for each in found["generalDiagnostics"]]


def test_every_public_name_is_used() -> None:
    """The script uses each name that ``ir.`` offers."""
    assert set(re.findall(r"\bir\.(\w+)", SCRIPT)) == set(ir.__all__)


def test_nothing_is_unknown_in_strict_mode(tmp_path: Path) -> None:
    """Pyright in strict mode finds no error in the script: no unknown type, no optional value by surprise."""
    assert pyright(tmp_path, SCRIPT) == []


def test_wrong_lines_are_found(tmp_path: Path) -> None:
    """What is unknown, misspelt or of another type is found where it is: strict mode does read these types."""
    wrong = [
        'scores = ir.evaluate("j", "r", gain="exponential")',
        "print(scores.meanz)",
        'text: str = ir.evaluate("j", "r")["RR", "r"]',
        'ir.gate("j", "r", fail_if="RR < 0.5").passed.upper()',
        "ir.to_mlflow(3)",
    ]
    found = {line for line, _ in pyright(tmp_path, "import idealrank as ir\n" + "\n".join(wrong))}
    assert found == set(range(1, len(wrong) + 1))


def public(value: object) -> set[str]:
    """Return what completion of a live value offers."""
    return {name for name in dir(value) if not name.startswith("_")}


@pytest.mark.parametrize(("name", "value"), [("ir", ir), ("scores", SCORES), ("comparison", COMPARISON)])
def test_a_notebook_completes(name: str, value: object) -> None:
    """In Jupyter, where Jedi sees the values, exactly the public names are offered."""
    jedi = pytest.importorskip("jedi")
    offered = {each.name for each in jedi.Interpreter(f"{name}.", [{name: value}]).complete()}
    assert {word for word in offered if not word.startswith("_")} == public(value)
    assert name != "ir" or public(value) == set(ir.__all__)


def test_an_editor_completes(tmp_path: Path) -> None:
    """In an editor, ``ir.`` offers exactly the public names; of values also those that only other rooms read."""
    script = tmp_path / "script.py"
    lines = ("import idealrank as ir", 'scores = ir.evaluate("j", "r")', "ir.", "scores.", "ir.compare(scores).")
    script.write_text("\n".join(lines), "utf-8")
    with language_server(script) as server:
        assert server.completions(2) == set(ir.__all__)
        assert server.completions(3) == public(SCORES) | SCORES._internal
        assert server.completions(4) == public(COMPARISON) | COMPARISON._internal
