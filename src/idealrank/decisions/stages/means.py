"""The decisions of the stage mean: which queries count, and how to average them."""

from __future__ import annotations

from dataclasses import dataclass

from idealrank.decisions.forms import ROUNDINGS, Rounding
from idealrank.decisions.question import decision


@dataclass(frozen=True)
class MeanDecisions:
    """Decisions made when queries are averaged; the first answer is the default."""

    no_results: str = decision(
        "mean",
        "What if the system returned nothing for a judged query?",
        {
            "0": "the query counts 0 (trec_eval -c, ir_measures, ranx)",
            "skip": "the query is left out, even if a row without a document names it (trec_eval, Quepid's browser)",
            "skip_missing": "the query is left out if the results do not name it; it counts 0 if a row without a "
            "document does (pytrec_eval, MTEB, trectools)",
            "error": "the evaluation stops",
        },
    )
    failed: str = decision(
        "mean",
        "What if the search failed for a judged query?",
        {
            "skip": "the query is left out, with a warning",
            "0": "the query counts 0, as if the system had returned nothing",
            "refuse": "the evaluation stops",
        },
    )
    no_judgments: str = decision(
        "mean",
        "What if a query has results but no judgments?",
        {
            "skip": "the query is left out (trec_eval)",
            "0": "the query counts 0 (Quepid's nightly average, OpenSearch; trectools' denominator)",
        },
    )
    average: str = decision(
        "mean",
        "How are the queries averaged?",
        {
            "arithmetic": "the mean",
            "geometric": "exp of the mean log, with values below 0.00001 raised to it (trec_eval's gm_map)",
            "median": "the median (torchmetrics on request)",
        },
    )
    weights: str = decision(
        "mean",
        "Do all queries count equally?",
        {
            "equal": "yes",
            "given": "no: each counts by its weight in the queries table (LightGBM, scikit-learn sample_weight)",
        },
    )
    systems: str = decision(
        "mean",
        "What if one table has several systems?",
        {
            "auto": "one number per system, but tags of a TREC run that never share a query are one run",
            "separate": "one number per system, regardless of the queries",
            "one_run": "a TREC run is one system regardless of tags; other tables: one number per system (trec_eval)",
            "pooled": "all rows of a table are one ranking (trectools, HF evaluate)",
        },
    )
    rounding: tuple[Rounding, ...] = decision(
        "mean",
        "Where are numbers rounded before display?",
        {
            "none": "nowhere",
            "STAGE,RULE,DIGITS": "STAGE term, query or mean; RULE round (half to even), half_up or floor; "
            "several joined by + (OpenSearch query,half_up,2; RRE term,floor,2+query,floor,2)",
        },
        form=ROUNDINGS,
        default=(),
    )
