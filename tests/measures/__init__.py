"""Tests of the room measures."""
