"""Run the heavy tools, each in an environment of its own, and write their numbers anew.

`make oracles`, or `make oracles ORACLES="rax beir"` for some. An environment is removed once its numbers are
written. PyTorch's wheel for Linux brings CUDA, several gigabytes: one that Python finds already (on PYTHONPATH,
as Debian's python3-torch) is taken instead. What does not install is said, and the others go on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parents[2] / "target" / "oracles"

TOOLS = {
    "pyndeval": ("pyndeval",),
    "cwl_eval": ("cwl-eval",),
    "beir": ("--no-deps beir", "pytrec-eval-terrier tqdm"),
    "mteb": ("--no-deps mteb", "pytrec-eval-terrier numpy pandas scikit-learn packaging"),
    "recommenders": ("--no-deps recommenders", "numpy pandas scikit-learn"),
    "rax": ("rax",),
    "llama_index": ("llama-index-core",),
    "haystack": ("haystack-ai",),
    "haystack_2": ("haystack-ai==2.31.0",),
    "ragas": ("ragas langchain-community<0.4",),
    "mlflow": ("mlflow",),
    "sentence_transformers": ("--no-deps sentence-transformers", "numpy tqdm"),
    "trulens": ("trulens-feedback",),
    "phoenix": ("--no-deps arize-phoenix", "numpy pandas"),
    "tensorflow_ranking": (
        "tensorflow-cpu==2.15.1",
        "--no-deps tensorflow-ranking==0.5.5 tensorflow-serving-api==2.15.1",
    ),
    "torchmetrics": ("torch", "--no-deps torchmetrics==1.8.2 lightning-utilities packaging typing-extensions"),
    "krippendorff": ("krippendorff",),
    "irrcac": ("irrCAC",),
    "ppi_py": ("ppi-python",),
}
"""What pip is asked for, call by call; without dependencies where a tool's numbers need few of them."""


def main(asked: list[str]) -> int:
    """Run the tools asked for, or all."""
    unknown = [tool for tool in asked if tool not in TOOLS]
    if unknown:
        print(f"No tool called {', '.join(unknown)}. There are: {', '.join(TOOLS)}.", file=sys.stderr)
        return 2
    for tool in asked or TOOLS:
        folder = ENVIRONMENTS / tool
        try:
            run(tool, folder)
        except subprocess.CalledProcessError as error:
            print(f"{tool}: not run, its rows stay as they are. {said(error)}")
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def run(tool: str, folder: Path) -> None:
    """Make the environment, install, and let the tool write its table."""
    venv.create(folder, clear=True, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    for packages in TOOLS[tool]:
        install = ["-m", "pip", "install", "--quiet", "--no-cache-dir", "--disable-pip-version-check"]
        subprocess.run([python, *install, *packages.split()], check=True, capture_output=True, text=True)
    done = subprocess.run([python, HERE / f"run_{tool}.py"], check=True, capture_output=True, text=True)
    print(done.stdout.strip().splitlines()[-1], flush=True)


def said(error: subprocess.CalledProcessError) -> str:
    """Return the last line a program left."""
    lines = str(error.stderr).strip().splitlines()
    return lines[-1] if lines else str(error)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
