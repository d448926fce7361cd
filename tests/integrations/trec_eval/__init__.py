"""The stand-in for trec_eval's command line."""
