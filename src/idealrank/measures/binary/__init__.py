"""Binary measures: which results are relevant, and where."""

import math

from idealrank.measures.common import BINARY, COUNT, DEFINED, PATIENCE, SHARE, WHOLE_LIST
from idealrank.measures.definition import Definition
from idealrank.measures.parameters import Parameter

_SEARCHES = COUNT._replace(lowest=1, direction="lower")
"""What a number of searches promises."""

_MOST = Parameter("most", default=10.0, low=1.0, high=math.inf, ends="closed")
"""The most searches that count: what none of them found counts one more."""

DEFINITIONS = (
    Definition(
        name="P",
        title="Precision: the share of the first k results that are relevant",
        module="binary.precision",
        reads=(*BINARY, "short_list", "no_relevant"),
        properties=SHARE._replace(undefined="nothing returned", not_averaged=("short_list=judged",)),
        aliases=("precision", "p", "set_P", "SetP", "prec"),
    ),
    Definition(
        name="R",
        title="Recall: the share of the relevant documents that are among the first k results",
        module="binary.recall",
        reads=(*BINARY, "recall_denominator", "no_relevant"),
        shared_ranks=True,
        properties=SHARE._replace(not_averaged=("recall_denominator=hits",)),
        aliases=("recall", "r", "set_recall", "SetR"),
        carried={
            "relative_P": {"recall_denominator": "min(R,k)"},
            "set_relative_P": {"recall_denominator": "min(R,k,n)"},
            "SetRelP": {"recall_denominator": "min(R,k,n)"},
            "capped_recall": {"recall_denominator": "min(R,k)"},
            "R_cap": {"recall_denominator": "min(R,k)"},
        },
    ),
    Definition(
        name="F1",
        title="F1: harmonic mean of precision and recall, 2 hits / (k + R)",
        module="binary.f1",
        reads=(*BINARY, "no_relevant"),
        properties=SHARE._replace(undefined="nothing returned, no relevant"),
        aliases=("f1", "f1_score", "set_F"),
    ),
    Definition(
        name="RR",
        title="Reciprocal rank of the first relevant result",
        module="binary.rr",
        reads=BINARY,
        shared_ranks=True,
        properties=DEFINED,
        aliases=("mrr", "recip_rank", "rr", "reciprocal_rank", "MRR"),
    ),
    Definition(
        name="AP",
        title="Average precision: the mean of the precisions at the relevant documents",
        module="binary.ap",
        reads=(*BINARY, "ap_denominator", "no_relevant"),
        properties=SHARE._replace(not_averaged=("ap_denominator=hits",)),
        aliases=("map", "map_cut", "ap", "average_precision", "MAP"),
        carried={"gm_map": {"average": "geometric"}},
    ),
    Definition(
        name="Bpref",
        title="Binary preference: how rarely judged non-relevant results come before relevant ones",
        module="binary.bpref",
        reads=WHOLE_LIST,
        properties=SHARE._replace(at_ideal="1", depth="all"),
        aliases=("bpref",),
        carried={"gm_bpref": {"average": "geometric"}},
        holes=("does not count", "do not count"),
    ),
    Definition(
        name="Rprec",
        title="R-precision: precision after as many results as there are relevant documents",
        module="binary.rprec",
        reads=WHOLE_LIST,
        properties=SHARE._replace(at_ideal="1", depth="R"),
        aliases=("rprec", "r-precision", "r_precision", "rprecision"),
    ),
    Definition(
        name="Success",
        title="Success: 1 if any of the first k results is relevant",
        module="binary.success",
        reads=BINARY,
        shared_ranks=True,
        properties=DEFINED,
        aliases=("success", "hit", "hits", "hit_rate", "hitrate", "hit_ratio", "accuracy"),
    ),
    Definition(
        name="AllRecall",
        title="All-recall: 1 if all relevant documents are among the first k results",
        module="binary.all_recall",
        reads=(*BINARY, "no_relevant"),
        properties=SHARE._replace(average="none"),
        aliases=("all_recall", "full_recall"),
    ),
    Definition(
        name="StepsToFirst",
        title="Searches until the first relevant document",
        module="binary.searches",
        function="to_first",
        reads=("relevant_from", "unjudged", "negative"),
        properties=_SEARCHES,
        parameters=(_MOST,),
        aliases=("steps_to_first",),
        if_empty="computed",
    ),
    Definition(
        name="StepsToAll",
        title="Searches until all relevant documents",
        module="binary.searches",
        function="to_all",
        reads=("relevant_from", "unjudged", "negative"),
        properties=_SEARCHES,
        parameters=(_MOST,),
        aliases=("steps_to_all",),
        if_empty="computed",
    ),
    Definition(
        name="RBP",
        title="Rank-biased precision: relevance seen by a reader who continues with probability p",
        module="binary.rbp",
        reader="reading",
        reads=BINARY,
        properties=DEFINED,
        parameters=(PATIENCE,),
        aliases=("rbp",),
    ),
    Definition(
        name="BinaryNDCG",
        title="nDCG of relevance: how early the relevant results come, regardless of their grades",
        module="binary.binary_ndcg",
        reads=(*BINARY, "discount", "ideal_depth", "no_relevant"),
        properties=SHARE._replace(at_ideal="1"),
        aliases=("binary_ndcg",),
    ),
)
