"""No code reads a sentence of a verdict to learn a fact: what is said is rendered, never parsed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "idealrank"

SENTENCES = {
    "sentence", "sentences", "reason", "settle", "headline", "summary", "assumption", "advice", "warnings", "warning",
    "steps", "doubt",
}  # fmt: skip
"""Names of attributes and of keys that contain sentences for people."""

READING = {"startswith", "endswith", "partition", "rpartition", "find", "index", "split", "rsplit", "count"}
"""Methods of a text that take it apart, or ask what is in it."""


def _called(node: ast.AST) -> str:
    """Return the last name of an attribute or of a key; "" for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return ""


def readings(tree: ast.AST) -> Iterator[int]:
    """Yield the lines in which a sentence is asked what is in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            regular = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            asked = [*node.args] if regular else [node.func.value] if node.func.attr in READING else []
            if any(_called(each) in SENTENCES for each in asked):
                yield node.lineno
        yield from (of.lineno for of in _asked_of_each(node))
        if isinstance(node, ast.Compare) and any(isinstance(each, ast.In | ast.NotIn) for each in node.ops):
            text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
            if text and any(_called(each) in SENTENCES for each in node.comparators):
                yield node.lineno


def _asked_of_each(node: ast.AST) -> Iterator[ast.Compare]:
    """Yield where each of several sentences is asked whether a word is in it."""
    for loop in getattr(node, "generators", ()):
        name = loop.target.id if isinstance(loop.target, ast.Name) and _called(loop.iter) in SENTENCES else ""
        for each in ast.walk(node) if name else ():
            words = isinstance(each, ast.Compare) and isinstance(each.left, ast.Constant)
            if words and any(isinstance(of, ast.Name) and of.id == name for of in each.comparators):
                yield each


def test_no_code_reads_a_sentence() -> None:
    """A fact that code needs is an attribute beside the sentence."""
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in readings(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []


def test_readings_are_seen() -> None:
    """The forms that stood in the code are found: a prefix, a part, a pattern, and a word in it."""
    forms = (
        'v.settle.startswith("Judge")', 'v["reason"].partition("; but ")', 're.search("a", v.headline)',
        '"x" in v.summary', 'any("Judge the" in step for step in parts["summary"]["steps"])',
    )  # fmt: skip
    assert all(list(readings(ast.parse(form))) for form in forms)
    assert not list(readings(ast.parse('f"{v.reason}; {v.settle}"')))
