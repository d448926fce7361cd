"""User models: what a reader gains from each result, by how he goes down the list (C/W/L)."""

import math

from idealrank.measures.common import DEFINED, PATIENCE, SCALED
from idealrank.measures.definition import Definition
from idealrank.measures.parameters import Parameter

_ADAPTIVE = DEFINED._replace(average="none")
_PERSISTENCE = Parameter("p", default=0.95, low=0.0, high=1.0)
_GOAL = Parameter("T", default=1.0, low=0.0, high=math.inf)


def _nearly_err(equation: int, or_else: str, *parameters: Parameter) -> Definition:
    return Definition(
        name=f"NERR{equation}",
        title=f"Nearly ERR: stops when satisfied, or {or_else}",
        module="user_models.nerr",
        function=f"nerr{equation}",
        reader=f"nerr{equation}",
        reads=SCALED,
        properties=_ADAPTIVE,
        parameters=parameters,
    )


DEFINITIONS = (
    Definition(
        name="INSQ",
        title="INSQ: what results are worth to a reader who is more likely to continue the further he has come",
        module="user_models.insq",
        reader="reading",
        reads=SCALED,
        properties=DEFINED,
        parameters=(_GOAL,),
    ),
    Definition(
        name="INST",
        title="INST: what results are worth to a reader with a goal who knows how much he has found",
        module="user_models.inst",
        function="reading",
        reader="reading",
        reads=SCALED,
        properties=_ADAPTIVE,
        parameters=(Parameter("T", default=1.0, low=0.5, high=math.inf, ends="closed"),),
    ),
    Definition(
        name="BPM",
        title="BPM: what results are worth to a reader who stops once he has found enough, or at rank k",
        module="user_models.bpm",
        function="reading",
        reader="reading",
        reads=SCALED,
        properties=_ADAPTIVE._replace(monotone="no"),
        parameters=(_GOAL,),
    ),
    _nearly_err(8, "at rank k"),
    _nearly_err(9, "at rank k, earlier ranks counting more"),
    _nearly_err(10, "loses patience as in RBP", Parameter("p", default=0.9, low=0.0, high=1.0)),
    _nearly_err(11, "continues as in INSQ", _GOAL),
    Definition(
        name="GradedRBP",
        title="Rank-biased precision with grades, as shares of the highest, instead of relevance",
        module="user_models.graded_rbp",
        reader="reading",
        reads=SCALED,
        properties=DEFINED,
        parameters=(PATIENCE,),
        aliases=("gRBP",),
    ),
    Definition(
        name="NormalisedRBP",
        title="Rank-biased precision of grades, as a share of the ideal list's",
        module="user_models.normalised_rbp",
        reads=("unjudged", "negative", "cutoff", "no_relevant"),
        properties=DEFINED._replace(at_ideal="1", undefined="nothing of worth"),
        parameters=(PATIENCE,),
        aliases=("normalized_RBP",),
    ),
    Definition(
        name="Compat",
        title="Compatibility: rank-biased overlap with the ideal list, as a share of the highest possible",
        module="user_models.compat",
        reads=("unjudged", "negative", "no_relevant"),
        properties=_ADAPTIVE._replace(at_ideal="1", undefined="nothing of worth", depth="all", tie_range="none"),
        parameters=(_PERSISTENCE,),
        aliases=("compatibility",),
    ),
    Definition(
        name="RBOToIdeal",
        title="Rank-biased overlap with the ideal list",
        module="user_models.rbo_to_ideal",
        reads=("unjudged", "negative"),
        properties=_ADAPTIVE._replace(depth="all", tie_range="none"),
        parameters=(_PERSISTENCE,),
    ),
)
