"""The decisions of the stage mean: which queries count, and how they are averaged."""

from __future__ import annotations

from dataclasses import dataclass

from idealrank.decisions.forms import ROUNDINGS, Rounding
from idealrank.decisions.question import decision


@dataclass(frozen=True)
class MeanDecisions:
    """What is answered where queries are averaged; of several answers the first is the default."""

    no_results: str = decision(
        "mean",
        "A judged query the system returned nothing for?",
        {
            "0": "counts 0 (trec_eval -c, ir_measures, ranx)",
            "skip": "leaves the query out, named by a row without a document or not (trec_eval, Quepid's browser)",
            "skip_missing": "leaves a query out that the results do not name; one named by a row without a document "
            "counts 0 (pytrec_eval, MTEB, trectools)",
            "error": "stops the evaluation",
        },
    )
    failed: str = decision(
        "mean",
        "A judged query whose search failed?",
        {
            "skip": "leaves the query out, and warns of it",
            "0": "counts 0, as if the system had returned nothing",
            "refuse": "stops the evaluation",
        },
    )
    no_judgments: str = decision(
        "mean",
        "Results for a query without judgments?",
        {
            "skip": "leaves the query out (trec_eval)",
            "0": "counts 0 (Quepid's nightly average, OpenSearch; trectools' denominator)",
        },
    )
    average: str = decision(
        "mean",
        "How are the queries averaged?",
        {
            "arithmetic": "the mean",
            "geometric": "exp of the mean log, values below 0.00001 raised to it (trec_eval's gm_map)",
            "median": "the median (torchmetrics on request)",
        },
    )
    weights: str = decision(
        "mean",
        "Does every query count alike?",
        {
            "equal": "yes",
            "given": "no: by the weight the queries table gives it (LightGBM, scikit-learn sample_weight)",
        },
    )
    systems: str = decision(
        "mean",
        "Several systems in one table?",
        {
            "auto": "one number each; but the tags of a TREC run that never share a query are one run",
            "separate": "one number each, whatever the queries",
            "one_run": "a TREC run is one system whatever its tags; of a system column one number each (trec_eval)",
            "pooled": "all rows of a table are one ranking (trectools, HF evaluate)",
        },
    )
    rounding: tuple[Rounding, ...] = decision(
        "mean",
        "Where is rounded before display?",
        {
            "none": "nowhere",
            "STAGE,RULE,DIGITS": "STAGE term, query or mean; RULE round (half to even), half_up or floor; "
            "several joined by + (OpenSearch query,half_up,2; RRE term,floor,2+query,floor,2)",
        },
        form=ROUNDINGS,
        default=(),
    )
