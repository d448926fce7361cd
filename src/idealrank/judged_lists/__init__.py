"""Judgments, results and decisions go in; judged lists come out, and ids that almost matched.

It may import data, decisions and arrays.
"""
