"""OpenSearch, Elasticsearch and Solr: download their jars, compile their launchers, and say how to run them.

What is built is kept in ``~/.cache/idealrank-test-engines``, or in the folder that ENGINE_CACHE names;
ENGINE_JAVA_HOME names a JDK. The jars are for tests only: none of them is shipped.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.heavy.engines.servers import AbsentError
from tests.heavy.engines.servers.locks import locked

HERE = Path(__file__).parent
JAVA = {"OpenSearch": 21, "Elasticsearch": 21, "Solr": 17}
"""The engines, each with the Java it needs at least."""

COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
ARCHIVE = "classes.jsa"
FLAGS = ("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")


def java_command(name: str, home: Path) -> list[str]:
    """Return the command that runs an engine in an empty folder, and build the engine where that is not done yet."""
    java = jdk(JAVA[name], os.environ)
    built = cached(name, java)
    return [f"{java}/bin/java", *FLAGS, f"-XX:SharedArchiveFile={built}/{ARCHIVE}", *_launch(name, built, home)]


def jdk(least: int, environ: Mapping[str, str]) -> Path:
    """Return the home of a JDK with a compiler: the first that is new enough."""
    for home in _homes(environ):
        if (home / "bin/javac").exists() and version(home) >= least:
            return home
    raise AbsentError(f"there is no JDK {least} or later. Install one, or name its folder: ENGINE_JAVA_HOME=/path")


def _homes(environ: Mapping[str, str]) -> Iterator[Path]:
    """Yield folders that may be a JDK: those the environment names, that of ``java``, and those beside it."""
    yield from (Path(environ[name]) for name in ("ENGINE_JAVA_HOME", "JAVA_HOME") if environ.get(name))
    program = shutil.which("java", path=environ.get("PATH", ""))
    if program:
        own = Path(program).resolve().parents[1]
        yield from (own, *sorted(own.parent.iterdir(), key=version))


def version(home: Path) -> int:
    """Return the Java version that a JDK's release file names; 0 where there is none."""
    try:
        found = re.search(r'JAVA_VERSION="(\d+)', (home / "release").read_text("utf-8"))
    except OSError:
        return 0
    return int(found[1]) if found else 0


def cached(name: str, java: Path) -> Path:
    """Return the folder of what an engine runs from; one process at a time builds what is not there."""
    cache = Path(os.environ.get("ENGINE_CACHE") or Path.home() / ".cache/idealrank-test-engines")
    folder = cache / f"{name}-{_fingerprint(name, java)}"
    with locked(cache / f"{name}.lock"):
        if not folder.exists():
            _build(name, java, folder)
    return folder


def _fingerprint(name: str, java: Path) -> str:
    """Return what is new when the launcher, the jars or the JDK change."""
    files = (HERE / f"{name}.java", HERE / "pom.xml", java / "release")
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:12]


def _build(name: str, java: Path, folder: Path) -> None:
    """Build an engine under another name first, so that a folder is there whole or not at all."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as other:
        built = Path(other, "built")
        _download(name, java, built / "lib")
        if name == "Elasticsearch":
            _set_module_apart(built)
        _compile(name, java, built)
        built.rename(folder)
    _archive(name, java, folder)


def _download(name: str, java: Path, lib: Path) -> None:
    maven = shutil.which("mvn")
    if not maven:
        raise AbsentError("there is no Maven (mvn) on PATH, which downloads it. On Debian: apt-get install maven")
    command = [
        maven,
        "-q",
        "-B",
        "-Dstyle.color=never",
        f"--file={HERE}/pom.xml",
        f"-P{name}",
        f"-DoutputDirectory={lib}",
        COPY,
    ]
    environ = {**os.environ, "JAVA_HOME": str(java)}
    done = subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        said = next((line for line in done.stdout.splitlines() if "ERROR" in line), "without a message")
        raise AbsentError(f"Maven cannot download it: {said}")


def _set_module_apart(built: Path) -> None:
    """Move Elasticsearch's HTTP module into a folder: it must have a class loader of its own."""
    module = built / "modules/transport-netty4"
    module.mkdir(parents=True)
    for jar in (*built.glob("lib/netty-*"), *built.glob("lib/transport-netty4*")):
        jar.rename(module / jar.name)


def _compile(name: str, java: Path, built: Path) -> None:
    classes = built / "classes"
    source = HERE / f"{name}.java"
    subprocess.run([f"{java}/bin/javac", "-nowarn", "-cp", f"{built}/lib/*", "-d", classes, source], check=True)
    subprocess.run([f"{java}/bin/jar", "-cf", built / "lib/0-launcher.jar", "-C", classes, "."], check=True)


def _archive(name: str, java: Path, folder: Path) -> None:
    """Start the engine and end it at once, to keep its classes in an archive: that halves the time of later starts."""
    part = folder / "classes.part"
    with tempfile.TemporaryDirectory() as home:
        command = [f"{java}/bin/java", *FLAGS, f"-XX:ArchiveClassesAtExit={part}", *_launch(name, folder, Path(home))]
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, cwd=home, check=False)
    if part.exists():
        part.rename(folder / ARCHIVE)


def _launch(name: str, built: Path, home: Path) -> list[str]:
    return ["--enable-native-access=ALL-UNNAMED", "-cp", f"{built}/lib/*", name, str(home), f"{built}/modules"]
