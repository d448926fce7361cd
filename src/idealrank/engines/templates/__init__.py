"""Requests with places for values go in; requests in an engine's own language, with the values escaped, come out."""
