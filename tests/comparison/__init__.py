"""Tests of comparing systems."""
