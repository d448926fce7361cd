"""Scores of several systems go in; differences with their evidence, and a verdict, come out.

It may import evaluation and the rooms below it.
"""
