"""Commands that a step runs, and the tools they need: installed by hash, in an environment of their own."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
TOOLS = ROOT / "target" / "release-tools"
LOCK = Path(__file__).with_name("requirements.lock")


def run(command: list[str], **settings: object) -> None:
    """Run a command and say it; stop if it fails."""
    print(f"+ {' '.join(command)}", flush=True)
    if (code := subprocess.run(command, check=False, **settings).returncode) != 0:  # type: ignore[call-overload]
        raise SystemExit(f"{command[0]} ended with {code}.")


def binaries(folder: Path) -> Path:
    """Return where an environment has its commands."""
    return folder / ("Scripts" if os.name == "nt" else "bin")


def made(folder: Path) -> str:
    """Make an empty environment, with pip alone, and return its Python."""
    venv.create(folder, clear=True, with_pip=True)
    return str(binaries(folder) / ("python.exe" if os.name == "nt" else "python"))


def tools() -> None:
    """Install the tools, as they are locked."""
    stamp = TOOLS / "lock.txt"
    if stamp.exists() and stamp.read_bytes() == LOCK.read_bytes():
        return
    python = made(TOOLS)
    run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", str(LOCK)])
    stamp.write_bytes(LOCK.read_bytes())


def tool(name: str) -> str:
    """Return the path of a tool, which is installed if it is not there yet."""
    tools()
    return str(binaries(TOOLS) / name)


def environment() -> dict[str, str]:
    """Return the variables under which the tools find each other."""
    return {**os.environ, "PATH": os.pathsep.join([str(binaries(TOOLS)), os.environ["PATH"]])}
