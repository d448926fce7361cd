"""A printed number goes in, and its convention comes out; or two numbers, and the decisions that make the difference.

It may import evaluation and the rooms below it.
"""
