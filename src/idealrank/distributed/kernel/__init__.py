"""The kernel: the tables of some queries go in, their part of the scores comes out; all parts together are the scores."""
