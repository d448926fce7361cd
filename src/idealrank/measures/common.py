"""What definitions have in common: the decisions they read, what they promise, a parameter; without NumPy."""

import math

from idealrank.measures.parameters import Parameter
from idealrank.measures.properties import Properties

GRADED = ("gain", "discount", "cutoff", "unjudged", "negative")
"""What a sum of discounted gains reads."""

IDEAL = ("ideal", "ideal_depth", "max_grade", "no_relevant")
"""What a comparison with the best list reads."""

SUMMED = ("gain", "cutoff", "unjudged", "negative")
"""What a sum of gains reads whose discounts are its own, or that has none."""

SCALED = ("max_grade", "unjudged", "negative", "cutoff")
"""What reads grades as parts of the top of the scale."""

GAINED = ("gain", "unjudged", "negative", "no_relevant")
"""What a share of gains in the whole list reads."""

BINARY = ("relevant_from", "unjudged", "negative", "cutoff")
"""What a measure of relevant results reads."""

WHOLE_LIST = ("relevant_from", "unjudged", "negative", "no_relevant")
"""What a share of relevant results in the whole list reads."""

SHARE = Properties(
    lowest=0, highest=1, at_ideal="best", undefined="no relevant", monotone="always", depth="k", direction="higher"
)
"""What a share of the relevant documents among the first k results promises; most measures differ from it in little."""

DEFINED = SHARE._replace(undefined="never")
"""What a share promises that is 0 where nothing is relevant."""

UNBOUNDED = DEFINED._replace(highest=math.inf)
"""What a sum promises that no number bounds."""

COUNT = Properties(
    lowest=0, highest=math.inf, at_ideal="none", undefined="never", monotone="always", depth="all", direction="count"
)
"""What a count of results promises."""

PATIENCE = Parameter("p", default=0.8, low=0.0, high=1.0)
"""The chance that a reader goes on to the next result."""
