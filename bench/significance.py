"""Tests of many systems on the same values, one tool and job a process.

    python bench/significance.py baseline|pairs idealrank|scipy|ranx

The values are those of one relevant document a query, at a rank drawn from a seed: its reciprocal rank and whether it
is among the first 1, 3 and 5. idealrank tests all systems × measures; scipy and ranx, which test pair by pair, one
pair on the first measure. The seconds from the start until the data are ready go to standard error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

BEGAN = time.perf_counter()

import numpy as np  # noqa: E402

DRAWS = 10_000
DEPTH = 10


@dataclass(frozen=True)
class Job:
    """How many systems and queries there are; tools.py says what is asked of them."""

    systems: int
    queries: int


JOBS = {"baseline": Job(101, 10_000), "pairs": Job(20, 1_000)}
TOOLS = ("idealrank", "scipy", "ranx")


def ranks(job: Job) -> np.ndarray:
    """(systems, queries) Rank of the relevant document, from 1; beyond DEPTH it was not returned."""
    rng = np.random.default_rng(7)
    hardness = rng.gamma(2, 2, job.queries)
    return 1 + rng.poisson(hardness, (job.systems, job.queries))


def values(job: Job) -> np.ndarray:
    """(4, systems, queries) RR, and success at 1, 3 and 5."""
    found = ranks(job)
    return np.stack([np.where(found <= DEPTH, 1 / found, 0.0), *(np.float64(found <= k) for k in (1, 3, 5))])


def our_call(name: str, job: Job) -> Callable[[], object]:
    """All tests at once, for the pairs measure by measure."""
    given = values(job)
    if name == "pairs":
        from idealrank.statistics.all_pairs import randomised_tukey

        return lambda: [randomised_tukey(each, seed=1, draws=DRAWS).half_width for each in given]
    from idealrank.statistics.max_t import max_t

    differences = (given[:, 1:] - given[:, :1]).reshape(-1, job.queries)
    return lambda: max_t(differences, seed=1, draws=DRAWS).critical


def scipy_call(job: Job) -> Callable[[], object]:
    """One pair on one measure, as scipy's manual tests paired samples."""
    from scipy.stats import permutation_test

    pair = tuple(values(job)[0, :2])

    def statistic(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
        return np.mean(x - y, axis=axis)

    return lambda: (
        permutation_test(
            pair, statistic, permutation_type="samples", n_resamples=DRAWS, batch=200, vectorized=True
        ).pvalue
    )


def ranx_call(job: Job) -> Callable[[], object]:
    """One pair on one measure by compare with Fisher's test, compiled beforehand."""
    from ranx import Qrels, Run, compare

    def run(system: int, queries: int) -> Run:
        lists = {}
        for query, rank in enumerate(ranks(job)[system, :queries]):
            found = {f"d{place}": 1.0 - place / 100 for place in range(1, DEPTH + 1) if place != rank}
            lists[f"q{query:05d}"] = {**found, "r": 1.0 - rank / 100} if rank <= DEPTH else found
        return Run(lists, name=f"system{system}")

    def compared(queries: int, draws: int) -> Callable[[], object]:
        qrels = Qrels({f"q{query:05d}": {"r": 1} for query in range(queries)})
        runs = [run(system, queries) for system in (0, 1)]
        return lambda: compare(qrels, runs, ["mrr"], stat_test="fisher", n_permutations=draws)

    compared(20, 10)()
    return compared(job.queries, DRAWS)


def main() -> None:
    """Prepare, say when that was done, and test."""
    parser = argparse.ArgumentParser(description="Test many systems on the same values.")
    parser.add_argument("job", choices=JOBS)
    parser.add_argument("tool", choices=TOOLS)
    args = parser.parse_args()
    job = JOBS[args.job]
    call = {
        "idealrank": lambda: our_call(args.job, job),
        "scipy": lambda: scipy_call(job),
        "ranx": lambda: ranx_call(job),
    }
    ready = call[args.tool]()
    print(f"start-up {time.perf_counter() - BEGAN:.3f}", file=sys.stderr)
    print(ready())


if __name__ == "__main__":
    main()
