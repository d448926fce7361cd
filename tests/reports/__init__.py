"""Tests of reports: what stands in them is what the library and the command line say."""
