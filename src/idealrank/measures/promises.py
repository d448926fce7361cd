"""The definitions of measures by family; what many of them read and promise is named here, none imports NumPy."""

from idealrank.measures.properties import Properties

GRADED = ("gain", "discount", "cutoff", "unjudged", "negative")
"""What a sum of discounted gains reads."""

IDEAL = ("ideal", "ideal_depth", "max_grade", "no_relevant")
"""What a comparison with the best list reads."""

BINARY = ("relevant_from", "unjudged", "negative", "cutoff")
"""What a measure of relevant results reads."""

SHARE = Properties(
    lowest=0, highest=1, at_ideal="best", undefined="no relevant", monotone="always", depth="k", direction="higher"
)
"""What a share of the relevant documents among the first k results promises; most measures differ from it in little."""
