"""Judgments, results and decisions go in; judged lists come out, and ids that nearly met.

It may import data, decisions and arrays.
"""
