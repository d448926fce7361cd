"""A printed number goes in, the convention behind it comes out; or two numbers, and the decisions between them.

It may import evaluation and the rooms below it.
"""
