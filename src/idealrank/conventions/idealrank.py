"""The default convention."""

from idealrank.conventions.definition import Convention

CONVENTIONS = (
    Convention(
        "idealrank-1",
        "idealrank",
        "1",
        "The default. On integer grades it equals trec_eval 10.0 -c for every measure both have.",
    ),
)
