"""Numbers of tools too heavy for every test run, with the data they were given. `make oracles` writes them anew."""
