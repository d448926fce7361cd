"""The platforms that have a wheel: the one list of them."""

from __future__ import annotations

import platform
from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """A platform with a wheel.

    Attributes
    ----------
    runner
        The machine of GitHub Actions that builds and tries the wheel.
    target
        What Rust calls it.
    policy
        The oldest systems a wheel for Linux runs on, as PEP 600 and PEP 656 name them; "": not Linux.
    tag
        What the name of the wheel ends in, as a pattern.
    """

    name: str
    runner: str
    target: str
    policy: str
    tag: str


_GLIBC, _MUSL = "manylinux_2_17", "musllinux_1_2"

PLATFORMS = (
    Platform("linux-x86_64", "ubuntu-latest", "x86_64-unknown-linux-gnu", _GLIBC, f"{_GLIBC}_x86_64"),
    Platform("linux-aarch64", "ubuntu-24.04-arm", "aarch64-unknown-linux-gnu", _GLIBC, f"{_GLIBC}_aarch64"),
    Platform("musl-x86_64", "ubuntu-latest", "x86_64-unknown-linux-musl", _MUSL, f"{_MUSL}_x86_64"),
    Platform("musl-aarch64", "ubuntu-24.04-arm", "aarch64-unknown-linux-musl", _MUSL, f"{_MUSL}_aarch64"),
    Platform("macos-x86_64", "macos-15-intel", "x86_64-apple-darwin", "", "macosx_*_x86_64"),
    Platform("macos-arm64", "macos-latest", "aarch64-apple-darwin", "", "macosx_*_arm64"),
    Platform("windows-x86_64", "windows-latest", "x86_64-pc-windows-msvc", "", "win_amd64"),
)


def named(name: str) -> Platform:
    """Return the platform of a name.

    Raises
    ------
    SystemExit
        If there is none.
    """
    found = next((each for each in PLATFORMS if each.name == name), None)
    if found is None:
        raise SystemExit(f"no platform {name!r}. Allowed: {', '.join(each.name for each in PLATFORMS)}.")
    return found


def here() -> Platform:
    """Return the platform of this machine; a Linux whose C library is not glibc has musl."""
    linux = "linux" if platform.libc_ver()[0] == "glibc" else "musl"
    system = {"Linux": linux, "Darwin": "macos", "Windows": "windows"}[platform.system()]
    return named(f"{system}-{platform.machine().lower().replace('amd64', 'x86_64')}")
