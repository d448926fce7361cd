"""Scores or a comparison go in; a report comes out, as a page, as Markdown, or as plots.

It may import all rooms but cli and integrations.
"""

ENDINGS = {".html": "html", ".md": "markdown", ".json": "json"}
"""The form of a report, by the end of a file's name."""
