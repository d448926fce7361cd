"""The steps of a release: what they refuse, and that the workflow calls them and no others."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tools.release import packing
from tools.release.__main__ import STEPS
from tools.release.packing import IN_SDIST, IN_WHEEL, SHOP, refuse
from tools.release.platforms import PLATFORMS, here, named
from tools.release.running import LOCK
from tools.release.version import version

ROOT = Path(__file__).parents[3]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
STATED = ("pyproject.toml", "Cargo.toml", "Cargo.lock", "CHANGELOG.md")
STEP = re.compile(r"python -m tools\.release (\S+)(?: (.+))?")


def workflow() -> dict:
    """Return the workflow; YAML 1.1 reads its `on` as True."""
    return yaml.safe_load(WORKFLOW.read_text("utf-8"))


def commands(job: str) -> list[tuple[str, str]]:
    """Return the steps of a release that a job takes, each with its words."""
    runs = [step["run"] for step in workflow()["jobs"][job]["steps"] if "run" in step]
    found = [STEP.fullmatch(run) for run in runs]
    assert all(found), runs
    return [(match[1], match[2] or "") for match in found if match]


@pytest.fixture
def stated(tmp_path: Path) -> Path:
    """Return a folder with copies of the files that state the version."""
    for name in STATED:
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def change(file: Path, before: str, after: str) -> None:
    """Replace a text that is in a file."""
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), "utf-8")


def test_the_workflow_takes_steps_that_there_are() -> None:
    """Every command of the workflow is a step of the script."""
    taken = {step for job in workflow()["jobs"] if job != "publish" for step, _ in commands(job)}
    assert taken <= set(STEPS)
    assert taken == set(STEPS) - {"check", "from-sdist"}  # `check` is for one machine; the other is within a container


def test_the_workflow_has_every_platform() -> None:
    """The workflow, the script and the page about installing have the same platforms."""
    matrix = workflow()["jobs"]["wheel"]["strategy"]["matrix"]["include"]
    assert [(each["platform"], each["runner"]) for each in matrix] == [(each.name, each.runner) for each in PLATFORMS]
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    assert re.findall(r"^\| ((?:linux|musl|macos|windows)-\S+) \|", page, re.MULTILINE) == [p.name for p in PLATFORMS]
    assert [words for _, words in commands("wheel")] == ["${{ matrix.platform }}"] * 3


def test_a_wheel_is_tried_under_the_oldest_and_the_newest_python() -> None:
    """Each wheel is tried under two Pythons, the first of them the oldest that is supported."""
    uses = [
        step["with"]["python-version"]
        for step in workflow()["jobs"]["wheel"]["steps"]
        if "python" in str(step.get("uses"))
    ]
    assert uses[0] == re.search(r'requires-python = ">=(.*)"', (ROOT / "pyproject.toml").read_text("utf-8"))[1]
    assert len(uses) == 2


def test_only_a_tag_publishes() -> None:
    """Publishing waits for all wheels and the source distribution, needs a tag, and has the one permission for it."""
    jobs = workflow()["jobs"]
    assert set(jobs["publish"]["needs"]) == {"wheel", "sdist"}
    assert jobs["publish"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert workflow()["permissions"] == {"contents": "read"}
    assert all(jobs[name]["needs"] == "version" for name in ("wheel", "sdist"))
    assert workflow()[True]["push"] == {"tags": ["v*"]}


def test_the_version_is_the_same_everywhere() -> None:
    """All files of the repository state one version, which the changelog has a section for."""
    assert version(ROOT) == re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text("utf-8"), re.MULTILINE)[1]


@pytest.mark.parametrize("name", ["pyproject.toml", "Cargo.toml"])
def test_other_versions_are_refused(name: str, stated: Path) -> None:
    """A file that states another version is named, with both."""
    change(stated / name, 'version = "0.1.0"', 'version = "0.2.0"')
    with pytest.raises(SystemExit, match=rf"versions differ: .*{re.escape(name)} 0\.2\.0"):
        version(stated)


def test_tags(stated: Path) -> None:
    """A tag must be the version, and the version dated in the changelog."""
    change(stated / "CHANGELOG.md", "## 0.1.0 (not released)", "## 0.1.0 (2026-01-31)")
    assert version(stated, "refs/tags/v0.1.0") == "0.1.0"
    with pytest.raises(SystemExit, match=r"the tag 0\.1\.1"):
        version(stated, "refs/tags/v0.1.1")
    change(stated / "CHANGELOG.md", "2026-01-31", "not released")
    with pytest.raises(SystemExit, match="is not released"):
        version(stated, "v0.1.0")
    change(stated / "CHANGELOG.md", "## 0.1.0", "## 0.0.9")
    with pytest.raises(SystemExit, match=r"no section '## 0\.1\.0'"):
        version(stated)


def test_archives() -> None:
    """An archive without a file it needs, or with something that was built, is refused with its name."""
    shop = [f"idealrank/shop/{name}" for name in SHOP]
    code = ["idealrank/__init__.py", "idealrank/_core.abi3.so", "idealrank/py.typed"]
    whole = [*code, *shop, "idealrank-0.1.0.dist-info/licenses/LICENSE"]
    refuse("w", whole, IN_WHEEL)
    with pytest.raises(SystemExit, match="idealrank/py"):
        refuse("w", [name for name in whole if "typed" not in name], IN_WHEEL)
    with pytest.raises(SystemExit, match="target/release/x"):
        refuse("s", ["target/release/x"], ())
    assert r"Cargo\.lock" in IN_SDIST


@pytest.mark.parametrize(
    ("system", "machine", "library", "name"),
    [
        ("Linux", "x86_64", "glibc", "linux-x86_64"),
        ("Linux", "aarch64", "", "musl-aarch64"),  # Alpine: Python finds no name of a C library there
        ("Linux", "x86_64", "musl", "musl-x86_64"),
        ("Darwin", "arm64", "", "macos-arm64"),
        ("Windows", "AMD64", "", "windows-x86_64"),
    ],
)
def test_this_machine(system: str, machine: str, library: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The platform of this machine follows from its system, its processor and, on Linux, its C library."""
    for asked, answer in {"system": system, "machine": machine, "libc_ver": (library, "")}.items():
        monkeypatch.setattr(platform, asked, lambda answer=answer: answer)
    assert here().name == name


