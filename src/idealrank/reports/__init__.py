"""Scores or a comparison go in; a report comes out, as a page, as Markdown, or as plots.

It may import all rooms but cli and integrations.
"""
