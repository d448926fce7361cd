"""The kernel: tables of some queries go in, their part of the scores comes out; all parts make the scores."""
