"""Graded measures: what results are worth, by their grades."""

import math

from idealrank.measures.common import GRADED, IDEAL, SHARE
from idealrank.measures.definition import Definition

DEFINITIONS = (
    Definition(
        name="nDCG",
        title="Normalised discounted cumulative gain: the DCG as a share of the best list's",
        module="graded.ndcg",
        reads=(*GRADED, *IDEAL),
        properties=SHARE._replace(at_ideal="1", undefined="ideal zero", monotone="global or max"),
        aliases=("ndcg", "ndcg_cut"),
        carried={"SDCG": {"ideal": "max"}},
    ),
    Definition(
        name="DCG",
        title="Discounted cumulative gain: what the results are worth, later ranks counting less",
        module="graded.dcg",
        reads=GRADED,
        properties=SHARE._replace(highest=math.inf, undefined="never"),
        aliases=("dcg",),
    ),
    Definition(
        name="CG",
        title="Cumulative gain: what the results are worth, blind to their order",
        module="graded.cg",
        reads=("gain", "cutoff", "unjudged", "negative"),
        properties=SHARE._replace(highest=math.inf, undefined="never"),
        aliases=("cg",),
    ),
    Definition(
        name="ERR",
        title="Expected reciprocal rank: where a reader who stops when satisfied stops",
        module="graded.err",
        reads=("max_grade", "unjudged", "negative", "cutoff"),
        properties=SHARE._replace(undefined="never"),
        aliases=("err",),
    ),
    Definition(
        name="LinearERR",
        title="Linear ERR: expected reciprocal rank, the chance to stop linear in the grade",
        module="graded.linear_err",
        reads=("max_grade", "unjudged", "negative", "cutoff"),
        properties=SHARE._replace(undefined="never"),
        aliases=("linear_ERR",),
    ),
)