def test_platforms() -> None:
    """A platform is found by its name, and this machine is one of them."""
    assert named("musl-x86_64").policy == "musllinux_1_2"
    assert here() in PLATFORMS
    with pytest.raises(SystemExit, match=r"no platform 'amiga'\. Allowed: linux-x86_64"):
        named("amiga")


def test_the_wheel_of_a_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the wheels of all platforms, each finds its own by the name that maturin gives it."""
    linux = ("manylinux2014_x86_64.manylinux_2_17_x86_64", "manylinux2014_aarch64.manylinux_2_17_aarch64")
    others = ("musllinux_1_2_x86_64", "musllinux_1_2_aarch64", "macosx_10_12_x86_64", "macosx_11_0_arm64", "win_amd64")
    files = [tmp_path / f"idealrank-0.1.0-cp311-abi3-{tag}.whl" for tag in (*linux, *others)]
    for file in files:
        file.touch()
    monkeypatch.setattr(packing, "DIST", tmp_path)
    assert [packing.wheel_of(platform) for platform in PLATFORMS] == files
    files[0].unlink()
    with pytest.raises(SystemExit, match="0 wheels for linux-x86_64"):
        packing.wheel_of(PLATFORMS[0])


def test_tools_are_locked() -> None:
    """Every tool of a release has hashes, and the file names no address."""
    text = LOCK.read_text("utf-8")
    assert "://" not in text
    blocks = re.split(r"\n(?=\S)", text.strip())
    assert {block.split("==")[0] for block in blocks} >= {"maturin", "auditwheel", "ziglang"}
    assert all("--hash=sha256:" in block for block in blocks)


def test_a_step_that_there_is_not() -> None:
    """Without a step, or with another word, the steps are listed."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.release", "x"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert all(step in done.stderr for step in STEPS)
