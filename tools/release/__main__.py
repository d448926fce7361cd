"""python -m tools.release STEP [WORD]: one step of a release."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tools.release.packing import sdist, wheel
from tools.release.platforms import here, named
from tools.release.running import ROOT
from tools.release.trying import try_sdist, try_sdist_without_rust, try_wheel
from tools.release.version import version


def check() -> None:
    """Take every step that this machine can."""
    print(f"idealrank {version(ROOT)}", flush=True)
    built = wheel(here())
    crates = (ROOT / "Cargo.lock").read_text("utf-8").count("[[package]]")
    print(f"wheel {built.stat().st_size / 1e6:.1f} MB, {crates} crates", flush=True)
    try_wheel(here())
    sdist()
    try_sdist()
    print(f"The release can be made, as far as {here().name} can tell.")


STEPS: dict[str, Callable[..., object]] = {
    "version": lambda tag="": print(version(ROOT, tag)),
    "wheel": lambda name: print(wheel(named(name))),
    "try": lambda name: try_wheel(named(name)),
    "sdist": lambda: print(sdist()),
    "from-sdist": try_sdist,
    "from-sdist-without-rust": try_sdist_without_rust,
    "check": check,
}
"""The steps by name, with what each is called with."""


def main(words: list[str]) -> None:
    """Take the step that the first word names."""
    if not words or words[0] not in STEPS:
        raise SystemExit(f"python -m tools.release STEP, with one of: {', '.join(STEPS)}.")
    STEPS[words[0]](*words[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
