"""Segments of queries: attributes and differences go in; where a change comes from comes out."""
