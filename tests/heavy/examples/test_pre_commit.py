"""The hook for pre-commit lets good results pass and stops worse ones."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.examples.running import FOLDER

CONFIG = FOLDER / "pre-commit" / ".pre-commit-config.yaml"
SHOP = FOLDER / "shop"


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with pre-commit's own files beside it and no settings of the user's git."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    settings = {"PATH": path, "PRE_COMMIT_HOME": str(folder.parent / "home"), "GIT_CONFIG_GLOBAL": os.devnull}
    outside = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        words, cwd=folder, env={**outside, **settings}, capture_output=True, encoding="utf-8", check=False
    )


def pre_commit(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pre-commit."""
    return run(folder, sys.executable, "-m", "pre_commit", *words)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the configuration, the judgments and the baseline."""
    pytest.importorskip("pre_commit")
    folder = tmp_path / "repository"
    (folder / "eval").mkdir(parents=True)
    shutil.copy(CONFIG, folder)
    shutil.copy(SHOP / "judgments.csv", folder / "eval")
    shutil.copy(SHOP / "hybrid.csv", folder / "eval" / "baseline.csv")
    assert run(folder, "git", "init", "-q").returncode == 0
    return folder


def staged(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the hooks on what is staged, as a commit would."""
    assert run(folder, "git", "add", ".").returncode == 0
    return pre_commit(folder, "run")


def test_the_configuration_is_valid(tmp_path: Path) -> None:
    """pre-commit accepts it, without a warning."""
    pytest.importorskip("pre_commit")
    done = pre_commit(tmp_path, "validate-config", str(CONFIG))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_same_results_pass(repository: Path) -> None:
    """Results as good as the baseline's are let through."""
    shutil.copy(SHOP / "hybrid.csv", repository / "eval" / "results.csv")
    done = staged(repository)
    assert (done.returncode, "Passed" in done.stdout) == (0, True), done.stdout + done.stderr


def test_worse_results_are_stopped(repository: Path) -> None:
    """Lists turned upside down are stopped, and the message says by how much relevance drops."""
    with (SHOP / "hybrid.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with (repository / "eval" / "results.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["query_id", "product_id", "rank"])
        writer.writerows([row["query_id"], row["product_id"], 1000 - int(row["rank"])] for row in rows)
    done = staged(repository)
    assert (done.returncode, "Failed" in done.stdout) == (1, True), done.stdout + done.stderr
    assert "nDCG@10 drops by" in done.stdout


def test_other_commits_are_left_alone(repository: Path) -> None:
    """A commit that touches nothing in eval/ does not run the gate."""
    (repository / "README.md").write_text("Shop\n", "utf-8")
    assert run(repository, "git", "add", "README.md").returncode == 0
    done = pre_commit(repository, "run")
    assert (done.returncode, "Skipped" in done.stdout) == (0, True), done.stdout + done.stderr
