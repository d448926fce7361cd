"""The one list of measures. Adding one: its file, one entry here, its golden rows."""

from __future__ import annotations

import functools
import math

from idealrank.measures.definition import Definition, Measure, Properties
from idealrank.measures.grammar import parse_with

__all__ = ["DEFAULT_MEASURES", "DEFINITIONS", "Definition", "Measure", "Properties", "parse"]

DEFAULT_MEASURES = ("nDCG@10", "P@10", "R@100", "RR", "AP")

_GRADED = ("gain", "discount", "cutoff", "unjudged", "negative")
_IDEAL = ("ideal", "ideal_depth", "max_grade", "no_relevant")
_BINARY = ("relevant_from", "unjudged", "negative", "cutoff")

DEFINITIONS: tuple[Definition, ...] = (
    Definition(
        "nDCG",
        "Normalised discounted cumulative gain: the DCG as a share of the best list's",
        "ndcg",
        (*_GRADED, *_IDEAL),
        "optional",
        Properties(0, 1, "1", "ideal zero", "global or max", "k", "higher"),
        aliases=("ndcg", "ndcg_cut"),
    ),
    Definition(
        "DCG",
        "Discounted cumulative gain: what the results are worth, later ranks counting less",
        "dcg",
        _GRADED,
        "optional",
        Properties(0, math.inf, "best", "never", "always", "k", "higher"),
        aliases=("dcg",),
    ),
    Definition(
        "CG",
        "Cumulative gain: what the results are worth, blind to their order",
        "cg",
        ("gain", "cutoff", "unjudged", "negative"),
        "optional",
        Properties(0, math.inf, "best", "never", "always", "k", "higher"),
        aliases=("cg",),
    ),
    Definition(
        "P",
        "Precision: the share of the first k results that are relevant",
        "precision",
        (*_BINARY, "short_list", "no_relevant"),
        "optional",
        Properties(0, 1, "best", "nothing returned", "always", "k", "higher"),
        aliases=("precision", "p", "set_P", "prec"),
    ),
    Definition(
        "R",
        "Recall: the share of the relevant documents that are among the first k results",
        "recall",
        (*_BINARY, "recall_denominator", "no_relevant"),
        "optional",
        Properties(0, 1, "best", "no relevant", "always", "k", "higher"),
        aliases=("recall", "r", "set_recall"),
    ),
    Definition(
        "RR",
        "Reciprocal rank of the first relevant result",
        "rr",
        _BINARY,
        "optional",
        Properties(0, 1, "best", "never", "always", "k", "higher"),
        aliases=("mrr", "recip_rank", "rr", "reciprocal_rank", "MRR"),
    ),
    Definition(
        "AP",
        "Average precision: the mean of the precisions at the relevant documents",
        "ap",
        (*_BINARY, "ap_denominator", "no_relevant"),
        "optional",
        Properties(0, 1, "best", "no relevant", "always", "k", "higher"),
        aliases=("map", "map_cut", "ap", "average_precision", "MAP"),
    ),
    Definition(
        "Bpref",
        "Binary preference: how seldom judged non-relevant results precede relevant ones",
        "bpref",
        ("relevant_from", "unjudged", "negative", "no_relevant"),
        "none",
        Properties(0, 1, "1", "no relevant", "always", "all", "higher"),
        aliases=("bpref",),
    ),
    Definition(
        "Success",
        "Success: 1 if any of the first k results is relevant",
        "success",
        _BINARY,
        "optional",
        Properties(0, 1, "best", "never", "always", "k", "higher"),
        aliases=("success", "hit", "hits", "hit_rate", "hitrate", "hit_ratio", "accuracy"),
    ),
    Definition(
        "F1",
        "F1: harmonic mean of precision and recall, 2 hits / (k + R)",
        "f1",
        (*_BINARY, "no_relevant"),
        "optional",
        Properties(0, 1, "best", "nothing returned, no relevant", "always", "k", "higher"),
        aliases=("f1", "f", "f1_score", "set_F", "f_measure"),
    ),
    Definition(
        "Rprec",
        "R-precision: precision after as many results as there are relevant documents",
        "rprec",
        ("relevant_from", "unjudged", "negative", "no_relevant"),
        "none",
        Properties(0, 1, "1", "no relevant", "always", "R", "higher"),
        aliases=("rprec", "r-precision", "r_precision", "rprecision"),
    ),
    Definition(
        "Judged",
        "Judged: the share of the first k results that have a judgment",
        "judged",
        ("unjudged", "negative", "cutoff", "short_list", "no_relevant"),
        "optional",
        Properties(0, 1, "none", "nothing returned", "always", "k", "count"),
        aliases=("judged", "coverage"),
    ),
    Definition(
        "RBP",
        "Rank-biased precision: relevance seen by a reader who goes on with probability p",
        "rbp",
        _BINARY,
        "optional",
        Properties(0, 1, "best", "never", "always", "k", "higher"),
        parameters={"p": 0.8},
        aliases=("rbp",),
    ),
    Definition(
        "ERR",
        "Expected reciprocal rank: where a reader who stops when satisfied stops",
        "err",
        ("max_grade", "unjudged", "negative", "cutoff"),
        "optional",
        Properties(0, 1, "best", "never", "always", "k", "higher"),
        aliases=("err",),
    ),
    Definition(
        "NumRet",
        "Number of results returned",
        "num_ret",
        ("unjudged", "negative"),
        "none",
        Properties(0, math.inf, "none", "never", "always", "all", "count"),
        total="sum",
        aliases=("num_ret",),
    ),
    Definition(
        "NumRel",
        "Number of relevant documents judged",
        "num_rel",
        ("relevant_from", "negative"),
        "none",
        Properties(0, math.inf, "none", "never", "always", "nothing", "count"),
        total="sum",
        aliases=("num_rel",),
    ),
    Definition(
        "NumRelRet",
        "Number of relevant documents returned",
        "num_rel_ret",
        _BINARY,
        "optional",
        Properties(0, math.inf, "best", "never", "always", "k", "higher"),
        total="sum",
        aliases=("num_rel_ret", "NumRelRet"),
    ),
    Definition(
        "NumQ",
        "Number of queries scored",
        "num_q",
        (),
        "none",
        Properties(1, 1, "1", "never", "always", "nothing", "count"),
        total="sum",
        aliases=("num_q",),
    ),
)


@functools.cache
def _by_name() -> dict[str, Definition]:
    named = {definition.name: definition for definition in DEFINITIONS}
    return {**{alias: d for d in DEFINITIONS for alias in d.aliases}, **named}


parse = functools.partial(parse_with, _by_name())
"""Read measure names; see `idealrank.measures.grammar.parse_with`."""
