"""Files, dataframes and dicts go in; judgments, results, queries and documents come out, known by role."""
