"""How long the studio takes after a decision is flipped: until the numbers stand, and until the verdict does.

    python bench/studio.py [--queries 1000] [--systems 3] [--depth 100] [--runs 5]

Made-up judgments and results (from a seed) are read into a project and served on this machine; Chromium opens the first
screen, and flips decisions one after the other. Times are of the browser: from the change of the control to the frame
after the new text is in the page. Prints a line per flip, and the medians.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.heavy.browser.chromium import QUIET, executable

JUDGED = 40
FLIPS = ("gain=exp2", "ideal=local", "unjudged=filter", "discount=ln", "ties=docid_asc")


def make_files(folder: Path, queries: int, systems: int, depth: int) -> list[str]:
    """Write judgments and results; return their names."""
    rng = np.random.default_rng(1)
    names = ["judgments.csv"]
    grades = rng.choice([0, 0, 0, 1, 1, 2, 3], (queries, JUDGED))
    rows = (f"q{q},d{q}_{d},{grades[q, d]}\n" for q in range(queries) for d in range(JUDGED))
    (folder / names[0]).write_text("query,doc,grade\n" + "".join(rows))
    for number in range(systems):
        names.append(f"system{number}.csv")
        with (folder / names[-1]).open("w") as out:
            out.write("query,doc,rank\n")
            for q in range(queries):
                worth = -grades[q].astype(float) * number / 4
                place = np.concatenate([np.arange(JUDGED) + worth, np.arange(JUDGED, depth + 30)])
                docs = np.argsort(place + rng.normal(0, 12, len(place)))[:depth]
                out.writelines(f"q{q},d{q}_{d},{rank}\n" for rank, d in enumerate(docs.tolist(), 1))
    return names


# Waits for the frame in which the page shows what the test looks for, and says when that was.
_WATCH = """([select, value, waits]) => new Promise((done) => {
  const begun = performance.now(), times = {};
  const look = () => {
    const numbers = document.getElementById("numbers");
    const card = document.querySelector("#card:not(.waits) #summary");
    if (!times.numbers && numbers.dataset.look !== before) times.numbers = performance.now() - begun;
    if (times.numbers && !times.verdict && card) times.verdict = performance.now() - begun;
    if (times.verdict || performance.now() - begun > waits) done(times);
    else requestAnimationFrame(look);
  };
  const before = document.getElementById("numbers").dataset.look;
  const control = document.getElementById(select);
  control.closest("details")?.setAttribute("open", "");
  control.value = value;
  control.dispatchEvent(new Event("change", { bubbles: true }));
  requestAnimationFrame(look);
})"""


def flip(page: Page, decision: str, answer: str) -> dict[str, float]:
    """Flip a decision; return milliseconds until the numbers and until the verdict."""
    page.wait_for_selector(f"#d-{decision}", state="attached", timeout=300_000)
    found: dict[str, float] = page.evaluate(_WATCH, [f"d-{decision}", answer, 300_000])
    page.wait_for_load_state("networkidle")
    return found


def main() -> None:
    """Print how long each flip took."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--systems", type=int, default=3)
    parser.add_argument("--depth", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = make_files(folder, given.queries, given.systems, given.depth)
        begun = time.perf_counter()
        words = [sys.executable, "-m", "idealrank", "studio", *files, "--no-browser", "--port", "0"]
        process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        print(f"{given.queries:,} queries x {given.systems} systems x {given.depth} results")
        print(f"started in {time.perf_counter() - begun:.2f} s")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable(os.environ), args=list(QUIET))
            page = browser.new_page()
            begun = time.perf_counter()
            page.goto(address, timeout=300_000)
            page.wait_for_selector("#card:not(.waits) #summary", timeout=300_000)
            print(f"first verdict in {time.perf_counter() - begun:.2f} s")
            times = []
            for text in FLIPS:
                times.append(flip(page, *text.split("=")))
                print(f"{text:<18}numbers {times[-1]['numbers']:6.0f} ms   verdict {times[-1]['verdict']:6.0f} ms")
            numbers, verdict = (statistics.median(each[what] for each in times) for what in ("numbers", "verdict"))
            print(f"{'median':<18}numbers {numbers:6.0f} ms   verdict {verdict:6.0f} ms")
            browser.close()
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
