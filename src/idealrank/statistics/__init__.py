"""Numbers go in; tests, intervals, corrections, power, correlations and overlaps come out.

It may import arrays and errors.
"""
