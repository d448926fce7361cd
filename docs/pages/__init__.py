"""The pages that follow from the definitions, one a file, and the tables inside pages written by hand."""
