"""pytrec_eval with every measure it has: its own parsers, one evaluator, its own means over the queries."""

import sys

import pytrec_eval


def main() -> None:
    """Parse both files, evaluate, print the means."""
    with open(sys.argv[1]) as file:
        qrels = pytrec_eval.parse_qrel(file)
    with open(sys.argv[2]) as file:
        run = pytrec_eval.parse_run(file)
    results = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    for measure in sorted(next(iter(results.values()))):
        values = [query[measure] for query in results.values()]
        print(f"{measure}\t{pytrec_eval.compute_aggregated_measure(measure, values)}")


if __name__ == "__main__":
    main()
