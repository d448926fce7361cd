"""Tests of evaluations in parts."""
