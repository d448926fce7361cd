"""Diversity measures: how many subtopics of a query the results serve, and how soon; averages over judgment groups."""

import functools
import math

from idealrank.measures.common import BINARY, SHARE, WHOLE_LIST
from idealrank.measures.definition import Definition
from idealrank.measures.parameters import Parameter

_READS = (*BINARY, "no_relevant")
_ALPHA = Parameter("alpha", default=0.5, low=0.0, high=1.0, ends="closed")
_BETA = Parameter("beta", default=0.5, low=0.0, high=1.0)

# The grade of a document does not say how many subtopics it serves, so nothing is promised for an order by grades.
_UPTO_K = SHARE._replace(at_ideal="none", monotone="no", average="none")
_ALL = _UPTO_K._replace(depth="all")
_GREEDY = math.e / (math.e - 1.0)
"""The best list is worth at most this many times the greedy ideal (Nemhauser, Wolsey and Fisher, 1978)."""

_define = functools.partial(Definition, by_subtopic=True, holes=("serves no subtopic", "serve no subtopic"))

DEFINITIONS = (
    _define(
        name="alpha_DCG",
        title="alpha-DCG: discounted cumulative gain of novelty by subtopic",
        module="diversity.alpha_dcg",
        reads=_READS,
        properties=_UPTO_K,
        parameters=(_ALPHA,),
        aliases=("alpha-DCG", "α-DCG", "α_DCG"),
    ),
    _define(
        name="alpha_nDCG",
        title="alpha-nDCG: discounted cumulative gain of novelty by subtopic, relative to the ideal list",
        module="diversity.alpha_ndcg",
        reads=_READS,
        properties=_UPTO_K._replace(highest=_GREEDY),
        parameters=(_ALPHA,),
        aliases=("alpha-nDCG", "α-nDCG", "α_nDCG"),
    ),
    _define(
        name="ERR_IA",
        title="ERR-IA: expected reciprocal rank over the subtopics",
        module="diversity.err_ia",
        reads=_READS,
        properties=_UPTO_K,
        aliases=("ERR-IA",),
    ),
    _define(
        name="nERR_IA",
        title="nERR-IA: expected reciprocal rank over the subtopics, relative to the ideal list",
        module="diversity.nerr_ia",
        reads=_READS,
        properties=_UPTO_K._replace(highest=_GREEDY),
        aliases=("nERR-IA",),
    ),
    _define(
        name="NRBP",
        title="Novelty- and rank-biased precision",
        module="diversity.nrbp",
        reads=WHOLE_LIST,
        properties=_ALL,
        parameters=(_ALPHA, _BETA),
    ),
    _define(
        name="nNRBP",
        title="Novelty- and rank-biased precision, relative to the ideal list",
        module="diversity.nnrbp",
        reads=WHOLE_LIST,
        properties=_ALL._replace(highest=_GREEDY),
        parameters=(_ALPHA, _BETA),
    ),
    _define(
        name="AP_IA",
        title="AP-IA: average precision, averaged over the subtopics",
        module="diversity.ap_ia",
        reads=WHOLE_LIST,
        properties=_ALL,
        aliases=("AP-IA", "MAP-IA", "MAP_IA"),
    ),
    _define(
        name="P_IA",
        title="P-IA: precision, averaged over the subtopics",
        module="diversity.p_ia",
        reads=_READS,
        properties=_UPTO_K._replace(average="exact"),
        aliases=("P-IA",),
    ),
    _define(
        name="StRecall",
        title="Subtopic recall: the share of the subtopics that the first k results serve",
        module="diversity.strecall",
        reads=_READS,
        properties=_UPTO_K,
        aliases=("strec", "subtopic_recall"),
    ),
    _define(
        name="AP_avgjg",
        title="Average precision, averaged over the judgment groups",
        module="diversity.ap_avgjg",
        reads=WHOLE_LIST,
        properties=_ALL,
        aliases=("map_avgjg",),
    ),
    _define(
        name="P_avgjg",
        title="Precision, averaged over the judgment groups",
        module="diversity.p_avgjg",
        reads=_READS,
        properties=_UPTO_K._replace(average="exact"),
    ),
    _define(
        name="RprecMult_avgjg",
        title="R-precision at a multiple of R, averaged over the judgment groups",
        module="diversity.rprec_mult_avgjg",
        reads=WHOLE_LIST,
        properties=_ALL,
        parameters=(Parameter("x", default=1.0, low=0.0, high=math.inf, written="behind"),),
        aliases=("Rprec_mult_avgjg",),
    ),
)
