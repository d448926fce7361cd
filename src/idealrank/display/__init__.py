"""Columns and blocks go in; text, HTML, Markdown and JUnit come out.

It knows no value of the rooms above, and may import arrays and errors.
"""
