"""Ratings of people, models and clicks go in; how far they agree, and what that does to a verdict, come out.

It may import comparison and the rooms below it.
"""
