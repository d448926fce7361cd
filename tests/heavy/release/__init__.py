"""The steps of a release, and what the pages say of installing."""
