"""What definitions share: the decisions they read, what they promise, a parameter; without NumPy."""

import math

from idealrank.measures.parameters import Parameter
from idealrank.measures.properties import Properties

GRADED = ("gain", "discount", "cutoff", "unjudged", "negative")
"""What a sum of discounted gains reads."""

IDEAL = ("ideal", "ideal_depth", "max_grade", "no_relevant")
"""What a comparison with the best list reads."""

SUMMED = ("gain", "cutoff", "unjudged", "negative")
"""What a sum of gains reads if it has its own discounts, or none."""

SCALED = ("max_grade", "unjudged", "negative", "cutoff")
"""What a measure reads that takes grades as shares of the highest grade."""

GAINED = ("gain", "unjudged", "negative", "no_relevant")
"""What a share of gains in the whole list reads."""

BINARY = ("relevant_from", "unjudged", "negative", "cutoff")
"""What a measure of relevant results reads."""

WHOLE_LIST = ("relevant_from", "unjudged", "negative", "no_relevant")
"""What a share of relevant results in the whole list reads."""

SHARE = Properties(
    lowest=0, highest=1, at_ideal="best", undefined="no relevant", monotone="always", depth="k", direction="higher"
)
"""What a share of the relevant documents among the first k results promises; most measures differ little from it."""

DEFINED = SHARE._replace(undefined="never")
"""What a share promises that is 0 if nothing is relevant."""

UNBOUNDED = DEFINED._replace(highest=math.inf)
"""What an unbounded sum promises."""

COUNT = Properties(
    lowest=0, highest=math.inf, at_ideal="none", undefined="never", monotone="always", depth="all", direction="count"
)
"""What a count of results promises."""

PATIENCE = Parameter("p", default=0.8, low=0.0, high=1.0)
"""The probability that a reader continues to the next result."""
