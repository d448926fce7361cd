"""The default convention."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="idealrank-1",
        tool="idealrank",
        version="1",
        about="The default. On integer grades it equals trec_eval 10.0 -c for every measure both have.",
    ),
)
