"""What was built is installed where nothing else is, and tried."""

from __future__ import annotations

import os
import tarfile
import tempfile
from pathlib import Path

from tools.release.packing import wheel_of
from tools.release.platforms import Platform
from tools.release.running import DIST, ROOT, binaries, made, run

JUDGMENTS = "query,doc,grade\nq1,a,3\nq1,b,1\n"
RESULTS = "query,doc,rank\nq1,b,1\nq1,a,2\n"
NUMBER = """
import math, idealrank
found = idealrank.evaluate("judgments.csv", "results.csv", ["nDCG@10"])["nDCG@10"]
wanted = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
assert abs(found - wanted) < 1e-12, (found, wanted)
print("nDCG@10", found, "as by hand")
"""
"""Grades 1 and 3 in the order of the results, over 3 and 1 in the best order."""

ALPINE, DEBIAN = "python:3.13-alpine", "python:3.13"


def try_wheel(platform: Platform) -> None:
    """Install the wheel of a platform beside what it declares, and run the demo and an evaluation."""
    if "musl" in platform.name and not Path("/etc/alpine-release").exists():
        in_container(ALPINE, "try", platform.name)
        return
    try_package(wheel_of(platform))


def try_package(wheel: Path) -> None:
    """Install a wheel into a bare environment and try it in an empty folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python, command = made(folder / "venv"), str(binaries(folder / "venv") / "idealrank")
        run([python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", str(wheel)])
        run([python, "-m", "pip", "check"])
        (folder / "judgments.csv").write_text(JUDGMENTS)
        (folder / "results.csv").write_text(RESULTS)
        run([command, "--version"], cwd=folder)
        run([command, "demo", "demo"], cwd=folder)
        if "<html" not in (folder / "demo" / "report.html").read_text("utf-8"):
            raise SystemExit("the demo wrote no report.")
        run([command, "evaluate", "judgments.csv", "results.csv", "-m", "nDCG@10"], cwd=folder)
        run([python, "-c", NUMBER], cwd=folder)


def try_sdist() -> None:
    """Unpack the source distribution in an empty folder, build a wheel there as pip does, and try that."""
    (archive,) = DIST.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(archive) as files:
            files.extractall(folder, filter="data")
        (source,) = folder.iterdir()
        python, out = made(folder / "venv"), folder / "out"
        compiled = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target" / "from-sdist")}
        run([python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(out), str(source)], env=compiled)
        (wheel,) = out.glob("*.whl")
        try_package(wheel)


def in_container(image: str, *step: str) -> None:
    """Run a step in a container, which has Python and sees this folder."""
    here = ["--volume", f"{ROOT}:/io", "--workdir", "/io"]
    run(["docker", "run", "--rm", *here, image, "python", "-m", "tools.release", *step])


def try_sdist_without_rust() -> None:
    """Build from the source distribution where there is Python and a C compiler, and no Rust."""
    in_container(DEBIAN, "from-sdist")
