"""Tests of the room conventions."""
