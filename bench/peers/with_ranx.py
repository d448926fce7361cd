"""ranx as its README uses it: Qrels and Run from files, one evaluate.

ranx compiles its functions when they are first called (or loads them from numba's cache on
disk). So that this can be told apart, a first call on tiny data comes before the files are
read, and the seconds from the start to there go to standard error.
"""

import sys
import time

BEGAN = time.perf_counter()

from _values import NAMES, arguments, write_values  # noqa: E402
from ranx import Qrels, Run, evaluate  # noqa: E402

MEASURES = ("ndcg@10", "map", "mrr", "precision@10", "recall@100")


def first_call() -> None:
    """Have everything compiled.

    The ids have the real length, which is part of numba's types, and there are ten queries,
    since for fewer ranx turns its threads off.
    """
    queries = [f"Q100000{number}" for number in range(10)]
    qrels = Qrels.from_dict({query: {"D1000000": 1, "D2000000": 0} for query in queries})
    run = Run.from_dict({query: {"D1000000": 0.5, "D2000000": 0.25} for query in queries})
    evaluate(qrels, run, list(MEASURES), make_comparable=True)
    print(f"start-up {time.perf_counter() - BEGAN:.3f}", file=sys.stderr)


def main() -> None:
    """Read both files, evaluate, print the means."""
    args = arguments(__doc__)
    first_call()
    qrels = Qrels.from_file(args.qrels, kind="trec")
    run = Run.from_file(args.run, kind="trec")
    means = evaluate(qrels, run, list(MEASURES), make_comparable=True)
    for name, measure in zip(NAMES, MEASURES, strict=True):
        print(f"{name}\t{means[measure]}")
    if args.per_query:
        pairs = zip(NAMES, MEASURES, strict=True)
        write_values(args.per_query, ((q, n, v) for n, m in pairs for q, v in run.scores[m].items()))


if __name__ == "__main__":
    main()
