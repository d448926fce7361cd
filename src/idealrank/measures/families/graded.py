"""Graded measures: what results are worth, by their grades."""

from __future__ import annotations

import math

from idealrank.measures.definition import Definition
from idealrank.measures.families import GRADED, IDEAL
from idealrank.measures.properties import Properties

DEFINITIONS = (
    Definition(
        name="nDCG",
        title="Normalised discounted cumulative gain: the DCG as a share of the best list's",
        module="ndcg",
        reads=(*GRADED, *IDEAL),
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
        carried={"SDCG": {"ideal": "max"}},
    ),
    Definition(
        name="DCG",
        title="Discounted cumulative gain: what the results are worth, later ranks counting less",
        module="dcg",
        reads=GRADED,
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
)
