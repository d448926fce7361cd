"""The definitions of measures by family; what they read is named here, none imports NumPy."""

GRADED = ("gain", "discount", "cutoff", "unjudged", "negative")
"""What a sum of discounted gains reads."""

IDEAL = ("ideal", "ideal_depth", "max_grade", "no_relevant")
"""What a comparison with the best list reads."""

BINARY = ("relevant_from", "unjudged", "negative", "cutoff")
"""What a measure of relevant results reads."""
