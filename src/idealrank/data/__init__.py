"""Files, dataframes and dicts go in; judgments, results, queries and documents come out, known by role.

It may import decisions, arrays and errors.
"""
