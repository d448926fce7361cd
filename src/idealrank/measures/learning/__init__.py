"""Measures of learning to rank and of other libraries: pairs, positions, probabilities."""

import math

from idealrank.measures.common import BINARY, COUNT, DEFINED, GAINED, SCALED, SHARE, SUMMED, UNBOUNDED
from idealrank.measures.definition import Definition
from idealrank.measures.parameters import Parameter

_PAIRS = SHARE._replace(at_ideal="1", undefined="no pair", depth="all")

DEFINITIONS = (
    Definition(
        name="PFound",
        title="PFound: the probability that a reader who may lose patience finds what he is looking for",
        module="learning.pfound",
        reads=SCALED,
        properties=DEFINED,
        parameters=(Parameter("decay", default=0.85, low=0.0, high=1.0),),
    ),
    Definition(
        name="Q",
        title="Q-measure: average precision blended with cumulative gain relative to the ideal list",
        module="learning.q_measure",
        reads=("relevant_from", *GAINED),
        properties=_PAIRS._replace(undefined="no relevant", monotone="no", average="none"),
        parameters=(Parameter("beta", default=1.0, low=0.0, high=math.inf),),
        aliases=("Q-measure",),
    ),
    Definition(
        name="OPA",
        title="Ordered pair accuracy: the share of pairs of results that are in the order of their grades",
        module="learning.opa",
        reads=("unjudged", "negative", "no_relevant"),
        properties=_PAIRS._replace(in_pairs=True),
        aliases=("pair_accuracy", "PairAccuracy"),
    ),
    Definition(
        name="AUC",
        title="Area under the ROC curve: the probability that a relevant result comes before another result",
        module="learning.auc",
        reads=("relevant_from", "unjudged", "negative", "no_relevant"),
        properties=_PAIRS._replace(undefined="no pair of relevant and other", in_pairs=True),
        aliases=("AUROC", "QueryAUC", "roc_auc"),
    ),
    Definition(
        name="ARP",
        title="Average relevance position: the mean rank of the results, weighted by gain",
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
        holes=("does not count", "do not count"),
    ),
    Definition(
        name="AverageGain",
        title="Average gain: the mean gain of the first k results",
        module="learning.average_gain",
        reads=(*SUMMED, "short_list", "no_relevant"),
        properties=SHARE._replace(highest=math.inf, undefined="nothing returned", not_averaged=("short_list=judged",)),
    ),
    Definition(
        name="RankBiasedGain",
        title="Rank-biased gain: the weighted mean gain of the results, with later ranks counting exponentially less",
        module="learning.rank_biased_gain",
        reads=SUMMED,
        properties=UNBOUNDED,
        parameters=(Parameter("p", default=0.6, low=0.0, high=1.0),),
        aliases=("XDCG",),
    ),
)
