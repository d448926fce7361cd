"""Graded measures: how much results are worth, by their grades."""

from idealrank.measures.common import DEFINED, GRADED, IDEAL, SCALED, SHARE, SUMMED, UNBOUNDED
from idealrank.measures.definition import Definition

DEFINITIONS = (
    Definition(
        name="nDCG",
        title="Normalised discounted cumulative gain: the DCG as a share of the ideal list's",
        module="graded.ndcg",
        reads=(*GRADED, *IDEAL),
        properties=SHARE._replace(at_ideal="1", undefined="ideal zero", monotone="global or max"),
        aliases=("ndcg", "ndcg_cut"),
        carried={"SDCG": {"ideal": "max"}},
    ),
    Definition(
        name="DCG",
        title="Discounted cumulative gain: the gains of the results, with later ranks counting less",
        module="graded.dcg",
        reads=GRADED,
        properties=UNBOUNDED,
        aliases=("dcg",),
    ),
    Definition(
        name="CG",
        title="Cumulative gain: the gains of the results, regardless of their order",
        module="graded.cg",
        reads=SUMMED,
        properties=UNBOUNDED,
        aliases=("cg",),
    ),
    Definition(
        name="ERR",
        title="Expected reciprocal rank of the result that satisfies the reader",
        module="graded.err",
        reads=SCALED,
        properties=DEFINED,
        aliases=("err",),
    ),
    Definition(
        name="LinearERR",
        title="Linear ERR: expected reciprocal rank with a probability of stopping that is linear in the grade",
        module="graded.linear_err",
        reads=SCALED,
        properties=DEFINED,
        aliases=("linear_ERR",),
    ),
)
