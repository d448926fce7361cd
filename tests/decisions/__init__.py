"""Tests of the room decisions."""
