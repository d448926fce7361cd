"""Counts; only that of relevant results is good or bad."""

from idealrank.measures.common import BINARY, COUNT, UNBOUNDED
from idealrank.measures.definition import Definition

DEFINITIONS = (
    Definition(
        name="Judged",
        title="Judged: the share of the first k results that have a judgment",
        module="counts.judged",
        reads=("unjudged", "negative", "cutoff", "short_list", "no_relevant"),
        properties=COUNT._replace(
            highest=1, undefined="nothing returned", depth="k", not_averaged=("short_list=judged",), tie_range="none"
        ),
        aliases=("judged", "coverage"),
        holes=("counts as a result without a judgment", "count as results without a judgment"),
    ),
    Definition(
        name="NumRet",
        title="Number of results returned",
        module="counts.results",
        function="num_ret",
        reads=("unjudged", "negative"),
        shared_ranks=True,
        properties=COUNT,
        total="sum",
        aliases=("num_ret",),
        holes=("counts like any other result", "count like any other result"),
    ),
    Definition(
        name="NumRel",
        title="Number of relevant documents judged",
        module="counts.results",
        function="num_rel",
        reads=("relevant_from", "negative"),
        shared_ranks=True,
        properties=COUNT._replace(depth="nothing"),
        total="sum",
        aliases=("num_rel",),
    ),
    Definition(
        name="NumRelRet",
        title="Number of relevant documents returned",
        module="counts.results",
        function="num_rel_ret",
        reads=BINARY,
        shared_ranks=True,
        properties=UNBOUNDED,
        total="sum",
        aliases=("num_rel_ret",),
    ),
    Definition(
        name="NumQ",
        title="Number of queries scored",
        module="counts.results",
        function="num_q",
        reads=(),
        shared_ranks=True,
        properties=COUNT._replace(lowest=1, highest=1, at_ideal="1", depth="nothing"),
        total="sum",
        aliases=("num_q",),
    ),
)
