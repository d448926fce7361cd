"""pytrec_eval as its README uses it: its own parsers, one evaluator, means over the queries."""

import numpy as np
import pytrec_eval
from _values import NAMES, arguments, write_values

MEASURES = ("ndcg_cut_10", "map", "recip_rank", "P_10", "recall_100")


def main() -> None:
    """Parse both files, evaluate, print the means."""
    args = arguments(__doc__)
    with open(args.qrels) as file:
        qrels = pytrec_eval.parse_qrel(file)
    with open(args.run) as file:
        run = pytrec_eval.parse_run(file)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"})
    results = evaluator.evaluate(run)
    for name, measure in zip(NAMES, MEASURES, strict=True):
        print(f"{name}\t{np.mean([values[measure] for values in results.values()])}")
    if args.per_query:
        pairs = tuple(zip(NAMES, MEASURES, strict=True))
        write_values(args.per_query, ((q, name, v[m]) for q, v in results.items() for name, m in pairs))


if __name__ == "__main__":
    main()
