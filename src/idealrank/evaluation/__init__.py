"""Judgments, results and measures go in; scores, the ledger of every query, and explanations come out.

It may import measures and the rooms below it.
"""
