"""cwl_eval: gains between 0 and 1 (the grades over 3, negative ones left out), rows as they stand, no mean.

Behind the name of a measure, what else it prints: the total utility and the depth of the reading, and by how
much the utility could be higher (-r).
"""

import given
from cwl.ruler import cwl_ruler
from cwl.ruler.ranking import RankingMaker
from cwl.seeker.trec_qrel_handler import TrecQrelHandler

PRINTED = {
    "": "expected_utility",
    " total": "expected_total_utility",
    " depth": "expected_items",
    " residual": "residual_expected_utility",
}
READERS = ("RBP", "INST", "INSQ", "NERR", "BPM")


def metrics() -> list:
    """Return new metrics: each keeps what it measured last."""
    return [
        *(metric(k) for metric in (cwl_ruler.PrecisionCWLMetric, cwl_ruler.NDCGCWLMetric) for k in given.CUTOFFS),
        *(metric(5) for metric in (cwl_ruler.NERReq8CWLMetric, cwl_ruler.NERReq9CWLMetric)),
        *(metric(1.5) for metric in (cwl_ruler.INSTCWLMetric, cwl_ruler.INSQCWLMetric, cwl_ruler.NERReq11CWLMetric)),
        *(cwl_ruler.RBPCWLMetric(0.8), cwl_ruler.NERReq10CWLMetric(0.9), cwl_ruler.BPMCWLMetric(1.0, 10)),
        *(cwl_ruler.RRCWLMetric(), cwl_ruler.APCWLMetric()),
    ]


def rows():
    """Run every metric on every query of the results that is judged, for gains of two kinds."""
    for kind in ("graded", "binary"):
        gains = TrecQrelHandler()
        for query, docs in given.judgments().items():
            for doc, grade in docs.items():
                if grade >= 0:
                    gains.put_value(query, doc, grade / 3 if kind == "graded" else float(grade > 0))
        for query, docs in given.results().items():
            maker = RankingMaker(query, gains)
            for doc in docs:
                maker.add(doc, "")
            for metric in metrics():
                metric.residuals = True
                metric.measure(maker.get_ranking())
                name = metric.name().strip()
                for more, attribute in PRINTED.items():
                    if not more or name.startswith(READERS):
                        yield kind, "given", name + more, query, getattr(metric, attribute)


given.write("cwl_eval", "cwl-eval", rows())
