"""Tables larger than memory, or elsewhere, go in; the scores of all their queries come out, as of one evaluation."""
