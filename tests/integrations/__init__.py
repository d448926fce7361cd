"""Tests of the ways other tools call."""
