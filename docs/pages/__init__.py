"""The pages generated from the definitions, one per file, and the tables inside pages written by hand."""
