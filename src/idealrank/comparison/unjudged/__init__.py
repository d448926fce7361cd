"""Holes: unjudged documents in the top of a compared list go in; what they could make of a measure comes out."""
