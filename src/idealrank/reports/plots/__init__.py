"""Static plots for papers and notebooks, drawn with matplotlib, which is imported when a plot is asked for."""

OF_SCORES = {
    "means": "means with 95 % intervals",
    "distribution": "how the values of queries are distributed",
    "curve": "the mean at every cutoff",
    "grades": "the grades of the results, query by rank",
    "segments": "means by segment of the queries",
}
"""The plots that one system is enough for, and what each shows."""

OF_COMPARISONS = {
    "differences": "the difference of every query, sorted",
    "scatter": "one system's values against another's",
    "overlap": "how much the lists of two systems share",
    "intervals": "the corrected intervals of the differences",
}
"""The plots that need two systems, and what each shows."""

NAMES = {**OF_SCORES, **OF_COMPARISONS}
