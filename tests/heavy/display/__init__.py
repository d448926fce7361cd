"""What notebooks and frames of other libraries are handed, run in them."""
