"""The one list of measures. Adding one: its file, one entry here, its golden rows."""

from __future__ import annotations

import functools
import math

from idealrank.measures.definition import Definition, Measure
from idealrank.measures.grammar import by_name, parse_with
from idealrank.measures.parameters import Parameter
from idealrank.measures.properties import Properties

__all__ = ["DEFAULT_MEASURES", "DEFINITIONS", "Definition", "Measure", "Parameter", "Properties", "parse"]

DEFAULT_MEASURES = ("nDCG@10", "P@10", "R@100", "RR", "AP")

_GRADED = ("gain", "discount", "cutoff", "unjudged", "negative")
_IDEAL = ("ideal", "ideal_depth", "max_grade", "no_relevant")
_BINARY = ("relevant_from", "unjudged", "negative", "cutoff")

DEFINITIONS: tuple[Definition, ...] = (
    Definition(
        name="nDCG",
        title="Normalised discounted cumulative gain: the DCG as a share of the best list's",
        module="ndcg",
        reads=(*_GRADED, *_IDEAL),
        cutoff="optional",
        properties=Properties(
            lowest=0,
            highest=1,
            at_ideal="1",
            undefined="ideal zero",
            monotone="global or max",
            depth="k",
            direction="higher",
        ),
        aliases=("ndcg", "ndcg_cut"),
    ),
    Definition(
        name="DCG",
        title="Discounted cumulative gain: what the results are worth, later ranks counting less",
        module="dcg",
        reads=_GRADED,
        cutoff="optional",
        properties=Properties(
            lowest=0,
            highest=math.inf,
            at_ideal="best",
            undefined="never",
            monotone="always",
            depth="k",
            direction="higher",
        ),
        aliases=("dcg",),
    ),
    Definition(
        name="CG",
        title="Cumulative gain: what the results are worth, blind to their order",
        module="cg",
        reads=("gain", "cutoff", "unjudged", "negative"),
        cutoff="optional",
        properties=Properties(
            lowest=0,
            highest=math.inf,
            at_ideal="best",
            undefined="never",
            monotone="always",
            depth="k",
            direction="higher",
        ),
        aliases=("cg",),
    ),
    Definition(
        name="P",
        title="Precision: the share of the first k results that are relevant",
        module="precision",
        reads=(*_BINARY, "short_list", "no_relevant"),
        cutoff="optional",
        properties=Properties(
            lowest=0,
            highest=1,
            at_ideal="best",
            undefined="nothing returned",
            monotone="always",
            depth="k",
            direction="higher",
            not_averaged=("short_list=judged",),
        ),
        aliases=("precision", "p", "set_P", "prec"),
    ),
    Definition(
        name="R",
        title="Recall: the share of the relevant documents that are among the first k results",
        module="recall",
        reads=(*_BINARY, "recall_denominator", "no_relevant"),
        cutoff="optional",
        properties=Properties(
            lowest=0,
            highest=1,
            at_ideal="best",
            undefined="no relevant",
            monotone="always",
            depth="k",
            direction="higher",
            not_averaged=("recall_denominator=hits",),
        ),
        aliases=("recall", "r", "set_recall"),
    ),
    Definition(
        name="RR",
        title="Reciprocal rank of the first relevant result",
        module="rr",
        reads=_BINARY,
        cutoff="optional",
        properties=Properties(
            lowest=0, highest=1, at_ideal="best", undefined="never", monotone="always", depth="k", direction="higher"
        ),
        aliases=("mrr", "recip_rank", "rr", "reciprocal_rank", "MRR"),
    ),
    Definition(
        name="AP",
        title="Average precision: the mean of the precisions at the relevant documents",
        module="ap",
        reads=(*_BINARY, "ap_denominator", "no_relevant"),
        cutoff="optional",
        properties=Properties(
            lowest=0,
            highest=1,
            at_ideal="best",
            undefined="no relevant",
            monotone="always",
            depth="k",
            direction="higher",
            not_averaged=("ap_denominator=hits",),
        ),
        aliases=("map", "map_cut", "ap", "average_precision", "MAP"),
        carried={"gm_map": {"average": "geometric"}},
    ),
    Definition(
        name="Bpref",
        title="Binary preference: how seldom judged non-relevant results precede relevant ones",
        module="bpref",
        reads=("relevant_from", "unjudged", "negative", "no_relevant"),
        cutoff="none",
        properties=Properties(
            lowest=0,
            highest=1,
            at_ideal="1",
            undefined="no relevant",
            monotone="always",
            depth="all",
            direction="higher",
        ),
        aliases=("bpref",),
        carried={"gm_bpref": {"average": "geometric"}},
        holes=("plays no part", "play no part"),
    ),
    Definition(
        name="Success",
        title="Success: 1 if any of the first k results is relevant",
        module="success",
        reads=_BINARY,
        cutoff="optional",
        properties=Properties(
            lowest=0, highest=1, at_ideal="best", undefined="never", monotone="always", depth="k", direction="higher"
        ),
        aliases=("success", "hit", "hits", "hit_rate", "hitrate", "hit_ratio", "accuracy"),
    ),
    Definition(
        name="F1",
        title="F1: harmonic mean of precision and recall, 2 hits / (k + R)",
        module="f1",
        reads=(*_BINARY, "no_relevant"),
        cutoff="optional",
        properties=Properties(
            lowest=0,
            highest=1,
            at_ideal="best",
            undefined="nothing returned, no relevant",
            monotone="always",
            depth="k",
            direction="higher",
        ),
        aliases=("f1", "f", "f1_score", "set_F", "f_measure"),
    ),
    Definition(
        name="Rprec",
        title="R-precision: precision after as many results as there are relevant documents",
        module="rprec",
        reads=("relevant_from", "unjudged", "negative", "no_relevant"),
        cutoff="none",
        properties=Properties(
            lowest=0, highest=1, at_ideal="1", undefined="no relevant", monotone="always", depth="R", direction="higher"
        ),
        aliases=("rprec", "r-precision", "r_precision", "rprecision"),
    ),
    Definition(
        name="Judged",
        title="Judged: the share of the first k results that have a judgment",
        module="judged",
        reads=("unjudged", "negative", "cutoff", "short_list", "no_relevant"),
        cutoff="optional",
        properties=Properties(
            lowest=0,
            highest=1,
            at_ideal="none",
            undefined="nothing returned",
            monotone="always",
            depth="k",
            direction="count",
            not_averaged=("short_list=judged",),
        ),
        aliases=("judged", "coverage"),
        holes=("counts as a result without a judgment", "count as results without a judgment"),
    ),
    Definition(
        name="RBP",
        title="Rank-biased precision: relevance seen by a reader who goes on with probability p",
        module="rbp",
        reads=_BINARY,
        cutoff="optional",
        properties=Properties(
            lowest=0, highest=1, at_ideal="best", undefined="never", monotone="always", depth="k", direction="higher"
        ),
        parameters=(Parameter("p", default=0.8, low=0.0, high=1.0),),
        aliases=("rbp",),
    ),
    Definition(
        name="ERR",
        title="Expected reciprocal rank: where a reader who stops when satisfied stops",
        module="err",
        reads=("max_grade", "unjudged", "negative", "cutoff"),
        cutoff="optional",
        properties=Properties(
            lowest=0, highest=1, at_ideal="best", undefined="never", monotone="always", depth="k", direction="higher"
        ),
        aliases=("err",),
    ),
    Definition(
        name="NumRet",
        title="Number of results returned",
        module="num_ret",
        reads=("unjudged", "negative"),
        cutoff="none",
        properties=Properties(
            lowest=0,
            highest=math.inf,
            at_ideal="none",
            undefined="never",
            monotone="always",
            depth="all",
            direction="count",
        ),
        total="sum",
        aliases=("num_ret",),
        holes=("counts as every result does", "count as every result does"),
    ),
    Definition(
        name="NumRel",
        title="Number of relevant documents judged",
        module="num_rel",
        reads=("relevant_from", "negative"),
        cutoff="none",
        properties=Properties(
            lowest=0,
            highest=math.inf,
            at_ideal="none",
            undefined="never",
            monotone="always",
            depth="nothing",
            direction="count",
        ),
        total="sum",
        aliases=("num_rel",),
    ),
    Definition(
        name="NumRelRet",
        title="Number of relevant documents returned",
        module="num_rel_ret",
        reads=_BINARY,
        cutoff="optional",
        properties=Properties(
            lowest=0,
            highest=math.inf,
            at_ideal="best",
            undefined="never",
            monotone="always",
            depth="k",
            direction="higher",
        ),
        total="sum",
        aliases=("num_rel_ret",),
    ),
    Definition(
        name="NumQ",
        title="Number of queries scored",
        module="num_q",
        reads=(),
        cutoff="none",
        properties=Properties(
            lowest=1, highest=1, at_ideal="1", undefined="never", monotone="always", depth="nothing", direction="count"
        ),
        total="sum",
        aliases=("num_q",),
    ),
)


parse = functools.partial(parse_with, by_name(DEFINITIONS))
"""Read measure names; see `idealrank.measures.grammar.parse_with`."""
