"""Diversity measures: how many of a query's subtopics the results serve, how soon; averages over judgment groups."""

from __future__ import annotations

import math

from idealrank.measures.definition import Definition
from idealrank.measures.parameters import Parameter
from idealrank.measures.promises import BINARY
from idealrank.measures.properties import Properties

_READS = (*BINARY, "no_relevant")
_WHOLE = ("relevant_from", "unjudged", "negative", "no_relevant")
_ALPHA = Parameter("alpha", default=0.5, low=0.0, high=1.0, ends="closed")
_BETA = Parameter("beta", default=0.5, low=0.0, high=1.0)

# The grade of a document does not say how many subtopics it serves: no order by grades is promised anything.
_UPTO_K = Properties(
    lowest=0,
    highest=1,
    at_ideal="none",
    undefined="no relevant",
    monotone="no",
    depth="k",
    direction="higher",
    average="none",
)
_ALL = _UPTO_K._replace(depth="all")
_GREEDY = math.e / (math.e - 1.0)
"""So many times what the greedy ideal is worth is the best list at most (Nemhauser, Wolsey and Fisher, 1978)."""

DEFINITIONS = (
    Definition(
        name="alpha_DCG",
        title="alpha-DCG: discounted cumulative gain of what is new about the subtopics",
        module="diversity.alpha_dcg",
        reads=_READS,
        properties=_UPTO_K,
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        parameters=(_ALPHA,),
        aliases=("alpha-DCG", "α-DCG", "α_DCG"),
    ),
    Definition(
        name="alpha_nDCG",
        title="alpha-nDCG: discounted cumulative gain of what is new, against the best list",
        module="diversity.alpha_ndcg",
        reads=_READS,
        properties=_UPTO_K._replace(highest=_GREEDY),
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        parameters=(_ALPHA,),
        aliases=("alpha-nDCG", "α-nDCG", "α_nDCG"),
    ),
    Definition(
        name="ERR_IA",
        title="ERR-IA: expected reciprocal rank over the subtopics",
        module="diversity.err_ia",
        reads=_READS,
        properties=_UPTO_K,
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        aliases=("ERR-IA",),
    ),
    Definition(
        name="nERR_IA",
        title="nERR-IA: expected reciprocal rank over the subtopics, against the best list",
        module="diversity.nerr_ia",
        reads=_READS,
        properties=_UPTO_K._replace(highest=_GREEDY),
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        aliases=("nERR-IA",),
    ),
    Definition(
        name="NRBP",
        title="Novelty- and rank-biased precision",
        module="diversity.nrbp",
        reads=_WHOLE,
        cutoff="none",
        properties=_ALL,
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        parameters=(_ALPHA, _BETA),
    ),
    Definition(
        name="nNRBP",
        title="Novelty- and rank-biased precision, against the best list",
        module="diversity.nnrbp",
        reads=_WHOLE,
        cutoff="none",
        properties=_ALL._replace(highest=_GREEDY),
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        parameters=(_ALPHA, _BETA),
    ),
    Definition(
        name="AP_IA",
        title="AP-IA: average precision, averaged over the subtopics",
        module="diversity.ap_ia",
        reads=_WHOLE,
        cutoff="none",
        properties=_ALL,
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        aliases=("AP-IA", "MAP-IA", "MAP_IA"),
    ),
    Definition(
        name="P_IA",
        title="P-IA: precision, averaged over the subtopics",
        module="diversity.p_ia",
        reads=_READS,
        properties=_UPTO_K._replace(average="exact"),
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        aliases=("P-IA",),
    ),
    Definition(
        name="StRecall",
        title="Subtopic recall: the share of the subtopics that the first k results serve",
        module="diversity.strecall",
        reads=_READS,
        properties=_UPTO_K,
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        aliases=("strec", "subtopic_recall"),
    ),
    Definition(
        name="AP_avgjg",
        title="Average precision, averaged over the judgment groups",
        module="diversity.ap_avgjg",
        reads=_WHOLE,
        cutoff="none",
        properties=_ALL,
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        aliases=("map_avgjg",),
    ),
    Definition(
        name="P_avgjg",
        title="Precision, averaged over the judgment groups",
        module="diversity.p_avgjg",
        reads=_READS,
        properties=_UPTO_K._replace(average="exact"),
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
    ),
    Definition(
        name="RprecMult_avgjg",
        title="R-precision at a multiple of R, averaged over the judgment groups",
        module="diversity.rprec_mult_avgjg",
        reads=_WHOLE,
        cutoff="none",
        properties=_ALL,
        by_subtopic=True,
        holes=("serves no subtopic", "serve no subtopic"),
        parameters=(Parameter("x", default=1.0, low=0.0, high=math.inf, written="behind"),),
        aliases=("Rprec_mult_avgjg",),
    ),
)
