"""Wheels and the source distribution: built, and checked for what they must and must not contain."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tools.release.platforms import Platform
from tools.release.running import DIST, ROOT, environment, run, tool

SHOP = ("all.sql", "any.sql", "judgments.csv", "products.csv", "queries.csv")
IN_WHEEL = (
    r"idealrank/__init__\.py",
    r"idealrank/_core.*\.(so|pyd)",
    r"idealrank/py\.typed",
    r"idealrank-[^/]*\.dist-info/licenses/LICENSE",
    *(rf"idealrank/shop/{name}" for name in SHOP),
)
IN_SDIST = (
    *(r"PKG-INFO", r"LICENSE", r"README\.md", r"pyproject\.toml", r"Cargo\.toml", r"Cargo\.lock"),
    *(r"rust/build\.rs", r"rust/src/lib\.rs", r"src/idealrank/__init__\.py"),
    *(rf"examples/shop/{name}" for name in SHOP),
)
NEVER = re.compile(r"(^|/)(target|tests|bench|__pycache__|\.venv|\.git)(/|$)|\.pyc$")
"""What belongs in neither: what was built, and what no user needs."""


def wheel(platform: Platform) -> Path:
    """Build the wheel of a platform into `dist` and return it."""
    command = [tool("maturin"), "build", "--release", "--locked", "--target", platform.target, "--out", str(DIST)]
    if platform.policy:
        run(["rustup", "target", "add", platform.target])
        command += ["--compatibility", platform.policy, "--zig"]
    for old in _wheels(platform):
        old.unlink()
    run([*command, "--interpreter", sys.executable], cwd=ROOT, env=environment())
    built = wheel_of(platform)
    refuse(built.name, zipfile.ZipFile(built).namelist(), IN_WHEEL)
    if platform.policy:
        _refuse_policy(built, platform)
    return built


def wheel_of(platform: Platform) -> Path:
    """Return the wheel of a platform that is in `dist`.

    Raises
    ------
    SystemExit
        If there is not exactly one.
    """
    found = _wheels(platform)
    if len(found) != 1:
        raise SystemExit(f"{len(found)} wheels for {platform.name} in {DIST}; one is needed.")
    return found[0]


def _wheels(platform: Platform) -> list[Path]:
    return [path for path in DIST.glob("idealrank-*-abi3-*.whl") if path.match(f"*[-.]{platform.tag}.whl")]


def _refuse_policy(built: Path, platform: Platform) -> None:
    """Refuse a wheel that auditwheel finds to need a newer system than its name promises."""
    said = subprocess.run(
        [tool("auditwheel"), "show", str(built)], capture_output=True, text=True, check=True, env=environment()
    ).stdout
    print(" ".join(said.split()))
    constrained = re.search(r'consistent\s+with\s+the\s+following\s+platform\s+tag:\s+"(\S+)"', said)
    if constrained is None or _age(constrained[1]) > _age(platform.policy):
        raise SystemExit(f"{built.name}: auditwheel does not find it consistent with {platform.tag}.")


def _age(tag: str) -> tuple[str, int, int]:
    """Return the kind of a platform's tag and the version of its C library."""
    kind, major, minor = tag.split("_")[:3]
    return kind, int(major), int(minor)


def sdist() -> Path:
    """Build the source distribution into `dist` and return it."""
    for old in DIST.glob("*.tar.gz"):
        old.unlink()
    run([tool("maturin"), "sdist", "--out", str(DIST)], cwd=ROOT, env=environment())
    (built,) = DIST.glob("*.tar.gz")
    with tarfile.open(built) as archive:
        refuse(built.name, [name.partition("/")[2] for name in archive.getnames()], IN_SDIST)
    return built


def refuse(name: str, content: list[str], wanted: Iterable[str]) -> None:
    """Refuse an archive without a file it needs, or with one it must not have.

    Raises
    ------
    SystemExit
        With the names.
    """
    missing = [one for one in wanted if not any(re.fullmatch(one, path) for path in content)]
    odd = [path for path in content if NEVER.search(path)]
    if missing or odd:
        raise SystemExit(f"{name}: missing {missing or 'nothing'}, too many {odd[:5] or 'none'}.")
