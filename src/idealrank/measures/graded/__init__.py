"""Graded measures: what results are worth, by their grades."""

from idealrank.measures.common import DEFINED, GRADED, IDEAL, SCALED, SHARE, SUMMED, UNBOUNDED
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
        properties=UNBOUNDED,
        aliases=("dcg",),
    ),
    Definition(
        name="CG",
        title="Cumulative gain: what the results are worth, blind to their order",
        module="graded.cg",
        reads=SUMMED,
        properties=UNBOUNDED,
        aliases=("cg",),
    ),
    Definition(
        name="ERR",
        title="Expected reciprocal rank: where a reader who stops when satisfied stops",
        module="graded.err",
        reads=SCALED,
        properties=DEFINED,
        aliases=("err",),
    ),
    Definition(
        name="LinearERR",
        title="Linear ERR: expected reciprocal rank, the chance to stop linear in the grade",
        module="graded.linear_err",
        reads=SCALED,
        properties=DEFINED,
        aliases=("linear_ERR",),
    ),
)
