"""Numbers of tools too heavy for every test run, with the data they were given. `make oracles` writes them anew.

Those of trec_eval are of `trec_eval -q -c` on the fractions, built from the tags v9.0.8 and v10.0 of its repository.
"""
