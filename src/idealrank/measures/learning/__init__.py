"""Measures of learning to rank and of other libraries: pairs, positions, chances."""

import math

from idealrank.measures.common import BINARY, COUNT, DEFINED, GAINED, SCALED, SHARE, SUMMED, UNBOUNDED
from idealrank.measures.definition import Definition
from idealrank.measures.parameters import Parameter

_PAIRS = SHARE._replace(at_ideal="1", undefined="no pair", depth="all")

DEFINITIONS = (
    Definition(
        name="PFound",
        title="PFound: the chance that a reader who may lose patience finds what he looks for",
        module="learning.pfound",
        reads=SCALED,
        properties=DEFINED,
        parameters=(Parameter("decay", default=0.85, low=0.0, high=1.0),),
    ),
    Definition(
        name="Q",
        title="Q-measure: average precision blended with what was got of the best list's gains",
        module="learning.q_measure",
        reads=("relevant_from", *GAINED),
        properties=_PAIRS._replace(undefined="no relevant", monotone="no", average="none"),
        parameters=(Parameter("beta", default=1.0, low=0.0, high=math.inf),),
        aliases=("Q-measure",),
    ),
    Definition(
        name="OPA",
        title="Ordered pair accuracy: the share of pairs of results in the order of their grades",
        module="learning.opa",
        reads=("unjudged", "negative", "no_relevant"),
        properties=_PAIRS._replace(in_pairs=True),
        aliases=("pair_accuracy", "PairAccuracy"),
    ),
    Definition(
        name="AUC",
        title="Area under the ROC curve: the chance that a relevant result stands before another one",
        module="learning.auc",
        reads=("relevant_from", "unjudged", "negative", "no_relevant"),
        properties=_PAIRS._replace(undefined="no pair of relevant and other", in_pairs=True),
        aliases=("AUROC", "QueryAUC", "roc_auc"),
    ),
    Definition(
        name="ARP",
        title="Average relevance position: the mean rank of the results, by their gains",
        module="learning.arp",
        reads=GAINED,
        properties=COUNT._replace(undefined="nothing of worth returned", monotone="no", direction="lower"),
    ),
    Definition(
        name="Fallout",
        title="Fall-out: the share of the documents judged non-relevant that are among the first k results",
        module="learning.fallout",
        reads=(*BINARY, "no_relevant"),
        properties=SHARE._replace(
            at_ideal="none", undefined="none judged non-relevant", monotone="no", direction="lower"
        ),
        aliases=("fall_out", "fall-out"),
        holes=("plays no part", "play no part"),
    ),
    Definition(
        name="AverageGain",
        title="Average gain: what the first k results are worth, by place",
        module="learning.average_gain",
        reads=(*SUMMED, "short_list", "no_relevant"),
        properties=SHARE._replace(highest=math.inf, undefined="nothing returned", not_averaged=("short_list=judged",)),
    ),
    Definition(
        name="RankBiasedGain",
        title="Rank-biased gain: what the results are worth on the average, later ranks counting exponentially less",
        module="learning.rank_biased_gain",
        reads=SUMMED,
        properties=UNBOUNDED,
        parameters=(Parameter("p", default=0.6, low=0.0, high=1.0),),
        aliases=("XDCG",),
    ),
)
