"""What is counted in judgments and results: counts of parts of an evaluation go in, those of the whole come out."""
